// Images: descriptors, coordinates and image operands become arguments of one operation.
//
// Source: SPIR-V 1.6, 3.42.10 "Image Instructions". The arguments of each operation stand with its row (model/ir/rows/images.inc).
#include <fmt/format.h>
#include <spirv/unified1/GLSL.std.450.h>

#include "model/ir/operation_info.h"
#include "model/program/lower_image.h"

namespace lanewise {
namespace {

// Of a texel. A storage cube is addressed by (x, y, face); an arrayed one by (x, y, 6 * layer + face).
std::uint32_t coordinatesOf(const Type& image) {
  return imageAxes(image.dim) + (image.arrayed && image.dim != spv::Dim::Cube ? 1 : 0);
}

// How many offsets every device takes, half of them negative (Vulkan 1.3, "Required Limits": minTexelOffset, maxTexelGatherOffset).
constexpr std::uint32_t kOffsets = 16;

// A place that is outside of every image, and so is what a small offset of either sign makes of it.
constexpr std::uint32_t kOutsidePlace = 0x80000000u;

bool hasSign(const Val& integers) {
  const Type* each = integers.type;
  while (each->isAggregate()) each = each->element;
  return each->isSigned;
}

}  // namespace

std::uint32_t ImageLowering::imageAccess(const Pointer& p, const Type* image) {
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
Values ImageLowering::texelArguments(const Pointer& p, const Type& image, const Val& coordinate) {
  Values args{elementIn(p)};
  for (std::uint32_t c = 0; c < coordinatesOf(image); ++c) args.push_back(asInteger(coordinate, c));
  return args;
}

// The words behind the mask of image operands, which stand in the order of its bits.
ImageLowering::ImageOperands ImageLowering::imageOperands(std::span<const std::uint32_t> w) {
  ImageOperands out;
  if (w.empty()) return out;
  std::size_t at = 1;
  const auto take = [&](std::uint32_t bit) { return (w[0] & bit) != 0 && at < w.size() ? &val(w[at++]) : nullptr; };
  out.bias = take(0x1);
  out.lod = take(0x2);
  out.dx = take(0x4);
  out.dy = out.dx && at < w.size() ? &val(w[at++]) : nullptr;
  out.offset = take(0x8);
  if (const Val* offset = take(0x10)) out.offset = offset;
  out.offsets = take(0x20);
  out.sample = take(0x40);
  out.minLod = take(0x80);
  out.order = imageOrder(w[0], w.subspan(std::min(at, w.size())));
  // SignExtend and ZeroExtend say what the format says.
  constexpr std::uint32_t kKnown = 0x7fff;
  if (w[0] & ~kKnown) unsupported(fmt::format("the image operands 0x{:x}", w[0]));
  return out;
}

// The level or the sample of a read, a fetch or a write; an offset moves the coordinates, but none from outside of the image into it.
void ImageLowering::texelOperands(const ImageOperands& given, const Val& coordinate, ir::ImageAccess& a, Values& args) {
  for (std::uint32_t c = 0; given.offset && c < imageAxes(a.type->dim); ++c) {
    Value at = args[1 + c];
    if (!hasSign(coordinate)) at = make(ir::kGlsl + GLSLstd450UMin, Scalar::kI32, {at, constantU32(kOutsidePlace)});
    args[1 + c] = make(ir::core(spv::Op::OpIAdd), Scalar::kI32, {at, asOffset(*given.offset, c, a.variable)});
  }
  // The constant level 0 of nearly every fetch is what no operand means.
  const Value lod = given.lod ? asInteger(*given.lod, 0) : ir::kNoValue;
  a.hasLod = given.lod && !(f_.isConstant(lod) && f_.constantValue(lod, false) == 0);
  a.hasSample = given.sample != nullptr;
  if (a.hasLod) args.push_back(lod);
  if (given.sample) args.push_back(asInteger(*given.sample, 0));
}

Value ImageLowering::elementIn(const Pointer& descriptors) {
  return descriptors.element == ir::kNoValue ? constantU32(descriptors.elementConstant) : descriptors.element;
}

// The results of an image instruction; of a sparse one a structure, whose first member says that every texel is resident.
void ImageLowering::defineTexel(const Inst& inst, Value operation, const Type& texel, bool sparse) {
  Values leaves;
  if (sparse) leaves.push_back(f_.constant(leafScalar(*typeOf(inst.type), 0), 0));
  for (std::uint32_t c = 0; c < texel.leaves; ++c) leaves.push_back(results(operation, leafScalar(texel, c), c));
  defineLeaves(inst, std::move(leaves));
}

// A value as binary32, which coordinates of sampling are.
Value ImageLowering::asFloat(Value v) {
  return convertFloat(v, Scalar::kF32);
}

// A leaf of integers in 32 bits, which places, levels, samples and offsets are. Its type says whether a narrow one has a sign; offsets
// always have. One of 64 bits that is too large becomes one that is outside of every image too, also with an offset.
Value ImageLowering::asInteger(const Val& v, std::uint32_t leafIndex, bool isOffset) {
  const Value given = leaf(v, leafIndex);
  const Scalar type = f_.nodes[given].type;
  if (type == Scalar::kI32) return given;
  const bool isSigned = isOffset || hasSign(v);
  if (type != Scalar::kI64) return make(ir::core(isSigned ? spv::Op::OpSConvert : spv::Op::OpUConvert), Scalar::kI32, {given});
  const auto within = [&](GLSLstd450 op, std::uint64_t bound) { return make(ir::kGlsl + op, type, {given, f_.constant(type, bound)}); };
  Value held = within(GLSLstd450UMin, kOutsidePlace);
  if (isSigned) {
    held = within(GLSLstd450SMin, 0x7fffffffu);
    held = make(ir::kGlsl + GLSLstd450SMax, type, {held, f_.constant(type, ~std::uint64_t{0x7fffffffu})});
  }
  return make(ir::core(spv::Op::OpUConvert), Scalar::kI32, {held});
}

// Told where it is none of those that every device takes.
Value ImageLowering::asOffset(const Val& v, std::uint32_t leafIndex, std::uint32_t variable) {
  const Value offset = asInteger(v, leafIndex, true);
  const auto fromLeast = [&] { return static_cast<std::uint64_t>(f_.constantValue(offset)) + kOffsets / 2; };
  if (options_.checkIndices && !(f_.isConstant(offset) && fromLeast() < kOffsets)) {
    const Value index = make(ir::core(spv::Op::OpIAdd), Scalar::kI32, {offset, constantU32(kOffsets / 2)});
    checkIndex({&index, 1}, kOffsets, variable, 0);
  }
  return offset;
}

// Everything that takes a sampler. Operands: sampled image, coordinate, [reference or component], [image operands].
void ImageLowering::sample(const Inst& inst, const ir::SampleForm& form) {
  const Val handle = handleOf(inst.operand(0));
  if (!handle.pointer || handle.pointer->root != Pointer::Root::kOpaque || handle.type->kind != Type::Kind::kSampledImage)
    return unsupported("an image that was not loaded from a descriptor");
  const Type* type = handle.type->element;
  const std::uint32_t index = imageAccess(*handle.pointer, type);
  const Pointer& sampler = handle.sampler ? *handle.sampler : *handle.pointer;
  const Val& coordinate = val(inst.operand(1));
  std::size_t next = 2;
  const Val* extra = form.compare || form.gather ? &val(inst.operand(next++)) : nullptr;
  const ImageOperands given = imageOperands(inst.operands.size() > next ? inst.operands.subspan(next) : std::span<const std::uint32_t>{});
  const std::uint32_t axes = imageAxes(type->dim), layer = type->arrayed && !form.queryLod ? 1 : 0;
  const auto projected = [&](Value v) {
    return form.project ? make(ir::core(spv::Op::OpFDiv), Scalar::kF32, {v, asFloat(leaf(coordinate, axes + layer))}) : v;
  };
  Values args{elementIn(*handle.pointer), elementIn(sampler)};
  for (std::uint32_t c = 0; c < axes + layer; ++c) args.push_back(projected(asFloat(leaf(coordinate, c))));
  if (form.compare) args.push_back(projected(asFloat(leaf(*extra, 0))));
  if (form.gather && !form.compare) args.push_back(leaf(*extra, 0));
  const auto floats = [&](const Val* v, std::uint32_t count) {
    for (std::uint32_t c = 0; v && c < count; ++c) args.push_back(asFloat(leaf(*v, c)));
    return v != nullptr;
  };
  ir::Sampling a{form, sampler.resource};
  a.hasBias = floats(given.bias, 1);
  a.hasLod = floats(given.lod, 1);
  a.hasGradient = floats(given.dx, axes) || form.implicit;
  floats(given.dy, axes);
  if (form.implicit) {
    const Values gradient = quadGradient(std::vector(args.begin() + 2, args.begin() + 2 + axes));
    args.append(gradient);
  }
  a.offsets = given.offsets ? 4 : given.offset ? 1 : 0;
  for (std::uint32_t i = 0; i < a.offsets * axes; ++i)
    args.push_back(asOffset(given.offsets ? *given.offsets : *given.offset, i, handle.pointer->variable));
  a.hasMinLod = floats(given.minLod, 1);
  const Type* result = typeOf(inst.type);
  const Type* texel = form.sparse && result->members.size() == 2 ? result->members[1].type : result;
  ir::ImageAccess& access = f_.imageAccesses[index];
  access.sampling = a;
  access.components = static_cast<std::uint8_t>(texel->leaves);
  access.component = leafScalar(*texel, 0);
  Pointer p = *handle.pointer;
  p.operands = given.order;
  defineTexel(inst, accessEffect(ir::kImageSample, Scalar::kNone, args, kind::Image{index}, p, false), *texel, form.sparse);
}

// What differs between the neighbours of a quad, of each coordinate: along x, then along y. A quad is four lanes, of four consecutive
// invocations or a square of them as the derivative group says; all four take the difference of the first two and of the first and the
// third.
Values ImageLowering::quadGradient(std::span<const Value> coordinates) {
  const bool linear = std::ranges::count(m_.capabilities, spv::Capability::ComputeDerivativeGroupLinearNV) > 0;
  const bool squares = std::ranges::count(m_.capabilities, spv::Capability::ComputeDerivativeGroupQuadsNV) > 0;
  if (!linear && !squares) unsupported("an implicit level of detail without a derivative group");
  Values out;
  for (const std::uint32_t neighbour : {1u, 2u})
    for (const Value c : coordinates) {
      const auto lane = [&](std::uint32_t n) {
        return subgroupEffect(spv::Op::OpGroupNonUniformQuadBroadcast, {}, Scalar::kF32, Values{c, constantU32(n)});
      };
      const Value there = lane(neighbour), here = lane(0);
      out.push_back(make(ir::core(spv::Op::OpFSub), Scalar::kF32, {there, here}));
    }
  return out;
}

// An image, a sampler or both, with what the decorations of its id say.
Val ImageLowering::handleOf(std::uint32_t id) {
  Val handle = val(id);
  if (handle.pointer) qualify(*handle.pointer, id);
  return handle;
}

// The image in operand 0; empty: it is none that the model takes.
std::optional<Pointer> ImageLowering::imageOf(const Inst& inst, const Type*& type) {
  const Val handle = handleOf(inst.operand(0));
  if (!handle.pointer || handle.pointer->root != Pointer::Root::kOpaque) {
    unsupported("an image that was not loaded from a descriptor");
    return {};
  }
  type = handle.type->kind == Type::Kind::kSampledImage ? handle.type->element : handle.type;
  return *handle.pointer;
}

// OpImageRead, OpImageFetch and their sparse forms: operands image, coordinate, [image operands]. OpFragmentFetchAMD: image, coordinate,
// fragment, which is a sample (SPV_AMD_shader_fragment_mask).
void ImageLowering::readTexel(const Inst& inst, bool sparse) {
  const Type* type = nullptr;
  const std::optional<Pointer> image = imageOf(inst, type);
  if (!image) return;
  const std::uint32_t access = imageAccess(*image, type);
  const Type* result = typeOf(inst.type);
  const Type* texel = sparse && result->members.size() == 2 ? result->members[1].type : result;
  Values args = texelArguments(*image, *type, val(inst.operand(1)));
  const std::size_t mask = ir::factsOf(inst.op).imageOperands;
  const ImageOperands given = mask == 0 ? ImageOperands{.sample = &val(inst.operand(2))} : imageOperands(inst.operands.subspan(mask));
  texelOperands(given, val(inst.operand(1)), f_.imageAccesses[access], args);
  f_.imageAccesses[access].components = static_cast<std::uint8_t>(texel->leaves);
  f_.imageAccesses[access].component = leafScalar(*texel, 0);
  Pointer p = *image;
  p.operands = given.order;
  defineTexel(inst, accessEffect(ir::kImageRead, Scalar::kNone, args, kind::Image{access}, p, false), *texel, sparse);
}

void ImageLowering::writeTexel(const Inst& inst) {
  const Type* type = nullptr;
  const std::optional<Pointer> image = imageOf(inst, type);
  if (!image) return;
  const std::uint32_t access = imageAccess(*image, type);
  const Val& texel = val(inst.operand(2));
  Values args = texelArguments(*image, *type, val(inst.operand(1)));
  const ImageOperands given = imageOperands(inst.operands.subspan(ir::factsOf(inst.op).imageOperands));
  texelOperands(given, val(inst.operand(1)), f_.imageAccesses[access], args);
  f_.imageAccesses[access].components = static_cast<std::uint8_t>(texel.leaves.size());
  f_.imageAccesses[access].component = leafScalar(*texel.type, 0);
  const auto values = static_cast<std::uint16_t>(args.size());
  args.append(texel.leaves);
  Pointer p = *image;
  p.operands = given.order;
  accessEffect(ir::kImageWrite, Scalar::kNone, args, kind::Image{access, values}, p, true);
}

// The answers are integers of 32 bits, which become the module's.
void ImageLowering::queryImage(const Inst& inst) {
  const Type* type = nullptr;
  const std::optional<Pointer> image = imageOf(inst, type);
  if (!image) return;
  const std::uint32_t access = imageAccess(*image, type);
  const Type* result = typeOf(inst.type);
  f_.imageAccesses[access].op = inst.op;
  f_.imageAccesses[access].components = static_cast<std::uint8_t>(result->leaves);
  const Value lod = inst.op == spv::Op::OpImageQuerySizeLod ? asInteger(val(inst.operand(1)), 0) : constantU32(0);
  const Value query = effect(ir::kImageQuery, Scalar::kNone, Values{elementIn(*image), lod}, kind::Image{access});
  const Scalar out = leafScalar(*result, 0);
  Values leaves;  // all are defined at once: a conversion among them could get the register of one
  for (std::uint32_t c = 0; c < result->leaves; ++c) leaves.push_back(results(query, Scalar::kI32, c));
  for (std::uint32_t c = 0; c < result->leaves && out != Scalar::kI32; ++c)
    leaves[c] = make(ir::core(spv::Op::OpUConvert), out, {leaves[c]});
  defineLeaves(inst, std::move(leaves));
}

// OpFragmentMaskFetchAMD: four bits for each of eight samples, the number of its fragment. Each sample has a fragment of its own.
void ImageLowering::fragmentMask(const Inst& inst) {
  const Type* type = nullptr;
  const std::optional<Pointer> image = imageOf(inst, type);
  if (!image) return;
  const std::uint32_t access = imageAccess(*image, type);
  f_.imageAccesses[access].op = spv::Op::OpImageQuerySamples;
  f_.imageAccesses[access].components = 1;
  const Scalar word = Scalar::kI32;
  const Value query = effect(ir::kImageQuery, Scalar::kNone, Values{elementIn(*image), constantU32(0)}, kind::Image{access});
  const Value samples = make(ir::kGlsl + GLSLstd450UMin, word, {results(query, word, 0), constantU32(8)});
  const Value bits = make(ir::core(spv::Op::OpIMul), word, {samples, constantU32(4)});
  defineLeaves(inst, {make(ir::core(spv::Op::OpBitFieldUExtract), word, {constantU32(0x76543210), constantU32(0), bits})});
}

void ImageLowering::texelPointer(const Inst& inst) {
  Val base = handleOf(inst.operand(0));
  if (base.pointer && base.pointer->root == Pointer::Root::kLocal)
    if (const Val* stored = opaqueIn(base.pointer->local)) base = *stored;
  if (!base.pointer || base.pointer->root != Pointer::Root::kOpaque) return unsupported("this texel pointer");
  const Pointer& p = *base.pointer;
  Values args = texelArguments(p, *p.pointee, val(inst.operand(1)));
  if (p.pointee->multisampled) args.push_back(asInteger(val(inst.operand(2)), 0));
  define(inst, {typeOf(inst.type), std::move(args), p, {}});
}

bool ImageLowering::image(const Inst& inst) {
  using spv::Op;
  if (const auto& form = ir::factsOf(ir::core(inst.op)).sampling) {
    sample(inst, *form);
    return true;
  }
  switch (inst.op) {
    case Op::OpImageTexelPointer:
      texelPointer(inst);
      return true;
    case Op::OpSampledImage: {
      Val v = handleOf(inst.operand(0));
      v.type = typeOf(inst.type);
      v.sampler = handleOf(inst.operand(1)).pointer;
      if (v.pointer && v.sampler) v.pointer->nonUniform = v.pointer->nonUniform || v.sampler->nonUniform;
      define(inst, std::move(v));
      return true;
    }
    case Op::OpImage: {
      Val v = handleOf(inst.operand(0));
      v.type = typeOf(inst.type);
      define(inst, std::move(v));
      return true;
    }
    case Op::OpImageSparseTexelsResident:
      defineLeaves(inst, {f_.constant(Scalar::kBool, 1)});
      return true;
    case Op::OpImageRead:
    case Op::OpImageFetch:
    case Op::OpFragmentFetchAMD:
      readTexel(inst, false);
      return true;
    case Op::OpImageSparseRead:
    case Op::OpImageSparseFetch:
      readTexel(inst, true);
      return true;
    case Op::OpFragmentMaskFetchAMD:
      fragmentMask(inst);
      return true;
    case Op::OpImageWrite:
      writeTexel(inst);
      return true;
    case Op::OpImageQuerySize:
    case Op::OpImageQuerySizeLod:
    case Op::OpImageQueryLevels:
    case Op::OpImageQuerySamples:
      queryImage(inst);
      return true;
    default:
      return ir::isAtomic(inst.op) && texelAtomic(inst);
  }
}

bool ImageLowering::texelAtomic(const Inst& inst) {
  const Val target = handleOf(inst.operand(0));
  if (!target.pointer || target.pointer->root != Pointer::Root::kOpaque) return false;
  checkIndices(*target.pointer);
  const Scalar type = leafScalar(*target.pointer->pointee->element, 0);
  const std::uint32_t access = imageAccess(*target.pointer, target.pointer->pointee);
  f_.imageAccesses[access].op = inst.op;
  f_.imageAccesses[access].component = type;
  f_.imageAccesses[access].hasSample = target.pointer->pointee->multisampled != 0;
  Values args = target.leaves;
  const auto first = static_cast<std::uint16_t>(args.size());
  for (const Val& given : atomicValues(inst)) args.push_back(leaf(given, 0));
  const Value v = effect(ir::kImageAtomic, type, args, kind::Image{access, first});
  f_.nodes[v].order = atomicOrder(inst, *target.pointer);
  f_.nodes[v].path = target.pointer->path;
  if (inst.op != spv::Op::OpAtomicStore) defineLeaves(inst, {v});
  return true;
}

}  // namespace lanewise
