// Reads and writes of texels, and the sizes of images, of a resource's first descriptor and its view's first level.
//
// A texel's place is computed for all lanes and compared with the image's size, as the interpreter does: outside a read gives 0 in every
// component, and a write does nothing. Lanes at neighbouring texels of a row are vector accesses, others gather. What a component is in the
// shader is computed from the words of the texel (model/scalar/texel.h), with the strict rules. Where the module does not say the format,
// where a format is none of those written out here, and where the run says so (Frame::images), the handler does it.
#include <bit>

#include "model/compiled/emit.h"
#include "model/compiled/frame.h"

namespace lanewise::compiled {

using ir::Value;

namespace {

constexpr std::uint64_t lowBits(std::uint32_t n) {
  return (std::uint64_t{1} << n) - 1;
}

// A component and how its numbers are stored, as a choice of code to write.
bool isWrittenOut(const FormatInfo& format) {
  for (const std::uint8_t bits : format.layout.bits) {
    const bool isHalfOrFloat = bits == 0 || bits == 16 || bits == 32;
    switch (format.numeric) {
      case NumericFormat::kUint:
      case NumericFormat::kSint:
        if (bits > 32) return false;
        break;
      case NumericFormat::kUnorm:
      case NumericFormat::kSnorm:
        if (bits > 16) return false;
        break;
      case NumericFormat::kSfloat:
        if (!isHalfOrFloat) return false;
        break;
      default:
        return false;
    }
  }
  return true;
}

}  // namespace

// What the access needs to know of the bits of a texel; nullptr: a handler does it.
const FormatInfo* Emitter::formatOf(const ir::ImageAccess& access, Value v) const {
  const auto args = f_.args(v);
  const bool narrow = access.component == Scalar::kI32 || access.component == Scalar::kF32;
  if (!isStrict(v) || !narrow || access.hasSample || access.type->multisampled != 0) return nullptr;
  if (access.type->dim == spv::Dim::Dim1D && access.coordinates > 1) return nullptr;
  if (!isConstant(args[0]) || f_.bitsOf(args[0]) != 0) return nullptr;
  if (access.hasLod && (!isConstant(args[1 + access.coordinates]) || f_.bitsOf(args[1 + access.coordinates]) != 0)) return nullptr;
  const FormatInfo* format = formatInfo(formatBySpirv(access.type->imageFormat));
  return format && isWrittenOut(*format) ? format : nullptr;
}

// The lanes whose texel is inside, and where it begins: bytes from the first texel on, below 2^31.
Emitter::Places Emitter::placesOf(const ir::ImageAccess& access, const FormatInfo& format, Value v, bool varying) {
  const auto args = f_.args(v);
  const Image& image = images_[access.resource];
  const auto each = [&](llvm::Value scalar) { return varying ? b_.splat(scalar) : scalar; };
  const llvm::Value steps[] = {b_.n32(format.texelBytes), image.rowBytes, image.sliceBytes};
  Places out{};
  for (std::uint32_t c = 0; c < std::min<std::uint32_t>(access.coordinates, 3); ++c) {
    const llvm::Value at = get(args[1 + c], varying);
    const llvm::Value inside = b_.compare(llvm::kULess, at, each(image.extent[c]));
    const llvm::Value bytes = b_.op(llvm::kMul, at, each(steps[c]));
    out.inside = out.inside ? b_.op(llvm::kAnd, out.inside, inside) : inside;
    out.offset = out.offset ? b_.op(llvm::kAdd, out.offset, bytes) : bytes;
  }
  return out;
}

// The words of a texel, or of every lane's; one with less than 32 bits in its low bits, with others above. 0 outside.
std::vector<llvm::Value> Emitter::loadTexels(const Image& image, const FormatInfo& format, const Places& places, bool varying) {
  const std::uint32_t bytes = format.texelBytes, count = std::max(bytes / 4, 1u);
  std::vector<llvm::Value> words(count), apart(count);
  if (!varying) {
    const llvm::Value at = b_.select(places.inside, b_.offset(image.data, b_.cast(llvm::kZExt, places.offset, b_.i64)), zeros_);
    for (std::uint32_t w = 0; w < count; ++w)
      words[w] = bytes >= 4 ? b_.load(b_.i32, b_.offset(at, std::uint64_t{w} * 4))
                            : b_.cast(llvm::kZExt, b_.load(bytes == 1 ? b_.i8 : b_.i16, at), b_.i32);
    return words;
  }
  const llvm::Block near = b_.block(function_), far = b_.block(function_), on = b_.block(function_);
  const Runs runs = runsOf(places.offset, places.inside, bytes);
  b_.go(runs.are, near, far);
  b_.at(near);
  const llvm::Type element = bytes == 1 ? b_.i8 : bytes == 2 ? b_.i16 : b_.i32;
  std::vector<llvm::Value> pieces;
  for (const llvm::Value at : placesIn(runs, image.data, places.offset))
    pieces.push_back(b_.load(b_.api.VectorType(element, runs.length * count), at));
  for (std::uint32_t w = 0; w < count; ++w) {
    std::vector<llvm::Value> all;
    for (const llvm::Value piece : pieces) all.push_back(count == 1 ? piece : b_.shuffle(piece, w, count, runs.length));
    const llvm::Value joined = b_.concat(all, runs.length);
    words[w] = bytes >= 4 ? joined : b_.cast(llvm::kZExt, joined, b_.vector(b_.i32));
  }
  b_.go(on);
  b_.at(far);
  const auto number = [&](std::uint64_t n) { return b_.splat(b_.n32(n)); };
  const llvm::Type wide = b_.vector(b_.i32);
  if (bytes >= 4) {
    for (std::uint32_t w = 0; w < count; ++w)
      apart[w] = b_.gather(wide, b_.offset(b_.offset(image.data, std::uint64_t{w} * 4), places.offset), 1, places.inside);
  } else {  // the word in which it lies; rows begin at words
    const llvm::Value odd = b_.op(llvm::kAnd, places.offset, number(3));
    const llvm::Value whole = b_.gather(wide, b_.offset(image.data, b_.op(llvm::kSub, places.offset, odd)), 4, places.inside);
    apart[0] = b_.op(llvm::kLShr, whole, b_.op(llvm::kShl, odd, number(3)));
  }
  const llvm::Block end = b_.here();
  b_.go(on);
  b_.at(on);
  for (std::uint32_t w = 0; w < count; ++w) words[w] = b_.phi(wide, {{words[w], near}, {apart[w], end}});
  return words;
}

// Component c of a texel as the bits of a register. Of words of 0 it is 0, but for what the format does not have.
llvm::Value Emitter::decoded(const FormatInfo& format, std::uint32_t c, const std::vector<llvm::Value>& words, llvm::Value inside,
                             bool varying) {
  const llvm::Type word = b_.vectorIf(varying, b_.i32), real = b_.vectorIf(varying, b_.f32);
  const auto number = [&](std::uint64_t n) { return varying ? b_.splat(b_.n32(n)) : b_.n32(n); };
  const auto asFloat = [&](llvm::Value bits) { return b_.cast(llvm::kBitCast, bits, real); };
  const auto asBits = [&](llvm::Value value) { return b_.cast(llvm::kBitCast, value, word); };
  const auto constantFloat = [&](float f) { return asFloat(number(std::bit_cast<std::uint32_t>(f))); };
  const std::uint32_t bits = format.layout.bits[c], shift = format.layout.shift[c];
  const bool isInteger = format.numeric == NumericFormat::kUint || format.numeric == NumericFormat::kSint;
  if (bits == 0) return c < 3 ? b_.zero(word) : b_.select(inside, number(isInteger ? 1 : 0x3f800000u), b_.zero(word));
  llvm::Value code = words[shift / 32];
  if (bits == 32) return code;
  const bool isSigned = format.numeric == NumericFormat::kSint || format.numeric == NumericFormat::kSnorm;
  if (isSigned) {
    code = b_.op(llvm::kAShr, b_.op(llvm::kShl, code, number(32 - bits - shift % 32)), number(32 - bits));
  } else {
    code = b_.op(llvm::kAnd, b_.op(llvm::kLShr, code, number(shift % 32)), number(lowBits(bits)));
  }
  if (isInteger) return code;
  if (format.numeric == NumericFormat::kSfloat) {
    const llvm::Value magnitude = b_.op(llvm::kAnd, code, number(0x7fff));
    const llvm::Value sign = b_.op(llvm::kShl, b_.op(llvm::kAnd, code, number(0x8000)), number(16));
    const llvm::Value up = b_.op(llvm::kShl, magnitude, number(13));
    const llvm::Value quiet = b_.select(b_.compare(llvm::kUGreater, magnitude, number(0x7c00)), number(0x7fc00000u), number(0x7f800000u));
    const llvm::Value denormal = asBits(b_.op(llvm::kFMul, b_.cast(llvm::kSIToFP, magnitude, real), constantFloat(0x1p-24f)));
    const auto atLeast = [&](std::uint64_t n) { return b_.compare(llvm::kUGreaterEqual, magnitude, number(n)); };
    const llvm::Value finite = b_.select(atLeast(0x400), b_.op(llvm::kAdd, up, number(0x38000000u)), denormal);
    return b_.op(llvm::kOr, sign, b_.select(atLeast(0x7c00), b_.op(llvm::kOr, up, quiet), finite));
  }
  const float most = static_cast<float>(lowBits(isSigned ? bits - 1 : bits));
  const llvm::Value value = b_.op(llvm::kFDiv, b_.cast(llvm::kSIToFP, code, real), constantFloat(most));
  if (!isSigned) return asBits(value);
  const llvm::Value least = constantFloat(-1.0f);
  return asBits(b_.select(b_.compare(llvm::kOLess, value, least), least, value));
}

// The code of a component that is stored, in its low bits.
llvm::Value Emitter::encoded(const FormatInfo& format, std::uint32_t c, llvm::Value bits) {
  const llvm::Type word = b_.vector(b_.i32), real = b_.vector(b_.f32);
  const auto number = [&](std::uint64_t n) { return b_.splat(b_.n32(n)); };
  const auto asFloat = [&](llvm::Value of) { return b_.cast(llvm::kBitCast, of, real); };
  const auto asBits = [&](llvm::Value value) { return b_.cast(llvm::kBitCast, value, word); };
  const auto constantFloat = [&](float f) { return asFloat(number(std::bit_cast<std::uint32_t>(f))); };
  const std::uint32_t width = format.layout.bits[c];
  const llvm::Value mask = number(lowBits(width));
  if (width == 32) return bits;
  if (format.numeric == NumericFormat::kUint) return b_.intrinsic("llvm.umin", {word}, {bits, mask});
  if (format.numeric == NumericFormat::kSint) {
    const llvm::Value low = b_.intrinsic("llvm.smax", {word}, {bits, b_.op(llvm::kXor, number(lowBits(width - 1)), b_.ones(word))});
    return b_.op(llvm::kAnd, b_.intrinsic("llvm.smin", {word}, {low, number(lowBits(width - 1))}), mask);
  }
  const llvm::Value magnitude = b_.op(llvm::kAnd, bits, number(0x7fffffffu));
  if (format.numeric == NumericFormat::kSfloat) {
    const auto atLeast = [&](std::uint64_t n) { return b_.compare(llvm::kUGreaterEqual, magnitude, number(n)); };
    const llvm::Value up = b_.op(llvm::kLShr, magnitude, number(13));
    const llvm::Value tie = b_.op(llvm::kAdd, b_.op(llvm::kAnd, up, number(1)), number(0xfff));
    const llvm::Value normal = b_.op(llvm::kLShr, b_.op(llvm::kAdd, b_.op(llvm::kSub, magnitude, number(0x38000000u)), tie), number(13));
    const llvm::Value denormal =
        b_.op(llvm::kSub, asBits(b_.op(llvm::kFAdd, asFloat(magnitude), constantFloat(0.5f))), number(0x3f000000u));
    const llvm::Value finite = b_.select(atLeast(0x38800000u), normal, denormal);
    const llvm::Value nan = b_.op(llvm::kOr, number(0x7e00), b_.op(llvm::kAnd, up, number(0x3ff)));
    const llvm::Value special = b_.select(atLeast(0x7f800001u), nan, number(0x7c00));
    const llvm::Value sign = b_.op(llvm::kAnd, b_.op(llvm::kLShr, bits, number(16)), number(0x8000));
    return b_.op(llvm::kOr, sign, b_.select(atLeast(0x477ff000u), special, finite));
  }
  // The product with the largest code, at most 65535, to the nearest integer: its bits above those of 1.5 * 2^23.
  const bool isSigned = format.numeric == NumericFormat::kSnorm;
  const llvm::Value value = asFloat(isSigned ? magnitude : bits), zero = b_.zero(real), one = constantFloat(1.0f);
  const llvm::Value raised = b_.select(b_.compare(llvm::kOGreater, value, zero), value, zero);
  const llvm::Value clamped = b_.select(b_.compare(llvm::kOLess, raised, one), raised, one);
  const llvm::Value scaled = b_.op(llvm::kFMul, clamped, constantFloat(static_cast<float>(lowBits(isSigned ? width - 1 : width))));
  const llvm::Value code = b_.op(llvm::kSub, asBits(b_.op(llvm::kFAdd, scaled, constantFloat(0x1.8p23f))), number(0x4b400000u));
  if (!isSigned) return code;
  const llvm::Value isNegative = b_.compare(llvm::kSLess, bits, b_.zero(word));
  return b_.op(llvm::kAnd, b_.select(isNegative, b_.op(llvm::kSub, b_.zero(word), code), code), mask);
}

void Emitter::loadImage(llvm::Value images, std::uint32_t resource) {
  Image& image = images_[resource];
  if (image.data) return;
  const llvm::Value at = b_.offset(images, std::uint64_t{resource} * sizeof(ImageWindow));
  const auto word = [&](std::size_t offset) { return b_.load(b_.i32, b_.offset(at, offset), 4); };
  image.data = b_.load(b_.pointer, at, 8);
  image.rowBytes = word(offsetof(ImageWindow, rowBytes));
  image.sliceBytes = word(offsetof(ImageWindow, sliceBytes));
  for (std::size_t i = 0; i < 3; ++i) image.extent[i] = word(offsetof(ImageWindow, extent) + 4 * i);
  image.layers = word(offsetof(ImageWindow, layers));
  image.isPlain = word(offsetof(ImageWindow, isPlain));
}

// Whether the run lets texels be accessed here. What both ways need is computed in front of it.
llvm::Value Emitter::isPlain(const Image& image, Value v) {
  for (const Value a : f_.args(v)) static_cast<void>(get(a, false));
  return b_.compare(llvm::kNotEqual, image.isPlain, b_.n32(0));
}

bool Emitter::readTexels(Value v) {
  const ir::Node& n = node(v);
  const ir::ImageAccess& access = p_.imageAccesses[n.as<kind::Image>().access];
  const FormatInfo* format = formatOf(access, v);
  if (!format) return false;
  std::vector<Value> results;
  for (const Value r : f_.blocks[block_].nodes)
    if (node(r).op == ir::kResult && f_.args(r)[0] == v && p_.laid.slots[r].offset != 0) results.push_back(r);
  const bool varying = std::ranges::any_of(results, [&](Value r) { return node(r).varying; });
  const bool adds = n.op == ir::kImageReadAdd;
  if (results.empty() || std::ranges::any_of(results, [&](Value r) { return node(r).varying != varying || isWide(node(r).type); }))
    return false;
  const auto args = f_.args(v);
  const Image& image = images_[access.resource];
  const llvm::Block fast = b_.block(function_), slow = b_.block(function_), on = b_.block(function_);
  b_.go(isPlain(image, v), fast, slow);
  b_.at(fast);
  const Places places = placesOf(access, *format, v, varying);
  const std::vector<llvm::Value> words = loadTexels(image, *format, places, varying);
  std::vector<llvm::Value> here, there;
  for (const Value r : results) {
    const std::uint32_t c = node(r).as<kind::Result>().index;
    llvm::Value value = decoded(*format, c, words, places.inside, varying);
    if (adds) value = b_.op(llvm::kAdd, value, bits(args[args.size() - 4 + c], varying));
    here.push_back(node(r).type == Scalar::kF32 ? b_.cast(llvm::kBitCast, value, b_.typeOf(Scalar::kF32, varying)) : value);
  }
  const llvm::Block fastEnd = b_.here();
  b_.go(on);
  b_.at(slow);
  call(v);
  for (const Value r : results) there.push_back(readSlot(r));
  const llvm::Block slowEnd = b_.here();
  b_.go(on);
  b_.at(on);
  for (std::size_t i = 0; i < results.size(); ++i)
    there[i] = b_.phi(b_.typeOf(node(results[i]).type, varying), {{here[i], fastEnd}, {there[i], slowEnd}});
  for (std::size_t i = 0; i < results.size(); ++i) set(results[i], there[i]);
  ++texelOperations_;
  return true;
}

// Of neighbours, all of which are written.
void Emitter::storeRuns(const Image& image, const FormatInfo& format, const Runs& runs, llvm::Value offset,
                        const std::vector<llvm::Value>& words) {
  const std::uint32_t bytes = format.texelBytes, count = static_cast<std::uint32_t>(words.size());
  std::uint32_t first = 0;
  for (const llvm::Value at : placesIn(runs, image.data, offset)) {
    std::vector<llvm::Value> parts;
    for (const llvm::Value w : words) parts.push_back(b_.shuffle(w, first, 1, runs.length));
    llvm::Value all = b_.concat(parts, runs.length);
    if (count > 1) {  // word w of lane k is at w * length + k
      std::vector<std::uint32_t> from;
      for (std::uint32_t i = 0; i < runs.length * count; ++i) from.push_back(i % count * runs.length + i / count);
      all = b_.shuffle(all, from);
    }
    if (bytes < 4) all = b_.cast(llvm::kTrunc, all, b_.api.VectorType(bytes == 1 ? b_.i8 : b_.i16, runs.length));
    b_.store(all, at);
    first += runs.length;
  }
}

bool Emitter::writeTexels(Value v) {
  const kind::Image& what = node(v).as<kind::Image>();
  const ir::ImageAccess& access = p_.imageAccesses[what.access];
  const FormatInfo* format = formatOf(access, v);
  if (!format) return false;
  const auto args = f_.args(v);
  const Image& image = images_[access.resource];
  const std::uint32_t bytes = format->texelBytes, count = std::max(bytes / 4, 1u);
  const llvm::Block fast = b_.block(function_), slow = b_.block(function_), on = b_.block(function_);
  b_.go(isPlain(image, v), fast, slow);
  b_.at(fast);
  std::vector<llvm::Value> words(count, b_.zero(b_.vector(b_.i32)));
  for (std::uint32_t c = 0; c < access.components; ++c) {
    if (format->layout.bits[c] == 0) continue;
    const std::uint32_t shift = format->layout.shift[c];
    const llvm::Value code = b_.op(llvm::kShl, encoded(*format, c, bits(args[what.values + c], true)), b_.splat(b_.n32(shift % 32)));
    words[shift / 32] = b_.op(llvm::kOr, words[shift / 32], code);
  }
  const Places places = placesOf(access, *format, v, true);
  const Runs runs = runsOf(places.offset, b_.op(llvm::kAnd, places.inside, mask_), bytes);
  const llvm::Block near = b_.block(function_), far = b_.block(function_);
  b_.go(runs.are, near, far);
  b_.at(near);
  storeRuns(image, *format, runs, places.offset, words);
  b_.go(on);
  b_.at(far);
  const llvm::Value kept = b_.offset(scratch_, scratchRow() * 8);
  for (std::uint32_t w = 0; w < count; ++w) b_.store(words[w], b_.offset(kept, w * scratchRow() * 4), 4);
  forEachLane(b_.op(llvm::kAnd, places.inside, mask_), places.offset, nullptr, [&](llvm::Value at, llvm::Value lane, llvm::Value) {
    for (std::uint32_t w = 0; w < count; ++w) {
      const llvm::Value from = b_.offset(kept, b_.op(llvm::kMul, lane, b_.n64(4)));
      llvm::Value word = b_.load(b_.i32, b_.offset(from, w * scratchRow() * 4), 4);
      if (bytes < 4) word = b_.cast(llvm::kTrunc, word, bytes == 1 ? b_.i8 : b_.i16);
      b_.store(word, b_.offset(b_.offset(image.data, at), std::uint64_t{w} * 4));
    }
  });
  b_.go(on);
  b_.at(slow);
  call(v);
  b_.go(on);
  b_.at(on);
  ++texelOperations_;
  return true;
}

// As memory/texel_access.h, of the first level.
bool Emitter::imageSize(Value v) {
  const ir::ImageAccess& access = p_.imageAccesses[node(v).as<kind::Image>().access];
  const auto args = f_.args(v);
  const bool asksSize = access.op == spv::Op::OpImageQuerySize || access.op == spv::Op::OpImageQuerySizeLod;
  if (!asksSize || !isConstant(args[0]) || f_.bitsOf(args[0]) != 0 || !isConstant(args[1]) || f_.bitsOf(args[1]) != 0) return false;
  const Image& image = images_[access.resource];
  const spv::Dim dim = access.type->dim;
  std::vector<llvm::Value> answers = {image.extent[0]};
  if (dim != spv::Dim::Dim1D && dim != spv::Dim::Buffer) answers.push_back(image.extent[1]);
  if (dim == spv::Dim::Dim3D) answers.push_back(image.extent[2]);
  if (access.type->arrayed != 0) answers.push_back(dim == spv::Dim::Cube ? b_.op(llvm::kUDiv, image.layers, b_.n32(6)) : image.layers);
  for (const Value r : f_.blocks[block_].nodes) {
    if (node(r).op != ir::kResult || f_.args(r)[0] != v) continue;
    const std::uint32_t c = node(r).as<kind::Result>().index;
    const llvm::Value answer = c < answers.size() ? answers[c] : b_.n32(0);
    set(r, node(r).varying ? b_.splat(answer) : answer);
  }
  return true;
}

}  // namespace lanewise::compiled
