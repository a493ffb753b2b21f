// Where lanes that run alone meet (exec/lanes.h), and where a schedule may let others run (SwitchPoint).
#include "model/program/decode.h"

namespace lanewise {
namespace {

bool jumpsBack(const Program& p, std::uint32_t pc, std::uint32_t& to) {
  const auto& what = p.code[pc].what;
  to = pc + 1;
  if (const auto* jump = std::get_if<kind::Jump>(&what)) to = jump->target;
  if (const auto* branch = std::get_if<kind::Branch>(&what)) to = std::min(branch->whereTrue, branch->whereFalse);
  if (const auto* selects = std::get_if<kind::Switch>(&what)) {
    const SwitchTable& table = p.switches[selects->table];
    to = table.otherwise;
    for (const auto& [literal, target] : table.cases) to = std::min(to, target);
  }
  return to <= pc;
}

bool isShared(const Program& p, std::uint32_t pc) {
  const ir::Code op = p.info[pc].op;
  if (op == ir::kLoad || op == ir::kStore) return ir::isShared(*p.accessOf(pc));
  if (op == ir::kImageRead || op == ir::kImageReadAdd || op == ir::kImageWrite) return ir::isShared(*p.imageAccessOf(pc), p.resources);
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
