// `lanewise replay`: runs a capsule on every side, and prints it beside the expected result and the results of each side when it was
// written.
#include <fmt/format.h>

#include <filesystem>

#include "model/base/visible.h"
#include "tools/cli/commands.h"
#include "tools/cli/sides.h"
#include "tools/subject/subject.h"
#include "tools/subject/subject_text.h"
#include "tools/sweep/debug_command.h"

namespace lanewise {
namespace {

// How this result compares with those in the capsule: "as model and lavapipe then".
std::string beside(const Capsule* capsule, const std::vector<golden::Image>& got) {
  if (!capsule || capsule->answers.empty()) return "not as expected";
  std::string same;
  for (const CapsuleAnswer& a : capsule->answers)
    if (a.error.empty() && a.images == got) same += (same.empty() ? "as " : " and ") + a.side;
  return same.empty() ? "as no side then" : same + " then";
}

// Goes to what is wrong in the debugger, which has a capsule's own way unless another is given. A device is shown beside the model, if that
// is right; else the model's command leads there. What only the model says is expected is no answer to go against.
void printOpening(const ReplayOptions& o, const Subject& subject, const Side& side, bool isError, bool isModelRight) {
  const MadeCase* const made = subject.madeCase();
  if ((made && made->what.kernel->invariants) || (!side.info.isModel && (isError || !isModelRight))) return;
  const DebugWay way{"", side.info.isModel && !o.schedules.empty() ? side.schedule.token() : "", 0};
  const std::string command = isError ? "end" : "against " + (side.info.isModel ? "golden" : side.info.name);
  fmt::print("  open it there: {}\n", visible(debugCommand(subjectOptions(o.subject), way, {command})));
}

Expected<Outcome> replayOn(const ReplayOptions& o, const Subject& subject, const Expectation& expected, const Side& side,
                           bool isModelRight) {
  RunResult run = side.device->run(subject.job);
  if (run.error) {
    fmt::print("{}: {}: {}\n", side.info.name, outcomeName(run.error->outcome), visible(run.error->text()));
    if (run.error->outcome == Outcome::kFinding) printOpening(o, subject, side, true, isModelRight);
    return run.error->outcome;
  }
  const Expected<Judged> judged = judge(expected, run);
  if (!judged) return judged.error();
  if (!judged->wrong) {
    fmt::print("{}: as expected\n", side.info.name);
    return Outcome::kOk;
  }
  fmt::print("{}: {}; {}\n", side.info.name, visible(judged->text()), visible(beside(subject.capsule(), judged->got)));
  printOpening(o, subject, side, false, isModelRight);
  return Outcome::kFinding;
}

}  // namespace

Expected<Outcome> runReplay(const ReplayOptions& o) {
  if (std::error_code failed; std::filesystem::is_directory(o.subject.text, failed))
    return Error{Outcome::kBadInput, fmt::format("'{}' is a folder, and a capsule or a case is meant here", o.subject.text), "replay",
                 "name one of its files that end in .capsule"};
  if (namesModule(o.subject.text))
    return Error{Outcome::kBadInput, "a module of your own has no expected result", o.subject.text,
                 "`lanewise run --diff` compares devices, `lanewise check` looks for errors"};
  const Expected<Subject> subject = openSubject(o.subject);
  if (!subject) return subject.error();
  const Expected<std::optional<Expectation>> expected = expectationOf(*subject);
  if (!expected) return expected.error();
  const Capsule* capsule = subject->capsule();
  // With the order of that time, unless another is given. The capsule has the patched module.
  SideOptions on;
  on.devices = o.devices;
  on.schedules = o.schedules.empty() && capsule ? capsule->schedule : o.schedules;
  if (capsule) on.profile = capsule->profile.name;
  const Expected<OpenSides> sides = openSides(on);
  if (!sides) return sides.error();
  fmt::print("{}\n", visible(capsule ? capsule->what : subject->name));
  if (capsule) {
    fmt::print("  written by lanewise {}; then: {}\n", visible(capsule->tool), visible(capsule->ruling));
    for (const CapsuleAnswer& a : capsule->answers)
      fmt::print("  {} ({}): {}\n", visible(a.side), visible(a.description),
                 !a.error.empty()                       ? visible(a.error)
                 : a.images == capsule->expected.images ? "right"
                                                        : "wrong");
  }
  Outcome worst = Outcome::kOk;
  bool ran = false, isModelRight = false;
  for (const Side& side : sides->sides) {
    if (const std::string why = subject->cannotRunOn(side.device->profile()); !why.empty()) {
      fmt::print("{}: not applicable: {}\n", side.info.name, visible(why));
      continue;
    }
    ran = true;
    const Expected<Outcome> outcome = replayOn(o, *subject, **expected, side, isModelRight);
    if (!outcome) return outcome.error();
    isModelRight = isModelRight || (side.info.isModel && *outcome == Outcome::kOk);
    if (worst == Outcome::kOk || *outcome == Outcome::kFinding) worst = *outcome;
  }
  return ran ? worst : Outcome::kUnsupported;
}

}  // namespace lanewise
