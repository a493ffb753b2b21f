// A data race as it is found: two accesses of one place.
#pragma once

#include <string>
#include <vector>

#include "model/check/race_order.h"

namespace lanewise::race {

// How to read the bytes of a place. A texel has `texel`, and anything but one scalar neither.
struct Reading {
  Scalar scalar = Scalar::kNone;
  bool isSigned = false;
  const FormatInfo* texel = nullptr;
};

// One of the two.
struct Party {
  std::uint32_t dispatch = 0, pc = 0;
  std::uint64_t workgroup = 0;  // its linear index
  std::uint32_t lane = 0;       // of the workgroup: Program::invocationOf
  std::uint32_t interval = 0;   // which of its executions of `pc`: race_sync.h
  bool reads = false, writes = false, atomic = false, isPrivate = false;
};

struct Race {
  Party first, second;  // as they came in this run
  Class in{};           // of the second
  bool oneReference = true;
  std::uint32_t resource = 0;            // images and buffers
  std::uint64_t offset = 0;              // the first byte of the place
  PlaceName object;                      // "scratch[127]", "source[12,7]"
  std::string place;                     // of an image with levels "level 2"
  std::vector<std::byte> before, after;  // what was there, and what stood there when the second's instruction had ended
  bool own = true;                       // `before` is the first's and `after` the second's: not where one store has both
  Reading reading;                       // of both
  bool equal = false;                    // whenever it occurred both wrote the same
  std::uint64_t count = 1;
};

}  // namespace lanewise::race
