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

// The same, but for the steps that are charged, of which a store that is left out is one fewer, and for the number of an access: those of
// dead code are counted too.
bool sameInstruction(const Instr& a, Instr b) {
  std::visit(
      [&]<class T>(T& what) {
        const T* other = std::get_if<T>(&a.what);
        if (other == nullptr) return;
        if constexpr (requires { what.steps; }) what.steps = other->steps;
        if constexpr (requires { what.access; }) what.access = other->access;
      },
      b.what);
  return a == b;
}

// What both access, or neither.
bool sameAccesses(const Program& a, const Program& b, std::uint32_t pc) {
  const ir::Access *x = a.accessOf(pc), *y = b.accessOf(pc);
  const ir::ImageAccess *m = a.imageAccessOf(pc), *n = b.imageAccessOf(pc);
  return !x == !y && !m == !n && (!x || sameAccess(*x, *y)) && (!m || sameImageAccess(*m, *n));
}

}  // namespace

bool sameProgram(const Program& a, const Program& b) {
  const auto same = [](const auto& x, const auto& y, auto equal) { return std::equal(x.begin(), x.end(), y.begin(), y.end(), equal); };
  const auto operand = [](const Operand& x, const Operand& y) { return x.offset == y.offset && x.step == y.step; };
  const auto op = [](const InstrInfo& x, const InstrInfo& y) { return x.op == y.op && x.type == y.type; };
  if (!same(a.code, b.code, sameInstruction) || !same(a.info, b.info, op) || !same(a.operands, b.operands, operand) ||
      a.switches != b.switches || a.constants != b.constants || a.invocations != b.invocations)
    return false;
  for (std::uint32_t pc = 0; pc < a.code.size(); ++pc)
    if (!sameAccesses(a, b, pc)) return false;
  return true;
}

}  // namespace lanewise
