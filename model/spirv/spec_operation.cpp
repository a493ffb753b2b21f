#include "model/spirv/spec_operation.h"

#include <algorithm>

#include "model/ir/rows/function.h"
#include "model/ir/rows/joined.h"
#include "model/scalar/convert.h"
#include "model/scalar/half.h"
#include "model/scalar/joined.h"
#include "model/scalar/logic.h"
#include "model/scalar/parts.h"
#include "model/spirv/newer.h"

namespace lanewise::spirv {
namespace {
namespace spec {  // so that the words of rows stand in no other file of a unity build

using ir::codeOf;
using ir::Definedness;
using ir::Facts;
using ir::Identity;
using ir::Machine;
using ir::Spread;
using ir::When;
using namespace ir::row;
using enum ir::Own;
using enum spv::Op;

template <class T>
T asValue(std::uint64_t bits) {
  if constexpr (std::is_same_v<T, scalar::Half>)
    return {static_cast<std::uint16_t>(bits)};
  else if constexpr (std::is_floating_point_v<T>)
    return scalar::fromBits<T>(static_cast<scalar::BitsOf<T>>(bits));
  else
    return static_cast<T>(bits);
}
template <class T>
std::uint64_t asBits(T value) {
  if constexpr (std::is_same_v<T, scalar::Half>)
    return value.bits;
  else if constexpr (std::is_floating_point_v<T>)
    return scalar::bitsOf(value);
  else
    return static_cast<std::uint64_t>(value);
}

struct Asked {
  Scalar result, operand;
  std::span<const std::uint64_t> args;
};

template <ir::Signature S, class V, class F>
std::uint64_t computed(std::span<const std::uint64_t> args) {
  return [&]<std::size_t... I>(std::index_sequence<I...>) {
    return asBits(Strict<F, S, V>{}(asValue<TypeOf<S.arguments[I]>>(args[I])...));
  }
  (std::make_index_sequence<S.count>{});
}

// Of the signature that has these types.
template <TypesText Types, class V, class F>
std::optional<std::uint64_t> compute(Definedness rule, const Asked& asked) {
  std::optional<std::uint64_t> value;
  forEachSignature<Types>([&]<ir::Signature S>() {
    if (S.result.scalar != asked.result || S.arguments[0].scalar != asked.operand || S.count != asked.args.size()) return;
    Scalar types[S.count];
    std::transform(S.arguments.begin(), S.arguments.begin() + S.count, types, [](const ir::OperandType& o) { return o.scalar; });
    if (isDefined(rule, asked.result, types, asked.args)) value = computed<S, V, F>(asked.args);
  });
  return value;
}

struct Row {
  ir::Code code;
  Facts facts;
  std::optional<std::uint64_t> (*compute)(Definedness, const Asked&);
};
#define ROW(code, types, varies, facts, ...) {codeOf(code), facts, &compute<types, ir::varies, decltype(LANEWISE_FUNCTION(__VA_ARGS__))>},
constexpr Row kRows[] = {
#include "model/ir/rows/convert.inc"
#include "model/ir/rows/integer.inc"
#include "model/ir/rows/logic.inc"
};
#undef ROW

// nullptr: no OpSpecConstantOp may name it.
const Row* rowOf(spv::Op op) {
  const Row* row = std::ranges::find(kRows, codeOf(op), &Row::code);
  return row != std::end(kRows) && row->facts.specConstant ? row : nullptr;
}

}  // namespace spec
}  // namespace

bool hasUndefinedResults(spv::Op op) {
  const spec::Row* row = spec::rowOf(op);
  return row && row->facts.defined != ir::Definedness::kAlways;
}

std::uint64_t narrowed(Scalar type, std::uint64_t bits) {
  if (type == Scalar::kBool) return static_cast<std::uint32_t>(bits) != 0;  // a VkBool32
  return scalarBytes(type) < 8 ? bits & ((std::uint64_t{1} << 8 * scalarBytes(type)) - 1) : bits;
}

std::optional<std::uint64_t> specOperation(spv::Op op, Scalar result, Scalar operand, std::span<const std::uint64_t> args) {
  const spec::Row* row = spec::rowOf(op);
  const std::optional<std::uint64_t> value = row ? row->compute(row->facts.defined, {result, operand, args}) : std::nullopt;
  return value ? std::optional(narrowed(result, *value)) : std::nullopt;
}

}  // namespace lanewise::spirv
