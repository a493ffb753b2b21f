#include "tools/run/resources.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <span>

#include "golden/file.h"
#include "golden/picture_io.h"
#include "tools/run/pictures.h"
#include "tools/run/plan.h"

namespace lanewise {
namespace {

Error bad(const ResourceSet::Entry& e, std::string what, std::string hint = "") {
  return {Outcome::kBadInput, std::move(what), fmt::format("{} {}", resourceKindName(e.binding->kind), e.binding->text()), std::move(hint)};
}

bool isPicture(const std::string& file) {
  std::string ending = std::filesystem::path(file).extension().string();
  std::transform(ending.begin(), ending.end(), ending.begin(), [](unsigned char c) { return std::tolower(c); });
  for (const char* known :
       {".png", ".exr", ".jpg", ".jpeg", ".tif", ".tiff", ".bmp", ".tga", ".hdr", ".pnm", ".ppm", ".pgm", ".webp", ".gif"})
    if (ending == known) return true;
  return false;
}

Expected<std::vector<std::byte>> rawBytes(const char* option, const Source& source) {
  if (source.kind == Source::Kind::kValues) return parseValues(option, source.text);
  const Expected<std::string> text = golden::readWholeFile(source.text);
  if (!text) return text.error();
  const auto bytes = std::as_bytes(std::span(*text));
  return std::vector<std::byte>(bytes.begin(), bytes.end());
}

// What one argument says of a shape laid on what others said.
template <class T>
bool merge(std::optional<T>& into, const std::optional<T>& said) {
  if (!said) return true;
  const bool agrees = !into || *into == *said;
  into = *said;
  return agrees;
}

bool mergeShape(ImageShape& into, const ImageShape& said) {
  into.cube = into.cube || said.cube;
  return merge(into.format, said.format) && merge(into.view, said.view) && merge(into.extent, said.extent) &&
         merge(into.levels, said.levels) && merge(into.layers, said.layers) && merge(into.dimensions, said.dimensions) &&
         merge(into.level, said.level);
}

}  // namespace

ResourceSet::Entry& ResourceSet::at(const InterfaceBinding& binding, const Slot& slot) {
  for (Entry& e : entries_)
    if (e.slot == slot) return e;
  entries_.push_back({slot, &binding, {}, {}, {}});
  return entries_.back();
}

Status ResourceSet::add(const InterfaceBinding& binding, BufferArgument argument) {
  Entry& e = at(binding, argument.slot);
  if (!binding.isBuffer()) return bad(e, "it is no buffer", suggestion(binding));
  if (e.buffer) return bad(e, "--buffer is given twice for it");
  e.buffer = std::move(argument);
  return std::nullopt;
}

Status ResourceSet::add(const InterfaceBinding& binding, ImageArgument argument) {
  Entry& e = at(binding, argument.slot);
  if (!binding.isImage()) return bad(e, "it is no image", suggestion(binding));
  if (e.image) return bad(e, "--image is given twice for it");
  if (argument.source.kind == Source::Kind::kFile && isPicture(argument.source.text)) {
    auto& picture = pictures_[argument.source.text];
    if (!picture) {
      Expected<golden::Image> read = golden::readImage(argument.source.text);
      if (!read) return read.error();
      picture = std::move(*read);
    }
  }
  e.image = std::move(argument);
  return std::nullopt;
}

Status ResourceSet::add(const InterfaceBinding& binding, OutArgument argument) {
  Entry& e = at(binding, argument.slot);
  if (!binding.isBuffer() && !binding.isImage()) return bad(e, "it has no bytes to write");
  if (binding.isBuffer() && argument.shape.any()) return bad(e, "a buffer has no extent and no format", suggestion(binding));
  e.outs.push_back(std::move(argument));
  return std::nullopt;
}

const ResourceSet::Entry* ResourceSet::find(const std::string& resource) const {
  for (const Entry& e : entries_)
    if (e.slot.text() == resource) return &e;
  return nullptr;
}

Status ResourceSet::missing() const {
  std::string what, hint;
  std::size_t count = 0;
  for (const InterfaceBinding& b : entry_.bindings) {
    if (b.kind == ResourceKind::kOther) return Error{Outcome::kUnsupported, "a binding of this type is not supported", b.text(), ""};
    if (std::any_of(entries_.begin(), entries_.end(), [&](const Entry& e) { return e.binding == &b; })) continue;
    ++count;
    what += fmt::format("{}{} {}", what.empty() ? "" : ", ", resourceKindName(b.kind), b.text());
    hint += "\n  " + suggestion(b);
  }
  if (count == 0) return std::nullopt;
  return Error{Outcome::kBadInput, fmt::format("nothing is given for {}", what), fmt::format("entry point '{}'", entry_.name),
               "add" + hint};
}

std::byte ResourceSet::startOf(const Entry& e) const {
  for (const OutArgument& out : e.outs)
    if (out.start) return *out.start;
  return zero_ ? std::byte{0} : kPoisonByte;
}

Binding ResourceSet::bindingOf(const Entry& e, std::string resource) const {
  Binding b;
  b.set = e.slot.set;
  b.binding = e.slot.binding;
  b.element = e.slot.element;
  b.resource = std::move(resource);
  if (e.binding->isImage()) {
    ImageShape shape = e.image ? e.image->shape : ImageShape{};
    for (const OutArgument& out : e.outs) mergeShape(shape, out.shape);
    b.viewFormat = shape.view.value_or(Format::UNDEFINED);
    b.baseLevel = shape.level.value_or(0);
  }
  return b;
}

Status ResourceSet::bindSame(const Entry& e, Job& job) const {
  const Slot& same = e.buffer ? e.buffer->source.same : e.image->source.same;
  const auto found = std::find_if(job.resources.begin(), job.resources.end(), [&](const Resource& r) { return r.name == same.text(); });
  if (found == job.resources.end())
    return bad(e, fmt::format("nothing is given for {} itself", same.text()), "same: names a binding with data of its own");
  if (!e.outs.empty()) return bad(e, "its bytes are those of " + same.text(), "--out " + same.text());
  found->output = found->output || e.binding->writable();
  job.dispatches[0].bindings.push_back(bindingOf(e, same.text()));
  return std::nullopt;
}

Status ResourceSet::build(Job& job) {
  if (Status wrong = missing()) return wrong;
  std::sort(entries_.begin(), entries_.end(), [](const Entry& a, const Entry& b) {
    return std::tuple(a.slot.set, a.slot.binding, a.slot.element) < std::tuple(b.slot.set, b.slot.binding, b.slot.element);
  });
  const auto isSame = [](const Entry& e) {
    return (e.buffer && e.buffer->source.kind == Source::Kind::kSame) || (e.image && e.image->source.kind == Source::Kind::kSame);
  };
  for (const bool given : {true, false})  // images that are given first: they decide the extent of those that are not
    for (Entry& e : entries_) {
      const bool isGiven = e.image || e.buffer;
      if (isSame(e) || isGiven != given) continue;
      Expected<Resource> resource = e.binding->isBuffer() ? makeBuffer(e) : makeImage(e);
      if (!resource) return resource.error();
      resource->name = e.slot.text();
      resource->output = e.binding->writable() || !e.outs.empty();
      if (const auto* image = std::get_if<ImageData>(&resource->data); image && given) {
        inputExtentsDiffer_ = inputExtentsDiffer_ || (inputExtent_ && *inputExtent_ != image->extent);
        inputExtent_ = image->extent;
      }
      job.dispatches[0].bindings.push_back(bindingOf(e, resource->name));
      job.resources.push_back(std::move(*resource));
    }
  for (const Entry& e : entries_)
    if (isSame(e))
      if (Status wrong = bindSame(e, job)) return wrong;
  return std::nullopt;
}

Expected<Resource> ResourceSet::makeBuffer(const Entry& e) {
  Resource r;
  std::optional<std::uint64_t> bytes;
  if (e.buffer && e.buffer->bytes) bytes = *e.buffer->bytes;
  for (const OutArgument& out : e.outs)
    if (!merge(bytes, out.bytes)) return bad(e, "two different numbers of bytes are given for it");
  const std::uint64_t block = blockBytes(*e.binding->type);
  BufferData data;
  if (e.buffer) {
    Expected<std::vector<std::byte>> given = rawBytes("--buffer", e.buffer->source);
    if (!given) return given.error();
    if (bytes && given->size() > *bytes)
      return bad(e, fmt::format("{} bytes are given, more than the {} asked for", given->size(), *bytes));
    data.bytes = std::move(*given);
    if (bytes) data.bytes.resize(*bytes);
    if (data.bytes.size() < block)
      notes_.push_back(fmt::format("{} has {} bytes, the module declares {}", e.binding->text(), data.bytes.size(), block));
  } else {
    if (!bytes && runtimeStride(*e.binding->type) != 0) return bad(e, "how many bytes?", suggestion(*e.binding));
    data.bytes.assign(bytes.value_or(block), startOf(e));
    r.undefined = startOf(e) == kPoisonByte;
  }
  if (data.bytes.empty()) return bad(e, "a buffer without bytes", suggestion(*e.binding));
  r.data = std::move(data);
  return r;
}

Expected<ImageShape> ResourceSet::shapeOf(const Entry& e, const golden::Image* picture) const {
  const Type& type = *e.binding->type;
  ImageShape s = e.image ? e.image->shape : ImageShape{};
  for (const OutArgument& out : e.outs) {
    if (!mergeShape(s, out.shape)) return bad(e, "its arguments contradict one another");
    if (type.dim == spv::Dim::Dim1D && out.bytes && !s.extent) s.extent = Extent3{static_cast<std::uint32_t>(*out.bytes), 1, 1};
  }
  if (!s.format)
    if (const Format declared = formatBySpirv(type.imageFormat); declared != Format::UNDEFINED) s.format = s.view ? *s.view : declared;
  if (!s.format && picture) s.format = formatOfPicture(*picture, type.element && !isFloat(type.element->scalar));
  if (!s.format) return bad(e, "which format?", suggestion(*e.binding));
  if (!s.extent && picture) s.extent = Extent3{picture->extent.width, picture->extent.height, 1};
  if (!s.extent && !e.image && inputExtent_ && !inputExtentsDiffer_) s.extent = inputExtent_;
  if (!s.extent) return bad(e, "which extent?", suggestion(*e.binding));
  if (!s.dimensions) s.dimensions = type.dim == spv::Dim::Dim1D ? 1 : type.dim == spv::Dim::Dim3D ? 3 : 2;
  if (*s.dimensions != 3 && s.extent->z > 1 && !s.layers) s.layers = std::exchange(s.extent->z, 1);
  if (*s.dimensions == 1 && s.extent->y > 1 && !s.layers) s.layers = std::exchange(s.extent->y, 1);
  if (!s.layers) s.layers = s.cube || type.dim == spv::Dim::Cube ? 6 : 1;
  if (!s.levels) s.levels = picture ? picture->levels : 1;
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
  const Extent3 x = image.extent;
  const std::uint32_t most = 32 - static_cast<std::uint32_t>(std::countl_zero(std::max({x.x, x.y, x.z})));
  if (image.levels > most) return bad(e, fmt::format("an image of {}x{}x{} has at most {} levels", x.x, x.y, x.z, most));
  if (double(x.x) * x.y * x.z * image.layers * formatInfo(image.format)->texelBytes > 4e9) return bad(e, "an image of more than 4 GB");
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
    if (image->layers > 1 || image->extent.z > 1)
      return bad(e, "a picture fills one layer or slice", "give raw texels: --image WHERE=FILE.bin:FORMAT:EXTENT:layers=N");
    std::vector<std::string> notes;
    if (Status wrong = pictureToImage(*picture, *image, notes)) return bad(e, wrong->what, e.image->source.text);
    for (const std::string& note : notes) notes_.push_back(e.image->source.text + ": " + note);
  } else if (e.image && !filled) {
    Expected<std::vector<std::byte>> bytes = rawBytes("--image", e.image->source);
    if (!bytes) return bytes.error();
    if (bytes->size() != image->bytes.size())
      return bad(e, fmt::format("{} bytes are given where {}x{}x{} texels of {}, {} levels, {} layers take {}", bytes->size(),
                                image->extent.x, image->extent.y, image->extent.z, formatInfo(image->format)->name, image->levels,
                                image->layers, image->bytes.size()));
    image->bytes = std::move(*bytes);
  }
  r.data = std::move(*image);
  return r;
}

