// The rows that compute against what they stand for: every type has its handler and no handler is without a type; undefined bytes reach
// no other than a row says.
#include <fmt/format.h>

#include <random>
#include <set>

#include "model/ir/operation_info.h"
#include "model/ir/operation_names.h"
#include "model/operations/evaluate.h"
#include "model/operations/table.h"
#include "tests/model/operations/operands.h"

namespace lanewise {
namespace {

using ir::OperationInfo;
using ir::Signature;

std::set<std::tuple<ir::Code, Scalar, Scalar>> keysOfRows() {
  std::set<std::tuple<ir::Code, Scalar, Scalar>> keys;
  for (const OperationInfo& o : ir::operationInfos())
    if (o.computes())
      for (const Signature& s : ir::signaturesOf(o.types)) keys.insert({o.code, s.result.scalar, s.arguments[0].scalar});
  return keys;
}

TEST(OperationRows, EveryTypeOfARowHasAHandlerAndEveryHandlerARow) {
  const auto keys = keysOfRows();
  for (const OpTable* table : {&operations(), &baseOperations()}) {
    for (const auto& [code, result, argument] : keys)
      EXPECT_NE(table->find({code, result, argument}), nullptr)
          << codeName(code) << " on " << scalarName(argument) << " giving " << scalarName(result);
    table->forEach([&](const OpKey& key) {
      const bool computes = key.op < ir::kOwn || ir::computes(key.op);
      EXPECT_EQ(computes, keys.contains({key.op, key.result, key.argument})) << codeName(key.op) << " on " << scalarName(key.argument);
    });
  }
}

// Two rows of signatures that differ in their later arguments only would share a handler.
TEST(OperationRows, TheResultAndTheFirstArgumentTellSignaturesApart) {
  for (const OperationInfo& o : ir::operationInfos()) {
    std::set<std::pair<Scalar, Scalar>> seen;
    for (const Signature& s : ir::signaturesOf(o.types))
      EXPECT_TRUE(seen.insert({s.result.scalar, s.arguments[0].scalar}).second) << codeName(o.code) << ' ' << o.types;
  }
}

// --- Which bytes of a result an undefined byte of an operand reaches (ir::Spread): of no row fewer than the function shows ---------------

Bits withOthers(Scalar type, Bits bits, ir::ByteMask undefined, Bits others) {
  if (type == Scalar::kBool) return undefined != 0 && (others & 1) != 0 ? ~bits & 0xffffffffu : bits;
  for (std::uint32_t i = 0; i < scalarBytes(type); ++i)
    if ((undefined >> i & 1) != 0) bits = (bits & ~(Bits{0xff} << (8 * i))) | (others & (Bits{0xff} << (8 * i)));
  return bits;
}

class Spreading {
 public:
  explicit Spreading(const OperationInfo& o) : o_(o), random_(o.code) {}

  // Bytes that the rule calls defined, and that changed with those that are not.
  std::string fault(const Signature& s) {
    Scalar types[4];
    Bits bits[4], others[4];
    ir::ByteMask undefined[4];
    for (std::size_t i = 0; i < s.count; ++i) {
      const Scalar type = types[i] = s.arguments[i].scalar;
      const std::vector<Bits> chosen = operandsOf(type);
      const Bits all = scalarBytes(type) == 8 ? ~Bits{0} : (Bits{1} << (8 * scalarBytes(type))) - 1;
      const Bits kinds[] = {chosen[random_() % chosen.size()], random_() & all, random_() % 9, all};
      bits[i] = type == Scalar::kBool ? chosen[random_() % chosen.size()] : kinds[random_() % 4];
      undefined[i] = random_() % 2 != 0      ? ir::ByteMask{0}
                     : type == Scalar::kBool ? ir::allBytes(type)
                                             : static_cast<ir::ByteMask>(random_() & ir::allBytes(type));
      others[i] = withOthers(type, bits[i], undefined[i], random_());
    }
    const auto of = [&](const Bits(&values)[4]) {
      const bool has = ir::isDefined(o_.facts.defined, s.result.scalar, std::span(types, s.count), std::span(values, s.count));
      return has ? evaluate(rows_, o_.code, s.result.scalar, std::span(types, s.count), std::span(values, s.count)) : std::nullopt;
    };
    const std::optional<Bits> a = of(bits), b = of(others);
    if (!a || !b) return "";
    const ir::ByteMask may = ir::undefinedBytes(o_.facts.spread, s.result.scalar,
                                                {std::span(types, s.count), std::span(bits, s.count), std::span(undefined, s.count)});
    for (std::uint32_t i = 0; i < scalarBytes(s.result.scalar); ++i)
      if ((may >> i & 1) == 0 && ((*a ^ *b) >> (8 * i) & 0xff) != 0)
        return fmt::format("{} {}: byte {} of {:x} and {:x}", codeName(o_.code), o_.types, i, *a, *b);
    return "";
  }

 private:
  const OperationInfo& o_;
  std::mt19937_64 random_;
  OpRows rows_;
};

TEST(OperationRows, UndefinedBytesReachNoOtherThanTheRowSays) {
  std::size_t precise = 0;
  for (const OperationInfo& o : ir::operationInfos()) {
    if (!o.computes() || o.facts.spread == ir::Spread::kToAll) continue;
    ++precise;
    Spreading spreading(o);
    for (const Signature& s : ir::signaturesOf(o.types))
      for (int time = 0; time < 2000; ++time) {
        const std::string fault = spreading.fault(s);
        ASSERT_EQ(fault, "");
      }
  }
  EXPECT_GE(precise, 20u);
}

// A rule that says too little is seen.
TEST(OperationRows, ARuleThatForgetsCarriesIsSeen) {
  OperationInfo sum = *ir::operationInfo(ir::core(spv::Op::OpIAdd));
  sum.facts.spread = ir::Spread::kToItsOwn;
  Spreading spreading(sum);
  const ir::Signatures all = ir::signaturesOf(sum.types);
  std::size_t faults = 0;
  for (int time = 0; time < 2000; ++time) faults += spreading.fault(all.all[2]).empty() ? 0 : 1;
  EXPECT_GT(faults, 0u);
}

}  // namespace
}  // namespace lanewise
