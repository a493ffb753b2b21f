#include "tools/cli/trace_observer.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <tuple>
#include <utility>

#include "model/base/text.h"
#include "model/ir/operation_info.h"
#include "model/state/workgroup.h"
#include "tools/arbitrate/value_text.h"

namespace lanewise {
namespace {

// The source line; without one the id that the instruction defines.
std::string placeText(const Program& program, std::uint32_t pc) {
  const std::string line = program.lineOf(pc);
  if (!line.empty()) return line;
  const std::uint32_t id = program.instructionOf(pc).result;
  return id == 0 ? "-" : program.module.nameOf(id);
}

}  // namespace

TraceObserver::TraceObserver(TraceSettings settings, TracePlace from, const Job& job, std::function<void(const std::string&)> print)
    : settings_(settings), place_(from), job_(job), print_(std::move(print)) {}

int TraceObserver::laneIn(const Batch& batch) const {
  const Program& program = *batch.env->program;
  const auto [group, index] = placeOfInvocation(program.localSize, settings_.invocation);
  if (group != batch.env->group) return -1;
  const Program::LanePlace place = program.placeOf(index);
  return place.batch == batch.index ? static_cast<int>(place.lane) : -1;
}

Answer TraceObserver::moment(const Moment& moment) {
  if (std::holds_alternative<DispatchBegins>(moment)) program_ = nullptr;
  return Answer::kGoOn;
}

Answer TraceObserver::beforeInstruction(const InstructionEvent& event) {
  const int watched = laneIn(event.batch);
  if (watched < 0 || !event.lanes.test(static_cast<std::uint32_t>(watched))) return Answer::kGoOn;
  const auto lane = static_cast<std::uint32_t>(watched);
  const LaneState state{event.batch.env, &event.batch, lane};
  const Program& program = *event.batch.env->program;
  if (program_ != &program) {
    program_ = &program;
    here_ = &variables_.try_emplace(&program, program).first->second;
    const bool goesOn = place_.pc < program.info.size() && place_.dispatch == event.batch.env->dispatch;
    if (!goesOn) {
      place_.pc = ~0u;
      place_.earlier = place_.next - 1;
    }
    headed_ = place_.pc;
    here_->begin(state, goesOn ? std::optional(place_.pc) : std::nullopt);
  }
  if (program.isRecord(event.pc) || event.info.steps == 0) return Answer::kGoOn;
  if (!step_.isOpen) {
    const std::uint64_t number = place_.earlier + stepsAt(event.batch, event.pc, lane);
    if (settings_.stopAt != 0 && number >= settings_.stopAt) return Answer::kStop;
    step_.number = number;
    beginLine(event, state);
    step_.isOpen = true;
    step_.pc = event.pc;
  }
  gather(event, lane);
  return Answer::kGoOn;
}

// Called where the invocation reaches another line or another function.
void TraceObserver::beginLine(const InstructionEvent& event, LaneState lane) {
  const bool heads = settings_.lines, all = settings_.variables == TracedVariables::kAll;
  if (!heads && !all) return;
  const std::vector<SourceFrame>& now = here_->frames(event.pc);
  if (now.empty() || now[0].line.line == 0) return;
  const std::uint32_t last = std::exchange(headed_, event.pc);
  const auto same = [](const SourceFrame& a, const SourceFrame& b) {
    return a.function == b.function && a.line.file == b.line.file && a.line.line == b.line.line;
  };
  if (last != ~0u && std::ranges::equal(here_->frames(last), now, same)) return;
  if (!isWanted(event.pc)) return;
  const spirv::DebugInfo& debug = here_->source().debug();
  const std::string text = trimmed(debug.lineOf(now[0].line).value_or(""));
  nlohmann::ordered_json record = recordOf(step_.number, *event.batch.env, event.pc);
  if (!text.empty()) record["text"] = text;
  tell(std::move(record),
       fmt::format("{:>7} d{} {} {}{}", step_.number, event.batch.env->dispatch, placeText(*program_, event.pc),
                   debug.scopes[now[0].function].name, text.empty() ? "" : ": " + text),
       all ? here_->all(lane, event.pc) : std::vector<std::string>{});
}

// A line that is asked for.
bool TraceObserver::isWanted(std::uint32_t pc) const {
  if (settings_.at.empty()) return true;
  const std::vector<SourceFrame>& frames = here_->frames(pc);
  if (frames.empty()) return false;
  const std::string path = program_->module.string(frames[0].line.file);
  return std::ranges::any_of(settings_.at, [&](const TracedLine& at) { return at.is(path, frames[0].line.line); });
}

nlohmann::ordered_json TraceObserver::recordOf(std::uint64_t number, const Environment& env, std::uint32_t pc) {
  nlohmann::ordered_json out{{"step", number}, {"dispatch", env.dispatch}};
  const std::vector<SourceFrame>& frames = here_->frames(pc);
  if (!frames.empty() && frames[0].line.line != 0) {
    out["file"] = program_->module.string(frames[0].line.file);
    out["line"] = frames[0].line.line;
  }
  if (!frames.empty()) out["function"] = here_->source().debug().scopes[frames[0].function].name;
  return out;
}

void TraceObserver::tell(nlohmann::ordered_json record, const std::string& text, const std::vector<std::string>& variables) {
  if (settings_.json) {
    if (!variables.empty()) record["variables"] = variables;
    return print_(record.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace));
  }
  if (!text.empty()) print_(text);
  for (const std::string& v : variables) print_("          " + v);
}

