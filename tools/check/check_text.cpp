// The result of a check for people: one verdict.
#include <fmt/format.h>

#include <algorithm>

#include "tools/check/check.h"

namespace lanewise {
namespace {

constexpr std::size_t kMostFindings = 5;

std::string verdict(const CheckResult& r, std::size_t left) {
  const std::string cut = r.interrupted ? "interrupted" : "";
  if (left != 0) return fmt::format("{}{} finding{}", cut.empty() ? "" : cut + ", ", left, left == 1 ? "" : "s");
  if (!r.unmatched.empty()) return "accepted findings do not occur";
  if (r.interrupted) return cut;
  return r.outcome() == Outcome::kUnsupported ? "nothing could run" : "nothing found";
}

// "the schedule, the subgroup size": those that were tried and changed nothing.
std::string unchanged(const CheckResult& r) {
  std::string out;
  for (const Axis axis : r.tried)
    if (axis != Axis::kNone && !r.depends.contains(axis)) out += (out.empty() ? "" : ", ") + std::string(axisName(axis));
  return out;
}

bool toldAlready(const CheckResult& r, Axis axis) {
  return std::ranges::any_of(r.findings,
                             [&](const CheckFinding& f) { return f.what == CheckFinding::What::kDependence && f.axis == axis; });
}

}  // namespace

std::string checkText(const CheckResult& r, const std::string& subject) {
  std::string out;
  std::size_t left = 0, accepted = 0;
  for (const CheckFinding& f : r.findings) {
    if (!f.accepted.empty()) {
      ++accepted;
    } else if (++left <= kMostFindings) {
      out += fmt::format("  {}{}\n", f.what == CheckFinding::What::kReported ? "" : f.kind() + ": ", f.says);
      out += fmt::format("    in {}, {}{}\n", f.subject, f.way, f.count > 1 ? fmt::format("; {} times in all", f.count) : "");
      if (!f.opens.empty()) out += fmt::format("    open it there: {}\n", f.opens);
    }
  }
  if (left > kMostFindings) out += fmt::format("  and {} more: --json has all\n", left - kMostFindings);
  for (const std::string& key : r.unmatched) out += fmt::format("  accepted, but not found: {}\n", key);
  if (accepted != 0) out += fmt::format("  {} accepted\n", accepted);
  for (const auto& [axis, example] : r.depends)
    if (!toldAlready(r, axis)) out += fmt::format("  the bytes depend on {}: {}\n", axisName(axis), example);
  if (const std::string same = unchanged(r); !same.empty()) out += fmt::format("  the bytes were the same whatever {}\n", same);
  for (const auto& [way, why] : r.unable) out += fmt::format("  could not run under {}: {}\n", way, why);
  if (r.beyond != 0)
    out += fmt::format("  {} case{} could not run under this profile: {}\n", r.beyond, r.beyond == 1 ? "" : "s", r.whyBeyond);
  for (const std::string& name : r.leftOut) out += fmt::format("  run only once, because it ended with an error: {}\n", name);
  out += fmt::format("  tried: {} {}, {} runs in {:.1f} s\n    {}\n", r.jobs, r.jobs == 1 ? "job" : "jobs", r.runs, r.seconds,
                     fmt::join(r.ways, ", "));
  out += "    (* with findings and races)\n";
  if (r.large != 0)
    out += fmt::format("  {} job{} too large to be interleaved: check one by its name\n", r.large, r.large == 1 ? " was" : "s were");
  if (r.forgottenUses != 0)
    out += fmt::format("  {} accesses of memory with many users were forgotten: a race with one of them is not found\n", r.forgottenUses);
  out += "  not tried, so not proved: other inputs and sizes, paths that no run took, other orders of atomics\n";
  out += "  not checked: reads of local variables that nobody has written\n";
  return fmt::format("{}: {}\n{}", subject, verdict(r, left), out);
}

}  // namespace lanewise
