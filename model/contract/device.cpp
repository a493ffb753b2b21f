#include "model/contract/device.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

namespace lanewise {
namespace {

template <class Data>
Resource undefined(std::string name, Data data, std::size_t bytes) {
  data.bytes.assign(bytes, kPoisonByte);
  Resource resource;
  resource.name = std::move(name);
  resource.data = std::move(data);
  resource.undefined = true;
  resource.output = true;
  return resource;
}

}  // namespace

Extent3 ImageData::levelExtent(std::uint32_t level) const {
  const auto halve = [level](std::uint32_t size) { return level < 32 ? std::max(1u, size >> level) : 1u; };
  return {halve(extent.x), halve(extent.y), halve(extent.z)};
}

std::size_t ImageData::levelOffset(std::uint32_t level) const {
  const FormatInfo* info = formatInfo(format);
  std::size_t texels = 0;
  for (std::uint32_t l = 0; l < level; ++l) {
    const Extent3 e = levelExtent(l);
    texels += std::size_t{e.x} * e.y * e.z * layers * samples;
  }
  return info ? texels * info->texelBytes : 0;
}

ImageData::Texel ImageData::texelAt(std::uint64_t byte) const {
  Texel t;
  while (t.level + 1 < levels && byte >= levelOffset(t.level + 1)) ++t.level;
  const std::uint64_t texel = (byte - levelOffset(t.level)) / formatInfo(format)->texelBytes;
  const Extent3 e = levelExtent(t.level);
  t.x = texel % e.x;
  t.y = texel / e.x % e.y;
  t.z = texel / e.x / e.y;
  return t;
}

std::string placeIn(const Resource& resource, std::uint64_t byte) {
  const auto* image = std::get_if<ImageData>(&resource.data);
  if (!image) return std::to_string(byte);
  const ImageData::Texel t = image->texelAt(byte);
  std::string out = fmt::format("{},{}", t.x, t.y);
  if (t.z != 0) out += fmt::format(",{}", t.z);
  if (t.level != 0) out += fmt::format(" level {}", t.level);
  return out;
}

Status writeAddress(std::vector<std::byte>& bytes, const Address& where, std::uint64_t address) {
  if (bytes.size() < sizeof address || where.at > bytes.size() - sizeof address)
    return Error{Outcome::kBadInput, "the address of '" + where.resource + "' does not fit at byte " + std::to_string(where.at), "", ""};
  std::memcpy(bytes.data() + where.at, &address, sizeof address);
  return {};
}

std::size_t resourceNamed(std::span<const Resource> resources, std::string_view name) {
  return static_cast<std::size_t>(std::ranges::find(resources, name, &Resource::name) - resources.begin());
}

Status checkBlits(const Job& job) {
  std::size_t earliest = 0;
  for (const Blit& b : job.blits) {
    const auto wrong = [&](const char* what) {
      return Error{Outcome::kBadInput, what, "the blit of '" + b.resource + "' from level " + std::to_string(b.from), ""};
    };
    const std::size_t at = resourceNamed(job.resources, b.resource);
    const auto* image = at == job.resources.size() ? nullptr : std::get_if<ImageData>(&job.resources[at].data);
    if (!image) return wrong("there is no image of this name");
    if (b.from >= image->levels || b.to >= image->levels || b.from == b.to) return wrong("a blit needs two levels that the image has");
    if (image->samples > 1) return wrong("images of several samples cannot be scaled");
    const FormatInfo* format = formatInfo(image->format);
    const bool filtered = format && format->numeric != NumericFormat::kUint && format->numeric != NumericFormat::kSint;
    if (!filtered) return wrong("integers are not filtered linearly");
    if (image->format == Format::D16_UNORM || image->format == Format::D32_SFLOAT) return wrong("depths are not filtered linearly");
    if (b.before < earliest || b.before > job.dispatches.size())
      return wrong("it is placed before a dispatch that does not exist, or out of order");
    earliest = b.before;
  }
  return {};
}

std::vector<std::byte>& Resource::bytes() {
  return std::visit([](auto& d) -> std::vector<std::byte>& { return d.bytes; }, data);
}

const std::vector<std::byte>& Resource::bytes() const {
  return std::visit([](const auto& d) -> const std::vector<std::byte>& { return d.bytes; }, data);
}

Resource undefinedImage(std::string name, Format format, Extent3 extent, std::uint32_t levels) {
  ImageData image;
  image.format = format;
  image.extent = extent;
  image.levels = levels;
  const std::size_t bytes = image.levelOffset(levels);
  return undefined(std::move(name), std::move(image), bytes);
}

Resource undefinedBuffer(std::string name, std::size_t bytes) {
  return undefined(std::move(name), BufferData{}, bytes);
}

}  // namespace lanewise
