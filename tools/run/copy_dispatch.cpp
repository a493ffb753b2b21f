// A copy as the dispatch of a small kernel. See then.h.
#include <fmt/format.h>

#include <algorithm>

#include "tools/run/source_text.h"
#include "tools/run/then.h"

namespace lanewise {
namespace {

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

std::uint32_t texelBytesOf(const ImageData& image) {
  return formatInfo(image.format)->texelBytes;
}

// Images of depths are no storage images: they are read as sampled ones, and nothing writes them.
bool isDepth(const ImageData& image) {
  return image.format == Format::D16_UNORM || image.format == Format::D32_SFLOAT;
}

// The text of a kernel that copies. Buffers are arrays of elements of 1, 2 or 4 bytes; images are bound level by level.
std::string headOf(std::uint32_t elementBytes, const char* workgroup) {
  const char* small = elementBytes == 4 ? "" : elementBytes == 2 ? "16bit" : "8bit";
  return "#version 460\n#extension GL_EXT_samplerless_texture_functions : require\n" +
         (*small != 0 ? fmt::format("#extension GL_EXT_shader_{}_storage : require\n", small) : "") +
         fmt::format("#define ELEMENT {}\nlayout({}) in;\n",
                     elementBytes == 4   ? "uint"
                     : elementBytes == 2 ? "uint16_t"
                                         : "uint8_t",
                     workgroup);
}

constexpr const char* kBufferFrom = "layout(binding = 0) readonly buffer CopySource { ELEMENT from[]; };\n";
constexpr const char* kBufferTo = "layout(binding = 1) buffer CopyTarget { ELEMENT to[]; };\n";

// The declaration of an image's levels; as "from" it is binding 0.
std::string levelsText(const ImageData& image, const char* name) {
  const bool isFrom = std::string_view(name) == "from";
  const char* shape = image.dimensions == 1 ? "1DArray" : image.dimensions == 3 ? "3D" : image.samples > 1 ? "2DMSArray" : "2DArray";
  if (isDepth(image)) return fmt::format("layout(binding = 0) uniform texture{} from;\n", shape);
  return fmt::format("layout(binding = {}, {}) {} uniform uimage{} {}{};\n", isFrom ? 0 : 1,
                     formatInfo(wordFormat(texelBytesOf(image)))->glsl, isFrom ? "readonly" : "writeonly", shape, name,
                     image.levels > 1 ? fmt::format("[{}]", image.levels) : "");
}

// What is done for each texel of each level and sample: `body` has {0} for the level's index "[2]", {1} for ", 3" of a sample, {2} for the
// number of the first element before the texel, {3} for the level's or the sample's number.
std::string eachTexel(const ImageData& image, const char* sized, std::uint32_t elementBytes, const char* body) {
  const char* place = image.dimensions == 1 ? "ivec2" : "ivec3";
  std::string out = fmt::format("void main() {{\n  {0} at = {0}(gl_GlobalInvocationID), size;\n", place);
  const std::uint32_t elements = texelBytesOf(image) / elementBytes;
  for (std::uint32_t level = 0; level < image.levels; ++level) {
    const std::string index = image.levels > 1 ? fmt::format("[{}]", level) : "";
    const std::string of = !isDepth(image)     ? fmt::format("imageSize({}{})", sized, index)
                           : image.samples > 1 ? fmt::format("textureSize({})", sized)
                                               : fmt::format("textureSize({}, {})", sized, level);
    out += fmt::format("  size = {};\n  if (all(lessThan(at, size))) {{\n", of);
    for (std::uint32_t sample = 0; sample < image.samples; ++sample) {
      const std::string row = image.dimensions == 1 ? "at.y" : fmt::format("((at.z * {} + {}) * size.y + at.y)", image.samples, sample);
      const std::string first = fmt::format("{} + ({} * size.x + at.x) * {}", image.levelOffset(level) / elementBytes, row, elements);
      out += "    " +
             fmt::format(fmt::runtime(body), index, image.samples > 1 ? fmt::format(", {}", sample) : "", first,
                         image.samples > 1 ? sample : level) +
             "\n";
    }
    out += "  }\n";
  }
  return out + "}\n";
}

// The texel of an image as a uvec4 of its bits, for `body` of eachTexel().
std::string loaded(const ImageData& image) {
  if (!isDepth(image)) return "imageLoad(from{0}, at{1})";
  const bool codes = image.format == Format::D16_UNORM;
  return codes ? "uvec4(round(texelFetch(from, at, {3}).r * 65535.0), 0, 0, 0)"
               : "uvec4(floatBitsToUint(texelFetch(from, at, {3}).r), 0, 0, 0)";
}

// "uvec4(from[i], from[i + 1], 0, 0)", and what puts a texel there.
std::string gathered(std::uint32_t elements) {
  std::string out = "uvec4(";
  for (std::uint32_t i = 0; i < 4; ++i) out += (i == 0 ? "" : ", ") + (i < elements ? fmt::format("from[i + {}]", i) : "0");
  return out + ")";
}
std::string scattered(std::uint32_t elements) {
  std::string out;
  for (std::uint32_t i = 0; i < elements; ++i) out += fmt::format(" to[i + {}] = ELEMENT(texel[{}]);", i, i);
  return out;
}

Expected<Dispatch> dispatchOf(std::string text, const std::string& from, const std::string& to) {
  Expected<std::vector<std::uint32_t>> words = compileText({.file = "copy", .text = std::move(text)}, {});
  if (!words) return words.error();
  Dispatch d;
  d.module = std::make_shared<const ShaderModule>(ShaderModule{"copy", std::move(*words)});
  d.bindings.resize(2);
  d.bindings[0].resource = from;
  d.bindings[1].resource = to;
  d.bindings[1].binding = 1;
  return d;
}

std::uint32_t groupsFor(std::uint64_t count, std::uint32_t size) {
  return static_cast<std::uint32_t>((count + size - 1) / size);
}

constexpr std::uint32_t kWidest = 65535;  // maxComputeWorkGroupCount is at least that

Expected<Dispatch> copyBuffer(const std::string& from, const std::string& to, std::size_t bytes) {
  const std::uint32_t element = bytes % 4 == 0 ? 4 : bytes % 2 == 0 ? 2 : 1;
  Expected<Dispatch> d = dispatchOf(headOf(element, "local_size_x = 64") + kBufferFrom + kBufferTo + R"(
void main() {
  uint at = (gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x) * 64 + gl_LocalInvocationID.x;
  if (at < from.length()) to[at] = from[at];
}
)",
                                    from, to);
  if (!d) return d;
  const std::uint32_t groups = groupsFor(bytes / element, 64);
  d->groups = {std::min(groups, kWidest), groupsFor(groups, kWidest), 1};
  return d;
}

// Binds a view of each level, of depths one of all, and dispatches an invocation for each texel of level 0.
void bindImage(Dispatch& d, std::uint32_t at, const ImageData& image) {
  const Binding whole = *std::ranges::find(d.bindings, at, &Binding::binding);
  if (!isDepth(image)) {
    std::erase_if(d.bindings, [&](const Binding& b) { return b.binding == at; });
    for (std::uint32_t level = 0; level < image.levels; ++level) {
      Binding& b = d.bindings.emplace_back(whole);
      b.element = b.baseLevel = level;
      b.levelCount = 1;
      b.viewFormat = wordFormat(texelBytesOf(image));
    }
  }
  const bool line = image.dimensions == 1;
  const std::uint32_t deep = image.dimensions == 3 ? image.extent.z : image.layers;
  d.groups = {groupsFor(image.extent.x, 8), groupsFor(line ? image.layers : image.extent.y, 8), line ? 1 : deep};
}

Status refuseImage(const ImageData& image, bool isTarget, const std::string& from, const std::string& to) {
  const bool depthTarget = isTarget && isDepth(image);
  if (!depthTarget && wordFormat(texelBytesOf(image)) != Format::UNDEFINED) return {};
  return Error{Outcome::kUnsupported,
               depthTarget ? "no dispatch writes an image of depths: Vulkan has no storage images of depth formats"
                           : "an image with texels of another size than 1, 2, 4, 8 or 16",
               fmt::format("--then 'copy {} {}'", from, to),
               depthTarget ? "give it its data with --image; it can be copied into a buffer or an image of colours" : ""};
}

Expected<Dispatch> copyImage(const std::string& from, const std::string& to, const ImageData& a, const ImageData& b) {
  if (a.extent != b.extent || a.layers != b.layers || a.dimensions != b.dimensions || a.levels != b.levels || a.samples != b.samples ||
      texelBytesOf(a) != texelBytesOf(b))
    return badCopy(from, to, "the images have different shapes",
                   "extent, levels, layers, samples, dimensions and the size of a texel have to be equal");
  Expected<Dispatch> d = dispatchOf(headOf(4, "local_size_x = 8, local_size_y = 8") + levelsText(a, "from") + levelsText(b, "to") +
                                        eachTexel(a, "from", 1, ("imageStore(to{0}, at{1}, " + loaded(a) + ");").c_str()),
                                    from, to);
  if (!d) return d;
  bindImage(*d, 0, a);
  bindImage(*d, 1, b);
  std::ranges::sort(d->bindings, {}, &Binding::binding);
  return d;
}

// Between a buffer and all texels of an image, in the order of its bytes. `toImage`: the buffer is what is copied.
Expected<Dispatch> copyTexels(const std::string& from, const std::string& to, const ImageData& image, bool toImage) {
  const std::uint32_t element = std::min(texelBytesOf(image), 4u), elements = texelBytesOf(image) / element;
  const std::string body = toImage ? "{{ int i = {2}; imageStore(to{0}, at{1}, " + gathered(elements) + "); }}"
                                   : "{{ int i = {2}; uvec4 texel = " + loaded(image) + ";" + scattered(elements) + " }}";
  const std::string text = headOf(element, "local_size_x = 8, local_size_y = 8") +
                           (toImage ? kBufferFrom + levelsText(image, "to") : levelsText(image, "from") + kBufferTo) +
                           eachTexel(image, toImage ? "to" : "from", element, body.c_str());
  Expected<Dispatch> d = dispatchOf(text, from, to);
  if (!d) return d;
  bindImage(*d, toImage ? 1 : 0, image);
  std::ranges::sort(d->bindings, {}, &Binding::binding);
  return d;
}

}  // namespace

Expected<Dispatch> copyDispatch(const Job& job, const std::string& from, const std::string& to) {
  const Resource& source = job.resources[resourceNamed(job.resources, from)];
  const Resource& target = job.resources[resourceNamed(job.resources, to)];
  if (from == to) return badCopy(from, to, "both are one resource");
  const auto *a = std::get_if<ImageData>(&source.data), *b = std::get_if<ImageData>(&target.data);
  const std::size_t bytes = source.bytes().size(), room = target.bytes().size();
  for (const ImageData* image : {a, b})
    if (image != nullptr)
      if (Status bad = refuseImage(*image, image == b, from, to)) return *bad;
  if (a != nullptr && b != nullptr) return copyImage(from, to, *a, *b);
  if (b == nullptr && bytes > room) return badCopy(from, to, fmt::format("{} bytes do not fit into {}", bytes, room));
  if (b != nullptr && bytes < room) return badCopy(from, to, fmt::format("the image has {} bytes, and the buffer only {}", room, bytes));
  if (a == nullptr && b == nullptr) return copyBuffer(from, to, bytes);
  return copyTexels(from, to, a != nullptr ? *a : *b, b != nullptr);
}

}  // namespace lanewise
