#include "tools/described/formula_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

namespace lanewise {
namespace {

using Result = FormulaResult;
using Numbers = std::span<const Number>;

Result fromWide(__int128 value, const char*& says) {
  if (value < std::numeric_limits<std::int64_t>::min() || value > std::numeric_limits<std::int64_t>::max()) {
    says = "a number of more than 64 bits";
    return {};
  }
  return integerNumber(static_cast<std::int64_t>(value));
}

template <class T>
Result refusedZero(T divisor, const char*& says) {
  if (divisor == 0) says = "a division by 0";
  return {};
}

constexpr BinaryOperator kBinary[] = {
    {"||", 1, [](std::int64_t a, std::int64_t b, const char*&) -> Result { return integerNumber(a != 0 || b != 0); }, nullptr},
    {"&&", 2, [](std::int64_t a, std::int64_t b, const char*&) -> Result { return integerNumber(a != 0 && b != 0); }, nullptr},
    {"==", 6, [](std::int64_t a, std::int64_t b, const char*&) -> Result { return integerNumber(a == b); },
     [](double a, double b) { return a == b ? 1.0 : 0.0; }, true},
    {"!=", 6, [](std::int64_t a, std::int64_t b, const char*&) -> Result { return integerNumber(a != b); },
     [](double a, double b) { return a != b ? 1.0 : 0.0; }, true},
    {"<=", 7, [](std::int64_t a, std::int64_t b, const char*&) -> Result { return integerNumber(a <= b); },
     [](double a, double b) { return a <= b ? 1.0 : 0.0; }, true},
    {">=", 7, [](std::int64_t a, std::int64_t b, const char*&) -> Result { return integerNumber(a >= b); },
     [](double a, double b) { return a >= b ? 1.0 : 0.0; }, true},
    {"<<", 8,
     [](std::int64_t a, std::int64_t b, const char*& says) -> Result {
       if (b < 0 || b > 63) {
         says = "a shift by less than 0 or more than 63";
         return {};
       }
       return fromWide(static_cast<__int128>(a) * (static_cast<__int128>(1) << b), says);
     },
     nullptr},
    {">>", 8,
     [](std::int64_t a, std::int64_t b, const char*& says) -> Result {
       if (b < 0 || b > 63) {
         says = "a shift by less than 0 or more than 63";
         return {};
       }
       return integerNumber(a >> b);
     },
     nullptr},
    {"<", 7, [](std::int64_t a, std::int64_t b, const char*&) -> Result { return integerNumber(a < b); },
     [](double a, double b) { return a < b ? 1.0 : 0.0; }, true},
    {">", 7, [](std::int64_t a, std::int64_t b, const char*&) -> Result { return integerNumber(a > b); },
     [](double a, double b) { return a > b ? 1.0 : 0.0; }, true},
    {"|", 3, [](std::int64_t a, std::int64_t b, const char*&) -> Result { return integerNumber(a | b); }, nullptr},
    {"^", 4, [](std::int64_t a, std::int64_t b, const char*&) -> Result { return integerNumber(a ^ b); }, nullptr},
    {"&", 5, [](std::int64_t a, std::int64_t b, const char*&) -> Result { return integerNumber(a & b); }, nullptr},
    {"+", 9, [](std::int64_t a, std::int64_t b, const char*& says) { return fromWide(static_cast<__int128>(a) + b, says); },
     [](double a, double b) { return a + b; }},
    {"-", 9, [](std::int64_t a, std::int64_t b, const char*& says) { return fromWide(static_cast<__int128>(a) - b, says); },
     [](double a, double b) { return a - b; }},
    {"*", 10, [](std::int64_t a, std::int64_t b, const char*& says) { return fromWide(static_cast<__int128>(a) * b, says); },
     [](double a, double b) { return a * b; }},
    {"/", 10,
     [](std::int64_t a, std::int64_t b, const char*& says) {
       return b == 0 ? refusedZero(b, says) : fromWide(static_cast<__int128>(a) / b, says);
     },
     [](double a, double b) { return a / b; }},
    {"%", 10,
     [](std::int64_t a, std::int64_t b, const char*& says) {
       return b == 0 ? refusedZero(b, says) : fromWide(static_cast<__int128>(a) % b, says);
     },
     nullptr},
};

template <double (*kFunction)(double)>
Result ofReal(Numbers n, const char*&) {
  return realNumber(kFunction(n[0].asDouble()));
}

// An integer where the number is one.
template <double (*kFunction)(double)>
Result toWhole(Numbers n, const char*& says) {
  if (!n[0].isFloat) return n[0];
  const double whole = kFunction(n[0].real);
  if (!(std::abs(whole) < 0x1p62)) {
    says = "a float that is no integer of 64 bits";
    return {};
  }
  return integerNumber(static_cast<std::int64_t>(whole));
}

template <bool kGreatest>
Result extreme(Numbers n, const char*&) {
  Number best = n[0];
  for (const Number& other : n.subspan(1)) {
    const bool both = !best.isFloat && !other.isFloat;
    const bool greater = both ? other.integer > best.integer : other.asDouble() > best.asDouble();
    const bool less = both ? other.integer < best.integer : other.asDouble() < best.asDouble();
    if (kGreatest ? greater : less) best = other;
  }
  return best;
}

double sqrtOf(double x) {
  return std::sqrt(x);
}
double log2Of(double x) {
  return std::log2(x);
}
double exp2Of(double x) {
  return std::exp2(x);
}
double sinOf(double x) {
  return std::sin(x);
}
double cosOf(double x) {
  return std::cos(x);
}
double floorOf(double x) {
  return std::floor(x);
}
double ceilOf(double x) {
  return std::ceil(x);
}
double roundOf(double x) {
  return std::nearbyint(x);
}
double truncOf(double x) {
  return std::trunc(x);
}

bool whole(Numbers n, const char*& says) {
  for (const Number& one : n)
    if (one.isFloat) says = "a float where an integer is meant: int(x) makes one";
  return says == nullptr;
}

constexpr FormulaFunction kFunctions[] = {
    {"min", "a, b, ..", 2, 16, extreme<false>},
    {"max", "a, b, ..", 2, 16, extreme<true>},
    {"abs", "x", 1, 1,
     [](Numbers n, const char*& says) -> Result {
       if (n[0].isFloat) return realNumber(std::abs(n[0].real));
       return fromWide(n[0].integer < 0 ? -static_cast<__int128>(n[0].integer) : n[0].integer, says);
     }},
    {"ceil_div", "n, d", 2, 2,
     [](Numbers n, const char*& says) -> Result {
       if (!whole(n, says)) return {};
       const __int128 a = n[0].integer, b = n[1].integer;
       if (b == 0) return refusedZero(b, says);
       return fromWide(a / b + ((a % b != 0) && ((a < 0) == (b < 0)) ? 1 : 0), says);
     }},
    {"align", "n, step", 2, 2,
     [](Numbers n, const char*& says) -> Result {
       if (!whole(n, says)) return {};
       const __int128 a = n[0].integer, b = n[1].integer;
       if (b <= 0) {
         says = "a step of less than 1";
         return {};
       }
       return fromWide((a + b - 1) / b * b, says);
     }},
    {"bits", "n", 1, 1,
     [](Numbers n, const char*& says) -> Result {
       if (!whole(n, says)) return {};
       return integerNumber(n[0].integer < 0 ? 64 : std::bit_width(static_cast<std::uint64_t>(n[0].integer)));
     }},
    {"levels", "w, h, ..", 1, 3,
     [](Numbers n, const char*& says) -> Result {
       if (!whole(n, says)) return {};
       std::int64_t greatest = 1;
       for (const Number& side : n) greatest = std::max(greatest, side.integer);
       return integerNumber(std::bit_width(static_cast<std::uint64_t>(greatest)));
     }},
    {"int", "x", 1, 1, toWhole<truncOf>},
    {"float", "x", 1, 1, [](Numbers n, const char*&) -> Result { return realNumber(n[0].asDouble()); }},
    {"floor", "x", 1, 1, toWhole<floorOf>},
    {"ceil", "x", 1, 1, toWhole<ceilOf>},
    {"round", "x", 1, 1, toWhole<roundOf>},
    {"sqrt", "x", 1, 1, ofReal<sqrtOf>},
    {"log2", "x", 1, 1, ofReal<log2Of>},
    {"exp2", "x", 1, 1, ofReal<exp2Of>},
    {"sin", "x", 1, 1, ofReal<sinOf>},
    {"cos", "x", 1, 1, ofReal<cosOf>},
    {"pow", "x, y", 2, 2, [](Numbers n, const char*&) -> Result { return realNumber(std::pow(n[0].asDouble(), n[1].asDouble())); }},
};

}  // namespace

std::span<const BinaryOperator> binaryOperators() {
  return kBinary;
}
std::span<const FormulaFunction> formulaFunctions() {
  return kFunctions;
}

FormulaResult unaryOf(char code, const Number& n, const char*& says) {
  if (code == '!') return integerNumber(n.asDouble() == 0 ? 1 : 0);
  if (code == '-') return n.isFloat ? Result(realNumber(-n.real)) : fromWide(-static_cast<__int128>(n.integer), says);
  if (n.isFloat) {
    says = "~ of a float";
    return {};
  }
  return integerNumber(~n.integer);
}

FormulaResult binaryOf(const BinaryOperator& row, const Number& a, const Number& b, const char*& says) {
  if (!a.isFloat && !b.isFloat) return row.integers(a.integer, b.integer, says);
  if (row.reals == nullptr) {
    says = "an operator that floats do not have: int(x) makes an integer";
    return {};
  }
  const double value = row.reals(a.asDouble(), b.asDouble());
  return row.compares ? integerNumber(value != 0) : realNumber(value);
}

std::string functionList() {
  std::string out;
  for (const FormulaFunction& f : kFunctions) out += fmt::format("{}{}({})", out.empty() ? "" : ", ", f.name, f.parameters);
  return out;
}

}  // namespace lanewise
