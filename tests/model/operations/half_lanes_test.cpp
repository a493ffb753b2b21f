// Operations on halves as the engine runs them, on every instruction set that this host picks from, against the scalar functions: every
// half, floats around every half, and pairs.
#include <gtest/gtest.h>

#include "model/operations/isa_table.h"
#include "model/operations/operations.h"
#include "model/scalar/float_ops.h"
#include "model/scalar/round.h"
#include "model/state/batch.h"
#include "tests/model/scalar/reference.h"

namespace lanewise {
namespace {

using U = std::uint32_t;
using scalar::Half;
using spv::Op;

// Every table that this host can run.
std::vector<OpTable> tables() {
  std::vector<OpTable> out = {operations(), baseOperations()};
#ifdef LANEWISE_TABLE_AVX2
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("f16c")) out.push_back(makeTable_avx2());
#endif
  return out;
}

// One operation on sixteen lanes, as a decoded program holds it.
class Lanes {
 public:
  Lanes(const OpTable& table, OpKey key) {
    const OpRow* row = table.find(key);
    if (!row) return;
    code_[0].run = row->quiet;
    code_[0].dst = 0, code_[0].a = 64, code_[0].b = 128, code_[0].c = 192;
    code_[0].stepA = code_[0].stepB = code_[0].stepC = 1;
    batch_.regs = registers_.data();
    batch_.base = code_;
  }
  U* slot(U i) { return batch_.slot<U>(i * 64); }
  void run() {
    ASSERT_NE(code_[0].run, nullptr);
    ASSERT_EQ(code_[0].run(code_, batch_), code_ + 1);
  }