std::string suggestion(const InterfaceBinding& b) {
  const std::string where = fmt::format("{}:{}", b.set, b.binding);
  const std::string element = b.array ? ":ELEMENT" : "";
  if (b.isBuffer()) {
    const std::uint32_t stride = runtimeStride(*b.type);
    std::string size = blockText(*b.type);
    if (stride != 0) size = fmt::format("{} bytes and {} for each element of {}", blockBytes(*b.type), stride, b.type->members.back().name);
    if (!b.writable()) return fmt::format("--buffer {}{}=FILE   ({})", where, element, size);
    return fmt::format("--buffer {}{}=FILE or --out {}{}=FILE:BYTES   ({})", where, element, where, element, size);
  }
  if (!b.isImage()) return fmt::format("{} {} is not supported", resourceKindName(b.kind), where);
  const FormatInfo* format = formatInfo(formatBySpirv(b.type->imageFormat));
  const std::string name = format ? std::string(format->glsl.empty() ? format->name : format->glsl) : "FORMAT";
  const std::string image = fmt::format("--image {}{}=PICTURE:{}", where, element, name);
  return b.writable() ? fmt::format("{} or --out {}{}=FILE:WIDTHxHEIGHT:{}", image, where, element, name) : image;
}

}  // namespace lanewise
