// Operations written otherwise. A difference that goes away when one kind of operation is written otherwise is a compiler's fault in that
// operation, or in what it takes it to be next to others.
#include "tests/random/lines.h"

namespace lanewise::random {
namespace {

using W = Width;

bool narrow(W w) {
  return w == W::kU8 || w == W::kU16;
}

class Rewriter {
 public:
  Rewriter(Lines& out, const Operation& row, const std::vector<std::string>& arguments)
      : out_(out), row_(row), a_(arguments), name_(row.opcode), w_(row.arguments[0]) {
    if (name_.starts_with("glsl ")) name_ = name_.substr(5);
  }

  bool any(std::initializer_list<const char*> names) const {
    return std::ranges::any_of(names, [this](const char* n) { return name_ == n; });
  }

  // Compared and selected.
  std::string extreme() {
    if (!any({"SMin", "SMax", "UMin", "UMax"})) return "";
    const std::string less = boolean(name_[0] == 'S' ? "OpSLessThan" : "OpULessThan", a_[0], a_[1]);
    return name_.ends_with("Min") ? out_.op("OpSelect", w_, less, a_[0], a_[1]) : out_.op("OpSelect", w_, less, a_[1], a_[0]);
  }
  std::string sign() {
    if (!any({"SSign", "SAbs"})) return "";
    const std::string zero = out_.constant(w_, 0);
    const std::string negative = boolean("OpSLessThan", a_[0], zero);
    if (name_ == "SAbs") return out_.op("OpSelect", w_, negative, out_.op("OpISub", w_, zero, a_[0]), a_[0]);
    const std::string other = out_.op("OpSelect", w_, boolean("OpINotEqual", a_[0], zero), out_.constant(w_, 1), zero);
    return out_.op("OpSelect", w_, negative, out_.constant(w_, ~0ull), other);
  }

  // 8 and 16 bits as the low bits of words.
  std::string inWords() {
    if (!narrow(w_) && !narrow(row_.result)) return "";
    if (row_.result == W::kU64 || w_ == W::kU64 || w_ == W::kBool) return "";
    const bool isSigned = any({"OpSDiv", "OpSRem", "OpSMod", "OpSConvert", "OpSGreaterThan", "OpSGreaterThanEqual", "OpSLessThan",
                               "OpSLessThanEqual", "SMin", "SMax", "SAbs", "SSign", "OpShiftRightArithmetic"});
    std::vector<std::string> words;
    for (const std::string& a : a_) words.push_back(word(a, isSigned));
    if (any({"OpUConvert", "OpSConvert"})) return narrowed(words[0]);
    if (name_.starts_with("OpSelect")) return "";
    std::string list;
    for (const std::string& s : words) list += fmt::format(" {}", s);
    if (row_.result == W::kBool) return out_.make(name_ + " %bool" + list);
    if (!row_.opcode[0] || std::string_view(row_.opcode).starts_with("glsl ")) return narrowed(extended(words));
    return narrowed(out_.make(name_ + " %u32" + list));
  }

  // Shifted and masked.
  std::string fields() {
    if (!name_.starts_with("OpBitField")) return "";
    const bool insert = name_ == "OpBitFieldInsert";
    const std::string &offset = a_[insert ? 2 : 1], &count = a_[insert ? 3 : 2], one = out_.u32(1);
    const std::string mask = word2("OpISub", word2("OpShiftLeftLogical", one, count), one);  // count is below 16
    if (insert) {
      const std::string field = word2("OpShiftLeftLogical", mask, offset);
      const std::string kept = word2("OpBitwiseAnd", a_[0], out_.op("OpNot", W::kU32, field));
      return word2("OpBitwiseOr", kept, word2("OpBitwiseAnd", word2("OpShiftLeftLogical", a_[1], offset), field));
    }
    const std::string low = word2("OpBitwiseAnd", word2("OpShiftRightLogical", a_[0], offset), mask);
    if (name_ == "OpBitFieldUExtract") return low;
    const std::string top = word2("OpShiftRightLogical", word2("OpIAdd", mask, one), one);  // 0 where count is
    return word2("OpISub", word2("OpBitwiseXor", low, top), top);
  }

  // By 32-bit division of sixteen bits after sixteen: divisors are below 64.
  std::string division() {
    if (w_ != W::kU64 || !any({"OpUDiv", "OpUMod", "OpSDiv", "OpSRem", "OpSMod"})) return "";
    std::string n = a_[0], negative;
    const std::string zero = out_.constant(W::kU64, 0);
    if (name_ == "OpSDiv") {
      negative = boolean("OpSLessThan", n, zero);
      n = out_.op("OpSelect", W::kU64, negative, out_.op("OpISub", W::kU64, zero, n), n);
    }
    const std::string d = out_.make("OpUConvert %u32 " + a_[1]);
    std::string q = zero, r = out_.u32(0);
    for (std::uint32_t shift = 64; shift > 0;) {
      shift -= 16;
      const std::string limb = out_.make("OpUConvert %u32 " + out_.op("OpShiftRightLogical", W::kU64, n, out_.u32(shift)));
      const std::string part =
          word2("OpBitwiseOr", word2("OpShiftLeftLogical", r, out_.u32(16)), word2("OpBitwiseAnd", limb, out_.u32(0xffff)));
      const std::string digit = out_.make("OpUConvert %u64 " + word2("OpUDiv", part, d));
      r = word2("OpUMod", part, d);
      q = out_.op("OpBitwiseOr", W::kU64, q, out_.op("OpShiftLeftLogical", W::kU64, digit, out_.u32(shift)));
    }
    if (name_.ends_with("Mod") || name_.ends_with("Rem")) return out_.make("OpUConvert %u64 " + r);
    return negative.empty() ? q : out_.op("OpSelect", W::kU64, negative, out_.op("OpISub", W::kU64, zero, q), q);
  }

