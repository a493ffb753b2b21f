// Arithmetic, composites, matrices, and the extended instruction sets (lowering.h). The files: lower_arithmetic.cpp, lower_dot.cpp,
// lower_extended.cpp (GLSL.std.450), lower_amd.cpp, lower_intel.cpp.
#pragma once

#include "model/ir/rows/signature.h"
#include "model/program/lower_subgroup.h"

namespace lanewise {

class ArithmeticLowering : public SubgroupLowering {
 protected:
  using SubgroupLowering::SubgroupLowering;

  // True if the opcode was one of these. `w`: its operands, which in OpSpecConstantOp are not all of the instruction's.
  bool arithmetic(spv::Op op, const Inst& inst, std::span<const std::uint32_t> w);
  void extended(const Inst& inst);
  void abort(const Inst& inst);
  static Values repeated(const Val& constituent, const Type& type);  // as often as it fits
  Value convertFloat(Value v, Scalar to);
  Value amount(Value v, ir::OperandType to);
  Values componentsOf(std::span<const std::uint32_t> w, std::uint32_t l, const ir::Signature& takes);

 private:
  bool elementwise(spv::Op op, const Inst& inst, std::span<const std::uint32_t> w);
  bool composite(spv::Op op, const Inst& inst, std::span<const std::uint32_t> w);
  bool acrossComponents(spv::Op op, const Inst& inst, std::span<const std::uint32_t> w);
  Values dynamicComponent(bool insert, std::span<const std::uint32_t> w);
  std::pair<std::uint32_t, const Type*> walk(const Type* type, std::span<const std::uint32_t> path);
  bool newerArithmetic(const Inst& inst, std::span<const std::uint32_t> w);
  bool matrix(spv::Op op, const Inst& inst, std::span<const std::uint32_t> w);
  bool matrixInverse(const Inst& inst, bool determinantOnly, const Val& m);
  // lower_dot.cpp
  Value dot(std::span<const Value> a, std::span<const Value> b, Scalar type);
  Value addSaturating(Value a, Value b, bool isSigned);
  bool integerDot(spv::Op op, const Inst& inst, std::span<const std::uint32_t> w);
  // lower_extended.cpp
  void glsl(const Inst& inst, std::uint32_t number, std::span<const std::uint32_t> w);
  bool glslVector(const Inst& inst, std::uint32_t number, std::span<const std::uint32_t> w);
  Values geometric(std::uint32_t number, const std::vector<Val>& args, Scalar s);
  Values twoParts(std::uint32_t number, const Type* type, const std::vector<Val>& args, std::span<const std::uint32_t> w);
  void print(std::span<const std::uint32_t> w);
  // lower_amd.cpp
  bool amd(const Inst& inst, spirv::InstructionSet set, std::uint32_t number, std::span<const std::uint32_t> w);
  bool amdBallot(const Type& type, std::uint32_t number, const std::vector<Val>& args, Values& leaves);
  Values amdCube(std::span<const Value> direction, bool coordinates);
  // lower_intel.cpp
  bool intel(const Inst& inst, std::span<const std::uint32_t> w);
  Value intelScalar(spv::Op code, Value a, Value b);
};

}  // namespace lanewise
