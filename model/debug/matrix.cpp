#include "model/debug/matrix.h"

#include <fmt/format.h>

#include <algorithm>

#include "model/debug/arithmetic.h"

namespace lanewise::debug {
namespace {

std::size_t rowsIn(const Tuple& m) {
  return m.parts.size() / m.columns;
}

Tuple rowOf(const Tuple& m, std::size_t row) {
  Tuple out{m.type, m.isSigned, {}};
  for (std::size_t c = 0; c < m.columns; ++c) out.parts.push_back(m.parts[c * rowsIn(m) + row]);
  return out;
}

Tuple withColumns(Tuple t, std::uint32_t columns) {
  t.columns = columns;
  return t;
}

Tuple transposed(const Tuple& m) {
  Tuple out{m.type, m.isSigned, {}};
  for (std::size_t r = 0; r < rowsIn(m); ++r)
    for (const ScalarValue& v : rowOf(m, r).parts) out.parts.push_back(v);
  return withColumns(std::move(out), static_cast<std::uint32_t>(rowsIn(m)));
}

// A vector on the left is a row, one on the right a column.
Expected<Tuple> product(const OpRows& rows, const Tuple& a, const Tuple& b) {
  const std::size_t height = a.columns == 0 ? 1 : rowsIn(a), width = b.columns == 0 ? 1 : b.columns;
  std::optional<Tuple> out;
  for (std::size_t c = 0; c < width; ++c)
    for (std::size_t r = 0; r < height; ++r) {
      const Tuple both[] = {a.columns == 0 ? a : rowOf(a, r), b.columns == 0 ? b : columnOf(b, c)};
      const Expected<Tuple> sum = call(rows, "dot", both);
      if (!sum) return sum.error();
      if (!out) out = Tuple{sum->type, sum->isSigned, {}};
      out->parts.push_back(sum->parts[0]);
    }
  return withColumns(std::move(*out), a.columns != 0 ? b.columns : 0);
}

}  // namespace

Tuple columnOf(const Tuple& m, std::size_t column) {
  const auto first = m.parts.begin() + static_cast<std::ptrdiff_t>(column * rowsIn(m));
  return {m.type, m.isSigned, {first, first + static_cast<std::ptrdiff_t>(rowsIn(m))}};
}

std::optional<Tuple> matrixOf(const LaneValue& value, ScalarValue (*widen)(ScalarValue)) {
  if (!value.type() || value.type()->kind != Type::Kind::kMatrix || value.count() == 0) return {};
  Tuple out;
  for (std::uint64_t c = 0; c < value.count(); ++c)
    for (std::uint64_t r = 0; r < value.part(c).count(); ++r) out.parts.push_back(widen(value.part(c).part(r).scalar()));
  if (out.parts.empty()) return {};
  out.type = out.parts[0].type;
  out.isSigned = out.parts[0].isSigned;
  return withColumns(std::move(out), static_cast<std::uint32_t>(value.count()));
}

Expected<Tuple> ofMatrices(const OpRows& rows, const Expression& named, std::span<const Tuple> a) {
  using enum Operator;
  const Operator op = named.op;
  const auto flat = [](Tuple t) { return withColumns(std::move(t), 0); };
  const auto shaped = [&](const Expected<Tuple>& t, std::uint32_t columns) { return t ? withColumns(*t, columns) : t; };
  if (a.size() == 1 && named.kind == Expression::Kind::kCall && named.text == kTranspose) return transposed(a[0]);
  if (a.size() == 1 && (op == kSubtract || op == kAdd)) return shaped(unary(rows, op, flat(a[0])), a[0].columns);
  const bool isEach = op == kAdd || op == kSubtract || op == kMultiply || op == kDivide;
  if (a.size() == 2) {
    const bool isScaled = !a[0].isVector() || !a[1].isVector();
    const bool isSame = a[0].columns == a[1].columns && a[0].parts.size() == a[1].parts.size();
    const std::size_t across = a[0].columns == 0 ? a[0].parts.size() : a[0].columns;
    const std::size_t down = a[1].columns == 0 ? a[1].parts.size() : rowsIn(a[1]);
    if (op == kMultiply && !isScaled && across == down) return product(rows, a[0], a[1]);
    if (isSame && (op == kEqual || op == kUnequal)) return binary(rows, op, flat(a[0]), flat(a[1]));
    if (isEach && (isScaled || (isSame && op != kMultiply)))
      return shaped(binary(rows, op, flat(a[0]), flat(a[1])), std::max(a[0].columns, a[1].columns));
  }
  std::string types;
  for (const Tuple& t : a) types += (types.empty() ? "" : " and ") + typeName(t);
  return Error{Outcome::kBadInput, fmt::format("'{}' does not take {}", named.text, types), "", ""};
}

}  // namespace lanewise::debug