  // Sums of halves.
  std::string counts() {
    if (name_ != "OpBitCount") return "";
    std::string x = a_[0];
    const std::uint32_t masks[] = {0x55555555, 0x33333333, 0x0f0f0f0f, 0x00ff00ff, 0x0000ffff};
    for (std::uint32_t i = 0; i < 5; ++i) {
      const std::string mask = out_.u32(masks[i]);
      x = word2("OpIAdd", word2("OpBitwiseAnd", x, mask), word2("OpBitwiseAnd", word2("OpShiftRightLogical", x, out_.u32(1u << i)), mask));
    }
    return x;
  }

  // Comparisons of 64 bits by words.
  std::string words() {
    if (w_ != W::kU64 || row_.result != W::kBool || row_.arguments.size() != 2) return "";
    const auto high = [&](const std::string& v) {
      return out_.make("OpUConvert %u32 " + out_.op("OpShiftRightLogical", W::kU64, v, out_.u32(32)));
    };
    const auto low = [&](const std::string& v) { return out_.make("OpUConvert %u32 " + v); };
    const std::string h[] = {high(a_[0]), high(a_[1])}, l[] = {low(a_[0]), low(a_[1])};
    const std::string same = boolean("OpIEqual", h[0], h[1]);
    if (name_ == "OpIEqual") return boolean("OpLogicalAnd", same, boolean("OpIEqual", l[0], l[1]));
    if (name_ == "OpINotEqual") return boolean("OpLogicalOr", boolean("OpINotEqual", h[0], h[1]), boolean("OpINotEqual", l[0], l[1]));
    const std::string strict = name_.substr(0, name_.find("Equal")), unsignedName = "OpU" + name_.substr(3);
    const std::string above = boolean(strict.c_str(), h[0], h[1]);
    return boolean("OpLogicalOr", above, boolean("OpLogicalAnd", same, boolean(unsignedName.c_str(), l[0], l[1])));
  }

 private:
  std::string boolean(const char* name, const std::string& a, const std::string& b) { return out_.op(name, W::kBool, a, b); }
  std::string word2(const char* name, const std::string& a, const std::string& b) { return out_.op(name, W::kU32, a, b); }

  std::string word(const std::string& value, bool isSigned) {
    if (w_ == W::kU32) return value;
    const std::string wide = out_.make("OpUConvert %u32 " + value);
    if (!isSigned) return word2("OpBitwiseAnd", wide, out_.u32((1u << bits(w_)) - 1));
    const std::string by = out_.u32(32 - bits(w_));
    return word2("OpShiftRightArithmetic", word2("OpShiftLeftLogical", wide, by), by);
  }
  std::string narrowed(const std::string& value) {
    return row_.result == W::kU32 ? value : out_.make(fmt::format("OpUConvert {} {}", typeName(row_.result), value));
  }
  // GLSL.std.450's operation on words; the signed ones on signed types.
  std::string extended(const std::vector<std::string>& words) {
    const bool isSigned = name_[0] == 'S';
    std::string list;
    for (const std::string& s : words) list += fmt::format(" {}", isSigned ? out_.make("OpBitcast %i32 " + s) : s);
    const std::string result = out_.make(fmt::format("OpExtInst {} %glsl {}{}", isSigned ? "%i32" : "%u32", name_, list));
    return isSigned ? out_.make("OpBitcast %u32 " + result) : result;
  }

  Lines& out_;
  const Operation& row_;
  const std::vector<std::string>& a_;
  std::string name_;
  W w_;
};

struct Row {
  const char* name;
  std::string (Rewriter::*write)();  // nothing: how a statement is written (assembly.cpp)
};
constexpr Row kRows[] = {
    {"narrow arithmetic in words", &Rewriter::inWords},
    {"minimum and maximum by comparison", &Rewriter::extreme},
    {"sign and absolute value by comparison", &Rewriter::sign},
    {"bit fields by shifts", &Rewriter::fields},
    {"64-bit division by words", &Rewriter::division},
    {"bit count by sums", &Rewriter::counts},
    {"64-bit comparison by words", &Rewriter::words},
    {"array elements by selection", nullptr},
    {"loops not unrolled", nullptr},
    {"functions not inlined", nullptr},
};

}  // namespace

std::string guarded(Lines& out, const std::string& value, Width w, Operation::Guard guard) {
  using G = Operation::Guard;
  const auto masked = [&](std::uint64_t mask) { return out.op("OpBitwiseAnd", w, value, out.constant(w, mask)); };
  switch (guard) {
    case G::kShift:
      return masked(bits(w) - 1);
    case G::kField:
      return masked(15);
    case G::kPositive:
      return masked(~std::uint64_t{0} >> (65 - bits(w)));
    case G::kDivisor:  // 1 to 63: never zero, never minus one
      return out.op("OpBitwiseOr", w, masked(63), out.constant(w, 1));
    case G::kNone:
      break;
  }
  return value;
}

std::vector<std::string> rewrites() {
  std::vector<std::string> names;
  for (const Row& row : kRows) names.push_back(row.name);
  return names;
}

std::string rewritten(Lines& out, std::uint32_t rewrites, const Operation& row, const std::vector<std::string>& arguments) {
  for (std::size_t i = 0; i < std::size(kRows); ++i) {
    if (!(rewrites >> i & 1) || kRows[i].write == nullptr) continue;
    Rewriter rewriter(out, row, arguments);
    if (std::string s = (rewriter.*kRows[i].write)(); !s.empty()) return s;
  }
  return "";
}

}  // namespace lanewise::random
