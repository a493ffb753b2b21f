// A kernel from a seed. Only the generator's own arithmetic on mt19937_64 is used, so that a seed means the same kernel everywhere.
#include <algorithm>
#include <random>

#include "tests/random/kernel.h"

namespace lanewise::random {
namespace {

class Generator {
 public:
  Generator(std::uint64_t seed, const std::vector<std::string>& capabilities) : random_(seed) {
    const auto may = [&](const char* name) { return capabilities.empty() || std::ranges::find(capabilities, name) != capabilities.end(); };
    k_.seed = seed;
    k_.localSize = 32u << below(2);
    k_.narrow = may("Int8") && may("Int16") && below(3) == 0;
    k_.wide = may("Int64") && below(3) == 0;
    k_.subgroups = may("GroupNonUniformArithmetic") && may("GroupNonUniformShuffle") && may("GroupNonUniformQuad") && below(2) == 0;
  }

  Kernel kernel() {
    for (std::uint64_t f = below(3); f > 0; --f) {
      Function function;
      inFunction_ = true;
      function.body = block({.depth = 1, .uniform = false}, 1 + below(4));
      function.result = expr(Width::kU32, 2, false);
      inFunction_ = false;
      k_.functions.push_back(std::move(function));
    }
    k_.body = block({.depth = 0, .uniform = true}, 4 + below(8));
    return std::move(k_);
  }

 private:
  struct Context {
    std::uint32_t depth = 0;
    bool uniform = false;  // all invocations of the workgroup are here
    bool inLoop = false;
    bool uniformLoop = false;  // the innermost loop is left by all together
    bool plain = true;         // no divergent loop, switch or function around: who is active here is clear
  };

  std::uint64_t below(std::uint64_t n) { return random_() % n; }

  Width anyWidth() {
    const std::uint64_t pick = below(8);
    if (k_.wide && pick == 0) return Width::kU64;
    if (k_.narrow && pick == 1) return Width::kU16;
    if (k_.narrow && pick == 2) return Width::kU8;
    return Width::kU32;
  }
  bool has(Width w) const { return w == Width::kU64 ? k_.wide : w == Width::kU16 || w == Width::kU8 ? k_.narrow : true; }

  Expr constant(Width w) {
    static constexpr std::uint64_t corners[] = {0,    1,      2,      3,      7,          31,         0x7f,       0x80,
                                                0xff, 0x7fff, 0x8000, 0xffff, 0x7fffffff, 0x80000000, 0xffffffff, ~0ull};
    return {Expr::Kind::kConstant, w, below(2) ? corners[below(std::size(corners))] : random_(), {}};
  }

  Expr leaf(Width w, bool uniform) {
    if (w == Width::kBool) return {Expr::Kind::kConstant, w, below(2), {}};
    if (w == Width::kU32) {
      const std::uint64_t pick = below(uniform ? 3 : 8);
      if (pick == 0) return {Expr::Kind::kPush, w, below(kPushWords), {}};
      if (pick == 1 && !inFunction_) return {Expr::Kind::kGroupId, w, 0, {}};
      if (pick == 3) return {Expr::Kind::kLocalId, w, 0, {}};
      if (pick == 4 && !counters_.empty()) return {Expr::Kind::kCounter, w, counters_[below(counters_.size())], {}};
    }
    if (uniform || below(4) == 0) return constant(w);
    return {Expr::Kind::kVariable, w, below(kVariables), {}};
  }

  Expr expr(Width w, std::uint32_t depth, bool uniform) {
    if (depth == 0 || below(8) == 0) return leaf(w, uniform);
    if (w == Width::kU32 && !uniform && below(8) == 0)
      return {below(2) ? Expr::Kind::kInput : Expr::Kind::kElement, w, 0, {expr(w, depth - 1, false)}};
    const std::vector<Operation>& table = operations();
    for (int attempt = 0; attempt < 64; ++attempt) {
      const std::uint64_t row = below(table.size());
      if (table[row].result != w || !std::ranges::all_of(table[row].arguments, [&](Width a) { return has(a); })) continue;
      Expr e{Expr::Kind::kOperation, w, row, {}};
      for (const Width a : table[row].arguments) e.operands.push_back(expr(a, depth - 1, uniform));
      return e;
    }
    return leaf(w, uniform);
  }

  std::uint32_t variable() { return static_cast<std::uint32_t>(below(kVariables)); }

  std::vector<Stmt> block(Context c, std::uint64_t statements) {
    std::vector<Stmt> out;
    for (std::uint64_t i = 0; i < statements; ++i) out.push_back(statement(c));
    return out;
  }

