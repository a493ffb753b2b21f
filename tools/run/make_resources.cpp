// The bytes that resources start with: from files, pictures or values; for outputs the bytes before a run. See resources.h.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <span>
#include <utility>

#include "model/base/file.h"
#include "tools/run/pictures.h"
#include "tools/run/resources.h"

namespace lanewise {
namespace {

// Adds what one argument says to what others said; false where they contradict each other.
template <class T>
bool merge(std::optional<T>& into, const std::optional<T>& said) {
  if (!said) return true;
  const bool agrees = !into || *into == *said;
  into = *said;
  return agrees;
}

// Of a buffer whose size nobody says.
constexpr std::uint64_t kMostInvocations = 1u << 24;

}  // namespace

bool mergeShape(ImageShape& into, const ImageShape& said) {
  into.cube = into.cube || said.cube;
  bool agrees = merge(into.format, said.format) && merge(into.view, said.view) && merge(into.extent, said.extent);
  using Number = std::optional<std::uint32_t> ImageShape::*;
  for (const Number member : {&ImageShape::levels, &ImageShape::layers, &ImageShape::dimensions, &ImageShape::samples, &ImageShape::level,
                              &ImageShape::viewLevels, &ImageShape::layer, &ImageShape::viewLayers})
    agrees = merge(into.*member, said.*member) && agrees;
  return agrees;
}

std::byte ResourceSet::startOf(const Entry& e) const {
  for (const OutArgument& out : e.outs)
    if (out.start) return *out.start;
  return zero_ ? std::byte{0} : kPoisonByte;
}

Expected<std::vector<std::byte>> ResourceSet::rawBytes(const Entry& e, const Source& source) {
  if (source.kind == Source::Kind::kValues) {
    Expected<ParsedValues> values = parseValues(e.image ? "--image" : "--buffer", source.text);
    if (!values) return values.error();
    if (!values->addresses.empty() && e.image) return e.bad("an image holds no addresses");
    if (!values->addresses.empty()) addresses_[e.slot.text()] = std::move(values->addresses);
    return std::move(values->bytes);
  }
  const Expected<std::string> text = readWholeFile(source.text);
  if (!text) {
    Error wrong = text.error();
    // "0:2" may be meant as a binding.
    const std::string said = e.buffer && e.buffer->bytes ? fmt::format("{}:{}", source.text, *e.buffer->bytes) : source.text;
    if (Expected<Slot> slot = parseSlot("", said))
      if (const auto other = declaredAt(*slot, ""); other && *other != e.binding)
        wrong.hint = fmt::format("same:{} is what {} has", said, said);
    return wrong;
  }
  const auto bytes = std::as_bytes(std::span(*text));
  return std::vector<std::byte>(bytes.begin(), bytes.end());
}

Expected<Resource> ResourceSet::makeBuffer(const Entry& e) {
  Resource r;
  std::optional<std::uint64_t> bytes;
  if (e.buffer && e.buffer->bytes) bytes = *e.buffer->bytes;
  for (const OutArgument& out : e.outs)
    if (!merge(bytes, out.bytes)) return e.bad("two different numbers of bytes are given for it");
  if (bytes && *bytes > std::uint64_t{1} << 32) return e.bad("a buffer of more than 4 GB");
  const std::uint64_t block = laidOutSize(*e.binding->type);
  BufferData data;
  if (e.buffer) {
    Expected<std::vector<std::byte>> given = rawBytes(e, e.buffer->source);
    if (!given) return given.error();
    if (bytes && given->size() > *bytes) return e.bad(fmt::format("{} bytes are given, more than the {} asked for", given->size(), *bytes));
    data.bytes = std::move(*given);
    if (bytes) data.bytes.resize(*bytes);
    if (data.bytes.size() < block)
      notes_.push_back(fmt::format("{} has {} bytes, the module declares {}", e.binding->text(), data.bytes.size(), block));
  } else {
    // An element for each invocation is what most kernels write.
    const std::uint64_t stride = runtimeStride(*e.binding->type);
    if (!bytes && stride != 0 && invocations_ != 0 && invocations_ <= kMostInvocations) {
      bytes = block + stride * invocations_;
      notes_.push_back(fmt::format("nothing says how large {} is: {} bytes, an element for each of the {} invocations", e.binding->text(),
                                   *bytes, invocations_));
    }
    if (!bytes && (runtimeStride(*e.binding->type) != 0 || block == 0)) return e.bad("how many bytes?", suggestion(*e.binding));
    data.bytes.assign(bytes.value_or(block), startOf(e));
    r.undefined = startOf(e) == kPoisonByte;
  }
  if (data.bytes.empty()) return e.bad("a buffer without bytes", suggestion(*e.binding));
  r.data = std::move(data);
  return r;
}

Expected<ImageShape> ResourceSet::shapeOf(const Entry& e, const golden::Image* picture) const {
  const Type& type = *e.binding->type;
  ImageShape s = e.image ? e.image->shape : ImageShape{};
  for (const OutArgument& out : e.outs) {
    if (!mergeShape(s, out.shape)) return e.bad("its arguments contradict each other");
    if (type.dim == spv::Dim::Dim1D && out.bytes && !s.extent) s.extent = Extent3{static_cast<std::uint32_t>(*out.bytes), 1, 1};
  }
  if (!s.format)
    if (const Format declared = formatBySpirv(type.imageFormat); declared != Format::UNDEFINED) s.format = s.view ? *s.view : declared;
  if (!s.format && picture) s.format = formatOfPicture(*picture, type.element && !isFloat(type.element->scalar));
  if (!s.format) return e.bad("which format?", suggestion(*e.binding));
  if (!s.extent && picture) s.extent = Extent3{picture->extent.width, picture->extent.height, 1};
  if (!s.extent && !e.image && inputExtent_ && !inputExtentsDiffer_) s.extent = inputExtent_;
  if (!s.extent) return e.bad("which extent?", suggestion(*e.binding));
  if (!s.dimensions) s.dimensions = type.dim == spv::Dim::Dim1D ? 1 : type.dim == spv::Dim::Dim3D ? 3 : 2;
  if (*s.dimensions != 3 && s.extent->z > 1 && !s.layers) s.layers = std::exchange(s.extent->z, 1);
  if (*s.dimensions == 1 && s.extent->y > 1 && !s.layers) s.layers = std::exchange(s.extent->y, 1);
  if (!s.layers) s.layers = s.cube || type.dim == spv::Dim::Cube ? 6 : 1;
  if (!s.levels) s.levels = picture ? picture->levels : 1;
  if (!s.samples) s.samples = 1;
  return s;
}

Expected<ImageData> ResourceSet::emptyImage(const Entry& e, const golden::Image* picture, std::byte fill) const {
  const Expected<ImageShape> s = shapeOf(e, picture);
  if (!s) return s.error();
  ImageData image;
  image.format = *s->format;
  image.extent = *s->extent;
  image.levels = *s->levels;
  image.layers = *s->layers;
  image.dimensions = *s->dimensions;
  image.samples = *s->samples;
  const Extent3 x = image.extent;
  const auto most = static_cast<std::uint32_t>(std::bit_width(std::max({x.x, x.y, x.z})));
  if (image.levels > most) return e.bad(fmt::format("an image of {}x{}x{} has at most {} levels", x.x, x.y, x.z, most));
  const double texels = double(x.x) * x.y * x.z * image.layers * image.samples;
  if (texels * formatInfo(image.format)->texelBytes > 4e9) return e.bad("an image of more than 4 GB");
  image.bytes.assign(image.levelOffset(image.levels), fill);
  return image;
}

Expected<Resource> ResourceSet::makeImage(const Entry& e) {
  const golden::Image* picture = nullptr;
  if (e.image && e.image->source.kind == Source::Kind::kFile)
    if (const auto it = pictures_.find(e.image->source.text); it != pictures_.end()) picture = &*it->second;
  const bool filled = e.image && e.image->source.kind == Source::Kind::kFill;
  const std::byte fill = filled ? e.image->source.fill : startOf(e);
  Expected<ImageData> image = emptyImage(e, picture, fill);
  if (!image) return image.error();
  Resource r;
  r.undefined = (!e.image || filled) && fill == kPoisonByte;
  if (picture) {
    if (image->layers > 1 || image->extent.z > 1 || image->samples > 1)
      return e.bad("a picture fills one layer or slice", "give raw texels: --image WHERE=FILE.bin:FORMAT:EXTENT:layers=N");
    std::vector<std::string> notes;
    if (Status wrong = pictureToImage(*picture, *image, notes)) return e.bad(wrong->what, e.image->source.text);
    for (const std::string& note : notes) notes_.push_back(fmt::format("{}: {}", e.image->source.text, note));
  } else if (e.image && !filled) {
    Expected<std::vector<std::byte>> bytes = rawBytes(e, e.image->source);
    if (!bytes) return bytes.error();
    if (bytes->size() != image->bytes.size())
      return e.bad(fmt::format("{} bytes are given where {}x{}x{} texels of {}, {} levels, {} layers take {}", bytes->size(),
                               image->extent.x, image->extent.y, image->extent.z, formatInfo(image->format)->name, image->levels,
                               image->layers, image->bytes.size()));
    image->bytes = std::move(*bytes);
  }
  r.data = std::move(*image);
  if (e.binding->kind == DescriptorKind::kCombinedImageSampler && !e.sampler)
    notes_.push_back(fmt::format("no --sampler for {}: nearest, clamp-to-edge", e.binding->text()));
  return r;
}

}  // namespace lanewise
