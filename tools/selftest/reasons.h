// Why a mutant may survive: one row per reason. The rows are data, checked by hand. A survivor without a row is a gap in the quick set.
// What can be decided by analysis has no row (same_in_range.h).
#pragma once

#include <span>
#include <string>
#include <vector>

#include "tools/selftest/selftest.h"

namespace lanewise {

// A row excuses exactly as many mutants as it says: if it matches more or fewer, the self-test fails. A place is given by the text of its
// line, not by its number, so that a kernel may be edited above it.
struct Reason {
  Fate fate;
  const char* rule;    // its name
  const char* module;  // a part of its name; empty: any
  const char* file;    // the whole of its name; empty: any
  const char* source;  // a part of the line; empty: any
  const char* change;  // a part; never empty
  std::size_t mutants;
  const char* why;
};

inline constexpr Fate kSame = Fate::kSameResult, kBeyond = Fate::kExplained;

// Reasons of several kernels.
inline constexpr const char* kNeverNegative =
    "neither operand is ever negative, nor 2^31 or more: sizes, counts and positions inside a picture";
inline constexpr const char* kMasked = "the bits that the sign would fill are masked or shifted away";
inline constexpr const char* kAnyOne = "any one invocation of the workgroup may do it";
inline constexpr const char* kNotAbove = "a mean of codes does not pass the largest but by a rounding, and the store clamps";
inline constexpr const char* kUnwritten =
    "what was never written reads as 0 in the model, and 0 is right there; on a device it may be anything";
inline constexpr const char* kNoPlace = "what is made beyond the picture has no place and is not stored";

// The rows name the instructions that one version of glslang writes. Returns whether that version built the modules. With another one,
// survivors may lack a row, and rows may lack their mutants.
bool reasonsFit();

// All rows; the first that applies to a mutant counts.
std::span<const Reason> reasons();
// The index of a survivor's row; the number of rows if none matches.
std::size_t reasonFor(std::span<const Reason> rows, const MutantResult& mutant);
// The errors in the rows: a row that names no rule or no change, or excuses more mutants than it says. `complete`: the result has every
// mutant of every module, so a row that excuses fewer is an error too.
std::vector<std::string> reasonProblems(std::span<const Reason> rows, const SelftestResult& result, bool complete);

std::span<const Reason> blurReasons();
std::span<const Reason> photoReasons();
std::span<const Reason> spdReasons();
std::span<const Reason> pyramidReasons();
std::span<const Reason> cascadeReasons();

}  // namespace lanewise
