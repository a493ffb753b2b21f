// Where a branch may lead. Pure functions.
#pragma once

#include <algorithm>
#include <vector>

#include "model/ir/program.h"

namespace lanewise {

inline bool isBranch(const Program& program, std::uint32_t pc) {
  const InstrKind& what = program.code[pc].what;
  return std::holds_alternative<kind::Branch>(what) || std::holds_alternative<kind::Switch>(what);
}

// Of an `if` the side where the condition is true, then the other. Of a switch each target once, in the order of its cases, the default
// behind them. Empty: the instruction is no branch.
inline std::vector<std::uint32_t> targetsOf(const Program& program, std::uint32_t pc) {
  const InstrKind& what = program.code[pc].what;
  if (const auto* branch = std::get_if<kind::Branch>(&what)) return {branch->whereTrue, branch->whereFalse};
  const auto* choice = std::get_if<kind::Switch>(&what);
  if (!choice) return {};
  std::vector<std::uint32_t> targets;
  const auto add = [&](std::uint32_t target) {
    if (std::ranges::find(targets, target) == targets.end()) targets.push_back(target);
  };
  const ir::SwitchTable& table = program.switches[choice->table];
  for (const auto& [literal, target] : table.cases) add(target);
  add(table.otherwise);
  return targets;
}

// Which of them a lane takes whose condition or selector has these bits.
inline std::size_t targetTaken(const Program& program, std::uint32_t pc, std::uint64_t bits) {
  const auto* choice = std::get_if<kind::Switch>(&program.code[pc].what);
  if (!choice) return bits != 0 ? 0 : 1;
  const std::vector<std::uint32_t> targets = targetsOf(program, pc);
  return static_cast<std::size_t>(std::ranges::find(targets, program.switches[choice->table].targetOf(bits)) - targets.begin());
}

}  // namespace lanewise
