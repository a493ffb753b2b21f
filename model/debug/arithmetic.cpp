#include "model/debug/arithmetic.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>

namespace lanewise::debug {
namespace {

using State = ScalarValue::State;

Error cannot(std::string what, std::string hint = "") {
  return {Outcome::kBadInput, std::move(what), "", std::move(hint)};
}

float asFloat(const ScalarValue& v) {
  return std::bit_cast<float>(static_cast<std::uint32_t>(v.bits));
}

ScalarValue known(Scalar type, bool isSigned, std::uint64_t bits) {
  return {State::kKnown, type, isSigned, isWide(type) ? bits : bits & 0xffffffff};
}
ScalarValue real(Scalar type, double value) {
  return known(type, true,
               type == Scalar::kF64 ? std::bit_cast<std::uint64_t>(value) : std::bit_cast<std::uint32_t>(static_cast<float>(value)));
}
// The result of an operation; all NaNs are the same one (docs/model.md).
ScalarValue computed(float value) {
  return known(Scalar::kF32, true, std::isnan(value) ? 0x7fc00000 : std::bit_cast<std::uint32_t>(value));
}
ScalarValue computed(double value) {
  return known(Scalar::kF64, true, std::isnan(value) ? 0x7ff8000000000000 : std::bit_cast<std::uint64_t>(value));
}
ScalarValue boolean(bool value) {
  return known(Scalar::kBool, false, value);
}
ScalarValue unknown(Scalar type, bool isSigned, State state) {
  return {state, type, isSigned, 0};
}

// The nearest integer of 64 bits; a NaN gives 0.
std::int64_t truncated(double x) {
  if (!(x == x)) return 0;
  if (x >= 0x1p63) return x >= 0x1p64 ? -1 : static_cast<std::int64_t>(static_cast<std::uint64_t>(x));
  return x < -0x1p63 ? std::numeric_limits<std::int64_t>::min() : static_cast<std::int64_t>(x);
}

ScalarValue convert(const ScalarValue& v, Scalar type, bool isSigned) {
  if (v.state != State::kKnown) return unknown(type, isSigned, v.state);
  if (type == Scalar::kBool) return boolean(isFloat(v.type) ? asReal(v) != 0 : v.bits != 0);
  if (isFloat(type)) return v.type == type ? v : real(type, asReal(v));
  return known(type, isSigned, static_cast<std::uint64_t>(isFloat(v.type) ? truncated(asReal(v)) : asInteger(v)));
}

Tuple convert(Tuple t, Scalar type, bool isSigned) {
  for (ScalarValue& v : t.parts) v = convert(v, type, isSigned);
  t.type = type;
  t.isSigned = isSigned;
  return t;
}

// The type that both operands are converted to.
std::pair<Scalar, bool> common(const Tuple& a, const Tuple& b) {
  if (a.type == Scalar::kF64 || b.type == Scalar::kF64) return {Scalar::kF64, true};
  if (isFloat(a.type) || isFloat(b.type)) return {Scalar::kF32, true};
  if (a.type == Scalar::kBool && b.type == Scalar::kBool) return {Scalar::kBool, false};
  const bool wide = a.type == Scalar::kI64 || b.type == Scalar::kI64;
  return {wide ? Scalar::kI64 : Scalar::kI32, a.isSigned && b.isSigned};
}

// Calls `each` with the components of both; a scalar goes with each component of a vector.
template <class Each>
Expected<Tuple> componentwise(const Tuple& a, const Tuple& b, Scalar type, bool isSigned, const Each& each) {
  if (a.isVector() && b.isVector() && a.parts.size() != b.parts.size())
    return cannot(fmt::format("a vector of {} and one of {} do not go together", a.parts.size(), b.parts.size()));
  Tuple out{type, isSigned, {}};
  for (std::size_t i = 0; i < std::max(a.parts.size(), b.parts.size()); ++i) {
    const ScalarValue &x = a.parts[a.isVector() ? i : 0], &y = b.parts[b.isVector() ? i : 0];
    if (x.state != State::kKnown || y.state != State::kKnown) {
      out.parts.push_back(unknown(type, isSigned, x.state != State::kKnown ? x.state : y.state));
      continue;
    }
    const Expected<ScalarValue> v = each(x, y);
    if (!v) return v.error();
    out.parts.push_back(*v);
  }
  return out;
}

template <class Real>
Real realResult(char op, Real x, Real y) {
  switch (op) {
    case '+':
      return x + y;
    case '-':
      return x - y;
    case '*':
      return x * y;
    default:
      return x / y;
  }
}

Expected<ScalarValue> integerResult(const std::string& op, const ScalarValue& a, const ScalarValue& b) {
  const std::int64_t x = asInteger(a), y = asInteger(b);
  const auto ux = static_cast<std::uint64_t>(x), uy = static_cast<std::uint64_t>(y);
  const auto out = [&](std::uint64_t bits) { return known(a.type, a.isSigned, bits); };
  const std::uint64_t width = isWide(a.type) ? 64 : 32;
  switch (op[0]) {
    case '+':
      return out(ux + uy);
    case '-':
      return out(ux - uy);
    case '*':
      return out(ux * uy);
    case '&':
      return out(ux & uy);
    case '|':
      return out(ux | uy);
    case '^':
      return out(ux ^ uy);
    case '<':
    case '>':
      if (uy >= width) return cannot(fmt::format("a shift by {} of {} bits is undefined", y, width));
      if (op[0] == '<') return out(ux << uy);
      return out(a.isSigned ? static_cast<std::uint64_t>(x >> uy) : (a.bits >> uy));
    default:
      break;
  }
  if (y == 0) return cannot("a division by zero is undefined");
  if (a.isSigned && y == -1) return out(op == "/" ? 0 - ux : 0);
  if (!a.isSigned) return out(op == "/" ? a.bits / b.bits : a.bits % b.bits);
  return out(static_cast<std::uint64_t>(op == "/" ? x / y : x % y));
}

Expected<Tuple> arithmetic(const std::string& op, const Tuple& a, const Tuple& b) {
  const bool shifts = op == "<<" || op == ">>";
  const auto [type, isSigned] = shifts ? std::pair(a.type, a.isSigned) : common(a, b);
  const bool onBits = op != "+" && op != "-" && op != "*" && op != "/";
  if (a.type == Scalar::kBool || b.type == Scalar::kBool) return cannot(fmt::format("'{}' asks for numbers, not booleans", op));
  if (onBits && isFloat(type)) return cannot(fmt::format("'{}' asks for integers", op));
  return componentwise(convert(a, type, isSigned), convert(b, type, isSigned), type, isSigned,
                       [&, type = type](const ScalarValue& x, const ScalarValue& y) -> Expected<ScalarValue> {
                         if (type == Scalar::kF32) return computed(realResult(op[0], asFloat(x), asFloat(y)));
                         if (type == Scalar::kF64) return computed(realResult(op[0], asReal(x), asReal(y)));
                         return integerResult(op, x, y);
                       });
}

bool isLess(const ScalarValue& x, const ScalarValue& y) {
  if (isFloat(x.type)) return asReal(x) < asReal(y);
  return x.isSigned ? asInteger(x) < asInteger(y) : x.bits < y.bits;
}
bool isEqual(const ScalarValue& x, const ScalarValue& y) {
  return isFloat(x.type) ? asReal(x) == asReal(y) : x.bits == y.bits;
}

// True or false if the known components decide it, else unknown.
ScalarValue folded(const Tuple& t, bool isAll) {
  std::optional<State> open;
  for (const ScalarValue& v : t.parts) {
    if (v.state == State::kKnown && (v.bits != 0) != isAll) return boolean(!isAll);
    if (v.state != State::kKnown) open = v.state;
  }
  return open ? unknown(Scalar::kBool, false, *open) : boolean(isAll);
}

// For vectors, == and != compare all components and give one boolean.
Expected<Tuple> comparison(const std::string& op, const Tuple& a, const Tuple& b) {
  const auto [type, isSigned] = common(a, b);
  const bool isEquality = op == "==" || op == "!=";
  if (!isEquality && (a.isVector() || b.isVector()))
    return cannot(fmt::format("'{}' compares numbers, not vectors", op), "name a component");
  if (!isEquality && type == Scalar::kBool) return cannot(fmt::format("'{}' asks for numbers, not booleans", op));
  if (isEquality && a.isVector() != b.isVector()) return cannot("a vector and a number are never equal", "name a component");
  Expected<Tuple> each = componentwise(convert(a, type, isSigned), convert(b, type, isSigned), Scalar::kBool, false,
                                       [&](const ScalarValue& x, const ScalarValue& y) -> Expected<ScalarValue> {
                                         if (isEquality) return boolean(isEqual(x, y) == (op == "=="));
                                         if (op == "<") return boolean(isLess(x, y));
                                         if (op == ">") return boolean(isLess(y, x));
                                         return boolean(op == "<=" ? isLess(x, y) || isEqual(x, y) : isLess(y, x) || isEqual(x, y));
                                       });
  if (!each) return each.error();
  return Tuple{Scalar::kBool, false, {folded(*each, op != "!=")}};
}

Expected<Tuple> logic(const std::string& op, const Tuple& a, const Tuple& b) {
  if (a.isVector() || b.isVector()) return cannot(fmt::format("'{}' asks for two booleans", op), "all() and any() make one of a vector");
  Tuple both = convert(a, Scalar::kBool, false);
  both.parts.push_back(convert(b.parts[0], Scalar::kBool, false));
  return Tuple{Scalar::kBool, false, {folded(both, op == "&&")}};
}

struct Cast {
  Scalar type;
  bool isSigned;
  std::size_t count;
};

// "float", "ivec3", "uint2", "float4".
std::optional<Cast> castByName(std::string_view name) {
  struct Word {
    std::string_view scalar, vector;
    Scalar type;
    bool isSigned;
  };
  constexpr Word kWords[] = {{"float", "vec", Scalar::kF32, true},       {"int", "ivec", Scalar::kI32, true},
                             {"uint", "uvec", Scalar::kI32, false},      {"bool", "bvec", Scalar::kBool, false},
                             {"double", "dvec", Scalar::kF64, true},     {"int64_t", "i64vec", Scalar::kI64, true},
                             {"uint64_t", "u64vec", Scalar::kI64, false}};
  for (const Word& w : kWords) {
    if (name == w.scalar) return Cast{w.type, w.isSigned, 1};
    for (const std::string_view before : {w.vector, w.scalar})
      if (name.size() == before.size() + 1 && name.starts_with(before) && name.back() >= '2' && name.back() <= '4')
        return Cast{w.type, w.isSigned, static_cast<std::size_t>(name.back() - '0')};
  }
  return {};
}

Expected<Tuple> cast(const Cast& to, const std::string& name, std::span<const Tuple> arguments) {
  Tuple out{to.type, to.isSigned, {}};
  for (const Tuple& a : arguments)
    for (const ScalarValue& v : a.parts) out.parts.push_back(convert(v, to.type, to.isSigned));
  if (out.parts.size() == 1) out.parts.resize(to.count, out.parts[0]);
  if (out.parts.size() < to.count || (arguments.size() > 1 && out.parts.size() > to.count))
    return cannot(fmt::format("{} asks for {} components, and {} are given", name, to.count, out.parts.size()));
  out.parts.resize(to.count);
  return out;
}

// Functions of one real number.
double (*realFunction(std::string_view name))(double) {
  struct Named {
    std::string_view name;
    double (*function)(double);
  };
  constexpr Named kFunctions[] = {
      {"floor", [](double x) { return std::floor(x); }},     {"ceil", [](double x) { return std::ceil(x); }},
      {"trunc", [](double x) { return std::trunc(x); }},     {"round", [](double x) { return std::nearbyint(x); }},
      {"fract", [](double x) { return x - std::floor(x); }}, {"sqrt", [](double x) { return std::sqrt(x); }}};
  for (const Named& f : kFunctions)
    if (f.name == name) return f.function;
  return nullptr;
}

template <class Each>
Tuple mapped(const Tuple& a, Scalar type, bool isSigned, const Each& each) {
  Tuple out{type, isSigned, {}};
  for (const ScalarValue& v : a.parts) out.parts.push_back(v.state == State::kKnown ? each(v) : unknown(type, isSigned, v.state));
  return out;
}

std::optional<Tuple> callOne(std::string_view f, const Tuple& a) {
  const Scalar floats = a.type == Scalar::kF64 ? Scalar::kF64 : Scalar::kF32;
  if (const auto function = realFunction(f))
    return mapped(a, floats, true, [&](const ScalarValue& v) { return real(floats, function(asReal(v))); });
  if (f == "isnan") return mapped(a, Scalar::kBool, false, [](const ScalarValue& v) { return boolean(std::isnan(asReal(v))); });
  if (f == "isinf") return mapped(a, Scalar::kBool, false, [](const ScalarValue& v) { return boolean(std::isinf(asReal(v))); });
  if (f == "abs")
    return mapped(a, a.type, a.isSigned, [&](const ScalarValue& v) {
      if (isFloat(a.type)) return real(a.type, std::fabs(asReal(v)));
      return a.isSigned && asInteger(v) < 0 ? known(a.type, true, 0 - static_cast<std::uint64_t>(asInteger(v))) : v;
    });
  const auto sameBits = [&](Scalar type, bool isSigned) {
    return mapped(a, type, isSigned, [&](const ScalarValue& v) { return known(type, isSigned, v.bits); });
  };
  if (a.type == Scalar::kF32 && f == "floatBitsToInt") return sameBits(Scalar::kI32, true);
  if (a.type == Scalar::kF32 && f == "floatBitsToUint") return sameBits(Scalar::kI32, false);
  if (a.type == Scalar::kI32 && (f == "intBitsToFloat" || f == "uintBitsToFloat")) return sameBits(Scalar::kF32, true);
  if (f == "all" || f == "any") return Tuple{Scalar::kBool, false, {folded(convert(a, Scalar::kBool, false), f == "all")}};
  return {};
}

Expected<Tuple> smaller(const Tuple& a, const Tuple& b, bool isMax) {
  const auto [type, isSigned] = common(a, b);
  return componentwise(convert(a, type, isSigned), convert(b, type, isSigned), type, isSigned,
                       [&](const ScalarValue& x, const ScalarValue& y) -> Expected<ScalarValue> { return isLess(y, x) != isMax ? y : x; });
}

// GLSL's mod(), which differs from the operator %.
Expected<Tuple> modulo(const Tuple& a, const Tuple& b) {
  const Scalar type = a.type == Scalar::kF64 || b.type == Scalar::kF64 ? Scalar::kF64 : Scalar::kF32;
  return componentwise(convert(a, type, true), convert(b, type, true), type, true,
                       [&, type = type](const ScalarValue& x, const ScalarValue& y) -> Expected<ScalarValue> {
                         return real(type, asReal(x) - asReal(y) * std::floor(asReal(x) / asReal(y)));
                       });
}

Expected<Tuple> dot(const Tuple& a, const Tuple& b) {
  Expected<Tuple> products = binary("*", a, b);
  if (!products) return products.error();
  Tuple sum{products->type, products->isSigned, {products->parts[0]}};
  for (std::size_t i = 1; i < products->parts.size(); ++i) {
    const Expected<Tuple> next = binary("+", sum, Tuple{sum.type, sum.isSigned, {products->parts[i]}});
    if (!next) return next.error();
    sum = *next;
  }
  return sum;
}

}  // namespace

std::int64_t asInteger(const ScalarValue& v) {
  if (isWide(v.type)) return static_cast<std::int64_t>(v.bits);
  return v.isSigned ? static_cast<std::int32_t>(v.bits) : static_cast<std::int64_t>(v.bits & 0xffffffff);
}

double asReal(const ScalarValue& v) {
  if (v.type == Scalar::kF64) return std::bit_cast<double>(v.bits);
  if (v.type == Scalar::kF32) return static_cast<double>(asFloat(v));
  return v.isSigned ? static_cast<double>(asInteger(v)) : static_cast<double>(v.bits);
}

Expected<Tuple> unary(const std::string& op, const Tuple& a) {
  if (op == "!") {
    if (a.isVector()) return cannot("'!' asks for a boolean");
    return mapped(a, Scalar::kBool, false, [](const ScalarValue& v) { return boolean(isFloat(v.type) ? asReal(v) == 0 : v.bits == 0); });
  }
  if (a.type == Scalar::kBool) return cannot(fmt::format("'{}' asks for a number, not a boolean", op));
  if (op == "+") return a;
  if (op == "~") {
    if (isFloat(a.type)) return cannot("'~' asks for an integer");
    return mapped(a, a.type, a.isSigned, [&](const ScalarValue& v) { return known(a.type, a.isSigned, ~v.bits); });
  }
  return mapped(a, a.type, a.isSigned,
                [&](const ScalarValue& v) { return isFloat(a.type) ? real(a.type, -asReal(v)) : known(a.type, a.isSigned, 0 - v.bits); });
}

Expected<Tuple> binary(const std::string& op, const Tuple& a, const Tuple& b) {
  if (op == "&&" || op == "||") return logic(op, a, b);
  if (op == "==" || op == "!=" || op == "<=" || op == ">=" || op == "<" || op == ">") return comparison(op, a, b);
  return arithmetic(op, a, b);
}

Expected<Tuple> call(const std::string& f, std::span<const Tuple> a) {
  if (const std::optional<Cast> to = castByName(f)) return cast(*to, f, a);
  if (a.size() == 1)
    if (std::optional<Tuple> one = callOne(f, a[0])) return std::move(*one);
  if (f == "length" && a.size() == 1) {
    const Expected<Tuple> square = dot(a[0], a[0]);
    return square ? call("sqrt", std::span(&*square, 1)) : square;
  }
  if ((f == "min" || f == "max") && a.size() == 2) return smaller(a[0], a[1], f == "max");
  if (f == "mod" && a.size() == 2) return modulo(a[0], a[1]);
  if (f == "dot" && a.size() == 2) return dot(a[0], a[1]);
  if (f == "clamp" && a.size() == 3) {
    const Expected<Tuple> low = smaller(a[0], a[1], true);
    return low ? smaller(*low, a[2], false) : low;
  }
  return cannot(fmt::format("there is no function '{}' of {} such argument{}", f, a.size(), a.size() == 1 ? "" : "s"),
                "`help print` names those there are");
}

std::string typeName(const Tuple& t) {
  struct Word {
    const char *scalar, *vector;
  };
  const Word w = t.type == Scalar::kBool                ? Word{"bool", "bvec"}
                 : t.type == Scalar::kF32               ? Word{"float", "vec"}
                 : t.type == Scalar::kF64               ? Word{"double", "dvec"}
                 : t.type == Scalar::kI64 && t.isSigned ? Word{"int64_t", "i64vec"}
                 : t.type == Scalar::kI64               ? Word{"uint64_t", "u64vec"}
                 : t.isSigned                           ? Word{"int", "ivec"}
                                                        : Word{"uint", "uvec"};
  return t.isVector() ? fmt::format("{}{}", w.vector, t.parts.size()) : w.scalar;
}

}  // namespace lanewise::debug
