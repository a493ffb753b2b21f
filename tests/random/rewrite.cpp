// Operations written otherwise: their operands, and their result, are xored with zeros that the compiler does not know and that might
// differ by invocation; a 64-bit division, which a device may call as a function, becomes 32-bit ones. A difference that goes away when one
// kind of operation is hidden so is a fault of a compiler's handling of that operation beside others: a sum of known operands, a value that
// all invocations share.
#include "tests/random/lines.h"

namespace lanewise::random {
namespace {

using W = Width;

bool among(const Operation& o, std::initializer_list<const char*> names) {
  return std::ranges::any_of(names, [&](const char* n) { return std::string_view(o.opcode).starts_with(n); });
}
bool isNarrow(W w) {
  return w == W::kU8 || w == W::kU16;
}

struct Row {
  const char* name;
  bool (*about)(const Operation&);
};
constexpr Row kRows[] = {
    {"8- and 16-bit operations", [](const Operation& o) { return isNarrow(o.result) || std::ranges::any_of(o.arguments, isNarrow); }},
    {"minimum and maximum",
     [](const Operation& o) {
       return among(o, {"glsl SMin", "glsl SMax", "glsl UMin", "glsl UMax"});
     }},
    {"sign",
     [](const Operation& o) {
       return among(o, {"glsl SSign", "glsl SAbs"});
     }},
    {"negation",
     [](const Operation& o) {
       return among(o, {"OpSNegate", "OpNot"});
     }},
    {"bit fields", [](const Operation& o) { return among(o, {"OpBitField"}); }},
    {"bit counts",
     [](const Operation& o) {
       return among(o, {"OpBitCount", "OpBitReverse", "glsl Find"});
     }},
    {"64-bit division",
     [](const Operation& o) {
       return o.arguments[0] == W::kU64 && among(o, {"OpUDiv", "OpSDiv", "OpUMod", "OpSMod", "OpSRem"});
     }},
    {"64-bit comparison", [](const Operation& o) { return o.arguments[0] == W::kU64 && o.result == W::kBool; }},
    {"division",
     [](const Operation& o) {
       return o.arguments[0] == W::kU32 && among(o, {"OpUDiv", "OpSDiv", "OpUMod", "OpSMod", "OpSRem"});
     }},
    {"long addition and multiplication", [](const Operation& o) { return std::string_view(o.opcode).find('.') != std::string_view::npos; }},
    {"shifts", [](const Operation& o) { return among(o, {"OpShift"}); }},
};

// By 32-bit division of sixteen bits after sixteen: divisors are below 64.
std::string dividedByWords(Lines& out, const std::string& name, const std::vector<std::string>& operands) {
  const auto word = [&](const char* op, const std::string& a, const std::string& b) { return out.op(op, W::kU32, a, b); };
  const auto low = [&](const std::string& v) { return out.make(fmt::format("OpUConvert %u32 {}", v)); };
  const auto wide = [&](const std::string& v) { return out.make(fmt::format("OpUConvert %u64 {}", v)); };
  const std::string zero = out.constant(W::kU64, 0), d = low(operands[1]);
  std::string n = operands[0], negative, q = zero, r = out.u32(0);
  if (name == "OpSDiv") {
    negative = out.op("OpSLessThan", W::kBool, n, zero);
    n = out.op("OpSelect", W::kU64, negative, out.op("OpISub", W::kU64, zero, n), n);
  }
  for (const std::uint32_t shift : {48u, 32u, 16u, 0u}) {
    const std::string digit = word("OpBitwiseAnd", low(out.op("OpShiftRightLogical", W::kU64, n, out.u32(shift))), out.u32(0xffff));
    const std::string part = word("OpBitwiseOr", word("OpShiftLeftLogical", r, out.u32(16)), digit);
    r = word("OpUMod", part, d);
    q = out.op("OpBitwiseOr", W::kU64, q, out.op("OpShiftLeftLogical", W::kU64, wide(word("OpUDiv", part, d)), out.u32(shift)));
  }
  if (name != "OpSDiv" && name != "OpUDiv") return wide(r);
  return negative.empty() ? q : out.op("OpSelect", W::kU64, negative, out.op("OpISub", W::kU64, zero, q), q);
}

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
  for (const Row& row : kRows) names.emplace_back(row.name);
  return names;
}

bool hides(std::uint32_t rewrites, const Operation& operation) {
  for (std::size_t i = 0; i < std::size(kRows); ++i)
    if (rewrites >> i & 1 && kRows[i].about(operation)) return true;
  return false;
}

std::string hidden(Lines& out, const std::string& value, Width w, std::uint32_t bit) {
  if (w == W::kBool) return value;
  std::string zero = out.op("OpShiftRightLogical", W::kU32,
                            out.make(fmt::format("OpCompositeExtract %u32 {} 0", out.make("OpLoad %v3 %global_id"))), out.u32(bit));
  if (w != W::kU32) zero = out.make(fmt::format("OpUConvert {} {}", typeName(w), zero));
  return out.op("OpBitwiseXor", w, value, zero);
}

std::string otherwise(Lines& out, const Operation& operation, const std::vector<std::string>& operands) {
  const std::string name = operation.opcode;
  const bool divides = name == "OpUDiv" || name == "OpSDiv" || name == "OpUMod" || name == "OpSMod" || name == "OpSRem";
  return divides && operation.result == W::kU64 ? dividedByWords(out, name, operands) : "";
}

}  // namespace lanewise::random
