// Where lanes that run alone meet and what they write (exec/lanes.h), and where a schedule may let others run (SwitchPoint).
#include <algorithm>

#include "model/ir/operation_info.h"
#include "model/program/decode.h"

namespace lanewise {
namespace {

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
    if (point == kAtAccess && !isShared(program, i)) continue;
    if (point == kAtJumpBack && program.earliestNext(i) > i) continue;
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
    if (const std::uint32_t to = program.earliestNext(i); to <= i)
      meets[i] = before[i] != before[to];
    else if (program.info[i].op == control::kReturn)
      meets[i] = before[n] != 0;
  return meets;
}

Program::Rows writtenRows(const Program& program) {
  Program::Rows rows;
  for (std::uint32_t pc = 0; pc < program.info.size(); ++pc)
    for (const DescribedOperand& result : program.resultsOf(pc))
      if (result.slot.offset != 0) (isWide(result.type) ? rows.wide : rows.narrow).push_back(result.slot.offset);
  for (std::vector<std::uint32_t>* offsets : {&rows.narrow, &rows.wide}) {
    std::ranges::sort(*offsets);
    offsets->erase(std::unique(offsets->begin(), offsets->end()), offsets->end());
  }
  return rows;
}

}  // namespace lanewise
