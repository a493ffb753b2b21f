// Storage images and texel fetches: descriptors, coordinates and image operands become arguments of one operation.
//
// Source: SPIR-V 1.6, 3.42.10 "Image Instructions". Arguments of kImageRead: descriptor element, coordinates, then level of detail or
// sample; kImageWrite has the texel's components after them.
#include <fmt/format.h>

#include "model/program/lowering.h"

namespace lanewise {
namespace {

std::uint32_t coordinatesOf(const Type& image) {
  std::uint32_t n = 2;
  if (image.dim == spv::Dim::Dim1D || image.dim == spv::Dim::Buffer) n = 1;
  if (image.dim == spv::Dim::Dim3D || image.dim == spv::Dim::Cube) n = 3;
  // A storage cube is addressed by (x, y, face); an arrayed one by (x, y, 6 * layer + face).
  return n + (image.arrayed && image.dim != spv::Dim::Cube ? 1 : 0);
}

}  // namespace

std::uint32_t Lowering::imageAccess(const Pointer& p, const Type* image) {
  ir::ImageAccess a;
  a.resource = p.resource;
  a.type = image;
  a.component = image->element->scalar;
  a.coordinates = static_cast<std::uint8_t>(coordinatesOf(*image));
  a.variable = p.variable;
  f_.imageAccesses.push_back(a);
  return static_cast<std::uint32_t>(f_.imageAccesses.size() - 1);
}

// The descriptor element and the coordinates as 32-bit integers.
std::vector<Value> Lowering::texelArguments(const Pointer& p, const Type& image, const Val& coordinate) {
  std::vector<Value> args{p.element == ir::kNoValue ? constantU32(p.elementConstant) : p.element};
  for (std::uint32_t c = 0; c < coordinatesOf(image); ++c) {
    const Value v = leaf(coordinate, c);
    args.push_back(f_.nodes[v].type == Scalar::kI32 ? v : make(ir::core(spv::Op::OpSConvert), Scalar::kI32, {v}));
  }
  return args;
}

bool Lowering::imageOperands(std::span<const std::uint32_t> w, ir::ImageAccess& a, std::vector<Value>& args) {
  if (w.empty()) return true;
  constexpr std::uint32_t kLod = 2, kSample = 64, kMakeAvailable = 256, kMakeVisible = 512, kIgnored = 1024 | 2048 | 4096 | 8192 | 16384;
  const std::uint32_t mask = w[0];
  if (mask & ~(kLod | kSample | kMakeAvailable | kMakeVisible | kIgnored)) {
    unsupported(fmt::format("the image operands 0x{:x}", mask));
    return false;
  }
  std::size_t at = 1;
  if (mask & kLod) {
    // The constant 0 of nearly every fetch is what no operand means.
    const Value lod = scalar(w[at++]);
    a.hasLod = !f_.isConstant(lod) || f_.constantValue(lod, false) != 0;
    if (a.hasLod) args.push_back(lod);
  }
  if (mask & kSample) {
    a.hasSample = true;
    args.push_back(scalar(w[at++]));
  }
  return true;
}

bool Lowering::image(const Inst& inst) {
  switch (inst.op) {
    case spv::Op::OpImageTexelPointer: {
      const Val base = val(inst.operand(0));
      if (!base.pointer) {
        unsupported("this texel pointer");
        return true;
      }
      Pointer p = *base.pointer;
      define(inst, {typeOf(inst.type), texelArguments(p, *p.pointee, val(inst.operand(1))), p, {}});
      return true;
    }
    case spv::Op::OpImage: {
      Val v = val(inst.operand(0));
      v.type = typeOf(inst.type);
      define(inst, std::move(v));
      return true;
    }
    case spv::Op::OpImageRead:
    case spv::Op::OpImageFetch:
    case spv::Op::OpImageWrite:
    case spv::Op::OpImageQuerySize:
    case spv::Op::OpImageQuerySizeLod:
    case spv::Op::OpImageQueryLevels:
    case spv::Op::OpImageQuerySamples:
      break;
    default:
      return false;
  }
  const Val handle = val(inst.operand(0));
  if (!handle.pointer || handle.pointer->root != Pointer::Root::kOpaque) {
    unsupported("an image that was not loaded from a descriptor");
    return true;
  }
  const Type* type = handle.type->kind == Type::Kind::kSampledImage ? handle.type->element : handle.type;
  const std::uint32_t access = imageAccess(*handle.pointer, type);
  if (inst.op == spv::Op::OpImageRead || inst.op == spv::Op::OpImageFetch) {
    const Type* result = typeOf(inst.type);
    std::vector<Value> args = texelArguments(*handle.pointer, *type, val(inst.operand(1)));
    if (!imageOperands(inst.operands.subspan(2), f_.imageAccesses[access], args)) return true;
    f_.imageAccesses[access].components = static_cast<std::uint8_t>(result->leaves);
    f_.imageAccesses[access].component = leafScalar(*result, 0);
    const Value read = effect(ir::kImageRead, Scalar::kNone, args, access);
    std::vector<Value> leaves;
    for (std::uint32_t c = 0; c < result->leaves; ++c) leaves.push_back(results(read, leafScalar(*result, c), c));
    defineLeaves(inst, std::move(leaves));
  } else if (inst.op == spv::Op::OpImageWrite) {
    const Val texel = val(inst.operand(2));
    std::vector<Value> args = texelArguments(*handle.pointer, *type, val(inst.operand(1)));
    if (!imageOperands(inst.operands.subspan(3), f_.imageAccesses[access], args)) return true;
    f_.imageAccesses[access].components = static_cast<std::uint8_t>(texel.leaves.size());
    f_.imageAccesses[access].component = leafScalar(*texel.type, 0);
    args.insert(args.end(), texel.leaves.begin(), texel.leaves.end());
    effect(ir::kImageWrite, Scalar::kNone, args, access);
  } else {
    const Type* result = typeOf(inst.type);
    f_.imageAccesses[access].atomic = ir::core(inst.op);
    f_.imageAccesses[access].components = static_cast<std::uint8_t>(result->leaves);
    const Value element = handle.pointer->element == ir::kNoValue ? constantU32(handle.pointer->elementConstant) : handle.pointer->element;
    const Value lod = inst.op == spv::Op::OpImageQuerySizeLod ? scalar(inst.operand(1)) : constantU32(0);
    const Value query = effect(ir::kImageQuery, Scalar::kNone, std::vector{element, lod}, access);
    std::vector<Value> leaves;
    for (std::uint32_t c = 0; c < result->leaves; ++c) leaves.push_back(results(query, leafScalar(*result, c), c));
    defineLeaves(inst, std::move(leaves));
  }
  return true;
}

Value Lowering::imageAtomic(const Inst& inst, const Val& target, Scalar type, std::span<const Value> values) {
  const std::uint32_t access = imageAccess(*target.pointer, target.pointer->pointee);
  f_.imageAccesses[access].atomic = ir::core(inst.op);
  f_.imageAccesses[access].component = type;
  f_.imageAccesses[access].scope = static_cast<std::uint32_t>(constantOf(inst.operand(1)).value_or(0));
  f_.imageAccesses[access].semantics = static_cast<std::uint32_t>(constantOf(inst.operand(2)).value_or(0));
  std::vector<Value> args = target.leaves;
  args.insert(args.end(), values.begin(), values.end());
  return effect(ir::kImageAtomic, type, args, access);
}

}  // namespace lanewise
