// A `lanewise run` command line for an entry point, ready to paste. See inspect.h.
#include <fmt/format.h>

#include <algorithm>

#include "model/base/text.h"
#include "tools/run/inspect.h"
#include "tools/run/type_text.h"
#include "tools/run/typed_values.h"

namespace lanewise {
namespace {

constexpr std::uint64_t kMostElements = 1024;  // of a descriptor array that get data; a device needs all of a fixed size

std::uint64_t invocations(const InterfaceEntry& e) {
  return std::max<std::uint64_t>(1, std::uint64_t{e.localSize[0]} * e.localSize[1] * e.localSize[2]);
}

// "u32:0,pad:4,f64:0": zeros of the block's types.
std::string zerosOf(const Type& block, bool& addresses) {
  std::string out;
  ValueType last{ValueType::Kind::kUnsigned, 0};
  const std::uint64_t size = laidOutSize(block);
  for (std::uint64_t at = 0; at < size;) {
    const std::optional<LeafAt> leaf = leafAt(block, at);
    const char* comma = out.empty() ? "" : ",";
    if (!leaf || leaf->offset != at) {
      std::uint64_t end = at + 1;
      for (; end < size; ++end)
        if (const auto next = leafAt(block, end); next && next->offset == end) break;
      out += fmt::format("{}zeros:{}", comma, end - at);
      at = end;
    } else if (leaf->pointer) {
      addresses = true;
      out += fmt::format("{}addr:memory", comma);
      at += 8;
    } else {
      const ValueType type = typeOf(*leaf);
      out += last == type ? fmt::format("{}0", comma) : fmt::format("{}{}:0", comma, valueTypeName(type));
      last = type;
      at += type.bytes;
    }
  }
  return out;
}

std::string formatFor(const InterfaceBinding& b) {
  const FormatInfo* declared = formatInfo(formatBySpirv(b.type->imageFormat));
  if (declared) return std::string(declared->glsl.empty() ? declared->name : declared->glsl);
  const Type* sampled = b.type->element;
  if (!sampled || isFloat(sampled->scalar))
    return b.type->depth == 1 ? "D32_SFLOAT" : b.kind == DescriptorKind::kStorageImage ? "rgba32f" : "rgba8";
  if (sampled->scalar == Scalar::kI64) return sampled->isSigned ? "r64i" : "r64ui";
  return sampled->isSigned ? "rgba8i" : "rgba8ui";
}

std::string imageShape(const InterfaceBinding& b, const InterfaceEntry& e) {
  const std::uint32_t x = std::max(1u, e.localSize[0]), y = std::max(1u, e.localSize[1]), z = std::max(1u, e.localSize[2]);
  std::string out = fmt::format(":{}", formatFor(b));
  switch (b.type->dim) {
    case spv::Dim::Dim1D:
      out += fmt::format(":{}x1", x);
      break;
    case spv::Dim::Dim3D:
      out += fmt::format(":{}x{}x{}", x, y, z);
      break;
    case spv::Dim::Cube:
      out += fmt::format(":{}x{}:layers={}", std::max(x, y), std::max(x, y), b.type->arrayed ? 12 : 6);
      break;
    default:
      out += fmt::format(":{}x{}", x, y);
  }
  if (b.type->arrayed && b.type->dim != spv::Dim::Cube) out += fmt::format(":layers={}", std::max(z, 2u));
  if (b.type->multisampled) out += ":samples=4";
  return out;
}

// The argument for one descriptor. If it is writable, its result is written to a file of its name.
std::string argumentFor(const InterfaceBinding& b, const InterfaceEntry& e, std::uint64_t element) {
  const std::string where = fmt::format("{}:{}{}", b.set, b.binding, b.array ? fmt::format(":{}", element) : "");
  std::string file = b.name.empty() ? fmt::format("out-{}-{}", b.set, b.binding) : b.name;
  if (b.array) file += fmt::format("-{}", element);
  const auto argument = [&](const char* option, const std::string& value) { return fmt::format(" {} {}", option, shellWord(value)); };
  const bool writeOnly = b.writable() && b.nonReadable;
  if (b.kind == DescriptorKind::kSampler) return argument("--sampler", where + "=linear,repeat");
  if (b.isTexelBuffer()) return argument("--texel-buffer", fmt::format("{}=zeros:{}:{}", where, invocations(e) * 16, formatFor(b)));
  if (b.isBuffer()) {
    std::uint64_t bytes = laidOutSize(*b.type) + runtimeStride(*b.type) * invocations(e);
    bytes = (std::max<std::uint64_t>(bytes, 4) + 3) / 4 * 4;
    if (writeOnly) return argument("--out", fmt::format("{}={}.bin:{}", where, file, bytes));
    return argument("--buffer", fmt::format("{}=zeros:{}", where, bytes)) +
           (b.writable() ? argument("--out", fmt::format("{}={}.bin", where, file)) : "");
  }
  const std::string shape = imageShape(b, e);
  const bool picture = b.type->dim == spv::Dim::Dim2D && !b.type->arrayed && !b.type->multisampled;
  const std::string name = fmt::format("{}={}.{}", where, file, picture ? "exr" : "bin");
  if (writeOnly) return argument("--out", name + shape);
  std::string out = argument("--image", fmt::format("{}=zeros{}", where, shape));
  if (b.kind == DescriptorKind::kCombinedImageSampler) out += argument("--sampler", where + "=linear,repeat");
  return out + (b.writable() ? argument("--out", name) : "");
}

}  // namespace

std::string runCommand(const ShaderModule& module, const Interface& interface, const InterfaceEntry& e, const std::string& options,
                       std::span<const SpecConstant> spec) {
  std::string out = fmt::format("lanewise run {}{}", shellWord(module.name), options);
  if (interface.entries.size() > 1 || e.name != "main") out += fmt::format(" --entry {}", shellWord(e.name));
  out += " --groups 1,1,1";
  for (const InterfaceSpec& s : interface.spec) {
    const auto given = std::ranges::find(spec, s.id, &SpecConstant::id);
    if (s.several && given == spec.end()) continue;  // one value for all of them would change some of them
    const std::uint64_t value = given == spec.end() ? s.value : given->value;
    out += fmt::format(" --spec {}={}", s.id,
                       s.scalar == Scalar::kBool ? (value != 0 ? "true" : "false") : valueText(typeOf(s.scalar, s.isSigned), value));
  }
  bool addresses = false;
  if (e.push) out += fmt::format(" --push {}", zerosOf(*e.push, addresses));
  if (addresses) out += " --memory memory=zeros:4096";
  for (const InterfaceBinding& b : e.bindings) {
    if (b.kind >= DescriptorKind::kAccelerationStructure) continue;
    for (std::uint64_t i = 0; i < std::clamp<std::uint64_t>(b.count, 1, kMostElements); ++i) out += argumentFor(b, e, i);
  }
  return out;
}

}  // namespace lanewise
