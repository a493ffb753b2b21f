// Operations written otherwise: their operands, and their result, are xored with a zero that the compiler does not know and that might
// differ by invocation. A difference that goes away when one kind of operation is hidden so is a compiler's fault in what it makes of that
// operation beside others: of a sum of known operands, of a value that all invocations share.
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

std::string hidden(Lines& out, const std::string& value, Width w) {
  if (w == W::kBool) return value;
  // The invocation's number has no 31st bit.
  std::string zero = out.op("OpShiftRightLogical", W::kU32,
                            out.make(fmt::format("OpCompositeExtract %u32 {} 0", out.make("OpLoad %v3 %global_id"))), out.u32(31));
  if (w != W::kU32) zero = out.make(fmt::format("OpUConvert {} {}", typeName(w), zero));
  return out.op("OpBitwiseXor", w, value, zero);
}

}  // namespace lanewise::random
