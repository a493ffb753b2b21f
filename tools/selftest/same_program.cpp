#include "tools/selftest/same_program.h"

#include <algorithm>

namespace lanewise {
namespace {

bool sameAccess(const ir::Access& a, const ir::Access& b) {
  return a.space == b.space && a.resource == b.resource && a.offset == b.offset && a.type == b.type;
}

bool sameImageAccess(const ir::ImageAccess& a, const ir::ImageAccess& b) {
  return a.resource == b.resource && a.component == b.component && a.components == b.components && a.coordinates == b.coordinates &&
         a.hasLod == b.hasLod && a.hasSample == b.hasSample && a.op == b.op && a.sampling == b.sampling;
}

// The same, but for the steps that are charged: a store that is left out is one fewer.
bool sameInstruction(const Instr& a, Instr b) {
  std::visit(
      [&]<class T>(T& what) {
        if constexpr (requires { what.steps; })
          if (const T* other = std::get_if<T>(&a.what)) what.steps = other->steps;
      },
      b.what);
  return a == b;
}

}  // namespace

bool sameProgram(const Program& a, const Program& b) {
  const auto same = [](const auto& x, const auto& y, auto equal) { return std::equal(x.begin(), x.end(), y.begin(), y.end(), equal); };
  const auto operand = [](const Operand& x, const Operand& y) { return x.offset == y.offset && x.step == y.step; };
  const auto op = [](const InstrInfo& x, const InstrInfo& y) { return x.op == y.op && x.type == y.type; };
  return same(a.code, b.code, sameInstruction) && same(a.info, b.info, op) && same(a.operands, b.operands, operand) &&
         a.switches == b.switches && same(a.accesses, b.accesses, sameAccess) && same(a.imageAccesses, b.imageAccesses, sameImageAccess) &&
         a.constants == b.constants && a.invocations == b.invocations;
}

}  // namespace lanewise
