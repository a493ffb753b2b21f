#include "model/ir/program.h"

#include <algorithm>

#include "model/ir/nans.h"
#include "model/ir/operation_info.h"
#include "model/ir/operation_names.h"

namespace lanewise {

namespace {

// The innermost line of an instruction.
spirv::SourceLine sourceOf(const Program& program, std::uint32_t pc) {
  for (std::uint32_t o = pc < program.info.size() ? program.info[pc].origin : 0; o != 0; o = program.origins[o].caller)
    if (const spirv::SourceLine line = program.module.instructions[program.origins[o].instruction].source; line.line != 0) return line;
  return {};
}

// The OpLoopMerge of the loop whose header the instruction at `pc` goes back to.
const spirv::Instruction* loopMergeOf(const Program& program, std::uint32_t pc) {
  const std::vector<spirv::Instruction>& all = program.module.instructions;
  const std::uint32_t origin = pc < program.info.size() ? program.info[pc].origin : 0;
  if (origin == 0 || program.earliestNext(pc) > pc) return nullptr;
  std::uint32_t at = program.origins[origin].instruction;
  const std::span<const std::uint32_t> targets = all[at].operands;
  const spirv::Instruction* merge = nullptr;
  for (; all[at].op != spv::Op::OpFunction; --at) {
    if (all[at].op == spv::Op::OpLoopMerge) merge = &all[at];
    if (all[at].op != spv::Op::OpLabel) continue;
    if (merge && std::ranges::find(targets, all[at].result) != targets.end()) return merge;
    merge = nullptr;
  }
  return nullptr;
}

}  // namespace

std::string Program::lineOf(std::uint32_t pc) const {
  return module.lineText(sourceOf(*this, pc));
}

InstructionPlace Program::instructionPlace(std::uint32_t pc) const {
  return module.placeOf(instructionOf(pc), sourceOf(*this, pc));
}

InstructionPlace Program::placeBefore(std::uint32_t pc, std::uint32_t most) const {
  const std::uint32_t first = pc - std::min(pc, most);
  for (std::uint32_t at = pc + 1; at-- > first;)
    if (InstructionPlace place = instructionPlace(at); place.line != 0) return place;
  return instructionPlace(pc);
}

InstructionPlace Program::placeBehind(std::uint32_t pc) const {
  for (std::uint32_t at = pc; at < code.size(); ++at)
    if (InstructionPlace place = instructionPlace(at); place.line != 0) return place;
  return {};
}

std::uint32_t Program::placeArguments(std::uint32_t pc) const {
  const InstrKind& what = code[pc].what;
  if (std::holds_alternative<kind::Memory>(what) || std::holds_alternative<kind::Atomic>(what)) return 2;  // address and element
  return std::holds_alternative<kind::LaneMemory>(what) && info[pc].op != ir::kLocalFill ? 1 : 0;
}

std::uint32_t Program::earliestNext(std::uint32_t pc) const {
  const InstrKind& what = code[pc].what;
  if (const auto* jump = std::get_if<kind::Jump>(&what)) return jump->target;
  if (const auto* branch = std::get_if<kind::Branch>(&what)) return std::min(branch->whereTrue, branch->whereFalse);
  const auto* selects = std::get_if<kind::Switch>(&what);
  if (!selects) return pc + 1;
  const ir::SwitchTable& table = switches[selects->table];
  std::uint32_t to = table.otherwise;
  for (const auto& [literal, target] : table.cases) to = std::min(to, target);
  return to;
}

spirv::SourceLine Program::loopLineOf(std::uint32_t pc) const {
  const spirv::Instruction* merge = loopMergeOf(*this, pc);
  return merge ? merge->source : spirv::SourceLine{};
}

std::string Program::loopOf(std::uint32_t pc) const {
  if (const std::string line = module.lineText(loopLineOf(pc)); !line.empty()) return "the loop of " + line;
  std::uint32_t at = origins[info[pc].origin].instruction;  // a damaged state stops where no instruction of a function is
  while (at != 0 && module.instructions[at].op != spv::Op::OpFunction) --at;
  return (earliestNext(pc) <= pc ? "a loop of " : "") + (at == 0 ? module.name : module.nameOf(module.instructions[at].result));
}

std::string Program::opOf(std::uint32_t pc) const {
  if (pc >= info.size()) return {};
  return codeName(codeOf(pc));
}

const ir::Access* Program::accessOf(std::uint32_t pc) const {
  const auto& what = code[pc].what;
  if (const auto* memory = std::get_if<kind::Memory>(&what)) return &accesses[memory->access];
  if (const auto* atomic = std::get_if<kind::Atomic>(&what)) return &accesses[atomic->access];
  return nullptr;
}

const ir::ImageAccess* Program::imageAccessOf(std::uint32_t pc) const {
  const auto* image = std::get_if<kind::Image>(&code[pc].what);
  return image ? &imageAccesses[image->access] : nullptr;
}

std::optional<std::uint32_t> Program::resourceOf(std::uint32_t pc) const {
  if (info[pc].op == ir::kImageQuery || info[pc].op == ir::kArrayLength) return {};
  if (const ir::Access* access = accessOf(pc)) return access->space == ir::Space::kBuffer ? std::optional(access->resource) : std::nullopt;
  const ir::ImageAccess* image = imageAccessOf(pc);
  return image ? std::optional(image->resource) : std::nullopt;
}

std::uint32_t Program::componentsStored(std::uint32_t pc) const {
  const auto* image = std::get_if<kind::Image>(&code[pc].what);
  const bool stores = image && image->values != 0 && ir::factsOf(info[pc].op).switchPoint != kAtAtomic;
  return stores ? std::uint32_t{image->results} - image->values : 0;
}

// In the faithful flavour every result has a register, and the module says whether it is named.
bool Program::isResultUsed(std::uint32_t pc) const {
  if (std::ranges::none_of(resultsOf(pc), [](const DescribedOperand& o) { return o.slot.offset != 0; })) return false;
  const std::uint32_t id = instructionOf(pc).result;
  return flavour != ir::Flavour::kFaithful || id == 0 || std::ranges::find(module.named, id) != module.named.end();
}

ir::Code Program::codeOf(std::uint32_t pc) const {
  const auto& what = code[pc].what;
  if (const auto* atomic = std::get_if<kind::Atomic>(&what)) return ir::core(atomic->op);
  if (const auto* subgroup = std::get_if<kind::Subgroup>(&what)) return ir::core(subgroup->op);
  if (const auto* ballot = std::get_if<kind::Ballot>(&what)) return ir::core(ballot->op);
  return info[pc].op;
}

bool Program::isRecord(std::uint32_t pc) const {
  if (info[pc].op == ir::kLocalFill) return true;
  return info[pc].op == ir::kLocalStore && code[pc].as<kind::LaneMemory>().firstWord >= recordWords;
}

bool Program::endsStep(std::uint32_t pc) const {
  const ir::Code op = info[pc].op;
  const bool leaves = op == control::kJump || op == control::kReturn || op == control::kBranchUniform || op == control::kBranchVarying ||
                      op == control::kSwitchUniform || op == control::kSwitchVarying;
  if (leaves || pc + 1 >= info.size()) return true;
  const ir::Origin &own = origins[info[pc].origin], &next = origins[info[pc + 1].origin];
  return own.step != next.step || own.caller != next.caller;
}

const spirv::Instruction& Program::instructionOf(std::uint32_t pc) const {
  return module.instructions[origins[info[pc].origin].instruction];
}

bool Program::keepsNan(std::uint32_t pc) const {
  return ir::keepsNan(module, instructionOf(pc), codeOf(pc), info[pc].type, nanWidths);
}

std::string Program::moduleOpOf(std::uint32_t pc) const {
  const std::uint32_t origin = pc < info.size() ? info[pc].origin : 0;
  if (origin == 0) return opOf(pc);
  const spirv::Instruction& inst = module.instructions[origins[origin].instruction];
  const spirv::InstructionSet set = module.setOf(inst);
  if (set == spirv::InstructionSet::kGlsl) return codeName(ir::kGlsl + inst.operand(1));
  return set == spirv::InstructionSet::kNone ? spirv::opName(inst.op) : opOf(pc);
}

std::uint32_t Program::invocationOf(LanePlace place) const {
  const std::uint32_t perBatch = lanesPerBatch();
  return place.lane < perBatch ? invocationOf(place.batch * perBatch + place.lane) : invocations;
}

Program::LanePlace Program::placeOf(std::uint32_t invocation) const {
  const std::uint32_t perBatch = lanesPerBatch();
  const auto found = std::find(laneOrder.begin(), laneOrder.end(), invocation);
  const std::uint32_t lane = found == laneOrder.end() ? invocation : static_cast<std::uint32_t>(found - laneOrder.begin());
  return {lane / perBatch, lane % perBatch};
}

}  // namespace lanewise
