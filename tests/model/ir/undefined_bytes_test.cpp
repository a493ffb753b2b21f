// Which bytes of a result are undefined, at the edges of each rule: the mask that decides a byte, and the one that does not.
#include "model/ir/undefined_bytes.h"

#include <gtest/gtest.h>

#include "model/ir/operation_info.h"

namespace lanewise::ir {
namespace {

using spv::Op;

struct Operand {
  Scalar type;
  std::uint64_t bits;
  ByteMask undefined = 0;
};
Operand word(std::uint32_t bits, ByteMask undefined = 0) {
  return {Scalar::kI32, bits, undefined};
}

ByteMask bytes(Code op, Scalar result, std::initializer_list<Operand> operands) {
  std::vector<Scalar> types;
  std::vector<std::uint64_t> bits;
  std::vector<ByteMask> undefined;
  for (const Operand& o : operands) {
    types.push_back(o.type);
    bits.push_back(o.bits);
    undefined.push_back(o.undefined);
  }
  return undefinedBytes(factsOf(op).spread, result, {types, bits, undefined});
}
ByteMask bytes(Op op, std::initializer_list<Operand> operands) {
  return bytes(core(op), Scalar::kI32, operands);
}

TEST(UndefinedBytes, OfDefinedOperandsAreNone) {
  EXPECT_EQ(bytes(Op::OpIMul, {word(3), word(4)}), 0);
}

TEST(UndefinedBytes, AreMaskedAway) {
  EXPECT_EQ(bytes(Op::OpBitwiseAnd, {word(0, 0b1110), word(0xff)}), 0);
  EXPECT_EQ(bytes(Op::OpBitwiseAnd, {word(0, 0b1110), word(0x1ff)}), 0b0010) << "one bit of it stays";
  EXPECT_EQ(bytes(Op::OpBitwiseAnd, {word(0, 0b1110), word(0, 0b1111)}), 0b1110) << "an undefined zero decides nothing, a defined one does";
  EXPECT_EQ(bytes(Op::OpBitwiseOr, {word(0, 0b0011), word(0xff)}), 0b0010);
  EXPECT_EQ(bytes(Op::OpBitwiseXor, {word(0, 0b0011), word(0xff)}), 0b0011);
  EXPECT_EQ(bytes(Op::OpIMul, {word(0, 0b1111), word(0)}), 0);
  EXPECT_EQ(bytes(Op::OpIMul, {word(0), word(7, 0b0001)}), 0);
  EXPECT_EQ(bytes(Op::OpIMul, {word(0, 0b1111), word(1)}), 0b1111);
  EXPECT_EQ(bytes(Op::OpIMul, {word(0, 0b1111), word(0, 0b1000)}), 0b1111) << "this zero is not defined";
}

TEST(UndefinedBytes, MoveWithShifts) {
  EXPECT_EQ(bytes(Op::OpShiftLeftLogical, {word(0, 0b0001), word(8)}), 0b0010);
  EXPECT_EQ(bytes(Op::OpShiftLeftLogical, {word(0, 0b0001), word(9)}), 0b0110);
  EXPECT_EQ(bytes(Op::OpShiftRightLogical, {word(0, 0b1000), word(24)}), 0b0001);
  EXPECT_EQ(bytes(Op::OpShiftRightLogical, {word(0, 0b0001), word(8)}), 0);
  EXPECT_EQ(bytes(Op::OpShiftRightArithmetic, {word(0, 0b1000), word(24)}), 0b1111) << "the sign goes everywhere";
  EXPECT_EQ(bytes(Op::OpShiftLeftLogical, {word(1), word(0, 1)}), 0b1111) << "an undefined distance";
}

TEST(UndefinedBytes, GoUpWithCarries) {
  EXPECT_EQ(bytes(Op::OpIAdd, {word(0, 0b0100), word(1)}), 0b1100);
  EXPECT_EQ(bytes(Op::OpUDiv, {word(0, 0b0100), word(1)}), 0b1111);
}

TEST(UndefinedBytes, OfTheOtherSideDoNotCount) {
  const Operand yes{Scalar::kBool, 0xffffffffu}, no{Scalar::kBool, 0}, unknown{Scalar::kBool, 0, 0xf};
  EXPECT_EQ(bytes(Op::OpSelect, {yes, word(1), word(2, 0xf)}), 0);
  EXPECT_EQ(bytes(Op::OpSelect, {no, word(1), word(2, 0x1)}), 0x1);
  EXPECT_EQ(bytes(Op::OpSelect, {unknown, word(1), word(1)}), 0xf);
  EXPECT_EQ(bytes(core(Op::OpLogicalAnd), Scalar::kBool, {unknown, no}), 0);
  EXPECT_EQ(bytes(core(Op::OpLogicalAnd), Scalar::kBool, {unknown, yes}), 0xf);
  EXPECT_EQ(bytes(core(Op::OpLogicalOr), Scalar::kBool, {unknown, yes}), 0);
}

TEST(UndefinedBytes, OfPartsAndWholes) {
  EXPECT_EQ(bytes(kPack, Scalar::kI32, {{Scalar::kI16, 0, 0b11}, {Scalar::kI16, 0}}), 0b0011);
  EXPECT_EQ(bytes(kUnpack, Scalar::kI16, {word(0, 0b1100), word(1)}), 0b11);
  EXPECT_EQ(bytes(kUnpack, Scalar::kI16, {word(0, 0b1100), word(0)}), 0);
  EXPECT_EQ(bytes(core(Op::OpUConvert), Scalar::kI64, {word(0, 0b1000)}), 0b1000);
  EXPECT_EQ(bytes(core(Op::OpSConvert), Scalar::kI64, {word(0, 0b1000)}), 0b11111000);
  EXPECT_EQ(bytes(core(Op::OpUConvert), Scalar::kI8, {word(0, 0b1000)}), 0);
  EXPECT_EQ(bytes(Op::OpBitFieldUExtract, {word(0, 0b0100), word(8), word(8)}), 0);
  EXPECT_EQ(bytes(Op::OpBitFieldUExtract, {word(0, 0b0100), word(8), word(9)}), 0b0010);
  EXPECT_EQ(bytes(Op::OpBitFieldInsert, {word(0, 0b0010), word(1), word(8), word(8)}), 0);
  EXPECT_EQ(bytes(Op::OpBitFieldInsert, {word(0, 0b0010), word(1), word(8), word(7)}), 0b0010);
}

}  // namespace
}  // namespace lanewise::ir
