#include "model/device.h"

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

Status writeAddress(std::vector<std::byte>& bytes, const Address& where, std::uint64_t address) {
  if (bytes.size() < sizeof address || where.at > bytes.size() - sizeof address)
    return Error{Outcome::kBadInput, "the address of '" + where.resource + "' does not fit at byte " + std::to_string(where.at), "", ""};
  std::memcpy(bytes.data() + where.at, &address, sizeof address);
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