  Stmt assign(bool element) {
    const Width w = element ? Width::kU32 : anyWidth();
    Stmt s{.kind = element ? Stmt::Kind::kElement : Stmt::Kind::kAssign, .target = variable(), .exprs = {}, .bodies = {}};
    if (element) s.exprs.push_back(expr(Width::kU32, 1, false));
    s.exprs.push_back(expr(w, 3, false));
    return s;
  }

  Stmt statement(Context c) {
    const std::uint64_t pick = below(20);
    if (c.depth < 4 && pick < 4) return branch(c);
    if (c.depth < 4 && pick < 6 && counters_.size() < 3) return loop(c);
    if (c.depth < 4 && pick == 6) return choice(c);
    if (c.inLoop && pick == 7)
      return {
          .kind = below(2) ? Stmt::Kind::kBreakIf : Stmt::Kind::kContinueIf, .exprs = {expr(Width::kBool, 2, c.uniformLoop)}, .bodies = {}};
    if (inFunction_ && pick == 8)
      return {.kind = Stmt::Kind::kReturnIf, .exprs = {expr(Width::kBool, 2, false), expr(Width::kU32, 2, false)}, .bodies = {}};
    if (!inFunction_ && !k_.functions.empty() && pick <= 9)
      return {.kind = Stmt::Kind::kCall,
              .target = variable(),
              .other = variable(),
              .callee = static_cast<std::uint32_t>(below(k_.functions.size())),
              .exprs = {expr(Width::kU32, 2, false)},
              .bodies = {}};
    if (c.uniform && pick <= 11)
      return {.kind = Stmt::Kind::kExchange,
              .target = variable(),
              .exprs = {expr(Width::kU32, 2, false), expr(Width::kU32, 2, false)},
              .bodies = {}};
    if (k_.subgroups && !inFunction_ && pick <= 13) {
      const auto row = static_cast<std::uint32_t>(below(subgroupOperations().size()));
      if (c.uniform || (c.plain && subgroupOperations()[row].divergent))
        return {.kind = Stmt::Kind::kSubgroup, .target = variable(), .callee = row, .exprs = {expr(Width::kU32, 2, false)}, .bodies = {}};
    }
    if (!inFunction_ && pick == 14)
      return {.kind = Stmt::Kind::kAtomic,
              .target = static_cast<std::uint32_t>(below(kSlots)),
              .exprs = {expr(Width::kU32, 2, false)},
              .bodies = {}};
    return assign(below(5) == 0);
  }

  Stmt branch(Context c) {
    const bool together = c.uniform && below(2);
    Stmt s{.kind = Stmt::Kind::kIf, .exprs = {expr(Width::kBool, 3, together)}, .bodies = {}};
    ++c.depth;
    c.uniform = together;
    if (!together && c.uniformLoop) c.inLoop = false;  // a break here would be taken by some alone
    s.bodies.push_back(block(c, 1 + below(3)));
    s.bodies.push_back(below(2) ? block(c, 1 + below(2)) : std::vector<Stmt>{});
    return s;
  }

  Stmt loop(Context c) {
    const bool together = c.uniform && below(2);
    Stmt s{.kind = Stmt::Kind::kLoop, .target = k_.counters++, .exprs = {expr(Width::kU32, 2, together)}, .bodies = {}};
    // Inside, a break that lanes take alone would end the uniformity; those in a uniform loop have uniform conditions.
    ++c.depth;
    c.inLoop = true;
    c.uniformLoop = c.uniform = together;
    c.plain = c.plain && together;
    counters_.push_back(s.target);
    s.bodies.push_back(block(c, 1 + below(4)));
    counters_.pop_back();
    return s;
  }

  Stmt choice(Context c) {
    Stmt s{
        .kind = Stmt::Kind::kSwitch, .falls = static_cast<std::uint32_t>(random_()), .exprs = {expr(Width::kU32, 2, false)}, .bodies = {}};
    ++c.depth;
    c.uniform = c.plain = false;
    // A break inside a switch would leave the switch; only the loop's own level breaks.
    c.inLoop = false;
    for (std::uint64_t bodies = 2 + below(4); bodies > 0; --bodies) s.bodies.push_back(block(c, 1 + below(2)));
    return s;
  }

  std::mt19937_64 random_;
  Kernel k_;
  bool inFunction_ = false;
  std::vector<std::uint32_t> counters_;
};

}  // namespace

Kernel generate(std::uint64_t seed, const std::vector<std::string>& capabilities) {
  return Generator(seed, capabilities).kernel();
}

}  // namespace lanewise::random
