// Why a mutant may survive: one row a reason. The rows are data, checked by hand; a survivor without one is a hole in the quick set.
#pragma once

#include <span>

#include "tools/selftest/selftest.h"

namespace lanewise {

// A place is a line's text, not its number: a kernel may be edited above it.
struct Reason {
  Fate fate;
  const char* rule;    // empty: any
  const char* module;  // a part of its name; empty: any
  const char* file;    // the whole of its name; empty: any
  const char* source;  // a part of the line; empty: any
  const char* change;  // a part; empty: any
  const char* why;
};

inline constexpr Fate kSame = Fate::kSameResult, kRace = Fate::kNeedsRaceChecker, kBeyond = Fate::kExplained;

// Reasons of several kernels.
inline constexpr const char* kNeverNegative =
    "neither operand is ever negative, nor 2^31 or more: sizes, counts and positions inside a picture";
inline constexpr const char* kMasked = "the bits that the sign would fill are masked or shifted away";
inline constexpr const char* kAnyOne = "any one invocation of the workgroup may do it";
inline constexpr const char* kNotAbove = "a mean of codes does not pass the largest but by a rounding, and the store clamps";
inline constexpr const char* kUnwritten =
    "what was never written reads as 0 in the model, and 0 is right there; on a device it may be anything";
inline constexpr const char* kNoPlace = "what is made beyond the picture has no place and is not stored";

std::span<const Reason> blurReasons();
std::span<const Reason> photoReasons();
std::span<const Reason> spdReasons();
std::span<const Reason> pyramidReasons();

}  // namespace lanewise
