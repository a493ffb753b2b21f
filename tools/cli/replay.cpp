// `lanewise replay`: a capsule on every side, beside what was expected and what each side gave when it was written.
#include <fmt/format.h>

#include "model/base/file.h"
#include "tools/arbitrate/capsule.h"
#include "tools/cli/commands.h"
#include "tools/cli/sides.h"
#include "tools/sweep/result.h"

namespace lanewise {
namespace {

Expected<Capsule> readCapsule(const std::string& file) {
  const Expected<std::string> bytes = readWholeFile(file);
  if (!bytes) return bytes.error();
  Expected<Capsule> capsule = decodeCapsule(std::as_bytes(std::span(*bytes)));
  if (!capsule) capsule.error().where = file;
  return capsule;
}

// How this answer stands to those in the capsule: "as model and lavapipe then".
std::string beside(const Capsule& capsule, const std::vector<golden::Image>& got) {
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
  const Expected<Capsule> capsule = readCapsule(o.file);
  if (!capsule) return capsule.error();
  // As it was run then, unless another order is asked for. What was patched is so in the capsule.
  const Expected<OpenSides> sides = openSides(
      {.devices = o.devices, .schedules = o.schedules.empty() ? capsule->schedule : o.schedules, .profile = capsule->profile.name});
  if (!sides) return sides.error();
  fmt::print("{}\n  written by lanewise {}; then: {}\n", capsule->what, capsule->tool, capsule->ruling);
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
