// A sweep's result in numbers, by kernel and side. Every report shows the same numbers.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "tools/sweep/result.h"

namespace lanewise {

// The number of runs with each Verdict.
struct Tally {
  std::array<std::size_t, 5> counts{};
  std::size_t operator[](Verdict verdict) const { return counts[static_cast<std::size_t>(verdict)]; }
  bool bad() const { return (*this)[Verdict::kMismatch] != 0 || (*this)[Verdict::kError] != 0; }
  // "1364 ok", "1 mismatch, 12 ok", "nothing ran".
  std::string text() const;
};

struct KernelRow {
  std::string kernel;
  std::size_t cases = 0;
  std::size_t golden = 0;   // cases whose golden the store confirmed
  std::size_t trouble = 0;  // cases whose golden is missing, stale or edited
  std::size_t oracle = 0;   // cases that the store does not have: only the oracle judged
  std::size_t none = 0;     // cases for which nothing says what the results are: a description with invariants alone
  std::vector<Tally> sides;
  std::size_t recorded = 0;  // cases of a description that are judged by recorded results, which are not proved

  // "1364", "32, 48 oracle only", "3 in trouble", "12 no reference", "90 recorded".
  std::string goldenText() const;
  // What judged, where that is no proved result: as unprovedText, of this kernel.
  std::string judgedText() const;
};

// "not checked", "agrees", "oracle only", "trouble"; where the store has nothing and no oracle judges either,
// "no reference" or "recorded".
const char* goldenName(const CaseResult& c);
// What such a name says; nothing for another text.
std::optional<GoldenState> goldenStateOf(std::string_view name);

// What judged the cases that ran, where that is no proved result: "45 cases by invariants alone: nothing says that a result is right; ...".
// Empty: an oracle, bounds or a reference of the user's judged all of them. A report without failures never leaves it out.
std::string unprovedText(const SweepResult& result);
// The first words of a report: "PASSED", "FAILED", "NO DIFFERENCE, WHICH IS NO APPROVAL" where nothing but invariants judged, and others.
std::string verdictText(const SweepResult& result);
// Whether it is "PASSED" without more.
bool isPassed(const SweepResult& result);

// In the order of the kernels in the plan.
std::vector<KernelRow> kernelRows(const SweepResult& result);

// "0.3", "12", "1213": only significant digits.
std::string rateText(double rate);

// How many components differ and by how much: "3 of 8 components differ, by at most 85 (PSNR 17.2 dB); by size: equal 5, 64-127: 3".
std::string differenceText(const SideResult& side);
// What is allowed and why: "box-blur/double: exact", or the tolerance with the derivation of its bound.
std::string contractText(const Kernel& kernel);

// Why there is only a verdict for a case with wrong bytes: its kernel was not arbitrated. Empty if a failure of the kernel was, or if no
// kernel's was.
std::string notLookedInto(const SweepResult& result, const CaseResult& c);

// Sides that gave the same wrong bytes in one case, by their numbers. The first of each group represents it.
std::vector<std::vector<std::size_t>> mismatchGroups(const CaseResult& c);
// "model and lavapipe".
std::string sideNames(const SweepResult& result, const std::vector<std::size_t>& sides);

// Everything that is known of a failing case: the first bad texel and the differences by sides, the verdict, and the ruling if there is
// one.
std::string failureText(const SweepResult& result, const CaseResult& c);

}  // namespace lanewise
