// Every scalar function in a loop over arrays, as the engine calls it, so that the compiler makes vector code of what it can.
#include "tests/model/scalar/isa_checksums.h"

#include "model/scalar/convert.h"
#include "model/scalar/integer.h"
#include "model/scalar/texel.h"
#include "model/scalar/transcendental.h"

namespace lanewise {
namespace {

using namespace scalar;

constexpr int kCount = 4096;

// Random bits with a bias to the exponents where things happen; the same on every host.
template <class T>
struct Inputs {
  T a[kCount], b[kCount], c[kCount];
  Inputs() {
    std::uint64_t state = 1;
    const auto next = [&state] {
      std::uint64_t z = (state += 0x9e3779b97f4a7c15u);
      z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
      z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
      return z ^ (z >> 31);
    };
    for (int i = 0; i < kCount; ++i)
      for (T* x : {a, b, c}) {
        std::uint64_t u = next();
        if constexpr (!std::is_integral_v<T>) {
          constexpr int fraction = FloatFormat<T>::kFraction;
          const std::uint64_t near = static_cast<std::uint64_t>(FloatFormat<T>::kBias) - 4 + next() % 30;
          if (i % 3 != 0) u = (u & ~(std::uint64_t{kInfinity<T>})) | near << fraction;
          x[i] = fromBits<T>(static_cast<BitsOf<T>>(u));
        } else {
          x[i] = static_cast<T>(u >> (next() % 64));
        }
      }
  }
};

struct Sink {
  Checksum* out;
  int capacity, count = 0;