// Operands made by pieces of the same instruction are not the module's and are left out. So are operands that only lead to an address, all
// those of a load, whose only operand is a pointer, and an access chain's constants, which are strides and offsets.
void TraceObserver::gather(const InstructionEvent& event, std::uint32_t lane) {
  const std::size_t skipped = std::min<std::size_t>(program_->placeArguments(event.pc), event.arguments.size());
  if (skipped == 1) gatherLocal(event, lane);
  const ir::Takes takes = ir::factsOf(program_->instructionOf(event.pc).op).takes;
  const bool isChain = takes == ir::Takes::kIndices;
  const bool makesAddress = takes == ir::Takes::kPointer || ((event.info.op == ir::kAddress || event.info.op == ir::kOffset) && !isChain);
  std::vector<std::uint32_t> own;
  for (std::size_t i = 0; i < event.arguments.size(); ++i) {
    const DescribedOperand& a = event.arguments[i];
    const std::uint32_t at = a.slot.offset;
    const bool isMade = std::erase_if(step_.results, [at](const auto& r) { return r.first == at; }) != 0;
    const bool isStride = isChain && std::ranges::find(program_->constants, at, &ConstantSlot::offset) != program_->constants.end();
    if (isMade || isStride || i < skipped || makesAddress || std::ranges::find(step_.taken, at) != step_.taken.end()) continue;
    own.push_back(at);
    step_.operands.resize(std::max(step_.operands.size(), i + 1));
    step_.operands[i].push_back(valuesText(event.batch, {&a, 1}, lane));
  }
  step_.taken.insert(step_.taken.end(), own.begin(), own.end());
}

// "read cell.x" for one scalar, "read cell" for several.
void TraceObserver::gatherLocal(const InstructionEvent& event, std::uint32_t lane) {
  const ir::PathStep* root = rootOf(*program_, event.info.path);
  if (!root) return;
  const char* how = event.info.op == ir::kLocalLoad ? "read" : "write";
  if (step_.locals++ == 0)
    step_.local = fmt::format(" {} {}", how, pathText(*program_, event.pc, lanewise::valueBits(event.batch, event.arguments[0], lane)));
  step_.variable = fmt::format(" {} {}", how, program_->module.nameOf(root->id));
}

