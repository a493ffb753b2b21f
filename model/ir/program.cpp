#include "model/ir/program.h"

#include <algorithm>

#include "model/ir/operation_names.h"

namespace lanewise {

std::string Program::lineOf(std::uint32_t pc) const {
  return lineOfOrigin(pc < info.size() ? info[pc].origin : 0);
}

std::string Program::lineOfOrigin(std::uint32_t origin) const {
  for (; origin != 0; origin = origins[origin].caller)
    if (const std::string line = module.lineText(module.instructions[origins[origin].instruction].source); !line.empty()) return line;
  return {};
}

// The first one in its turn, of whatever the module has there: what passes have removed too.
std::string Program::loopLineOf(std::uint32_t pc) const {
  if (pc >= code.size()) return {};
  const ir::Code op = info[pc].op;
  const bool jumps = op == control::kJump || op == control::kBranchUniform || op == control::kBranchVarying;
  const bool selects = op == control::kSwitchUniform || op == control::kSwitchVarying;
  const std::uint32_t over = jumps ? code[pc].imm : selects ? code[pc].target : 1, last = stepOf(pc);
  std::uint32_t first = 0;
  for (std::uint32_t o = 1; o < origins.size(); ++o) {
    const std::uint32_t step = origins[o].step;
    if (step + over <= last || step > last || (first != 0 && step >= origins[first].step)) continue;
    if (module.instructions[origins[o].instruction].op != spv::Op::OpBranch && !lineOfOrigin(o).empty()) first = o;
  }
  return first == 0 ? lineOf(pc) : lineOfOrigin(first);
}

std::string Program::opOf(std::uint32_t pc) const {
  if (pc >= info.size()) return {};
  const std::uint64_t bits = info[pc].op == ir::kAtomic || info[pc].op == ir::kSubgroup ? code[pc].target : 0;
  return codeName(info[pc].op, bits);
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
