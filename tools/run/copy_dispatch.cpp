// A copy as the dispatch of a small kernel. See then.h.
#include <fmt/format.h>

#include "tools/run/source_text.h"
#include "tools/run/then.h"

namespace lanewise {
namespace {

constexpr const char* kBuffers = R"(#version 460
layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer CopySource { uint from[]; };
layout(binding = 1) buffer CopyTarget { uint to[]; };
void main() {
  uint word = (gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x) * 64 + gl_LocalInvocationID.x;
  if (word < from.length()) to[word] = from[word];
}
)";

// TEXEL, IMAGE and PLACE are defined.
constexpr const char* kImages = R"(#version 460
layout(local_size_x = 8, local_size_y = 8) in;
layout(binding = 0, TEXEL) readonly uniform IMAGE from;
layout(binding = 1, TEXEL) writeonly uniform IMAGE to;
void main() {
  PLACE at = PLACE(gl_GlobalInvocationID);
  if (all(lessThan(at, imageSize(from)))) imageStore(to, at, imageLoad(from, at));
}
)";

Error badCopy(const std::string& from, const std::string& to, std::string what, std::string hint = "") {
  return {Outcome::kBadInput, std::move(what), fmt::format("--then 'copy {} {}'", from, to), std::move(hint)};
}

// Unsigned integers of this many bytes: any texel of that size can be seen as one.
Format wordFormat(std::uint32_t bytes) {
  switch (bytes) {
    case 1:
      return Format::R8_UINT;
    case 2:
      return Format::R16_UINT;
    case 4:
      return Format::R32_UINT;
    case 8:
      return Format::R32G32_UINT;
    case 16:
      return Format::R32G32B32A32_UINT;
    default:
      return Format::UNDEFINED;
  }
}

Expected<std::shared_ptr<const ShaderModule>> moduleOf(const char* text, std::vector<std::string> defines) {
  SourceOptions options;
  options.defines = std::move(defines);
  Expected<std::vector<std::uint32_t>> words = compileText({.file = "copy", .text = text}, options);
  if (!words) return words.error();
  return std::make_shared<const ShaderModule>(ShaderModule{"copy", std::move(*words)});
}

std::uint32_t groupsFor(std::uint64_t count, std::uint32_t size) {
  return static_cast<std::uint32_t>((count + size - 1) / size);
}

constexpr std::uint32_t kWidest = 65535;  // maxComputeWorkGroupCount is at least that

}  // namespace

Expected<Dispatch> copyDispatch(const Job& job, const std::string& from, const std::string& to) {
  const Resource& source = job.resources[resourceNamed(job.resources, from)];
  const Resource& target = job.resources[resourceNamed(job.resources, to)];
  if (from == to) return badCopy(from, to, "both are one resource");
  Dispatch d;
  d.bindings.resize(2);
  d.bindings[0].resource = from;
  d.bindings[1].resource = to;
  d.bindings[1].binding = 1;
  const auto *a = std::get_if<ImageData>(&source.data), *b = std::get_if<ImageData>(&target.data);
  if ((a == nullptr) != (b == nullptr)) return badCopy(from, to, "one is a buffer, the other an image");
  if (a == nullptr) {
    const std::size_t bytes = source.bytes().size(), room = target.bytes().size();
    if (bytes > room) return badCopy(from, to, fmt::format("{} bytes do not fit into {}", bytes, room));
    if (bytes % 4 != 0) return badCopy(from, to, fmt::format("{} bytes are no multiple of 4", bytes), "words are copied");
    Expected<std::shared_ptr<const ShaderModule>> module = moduleOf(kBuffers, {});
    if (!module) return module.error();
    d.module = std::move(*module);
    const std::uint32_t groups = groupsFor(bytes / 4, 64);
    d.groups = {std::min(groups, kWidest), groupsFor(groups, kWidest), 1};
    return d;
  }
  const auto bytesOf = [](const ImageData& i) -> std::uint32_t { return formatInfo(i.format)->texelBytes; };
  if (a->extent != b->extent || a->layers != b->layers || a->dimensions != b->dimensions || bytesOf(*a) != bytesOf(*b))
    return badCopy(from, to, "the images have different shapes", "extent, layers, dimensions and the size of a texel have to be equal");
  const auto isDepth = [](const ImageData& i) { return i.format == Format::D16_UNORM || i.format == Format::D32_SFLOAT; };
  if (isDepth(*a) || isDepth(*b))
    return Error{Outcome::kUnsupported, "an image of depths, which is no storage image", fmt::format("--then 'copy {} {}'", from, to), ""};
  const Format words = wordFormat(bytesOf(*a));
  if (a->levels > 1 || b->levels > 1 || a->samples > 1 || b->samples > 1 || words == Format::UNDEFINED)
    return Error{Outcome::kUnsupported, "an image with several levels or samples, or with texels of another size than 1, 2, 4, 8 or 16",
                 fmt::format("--then 'copy {} {}'", from, to), ""};
  const bool line = a->dimensions == 1;
  Expected<std::shared_ptr<const ShaderModule>> module =
      moduleOf(kImages, {fmt::format("TEXEL={}", formatInfo(words)->glsl), line ? "PLACE=ivec2" : "PLACE=ivec3",
                         line                 ? "IMAGE=uimage1DArray"
                         : a->dimensions == 3 ? "IMAGE=uimage3D"
                                              : "IMAGE=uimage2DArray"});
  if (!module) return module.error();
  d.module = std::move(*module);
  for (Binding& binding : d.bindings) binding.viewFormat = words;
  const std::uint32_t deep = a->dimensions == 3 ? a->extent.z : a->layers;
  d.groups = {groupsFor(a->extent.x, 8), groupsFor(line ? a->layers : a->extent.y, 8), line ? 1 : deep};
  return d;
}

}  // namespace lanewise
