#include "model/check/wait_text.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <ranges>
#include <set>

#include "model/check/place_text.h"
#include "model/ir/operation_info.h"
#include "model/spirv/scalar_text.h"
#include "model/state/lane_masks.h"
#include "model/state/workgroup.h"

namespace lanewise {
namespace {

const WorkgroupState& waitingGroup(const Waiting& w) {
  return w.residents[w.wait.turn.slot];
}

std::array<std::uint32_t, 3> invocationAt(const Waiting& w, std::uint32_t batch, std::uint32_t lane) {
  const Program& program = *w.environment.program;
  return globalInvocation(program, w.environment.groups, linearOf(w.wait.workgroup, w.environment.groups),
                          program.invocationOf({batch, lane}));
}

PlaceName wordName(const Waiting& w, const WaitedWord& word) {
  Batch batch = waitingGroup(w).batches[word.batch];
  batch.env = &w.environment;
  const LaneMask lanes = oneLane(word.lane);
  const LaneRun run{word.lane, 1, word.resource, word.size, 0, word.offset, nullptr, word.element};
  const AccessEvent event{batch, word.pc, word.place, AccessKind::kRead, word.variable, lanes, {&run, 1}, {}, {}, {}};
  return placeName(w.job, event, {word.resource, word.element}, word.offset, word.size);
}

std::string valueOf(const Program& program, const WaitedWord& word) {
  const ir::Access* access = program.accessOf(word.pc);
  return scalarText(access ? access->type : Scalar::kI64, access && isSignedValue(program, word.pc), word.value);
}

// The member of its block that an access names; empty where it is of no structure.
std::optional<std::uint32_t> memberOf(const Program& program, std::uint32_t pc) {
  std::optional<std::uint32_t> member;
  for (std::uint32_t step = program.info[pc].path; step != 0; step = program.paths[step].before)
    if (program.paths[step].kind == ir::PathStep::Kind::kMember) member = program.paths[step].number;
  return member;
}

std::string subgroupsText(const Waiting& w, const WaitedWord& word, std::uint32_t invocation, const Program::LanePlace& place) {
  const Program& program = *w.environment.program;
  const Batch& own = waitingGroup(w).batches[place.batch];
  const bool oneSubgroup = program.subgroupOf({word.batch, word.lane}) == program.subgroupOf(place);
  if (!oneSubgroup || word.batch != place.batch) return "its subgroup is not given a turn while this one goes round";
  if (program.invocationOf({word.batch, word.lane}) == invocation) return "it is the one that waits";
  for (const Strand& s : own.waiting)
    if (s.lanes.test(place.lane)) {
      // Where branches meet there is no line.
      const InstructionPlace behind = program.placeBehind(s.pc);
      return fmt::format("the two are in one subgroup and execute together: it stands at {} until the other comes",
                         (behind.empty() ? program.placeBefore(s.pc) : behind).text());
    }
  return "the two are in one subgroup, and it is not given a turn while the other goes round";
}

// Why an invocation that could go on does not.
std::string whyNot(const Waiting& w, const WaitedWord& word, const WaitEnder& ender, bool hasStarted) {
  const Program& program = *w.environment.program;
  const auto slot = std::ranges::find_if(
      w.residents, [&](const WorkgroupState& g) { return g.running && linearOf(g.id, w.environment.groups) == ender.workgroup; });
  if (slot == w.residents.end()) {
    if (hasStarted) return "its workgroup has ended";
    const auto running = std::ranges::count(w.residents, true, &WorkgroupState::running);
    return fmt::format("its workgroup has not started: {} {} resident", running, running == 1 ? "is" : "are");
  }
  const Program::LanePlace place = program.placeOf(ender.invocation);
  const Batch& batch = slot->batches[place.batch];
  if (!batch.live.test(place.lane)) return "it has returned";
  if (batch.status == Batch::Status::kAtBarrier)
    return fmt::format("it waits at the barrier of {}", program.instructionPlace(batch.pc - 1).text());
  if (batch.waits != 0) return "it waits too";
  if (&*slot == &waitingGroup(w)) return subgroupsText(w, word, ender.invocation, place);
  return "its workgroup is not given a turn while this one goes round";
}

}  // namespace

RunFinding findingOf(const Waiting& w, const WaitedWord* word) {
  const Program& program = *w.environment.program;
  RunFinding f;
  f.kind = word ? FindingKind::kWaits : FindingKind::kEndlessLoop;
  f.dispatch = w.wait.dispatch;
  f.workgroup = {w.wait.workgroup.x, w.wait.workgroup.y, w.wait.workgroup.z};
  if (!word) {
    f.invocation = invocationAt(w, w.wait.turn.batch, lowestLane(w.wait.lanes));
    const spirv::SourceLine loop = program.loopLineOf(w.wait.pc);
    f.at = loop.line != 0 ? program.module.placeOf(program.instructionOf(w.wait.pc), loop) : program.instructionPlace(w.wait.pc);
    f.place = "nothing that decides in it changes, and it asks for nothing that others store";
    return f;
  }
  f.invocation = invocationAt(w, word->batch, word->lane);
  f.at = program.instructionPlace(word->pc);
  f.instruction = spirv::opName(program.instructionOf(word->pc).op);
  f.object = wordName(w, *word);
  f.place = fmt::format("which stays {}", valueOf(program, *word));
  return f;
}

std::string enderText(const Waiting& w, const WaitedWord& word, const WaitEnder& ender, bool hasStarted) {
  const auto at = globalInvocation(*w.environment.program, w.environment.groups, ender.workgroup, ender.invocation);
  return fmt::format("invocation {} would store it at {}, but {}", fmt::join(at, ","), ender.at.text(), whyNot(w, word, ender, hasStarted));
}

std::string keptText(const Waiting& w, const WaitedWord& word, const WaitEnder& by, bool hasStarted) {
  const auto at = globalInvocation(*w.environment.program, w.environment.groups, by.workgroup, by.invocation);
  return fmt::format("invocation {} stored that at {}, and nobody stores another value: {}", fmt::join(at, ","), by.at.text(),
                     whyNot(w, word, by, hasStarted));
}

std::string storesOf(const Program& program, const WaitedWord& word) {
  std::set<std::pair<std::uint32_t, std::string>> lines;
  for (std::uint32_t pc = 0; pc < program.info.size(); ++pc) {
    const ir::Access* access = program.accessOf(pc);
    const ir::ImageAccess* image = program.imageAccessOf(pc);
    const std::uint32_t variable = access ? access->variable : image ? image->variable : 0;
    if (variable != word.variable || variable == 0 || ir::operationInfo(program.info[pc].op)->facts.effect != ir::Effect::kActs) continue;
    if (memberOf(program, pc) != memberOf(program, word.pc)) continue;
    if (ir::factsOf(program.codeOf(pc)).atomic == ir::AtomicUse::kLoads || pc == word.pc) continue;
    const InstructionPlace place = program.instructionPlace(pc);
    lines.emplace(place.line, place.text());
  }
  std::string texts;
  for (const auto& [line, text] : lines) {
    if (!texts.empty()) texts += ", ";
    texts += text;
  }
  return texts;
}

std::string waitedName(const Waiting& w, const WaitedWord& word) {
  return fmt::format("'{}' ({})", wordName(w, word).text(), w.environment.program->instructionPlace(word.pc).text());
}

}  // namespace lanewise
