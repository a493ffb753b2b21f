#include "tools/sweep/result.h"

#include <fmt/format.h>

#include <algorithm>

#include "golden/image/inputs.h"

namespace lanewise {
namespace {

// "[255, 0]" for list:255,0; other inputs by their name.
std::string inputText(const std::string& input) {
  const Expected<golden::InputSpec> spec = golden::parseInput(input);
  return spec && spec->kind == golden::InputSpec::Kind::kList ? fmt::format("[{}]", fmt::join(spec->values, ", ")) : input;
}

std::string parameterText(const Parameter& parameter, std::uint32_t value) {
  if (parameter.name == kRadiusParameter) return fmt::format("r={}", value);
  return parameter.text(value);
}

}  // namespace

const char* verdictName(Verdict verdict) {
  constexpr const char* kNames[] = {"not run", "ok", "mismatch", "error", "not applicable"};
  return kNames[static_cast<std::size_t>(verdict)];
}

std::optional<FailureKind> failureKind(const SideResult& side) {
  if (side.verdict != Verdict::kMismatch && side.verdict != Verdict::kError) return {};
  FailureKind kind{side.verdict, false, {}, side.finding};
  if (side.verdict == Verdict::kMismatch)
    kind.undefined = side.diff && side.diff->first && side.diff->first->undefined;
  else if (side.error)
    kind.outcome = side.error->outcome;
  return kind;
}

bool CaseResult::failed() const {
  const auto bad = [](const SideResult& s) { return s.verdict == Verdict::kMismatch || s.verdict == Verdict::kError; };
  return golden == GoldenState::kTrouble || trouble || std::any_of(sides.begin(), sides.end(), bad);
}

bool CaseResult::began() const {
  return failed() || std::ranges::any_of(sides, [](const SideResult& s) { return s.verdict != Verdict::kNotRun; });
}

std::size_t SweepResult::count(Verdict verdict) const {
  std::size_t n = 0;
  for (const CaseResult& c : cases)
    for (const SideResult& s : c.sides) n += s.verdict == verdict ? 1 : 0;
  return n;
}

bool SweepResult::nothingRan() const {
  return !cases.empty() && count(Verdict::kOk) + count(Verdict::kMismatch) + count(Verdict::kError) == 0;
}

bool SweepResult::nothingTaken() const {
  return nothingRan() && std::ranges::none_of(cases, [](const CaseResult& c) { return c.refused.empty(); });
}

Outcome SweepResult::outcome() const {
  if (interrupted) return Outcome::kInterrupted;
  std::vector<Outcome> seen;
  if (trouble) seen.push_back(trouble->outcome);
  for (const CaseResult& c : cases) {
    if (c.trouble) seen.push_back(c.trouble->outcome);
    for (const SideResult& s : c.sides) {
      if (s.verdict == Verdict::kMismatch) seen.push_back(Outcome::kFinding);
      if (s.error) seen.push_back(s.error->outcome);
    }
  }
  if (seen.empty() && nothingRan()) return nothingTaken() ? Outcome::kBadInput : Outcome::kDeviceTrouble;
  return gravest(seen);
}

Agreement agreementOf(const SweepResult& result, const CaseResult& c) {
  bool right[2] = {}, wrong[2] = {}, alike = true;  // of devices, of models
  std::optional<golden::Hash128> hash;
  for (std::size_t i = 0; i < c.sides.size(); ++i) {
    const SideResult& side = c.sides[i];
    right[result.sides[i].isModel] |= side.verdict == Verdict::kOk;
    if (side.verdict != Verdict::kMismatch) continue;
    wrong[result.sides[i].isModel] = true;
    alike &= !hash || hash == side.hash;
    hash = side.hash;
  }
  const auto [deviceRight, modelRight] = right;
  const auto [deviceWrong, modelWrong] = wrong;
  if (!deviceWrong && !modelWrong) return Agreement::kNoneWrong;
  if (modelRight) return modelWrong ? Agreement::kByOrder : Agreement::kDevices;
  if (!modelWrong) return Agreement::kDevicesAlone;
  if (!deviceWrong) return deviceRight ? Agreement::kModel : Agreement::kModelAlone;
  return alike && !deviceRight ? Agreement::kAllAlike : Agreement::kAllDiffer;
}

std::string arbitration(const SweepResult& result, const CaseResult& c) {
  const auto names = [&](Verdict verdict) {
    std::vector<std::string> all;
    for (std::size_t i = 0; i < c.sides.size(); ++i)
      if (c.sides[i].verdict == verdict) all.push_back(result.sides[i].name);
    return fmt::format("{}", fmt::join(all, ", "));
  };
  const std::string right = names(Verdict::kOk), wrong = names(Verdict::kMismatch);
  const char* const decides = "the model's findings decide (--findings --schedules lanes-reverse), or its arithmetic (--patch exact)";
  switch (agreementOf(result, c)) {
    case Agreement::kNoneWrong:
      return {};
    case Agreement::kByOrder:
      if (c.what.kernel->invariants) return fmt::format("kernel wrong: its result depends on how it runs: {} differ from {}", wrong, right);
      return "kernel wrong: its result depends on the schedule";
    case Agreement::kDevices:
      if (c.what.kernel->invariants) return fmt::format("undecided: {} and {} differ, and nothing says which is right", wrong, right);
      return fmt::format("{} wrong, or a choice that Vulkan leaves open: {} and the golden agree", wrong, right);
    case Agreement::kModel:
      return fmt::format("model wrong, or a result that depends on how it runs: {} and the golden agree", right);
    case Agreement::kAllAlike:
      return fmt::format("kernel wrong: {} give the same wrong bytes", wrong);
    case Agreement::kModelAlone:
      if (const std::string failed = names(Verdict::kError); !failed.empty())
        return fmt::format("undecided: the model is wrong, and {} gave no bytes; a device that gives some decides (--devices)", failed);
      return "undecided: the model alone ran; a device decides (--devices), or another schedule (--schedules) that gives other bytes";
    case Agreement::kDevicesAlone:
      return fmt::format("undecided: {} wrong{}, and the model gave no bytes; the model's decide (--devices model)", wrong,
                         right.empty() ? "" : fmt::format(", {} right", right));
    case Agreement::kAllDiffer:
      if (!right.empty()) return fmt::format("undecided: {} wrong, {} and the golden agree; {}", wrong, right, decides);
      break;
  }
  return fmt::format("undecided: the sides differ from each other and from the golden; {}", decides);
}

std::string briefText(const Case& c) {
  std::string out = sizeText(c.size);
  for (std::size_t i = 0; i < c.values.size(); ++i) {
    const Parameter& p = c.kernel->parameters[i];
    // The default format is left out.
    if (p.choices.size() != 1 && (p.name != kFormatParameter || c.values[i] != p.fallback)) out += ", " + parameterText(p, c.values[i]);
  }
  out += ", input " + inputText(c.input);
  if (c.subgroupSize != 0) out += fmt::format(", subgroup size {}", c.subgroupSize);
  return out;
}

std::string texelText(const SideResult& side) {
  return side.diff ? texelText(*side.diff, side.extent, side.channels) : "";
}

namespace {

std::string openingOf(const SweepResult& result, const CaseResult& c) {
  const bool isArbitrated =
      std::ranges::any_of(result.arbitrations, [&](const Arbitration& f) { return &result.cases[f.caseIndex] == &c; });
  if (isArbitrated || c.what.kernel->invariants) return {};  // without a golden only arbitration knows where
  std::string against;
  bool isModelRight = false;  // what it has right too would not differ there
  for (std::size_t s = 0; s < c.sides.size(); ++s) {
    const SideInfo& side = result.sides[s];
    const bool isWrong = c.sides[s].verdict == Verdict::kMismatch,
               isFinding = c.sides[s].error && c.sides[s].error->outcome == Outcome::kFinding;
    isModelRight = isModelRight || (side.isModel && c.sides[s].verdict == Verdict::kOk);
    if (!side.debugWay || (!isWrong && !isFinding)) continue;
    const auto opening = [&](const std::string& command) { return debugCommand(c.what, *side.debugWay, {command}); };
    if (side.isModel) return opening(isWrong ? "against golden" : !c.sides[s].finding ? "end" : "finding 1");
    if (isWrong && against.empty()) against = opening("against " + side.name);
  }
  return isModelRight ? against : "";
}

}  // namespace

void addOpenings(SweepResult& result) {
  for (CaseResult& c : result.cases) c.opens = openingOf(result, c);
}

}  // namespace lanewise
