// Arithmetic and OpFConvert in every mode and width against MPFR: all pairs of corner values and seeded random operands.
#include "model/scalar/round.h"
#include "tests/model/scalar/reference.h"

namespace lanewise {
namespace {

using reference::Differences;
using scalar::Half;
using scalar::Mode;

template <class T, class Test>
void overPairs(Test test) {
  const std::vector<T> values = reference::corners<T>();
  for (const T a : values)
    for (const T b : values) test(a, b);
  reference::Random r{sizeof(T)};
  T a = values[50];
  for (int i = 0; i < 4000; ++i) {
    const T b = reference::random(r, a);
    test(a, b);
    a = reference::random(r, std::bit_cast<T>(static_cast<typename reference::Ieee<T>::Bits>(r.next())));
  }
}

template <class T, Mode M>
void checkArithmetic() {
  Differences add, sub, mul, div, fma, separate, root;
  reference::Random r{7};
  overPairs<T>([&](T a, T b) {
    const T product = reference::binary(M, a, b, mpfr_mul);
    add.check(scalar::fAdd<M>(a, b), reference::binary(M, a, b, mpfr_add), a, b);
    sub.check(scalar::fSub<M>(a, b), reference::binary(M, a, b, mpfr_sub), a, b);
    mul.check(scalar::fMul<M>(a, b), product, a, b);
    div.check(scalar::fDiv<M>(a, b), reference::binary(M, a, b, mpfr_div), a, b);
    root.check(scalar::sqrt<M>(a), reference::unary<T>(M, a, mpfr_sqrt), a);
    // A third operand near the product, where cancellation and ties happen.
    for (const T c : {reference::random(r, product), scalar::fNegate(product)}) {
      fma.check(scalar::fmaFused<M>(a, b, c), reference::fma(M, a, b, c), a, b, c);
      separate.check(scalar::fmaSeparate<M>(a, b, c), reference::binary(M, product, c, mpfr_add), a, b, c);
    }
  });
  EXPECT_NO_DIFFERENCES(add) << " add";
  EXPECT_NO_DIFFERENCES(sub) << " sub";
  EXPECT_NO_DIFFERENCES(mul) << " mul";
  EXPECT_NO_DIFFERENCES(div) << " div";
  EXPECT_NO_DIFFERENCES(root) << " sqrt";
  EXPECT_NO_DIFFERENCES(fma) << " fma";
  EXPECT_NO_DIFFERENCES(separate) << " mul, add";
}

template <class T>
void checkAllModes() {
  checkArithmetic<T, scalar::kStrict>();
  checkArithmetic<T, scalar::kFlushing>();
  checkArithmetic<T, scalar::kTruncating>();
  checkArithmetic<T, scalar::kTruncatingFlushing>();
}

TEST(ScalarArithmetic, Half) {
  checkAllModes<Half>();
}
TEST(ScalarArithmetic, Float) {
  checkAllModes<float>();
}
TEST(ScalarArithmetic, Double) {
  checkAllModes<double>();
}

// The integer path is what hosts without a fused instruction run; checked here on every host.
TEST(ScalarArithmetic, SoftwareFmaOfDoubles) {
  Differences d;
  reference::Random r{11};
  overPairs<double>([&](double a, double b) {
    const double c = reference::random(r, a * b);
    d.check(scalar::soft::fma<scalar::kStrict>(a, b, c), reference::fma(scalar::kStrict, a, b, c), a, b, c);
  });
  EXPECT_NO_DIFFERENCES(d);
}

// The rule by which x86 flushes, where it differs from flushing what gradual underflow returns: just below the smallest normal.
TEST(ScalarArithmetic, FlushingJudgesWithAnUnboundedExponent) {
  const float almostOne = 0x1.fffffep-1f;
  EXPECT_EQ(scalar::fMul(almostOne, 0x1p-126f), 0x1p-126f);  // gradual underflow rounds up to the smallest normal
  EXPECT_EQ(scalar::fMul<scalar::kFlushing>(almostOne, 0x1p-126f), 0.0f);
  EXPECT_EQ(scalar::fMul<scalar::kFlushing>(0x1.000002p-1f, 0x1.fffffep-126f), 0x1p-126f);
}

template <class To, class From, Mode M>
void checkConvert() {
  Differences d;
  const auto test = [&d](From a) {
    if (scalar::isNan(a)) return;  // payloads: below
    d.check(scalar::fConvert<To, M>(a), reference::unary<To>(M, a, mpfr_set), a);
  };
  for (const From a : reference::corners<From>()) test(a);
  reference::Random r{3};
  for (int i = 0; i < 30000; ++i) {
    test(std::bit_cast<From>(static_cast<typename reference::Ieee<From>::Bits>(r.next())));
    // And values of the narrow type's range with a few bits more than it has.
    const double near = std::ldexp(static_cast<double>(r.next() >> 48 << 3 | (r.next() & 7)), -static_cast<int>(r.next() % 50) - 8);
    test(static_cast<From>(near));
  }
  EXPECT_NO_DIFFERENCES(d);
}

template <Mode M>
void checkConverts() {
  checkConvert<Half, float, M>();
  checkConvert<Half, double, M>();
  checkConvert<float, double, M>();
}

TEST(ScalarArithmetic, Conversions) {
  checkConverts<scalar::kStrict>();
  checkConverts<scalar::kFlushing>();
  checkConverts<scalar::kTruncating>();
  checkConverts<scalar::kTruncatingFlushing>();
}

TEST(ScalarArithmetic, EveryNanOfAResultIsTheSame) {
  const float payload = std::bit_cast<float>(0xffabcdefu);
  EXPECT_EQ(scalar::bitsOf(scalar::fAdd(payload, 1.0f)), 0x7fc00000u);
  EXPECT_EQ(scalar::bitsOf(scalar::fSub<scalar::kFlushing>(1.0f, payload)), 0x7fc00000u);
  EXPECT_EQ(scalar::fMul(Half{0xfdff}, Half{0x3c00}).bits, 0x7e00);
  EXPECT_EQ(scalar::bitsOf(scalar::fDiv(0.0, 0.0)), 0x7ff8000000000000u);
  EXPECT_EQ(scalar::bitsOf(scalar::fNegate(payload)), 0x7fabcdefu);
}

}  // namespace
}  // namespace lanewise
