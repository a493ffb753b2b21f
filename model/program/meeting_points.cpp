// Where lanes that run alone meet (exec/lanes.h), and where a schedule may let others run (SwitchPoint).
#include "model/program/decode.h"

namespace lanewise {
namespace {

bool jumpsBack(const Program& p, std::uint32_t pc, std::uint32_t& to) {
  const ir::Code op = p.info[pc].op;
  const Instr& instr = p.code[pc];
  to = pc + 1;
  if (op == control::kJump) to = instr.target;
  if (op == control::kBranchUniform || op == control::kBranchVarying) to = std::min(instr.target, instr.otherwise);
  if (op == control::kSwitchUniform || op == control::kSwitchVarying) {
    to = p.switches[instr.extra].otherwise;
    for (const auto& [literal, target] : p.switches[instr.extra].cases) to = std::min(to, target);
  }
  return to <= pc;
}

bool isShared(const Program& p, std::uint32_t pc) {
  const ir::Code op = p.info[pc].op;
  if (op == ir::kLoad || op == ir::kStore) return ir::isShared(p.accesses[p.code[pc].imm]);
  if (op == ir::kImageRead || op == ir::kImageReadAdd || op == ir::kImageWrite)
    return ir::isShared(p.imageAccesses[p.code[pc].imm], p.resources);
  return false;
}

}  // namespace

std::vector<std::uint8_t> switchPoints(const Program& program) {
  std::vector<std::uint8_t> points(program.info.size());
  for (std::uint32_t i = 0; i < points.size(); ++i) {
    const ir::Code op = program.info[i].op;
    std::uint32_t to = 0;
    if (op == ir::kControlBarrier) points[i] = kAtBarrier;
    if (op == ir::kAtomic || op == ir::kImageAtomic) points[i] = kAtAtomic;
    if (isShared(program, i)) points[i] = kAtAccess;
    if (jumpsBack(program, i, to)) points[i] = kAtJumpBack;
  }
  return points;
}

std::vector<std::uint8_t> meetingPoints(const Program& program) {
  const std::size_t n = program.info.size();
  std::vector<std::uint8_t> meets(n);
  std::vector<std::uint32_t> before(n + 1);  // operations that lanes execute together, before each instruction
  for (std::size_t i = 0; i < n; ++i) {
    const ir::Code op = program.info[i].op;
    meets[i] = op == ir::kSubgroup || op == ir::kControlBarrier;
    before[i + 1] = before[i] + meets[i];
  }
  for (std::uint32_t i = 0; i < n; ++i)
    if (std::uint32_t to = 0; jumpsBack(program, i, to))
      meets[i] = before[i] != before[to];
    else if (program.info[i].op == control::kReturn)
      meets[i] = before[n] != 0;
  return meets;
}

}  // namespace lanewise
