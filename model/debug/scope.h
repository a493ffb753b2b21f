// What expressions are about: where names are looked up, and what they are found to be.
#pragma once

#include "model/debug/seek.h"
#include "model/debug/tuple.h"

namespace lanewise::debug {

// The value of an expression: a variable or a part of one, which may be an array or a structure; or a tuple.
struct Value {
  std::optional<LaneValue> variable;
  std::optional<Tuple> tuple;         // also for a variable that is a scalar or a vector
  std::optional<Region> region;       // where it is, if it is in memory
  const FormatInfo* texel = nullptr;  // of a whole texel, as the image's view has it
};

// Where names are looked up: a lane, the instruction it is at, and one of the functions there. Without a batch it is no lane:
// only what a dispatch is bound to has a value then, and of all else it is said why.
struct Scope {
  const Places* places = nullptr;
  LaneState lane;
  std::uint32_t pc = 0;
  std::size_t frame = 0;
  const Job* job = nullptr;
  Execution* run = nullptr;  // has the resources that the dispatch does not bind; nullptr: they cannot be read
  std::optional<Error> absent = {};
};

}  // namespace lanewise::debug
