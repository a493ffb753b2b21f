#include "model/ir/program.h"

#include <algorithm>

#include "model/ir/operation_names.h"

namespace lanewise {

std::string Program::lineOf(std::uint32_t pc) const {
  for (std::uint32_t o = pc < info.size() ? info[pc].origin : 0; o != 0; o = origins[o].caller)
    if (const std::string line = module.lineText(module.instructions[origins[o].instruction].source); !line.empty()) return line;
  return {};
}

std::string Program::loopLineOf(std::uint32_t pc) const {
  if (pc >= code.size()) return {};
  std::uint32_t to = pc;
  if (const ir::Code op = info[pc].op; op == control::kJump)
    to = code[pc].target;
  else if (op == control::kBranchUniform || op == control::kBranchVarying)
    to = std::min(code[pc].target, code[pc].otherwise);
  for (; to <= pc; ++to)
    if (std::string line = lineOf(to); !line.empty()) return line;
  return {};
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