 private:
  AlignedBytes registers_{256};
  Batch batch_;
  Instr code_[2];
};

constexpr Half half(U bits) {
  return Half{static_cast<std::uint16_t>(bits)};
}

TEST(HalfLanes, ConversionsGiveTheScalarBits) {
  for (const OpTable& table : tables()) {
    Lanes widen(table, {ir::core(Op::OpFConvert), Scalar::kF32, Scalar::kF16});
    Lanes narrow(table, {ir::core(Op::OpFConvert), Scalar::kF16, Scalar::kF32});
    for (U first = 0; first < 0x10000; first += 16) {
      for (U k = 0; k < 16; ++k) widen.slot(1)[k] = first + k;
      widen.run();
      for (U k = 0; k < 16; ++k) ASSERT_EQ(widen.slot(0)[k], scalar::bitsOf(scalar::toFloat(half(first + k)))) << first + k;
    }
    // Around each half, where rounding changes, and what lies beyond the halves.
    for (U high = 0; high < 0x10000; ++high) {
      const U middle = scalar::bitsOf(scalar::toFloat(half(high)));
      const U around[16] = {middle,
                            middle + 1,
                            middle - 1,
                            middle + 0xfff,
                            middle + 0x1000,
                            middle + 0x1001,
                            middle + 0x1fff,
                            middle - 0x1000,
                            middle - 0xfff,
                            middle - 0x1001,
                            high << 16,
                            high << 16 | 1,
                            high << 16 | 0xffff,
                            high << 16 | 0x8000,
                            high << 16 | 0x7fff,
                            high};
      std::copy(around, around + 16, narrow.slot(1));
      narrow.run();
      for (U k = 0; k < 16; ++k) ASSERT_EQ(narrow.slot(0)[k], scalar::halfFromFloat(scalar::fromBits<float>(around[k])).bits) << around[k];
    }
  }
}

constexpr U kOdd[] = {0, 0x8000, 1, 0x8001, 0x3ff, 0x400, 0x3c00, 0xbc00, 0x7bff, 0xfbff, 0x7c00, 0xfc00, 0x7e00, 0x7c01, 0xfe55, 0x3555};

TEST(HalfLanes, ArithmeticGivesTheScalarBits) {
  using F = Half (*)(Half, Half);
  const std::pair<Op, F> all[] = {{Op::OpFAdd, [](Half a, Half b) { return scalar::fAdd(a, b); }},
                                  {Op::OpFSub, [](Half a, Half b) { return scalar::fSub(a, b); }},
                                  {Op::OpFMul, [](Half a, Half b) { return scalar::fMul(a, b); }},
                                  {Op::OpFDiv, [](Half a, Half b) { return scalar::fDiv(a, b); }}};
  for (const OpTable& table : tables())
    for (const auto& [op, f] : all) {
      Lanes lanes(table, {ir::core(op), Scalar::kF16, Scalar::kF16});
      reference::Random r{3};
      for (U round = 0; round < 20000; ++round) {
        for (U k = 0; k < 16; ++k) {
          const U odd = kOdd[k], any = static_cast<U>(r.next()) & 0xffff;
          lanes.slot(1)[k] = round < 16 ? kOdd[round] : any;
          lanes.slot(2)[k] = round < 16 || round % 2 ? odd : static_cast<U>(r.next()) & 0xffff;
        }
        lanes.run();
        for (U k = 0; k < 16; ++k) {
          const U a = lanes.slot(1)[k], b = lanes.slot(2)[k];
          ASSERT_EQ(lanes.slot(0)[k], f(half(a), half(b)).bits) << static_cast<U>(op) << ": " << a << ", " << b;
        }
      }
    }
}

// Of every two and three odd ones, and of others: which operand it is, and its bits.
TEST(HalfLanes, TheSmallerAndTheGreaterAreTheScalarOnes) {
  using F = Half (*)(Half, Half, Half);
  const std::pair<GLSLstd450, F> all[] = {{GLSLstd450FMin, [](Half a, Half b, Half) { return scalar::fMin(a, b); }},
                                          {GLSLstd450FMax, [](Half a, Half b, Half) { return scalar::fMax(a, b); }},
                                          {GLSLstd450FClamp, [](Half a, Half b, Half c) { return scalar::fClamp(a, b, c); }},
                                          {GLSLstd450NMin, [](Half a, Half b, Half) { return scalar::nMin(a, b); }},
                                          {GLSLstd450NMax, [](Half a, Half b, Half) { return scalar::nMax(a, b); }},
                                          {GLSLstd450NClamp, [](Half a, Half b, Half c) { return scalar::nClamp(a, b, c); }}};
  for (const OpTable& table : tables())
    for (const auto& [code, f] : all) {
      Lanes lanes(table, {ir::codeOf(code), Scalar::kF16, Scalar::kF16});
      reference::Random r{5};
      for (U round = 0; round < 5000; ++round) {
        for (U k = 0; k < 16; ++k) {
          lanes.slot(1)[k] = round < 256 ? kOdd[round / 16] : static_cast<U>(r.next()) & 0xffff;
          lanes.slot(2)[k] = round < 256 ? kOdd[round % 16] : static_cast<U>(r.next()) & 0xffff;
          lanes.slot(3)[k] = round < 256 || round % 2 ? kOdd[k] : static_cast<U>(r.next()) & 0xffff;
        }
        lanes.run();
        for (U k = 0; k < 16; ++k) {
          const U a = lanes.slot(1)[k], b = lanes.slot(2)[k], c = lanes.slot(3)[k];
          ASSERT_EQ(lanes.slot(0)[k], f(half(a), half(b), half(c)).bits) << code << ": " << a << ", " << b << ", " << c;
        }
      }
    }
}

TEST(HalfLanes, UnpackedHalvesAreTheScalarOnes) {
  for (const OpTable& table : tables()) {
    Lanes lanes(table, {ir::codeOf(GLSLstd450UnpackHalf2x16), Scalar::kF32, Scalar::kI32});
    for (U first = 0; first < 0x10000; first += 16) {
      for (U k = 0; k < 16; ++k) lanes.slot(1)[k] = (first + k) << 16 | (0xffff - first - k), lanes.slot(2)[k] = k;
      lanes.run();
      for (U k = 0; k < 16; ++k)
        ASSERT_EQ(lanes.slot(0)[k], scalar::bitsOf(scalar::toFloat(half(k % 2 ? first + k : 0xffff - first - k)))) << first + k;
    }
  }
}

}  // namespace
}  // namespace lanewise
