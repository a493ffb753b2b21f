// The result of a check for people: one verdict.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "tools/check/check.h"

namespace lanewise {
namespace {

constexpr std::size_t kMostFindings = 5;

std::string verdict(const CheckResult& r, std::size_t left) {
  const std::string cut = r.interrupted ? "interrupted" : "";
  if (left != 0) return fmt::format("{}{} finding{}", cut.empty() ? "" : cut + ", ", left, left == 1 ? "" : "s");
  if (!r.unmatched.empty()) return "accepted findings do not occur";
  if (r.interrupted) return cut;
  if (r.outcome() == Outcome::kUnsupported) return "nothing could run";
  return r.inBaseline != 0 ? "nothing new" : "nothing found";
}

// "the schedule, the subgroup size": those that were tried and changed nothing. A run that ended with an error has no bytes to compare.
std::string unchanged(const CheckResult& r) {
  std::string out;
  for (const auto& [axis, runs] : r.tried)
    if (axis != Axis::kNone && !r.depends.contains(axis) && !r.failed.contains(axis))
      out += (out.empty() ? "" : ", ") + std::string(axisName(axis));
  return out;
}

std::string counted(std::uint64_t count, const char* one) {
  return fmt::format("{} {}{}", count, one, count == 1 ? "" : "s");
}

// Lines that no run executed and inputs that none read; neither is a finding.
std::string coverageText(const CheckResult& r) {
  constexpr std::size_t kMost = 160;
  if (!r.coverage)
    return r.lcovAsked ? "  --lcov wrote nothing: no run could be looked at\n"
                       : "  not looked at: which lines run and which inputs are read (--lcov FILE)\n";
  std::string out;
  if (r.lcovAsked && r.coverage->empty()) out += "  --lcov wrote nothing: the module does not say its lines; compile it with -g\n";
  if (r.cut != 0) out += fmt::format("  which lines run was looked at up to where {} ended with an error\n", counted(r.cut, "job"));
  if (std::string lines = missedLines(*r.coverage); !lines.empty()) {
    if (lines.size() > kMost) lines = lines.substr(0, lines.rfind(',', kMost)) + ", ...";
    out += fmt::format("  never executed: {}\n", lines);
  }
  if (!r.unread.empty())
    out += fmt::format("  never read: {}{}\n", r.unread[0],
                       r.unread.size() > 1 ? fmt::format("; {} more: --json has all", r.unread.size() - 1) : "");
  return out;
}

// How it is known.
std::string reasonOf(const CheckResult& r) {
  const Certificate& c = r.certificate;
  std::string all;
  for (const auto& [orders, whose] : {std::pair(c.byInvocations, "invocation"), std::pair(c.bySubgroups, "subgroup")})
    if (orders.executions != 0)
      all += fmt::format("{}{} of {}", all.empty() ? "every order that can differ was run: " : ", ", orders.executions,
                         counted(orders.most, whose));
  if (r.orderFree == 0) return all;
  return all.empty() ? "no race, no atomic" : fmt::format("no race, no atomic; of {} jobs {}", c.explored, all);
}

// What is proved of every order, and of every subgroup.
std::string certificateText(const CheckResult& r) {
  const Certificate& c = r.certificate;
  const std::size_t proved = r.orderFree + c.explored;
  if (r.interrupted) return "";
  std::string out;
  if (proved != 0) {
    const std::string which = proved == r.jobs ? "" : fmt::format(" of {} of {} jobs", proved, r.jobs);
    const bool loads = c.staleSeeds != 0;
    out = fmt::format("  proved{}{}: no order of workgroups or invocations changes the bytes ({}){}\n", which,
                      loads ? ", if atomic loads see the newest value" : "", reasonOf(r),
                      r.spared == 0 ? "" : ", so they were not run in other orders");
    if (c.explored != 0)
      out += fmt::format("    (in these orders each access takes effect at once; findings and races were looked for in each{})\n",
                         loads ? fmt::format("; older values were tried by {}", counted(c.staleSeeds, "seed")) : "");
  }
  if (c.withoutSubgroups != 0) {
    const std::string which = c.withoutSubgroups == proved ? "" : fmt::format(" of {}", counted(c.withoutSubgroups, "job"));
    out += fmt::format("  proved{}: no subgroup size and no choice of who is in a subgroup does (no operation of subgroups)\n", which);
  }
  const std::string whose = c.opened == r.jobs ? "" : fmt::format(" of {}", counted(c.opened, "job"));
  if (c.opened != 0)
    out += c.alike == 0 ? fmt::format("  not every order was run{}: {}\n", whose, c.open)
                        : fmt::format("  {} run and gave the same bytes; not proved{}: {}\n",
                                      c.alike == 1 ? "1 order was" : fmt::format("{} orders were", c.alike), whose, c.open);
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
      out += fmt::format("    in {}, {}{}\n", f.subject, f.way, f.count > 1 ? fmt::format("; {} times", f.count) : "");
      if (!f.opens.empty()) out += fmt::format("    open it there: {}\n", f.opens);
      if (f.finding.promised != Schedule::Progress::kNone)
        out += fmt::format("    if your devices promise that progress is {0}: check with --progress {0} (docs/check.md)\n",
                           progressName(f.finding.promised));
    }
  }
  if (left > kMostFindings) out += fmt::format("  and {} more: --json has all\n", left - kMostFindings);
  if (r.reduced)
    out += fmt::format("  {} of {} instructions show the first one too: {} ({} modules tried{})\n", r.reduced->after, r.reduced->before,
                       r.reduced->file, r.reduced->tried,
                       r.reducingInterrupted ? ", interrupted: more could be"
                       : r.reduced->finished ? ""
                                             : ", and more could be");
  if (!r.notReduced.empty()) out += fmt::format("  --reduce wrote nothing: {}\n", r.notReduced);
  for (const std::string& key : r.unmatched) out += fmt::format("  accepted, but not found: {}\n", key);
  if (accepted != 0) out += fmt::format("  {} accepted\n", accepted);
  if (r.inBaseline != 0) out += fmt::format("  {} of the baseline still there\n", counted(r.inBaseline, "finding"));
  for (const auto& [axis, example] : r.depends)
    if (!toldAlready(r, axis)) out += fmt::format("  the bytes depend on {}: {}\n", axisName(axis), example.text);
  for (const auto& [device, jobs] : r.excused)
    out += fmt::format("  {} gave other bytes for {} by a known fault, which is no finding\n", device, counted(jobs, "job"));
  if (const std::string same = unchanged(r); !same.empty()) out += fmt::format("  the bytes did not depend on {}\n", same);
  out += certificateText(r);
  for (const auto& [way, why] : r.unable) out += fmt::format("  could not run under {}: {}\n", way, why);
  if (r.beyond != 0)
    out += fmt::format("  {} case{} could not run under this profile: {}\n", r.beyond, r.beyond == 1 ? "" : "s", r.whyBeyond);
  for (const std::string& name : r.leftOut) out += fmt::format("  run only once, because it ended with an error: {}\n", name);
  for (const auto& [name, ended] : r.waiting)
    out += fmt::format("  waits in order, and was only interleaved otherwise{}: {}\n",
                       ended.empty() ? "" : fmt::format(" (it ends under {})", fmt::join(ended, ", ")), name);
  out += fmt::format("  tried: {} {}, {} runs in {:.1f} s\n", r.jobs, r.jobs == 1 ? "job" : "jobs", r.runs, r.seconds);
  if (!r.ways.empty()) out += fmt::format("    {}\n    (* with findings and races)\n", fmt::join(r.ways, ", "));
  if (const std::uint64_t judged = r.refereed.races + r.refereed.silences; judged + r.refereed.tooLong != 0)
    out += fmt::format("  the memory model's axioms judged {} pairs of accesses too; {} had too many events for that\n", judged,
                       r.refereed.tooLong);
  if (r.large != 0)
    out += fmt::format("  {} job{} too large to run lane by lane, interleaved or with stale memory: check one by its name\n", r.large,
                       r.large == 1 ? " was" : "s were");
  if (r.forgottenUses != 0)
    out += fmt::format("  {} accesses of memory with many users were forgotten: a race with one of them is not found\n", r.forgottenUses);
  out += coverageText(r);
  if (!r.deviceFaults.empty())
    out += fmt::format("  known of the device: {} (docs/device-deviations.md; --json has them)\n", counted(r.deviceFaults.size(), "fault"));
  if (r.progress != Schedule::Progress::kNone)
    out += fmt::format("  taken for granted by --progress, and not promised by Vulkan: progress is {}\n", progressName(r.progress));
  const bool everyOrder = r.jobs != 0 && r.orderFree + r.certificate.explored == r.jobs;
  out += fmt::format("  not tried, so not proved: other inputs and sizes, paths that no run took{}{}\n", everyOrder ? "" : ", other orders",
                     r.tried.contains(Axis::kMemory) ? ", loads that see what is stored later (load buffering, docs/model.md)" : "");
  return fmt::format("{}: {}\n{}", subject, verdict(r, left), out);
}

}  // namespace lanewise