Answer TraceObserver::access(const AccessEvent& event) {
  const int watched = laneIn(event.batch);
  if (event.place == Place::kLaneMemory) return Answer::kGoOn;
  forEachLane(event, [&](std::uint32_t lane, const LaneRun& run, std::uint64_t offset) {
    if (static_cast<int>(lane) != watched) return;
    step_.memory += fmt::format(" {}", memoryText(job_, event, run, offset));
    const bool isResource = event.place == Place::kBuffer || event.place == Place::kImage || event.place == Place::kPhysical;
    step_.touches = step_.touches || (isResource && job_.resources[run.resource].name == settings_.resource) ||
                    (event.variable != 0 && event.batch.env->program->module.nameOf(event.variable) == settings_.resource);
    if (writes(event.kind) && event.variable != 0 && event.place != Place::kImage && here_) here_->stored(event.variable, offset);
  });
  for (const Outside& at : event.outside)
    if (static_cast<int>(at.lane) == watched) step_.memory += fmt::format(" {}", memoryText(job_, event, at));
  return Answer::kGoOn;
}

Answer TraceObserver::afterInstruction(const InstructionEvent& event) {
  const int watched = laneIn(event.batch);
  if (watched < 0 || !event.lanes.test(static_cast<std::uint32_t>(watched))) return Answer::kGoOn;
  const auto lane = static_cast<std::uint32_t>(watched);
  if (!program_->isRecord(event.pc) && event.info.steps != 0)
    for (const DescribedOperand& r : event.results) step_.results.emplace_back(r.slot.offset, valuesText(event.batch, {&r, 1}, lane));
  if (!program_->endsStep(event.pc)) return Answer::kGoOn;
  const bool isStep = step_.isOpen;
  const bool isShown = isWanted(event.pc) && (settings_.resource.empty() || step_.touches);
  nlohmann::ordered_json record;
  std::string text;
  if (isStep)
    std::tie(record, text) = end(*event.batch.env);
  else  // what has a value before the first step
    record = recordOf(place_.next, *event.batch.env, event.pc);
  place_.dispatch = event.batch.env->dispatch;
  place_.pc = event.pc;
  std::vector<std::string> changes;
  if (settings_.variables != TracedVariables::kNone) changes = here_->changes({event.batch.env, &event.batch, lane}, event.pc);
  if (settings_.variables != TracedVariables::kChanged) changes.clear();
  if (isShown && (!text.empty() || !changes.empty())) tell(std::move(record), text, changes);
  return Answer::kGoOn;
}

// The instruction of the module, whole; empty where lines are shown instead.
std::pair<nlohmann::ordered_json, std::string> TraceObserver::end(const Environment& env) {
  std::vector<std::string> operands, results;
  for (const std::vector<std::string>& components : step_.operands) operands.insert(operands.end(), components.begin(), components.end());
  for (const auto& [slot, value] : step_.results) results.push_back(value);
  const std::string memory = (step_.locals > 1 ? step_.variable : step_.local) + step_.memory;
  nlohmann::ordered_json record = recordOf(step_.number, env, step_.pc);
  std::string line;
  if (!settings_.lines) {
    record["instruction"] = program_->moduleOpOf(step_.pc);
    if (!operands.empty()) record["operands"] = operands;
    if (!results.empty()) record["results"] = results;
    if (!memory.empty()) record["memory"] = memory.substr(1);
    line = fmt::format("{:>7} d{} {} {}{}{}{}{}{}", step_.number, env.dispatch, placeText(*program_, step_.pc),
                       program_->moduleOpOf(step_.pc), operands.empty() ? "" : " ", fmt::join(operands, ", "),
                       results.empty() ? "" : " -> ", fmt::join(results, ", "), memory);
  }
  place_.next = std::max(place_.next, step_.number + 1);
  step_ = {};
  return {std::move(record), std::move(line)};
}

}  // namespace lanewise
