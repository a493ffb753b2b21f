// Making a kernel smaller, one edit at a time: a statement away, a compound statement replaced by one of its bodies, an expression
// replaced by an operand of its width or by a constant.
#include <algorithm>

#include "tests/random/kernel.h"

namespace lanewise::random {
namespace {

// A break or a continue of the loop around.
bool leaves(const std::vector<Stmt>& list) {
  return std::ranges::any_of(list, [](const Stmt& s) {
    if (s.kind == Stmt::Kind::kBreakIf || s.kind == Stmt::Kind::kContinueIf) return true;
    return s.kind != Stmt::Kind::kLoop && std::ranges::any_of(s.bodies, [](const auto& body) { return leaves(body); });
  });
}

// Counts down to the edit that is wanted.
class Shrinker {
 public:
  explicit Shrinker(std::size_t n) : left_(n) {}

  bool kernel(Kernel& k) {
    if (list(k.body)) return true;
    for (Function& f : k.functions)
      if (list(f.body) || expr(f.result)) return true;
    return frame(k);
  }

 private:
  bool here() { return left_-- == 0; }

  // What stands around the statements.
  bool frame(Kernel& k) {
    bool narrow = false, wide = false, subgroups = false;
    const auto add = [&](const Uses& u) {
      narrow |= u.widths[static_cast<std::size_t>(Width::kU8)] || u.widths[static_cast<std::size_t>(Width::kU16)];
      wide |= u.widths[static_cast<std::size_t>(Width::kU64)];
      subgroups |= u.subgroups;
    };
    add(usesOf(k.body));
    for (const Function& f : k.functions) add(usesOf(f));
    const auto drop = [this](bool& flag, bool used) { return flag && !used && here() ? (flag = false, true) : false; };
    if (drop(k.narrow, narrow) || drop(k.wide, wide) || drop(k.subgroups, subgroups)) return true;
    if (k.groups > 1 && here()) return k.groups = 1, true;
    if (k.localSize > 32 && here()) return k.localSize = 32, true;
    return !k.sparse && here() ? (k.sparse = true) : false;
  }

  bool list(std::vector<Stmt>& statements) {
    for (std::size_t i = 0; i < statements.size(); ++i) {
      if (here()) {
        statements.erase(statements.begin() + static_cast<std::ptrdiff_t>(i));
        return true;
      }
      Stmt& s = statements[i];
      // A loop's body that breaks out of it stays inside.
      if (s.kind == Stmt::Kind::kIf || s.kind == Stmt::Kind::kSwitch || (s.kind == Stmt::Kind::kLoop && !leaves(s.bodies[0])))
        for (std::size_t b = 0; b < s.bodies.size(); ++b)
          if (!s.bodies[b].empty() && here()) {
            std::vector<Stmt> body = std::move(s.bodies[b]);
            statements.erase(statements.begin() + static_cast<std::ptrdiff_t>(i));
            statements.insert(statements.begin() + static_cast<std::ptrdiff_t>(i), body.begin(), body.end());
            return true;
          }
    }
    for (Stmt& s : statements) {
      for (Expr& e : s.exprs)
        if (expr(e)) return true;
      for (std::vector<Stmt>& body : s.bodies)
        if (list(body)) return true;
    }
    return false;
  }

  bool expr(Expr& e) {
    for (const Expr& operand : e.operands)
      if (operand.width == e.width && here()) {
        Expr kept = operand;
        e = std::move(kept);
        return true;
      }
    if (e.kind != Expr::Kind::kConstant && here()) {
      e = {Expr::Kind::kConstant, e.width, 1, {}};
      return true;
    }
    for (Expr& operand : e.operands)
      if (expr(operand)) return true;
    return false;
  }

  std::size_t left_;
};

std::size_t weigh(const Expr& e) {
  std::size_t sum = 1;
  for (const Expr& operand : e.operands) sum += weigh(operand);
  return sum;
}
std::size_t weigh(const std::vector<Stmt>& list) {
  std::size_t sum = 0;
  for (const Stmt& s : list) {
    ++sum;
    for (const Expr& e : s.exprs) sum += weigh(e);
    for (const auto& body : s.bodies) sum += weigh(body);
  }
  return sum;
}

}  // namespace

bool shrinkOnce(Kernel& kernel, std::size_t n) {
  return Shrinker(n).kernel(kernel);
}

std::size_t weight(const Kernel& kernel) {
  std::size_t sum = weigh(kernel.body);
  for (const Function& f : kernel.functions) sum += weigh(f.body) + weigh(f.result);
  return sum;
}

}  // namespace lanewise::random
