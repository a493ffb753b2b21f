// `lanewise replay`: runs a capsule on every side, and prints it beside the expected result and the results of each side when it was
// written.
#include <fmt/format.h>

#include "model/base/file.h"
#include "tools/arbitrate/capsule.h"
#include "tools/cli/commands.h"
#include "tools/cli/sides.h"
#include "tools/subject/subject.h"
#include "tools/sweep/inputs.h"
#include "tools/sweep/result.h"

namespace lanewise {
namespace {

// A case as a capsule without results.
Expected<Capsule> capsuleOf(const Case& c) {
  Inputs inputs;
  if (Status bad = inputs.addPictureOf(c)) return *bad;
  if (Status bad = outsideDomain(c)) return *bad;
  const Expected<golden::Image> input = inputs.make(c);
  if (!input) return input.error();
  Expected<Expectation> expected = expectationOf(c, *input);
  if (!expected) return expected.error();
  Capsule capsule;
  capsule.what = c.name();
  capsule.contract = c.kernel->contract;
  capsule.job = c.kernel->plan(c, kernelModule(*c.kernel), *input);
  capsule.expected = std::move(expected->images);
  capsule.high = std::move(expected->high);
  return capsule;
}

// The named case, or the capsule's case, with other parameters; otherwise the capsule itself.
Expected<Capsule> capsuleFrom(const ReplayOptions& o) {
  if (namesCase(o.subject)) {
    const Expected<Case> c = caseOf(o.subject, {.with = o.with});
    return c ? capsuleOf(*c) : c.error();
  }
  Expected<Capsule> capsule = readCapsule(o.subject);
  if (!capsule || o.with.empty()) return capsule;
  const Expected<Case> c = caseOf(capsule->what, {.with = o.with});
  return c ? capsuleOf(*c) : c.error();
}

// How this result compares with those in the capsule: "as model and lavapipe then".
std::string beside(const Capsule& capsule, const std::vector<golden::Image>& got) {
  if (capsule.answers.empty()) return "not as expected";
  std::string same;
  for (const CapsuleAnswer& a : capsule.answers)
    if (a.error.empty() && a.images == got) same += (same.empty() ? "as " : " and ") + a.side;
  return same.empty() ? "as no side then" : same + " then";
}

Expected<Outcome> replayOn(const Capsule& capsule, const Side& side) {
  RunResult run = side.device->run(capsule.job);
  if (run.error) {
    fmt::print("{}: {}: {}\n", side.info.name, outcomeName(run.error->outcome), run.error->text());
    return run.error->outcome;
  }
  std::vector<golden::Image> got;
  const Expected<std::optional<OutputDiff>> wrong = judgeCapsule(capsule, run, got);
  if (!wrong) return wrong.error();
  if (!*wrong) {
    fmt::print("{}: as expected\n", side.info.name);
    return Outcome::kOk;
  }
  SideResult result;
  const golden::Image& image = capsule.expected[(*wrong)->output];
  result.extent = image.extent;
  result.channels = image.channels;
  result.diff = std::make_shared<const golden::Diff>((*wrong)->diff);
  fmt::print("{}: {}; {}\n", side.info.name, texelText(result), beside(capsule, got));
  return Outcome::kFinding;
}

}  // namespace

Expected<Outcome> runReplay(const ReplayOptions& o) {
  const Expected<Capsule> capsule = capsuleFrom(o);
  if (!capsule) return capsule.error();
  // With the order of that time, unless another is given. The capsule has the patched module.
  const Expected<OpenSides> sides = openSides({.devices = o.devices,
                                               .schedules = o.schedules.empty() ? capsule->schedule : o.schedules,
                                               .profile = capsule->tool.empty() ? "strict" : capsule->profile.name});
  if (!sides) return sides.error();
  fmt::print("{}\n", capsule->what);
  if (!capsule->tool.empty()) fmt::print("  written by lanewise {}; then: {}\n", capsule->tool, capsule->ruling);
  for (const CapsuleAnswer& a : capsule->answers)
    fmt::print("  {} ({}): {}\n", a.side, a.description, !a.error.empty() ? a.error : a.images == capsule->expected ? "right" : "wrong");
  Outcome worst = Outcome::kOk;
  for (const Side& side : sides->sides) {
    const Expected<Outcome> outcome = replayOn(*capsule, side);
    if (!outcome) return outcome.error();
    if (worst == Outcome::kOk || *outcome == Outcome::kFinding) worst = *outcome;
  }
  return worst;
}

}  // namespace lanewise