  template <class R>
  void add(const char* name, const R (&results)[kCount]) {
    std::uint64_t hash = 0xcbf29ce484222325u;
    const auto* bytes = reinterpret_cast<const unsigned char*>(results);
    for (std::size_t i = 0; i < sizeof results; ++i) hash = (hash ^ bytes[i]) * 0x100000001b3u;
    if (count < capacity) out[count] = {name, hash};
    ++count;
  }
};

// One function over the arrays; `f` takes three operands.
template <class T, class F>
void run(Sink& sink, const char* name, const Inputs<T>& in, F f) {
  using R = decltype(f(in.a[0], in.b[0], in.c[0]));
  static R results[kCount];
  for (int i = 0; i < kCount; ++i) results[i] = f(in.a[i], in.b[i], in.c[i]);
  sink.add(name, results);
}

#define RUN(expression)                                   \
  run(sink, #expression, in, [](auto a, auto b, auto c) { \
    (void)b, (void)c;                                     \
    return expression;                                    \
  })

template <class T, Mode M>
void arithmetic(Sink& sink) {
  static const Inputs<T> in;
  RUN(fAdd<M>(a, b));
  RUN(fMul<M>(a, b));
  RUN(fDiv<M>(a, b));
  RUN(scalar::sqrt<M>(a));
  RUN(fmaFused<M>(a, b, c));
  RUN(fmaSeparate<M>(a, b, c));
  RUN(fMod<M>(a, b));
  RUN((fMix<Mix::kWeights, M>(a, b, c)));
  RUN((fMix<Mix::kFusedDelta, M>(a, b, c)));
  RUN((smoothStep<SmoothStep::kSquareFirst, M>(a, b, c)));
  RUN((inverseSqrt<InverseSqrt::kCorrect, M>(a)));
  RUN((fMin<MinMax::kNumber, M>(a, b)));
  RUN((fMax<MinMax::kSecond, M>(a, b)));
  RUN(scalar::floor<M>(a));
  RUN(scalar::trunc<M>(a));
  RUN(roundEven<M>(a));
  RUN((fract<Fract::kSubtract, M>(a)));
  RUN(scalar::frexp<M>(a).significand);
  RUN((scalar::ldexp<M>(a, 7)));
  RUN((fConvert<float, M>(a)));
  RUN((fConvert<Half, M>(a)));
  RUN((convertFToI<std::int32_t>(a)));
  RUN((convertFToI<std::uint64_t, FloatToInteger::kSplit>(a)));
}

template <class T>
void transcendental(Sink& sink) {
  static const Inputs<T> in;
  RUN(scalar::sin(a));
  RUN(scalar::cos(a));
  RUN(scalar::tan(a));
  RUN(scalar::asin(a));
  RUN(scalar::acos(a));
  RUN(scalar::atan(a));
  RUN(scalar::sinh(a));
  RUN(scalar::cosh(a));
  RUN(scalar::tanh(a));
  RUN(scalar::asinh(a));
  RUN(scalar::acosh(a));
  RUN(scalar::atanh(a));
  RUN(scalar::exp(a));
  RUN(scalar::exp2(a));
  RUN(scalar::log(a));
  RUN(scalar::log2(a));
  RUN(scalar::pow(a, b));
  RUN(scalar::atan2(a, b));
}

void nearForms(Sink& sink) {
  static const Inputs<float> in;
  RUN(isNear(a) ? sinNear(a) : scalar::sin(a));
  RUN(isNear(a) ? cosNear(a) : scalar::cos(a));
  RUN(isNear(a) ? tanNear(a) : scalar::tan(a));
}

template <class T>
void integers(Sink& sink) {
  static const Inputs<T> in;
  RUN(iMul(a, b));
  RUN(uDiv(a, b));
  RUN(uMod(a, b));
  RUN(sDiv(a, b));
  RUN(sMod(a, b));
  RUN(uMulExtended(a, b).second);
  RUN(sMulExtended(a, b).second);
  RUN(shiftLeftLogical(a, b));
  RUN(shiftRightArithmetic(a, b));
  RUN(bitFieldInsert(a, b, static_cast<std::uint32_t>(c) & 31u, 7u));
  RUN(bitFieldSExtract(a, static_cast<std::uint32_t>(c) & 7u, static_cast<std::uint32_t>(b) & 31u));
  RUN(iAddCarry(a, b).second);
  RUN(iSubBorrow(a, b).second);
  RUN(sAbs(a));
  RUN(sClamp(a, b, c));
  RUN(uClamp(a, b, c));
  RUN(bitReverse(a));
  RUN(bitCount(a));
  RUN(findILsb(a));
  RUN(findSMsb(a));
  RUN(addSaturating(a, b));
  RUN((convertIToF<float>(a)));
  RUN((convertIToF<double, kTruncating>(a)));
}

void packing(Sink& sink) {
  static const Inputs<float> in;
  RUN(packUnorm4x8(a, b, c, a));
  RUN(packSnorm2x16(a, b));
  RUN(packHalf2x16<Rounding::kTowardZero>(a, b));
  RUN((unpackUnorm4x8At<NormDecode::kReciprocal>(bitsOf(a), 1)));
  RUN(unpackSnorm2x16At(bitsOf(a), 1));
  RUN(quantizeToF16(a));
  RUN(encodeSrgb(a));
  RUN(loadUnorm(bitsOf(a) & 0xffu, 8, NormDecode::kDivide));
  RUN(loadUnorm(bitsOf(a) & 0xffffu, 16, NormDecode::kDivide));
  RUN(loadSnorm(static_cast<std::int8_t>(bitsOf(a)), 8, NormDecode::kDivide));
  RUN(loadSnorm(static_cast<std::int16_t>(bitsOf(a)), 16, NormDecode::kDivide));
  RUN((storeUnorm(a, 8, {.encode = NormEncode::kTruncated})));
  RUN(encodeSmallFloat<Rounding::kToNearestEven>(a, 11));
  RUN(encodeSharedExponent(a, b, c));
}

int all(Checksum* out, int capacity) {
  Sink sink{out, capacity};
  arithmetic<float, kStrict>(sink);
  arithmetic<float, kFlushing>(sink);
  arithmetic<float, kTruncating>(sink);
  arithmetic<Half, kStrict>(sink);
  arithmetic<Half, kTruncatingFlushing>(sink);
  arithmetic<double, kStrict>(sink);
  arithmetic<double, kTruncating>(sink);
  transcendental<float>(sink);
  transcendental<Half>(sink);
  nearForms(sink);
  integers<std::int8_t>(sink);
  integers<std::uint8_t>(sink);
  integers<std::int16_t>(sink);
  integers<std::uint16_t>(sink);
  integers<std::uint32_t>(sink);
  integers<std::int32_t>(sink);
  integers<std::int64_t>(sink);
  integers<std::uint64_t>(sink);
  packing(sink);
  return sink.count;
}

}  // namespace

int LANEWISE_CHECKSUMS(Checksum* out, int capacity) {
  return all(out, capacity);
}

}  // namespace lanewise
