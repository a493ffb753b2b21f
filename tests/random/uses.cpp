// What a kernel's statements name.
#include "tests/random/kernel.h"

namespace lanewise::random {
namespace {

void add(Uses& u, const Expr& e) {
  u.widths[static_cast<std::size_t>(e.width)] = true;
  if (e.kind == Expr::Kind::kVariable) u.variables[static_cast<std::size_t>(e.width)] |= 1u << e.value;
  if (e.kind == Expr::Kind::kCounter) u.counters |= std::uint64_t{1} << e.value;
  if (e.kind == Expr::Kind::kElement) u.array = true;
  for (const Expr& operand : e.operands) add(u, operand);
}

void add(Uses& u, const std::vector<Stmt>& list) {
  using K = Stmt::Kind;
  for (const Stmt& s : list) {
    const auto name = [&](Width w, std::uint32_t i) { u.variables[static_cast<std::size_t>(w)] |= 1u << i; };
    if (s.kind == K::kAssign) name(s.exprs[0].width, s.target);
    if (s.kind == K::kCall || s.kind == K::kExchange || s.kind == K::kSubgroup) name(Width::kU32, s.target);
    if (s.kind == K::kCall) {
      name(Width::kU32, s.other);
      u.functions |= 1u << s.callee;
    }
    if (s.kind == K::kElement) u.array = true;
    if (s.kind == K::kLoop) u.counters |= std::uint64_t{1} << s.target;
    if (s.kind == K::kSubgroup) u.subgroups = true;
    for (const Expr& e : s.exprs) add(u, e);
    for (const auto& body : s.bodies) add(u, body);
  }
}

}  // namespace

Uses usesOf(const std::vector<Stmt>& body) {
  Uses u;
  add(u, body);
  return u;
}

Uses usesOf(const Function& function) {
  Uses u = usesOf(function.body);
  add(u, function.result);
  u.variables[static_cast<std::size_t>(Width::kU32)] |= 3;  // what goes in and out by the pointer
  return u;
}

}  // namespace lanewise::random
