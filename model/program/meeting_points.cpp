// Where lanes that run alone meet (exec/lanes.h), and where a schedule may let others run (SwitchPoint).
#include "model/ir/operation_info.h"
#include "model/program/decode.h"

namespace lanewise {
namespace {

bool jumpsBack(const Program& p, std::uint32_t pc, std::uint32_t& to) {
  const auto& what = p.code[pc].what;
  to = pc + 1;
  if (const auto* jump = std::get_if<kind::Jump>(&what)) to = jump->target;
  if (const auto* branch = std::get_if<kind::Branch>(&what)) to = std::min(branch->whereTrue, branch->whereFalse);
  if (const auto* selects = std::get_if<kind::Switch>(&what)) {
    const ir::SwitchTable& table = p.switches[selects->table];
    to = table.otherwise;
    for (const auto& [literal, target] : table.cases) to = std::min(to, target);
  }
  return to <= pc;
}

// What an access touches may be written by other invocations, or read.
bool isShared(const Program& p, std::uint32_t pc) {
  const ir::Access* access = p.accessOf(pc);
  return access ? ir::isShared(*access) : ir::isShared(*p.imageAccessOf(pc), p.resources);
}

}  // namespace

std::vector<std::uint8_t> switchPoints(const Program& program) {
  std::vector<std::uint8_t> points(program.info.size());
  for (std::uint32_t i = 0; i < points.size(); ++i) {
    const SwitchPoint point = ir::operationInfo(program.info[i].op)->facts.switchPoint;
    std::uint32_t to = 0;
    if (point == kAtAccess && !isShared(program, i)) continue;
    if (point == kAtJumpBack && !jumpsBack(program, i, to)) continue;
    points[i] = point;
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
