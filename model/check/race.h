// A data race: two accesses of one place.
#pragma once

#include <string>
#include <vector>

#include "model/state/race_order.h"

namespace lanewise::race {

// How to read the bytes of a place. A texel has `texel` set. Anything that is neither a texel nor one scalar has neither set.
struct Reading {
  Scalar scalar = Scalar::kNone;
  bool isSigned = false;
  const FormatInfo* texel = nullptr;
};

// One of the two accesses.
struct Party {
  std::uint32_t dispatch = 0, pc = 0;
  std::uint64_t workgroup = 0;  // its linear index
  std::uint32_t lane = 0;       // of the workgroup: Program::invocationOf
  std::uint32_t interval = 0;   // which of the executions of `pc` (race_sync.h)
  bool reads = false, writes = false, atomic = false, isPrivate = false;
};

// What stands between two accesses that nothing orders.
struct Between {
  bool barrier = false;         // of their workgroup
  std::uint32_t barrierPc = 0;  // the last one
  bool isReleased = false;      // the first one's invocation released it, and that has reached the second one's, which did not acquire it
};

struct Race {
  Party first, second;  // in the order of this run
  Class in{};           // of the second
  bool oneReference = true;
  Between between;                       // barriers and releases
  std::uint32_t resource = 0;            // images and buffers
  std::uint64_t offset = 0;              // the first byte of the place
  PlaceName object;                      // "scratch[127]", "source[12,7]"
  std::string place;                     // "level 2" for an image with levels
  std::vector<std::byte> before, after;  // the bytes before, and those after the second access's instruction
  bool own = true;                       // `before` is the first's and `after` the second's; false if one store has both
  Reading reading;                       // of both
  bool equal = false;                    // both wrote the same in every occurrence
  std::uint64_t count = 1;
};

}  // namespace lanewise::race
