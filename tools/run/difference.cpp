// The first differences between two runs of one resource. See output.h.
#include <fmt/format.h>

#include <cstring>

#include "tools/run/output.h"
#include "tools/run/pictures.h"
#include "tools/run/type_text.h"

namespace lanewise {
namespace {

// One difference.
struct Differing {
  std::string where, a, b;
};

std::string texelPlace(const ImageData& image, std::size_t byte) {
  const ImageData::Texel t = image.texelAt(byte);
  const std::uint64_t slices = image.levelExtent(t.level).z;
  std::string out = fmt::format("({}, {}", t.x, t.y);
  if (slices > 1) out += fmt::format(", {}", t.z % slices);
  out += ")";
  if (image.layers > 1) out += fmt::format(" layer {}", t.z / slices);
  if (image.levels > 1) out += fmt::format(" level {}", t.level);
  return "texel " + out;
}

Differing texelAt(const ImageData& image, std::size_t texel, const std::vector<std::byte>& a, const std::vector<std::byte>& b) {
  const FormatInfo& format = *formatInfo(image.format);
  const std::size_t at = texel * format.texelBytes;
  return {texelPlace(image, at), texelText(format, a.data() + at), texelText(format, b.data() + at)};
}

// A scalar of its type; a byte where the layout has none.
Differing scalarAt(const Type& block, std::size_t at, std::size_t& bytes, const std::vector<std::byte>& a,
                   const std::vector<std::byte>& b) {
  ValueType type{ValueType::Kind::kUnsigned, 1};
  std::string path;
  std::size_t from = at;
  if (const std::optional<LeafAt> leaf = leafAt(block, at); leaf && leaf->offset + scalarBytes(leaf->scalar) <= a.size()) {
    type = typeOf(*leaf);
    from = leaf->offset;
    path = " " + leaf->path;
  }
  bytes = from + type.bytes - at;
  const auto text = [&](const std::vector<std::byte>& data) {
    const std::uint64_t bits = valueBits(type, data.data() + from);
    return type.kind == ValueType::Kind::kFloat ? fmt::format("{} ({:#x})", valueText(type, bits), bits) : valueText(type, bits);
  };
  return {fmt::format("byte {}{}", from, path), text(a), text(b)};
}

}  // namespace

std::string differenceText(const RunOutput& output, const Resource& a, const std::string& nameA, const Resource& b,
                           const std::string& nameB, std::size_t most) {
  const std::vector<std::byte>&x = a.bytes(), &y = b.bytes();
  if (x == y) return "";
  if (x.size() != y.size()) return fmt::format("{}: {} bytes and {} bytes\n", output.title, x.size(), y.size());
  const auto* image = std::get_if<ImageData>(&a.data);
  const std::size_t texel = image ? formatInfo(image->format)->texelBytes : 0;
  std::string lines;
  std::size_t count = 0;
  for (std::size_t at = 0; at < x.size();) {
    if (x[at] == y[at]) {
      ++at;
      continue;
    }
    std::size_t bytes = texel;
    if (image) {
      at -= at % texel;
      if (count < most) {
        const Differing place = texelAt(*image, at / texel, x, y);
        lines += fmt::format("  {}: {} {}, {} {}\n", place.where, nameA, place.a, nameB, place.b);
      }
    } else {
      const Differing place = scalarAt(*output.binding->type, at, bytes, x, y);
      if (count < most) lines += fmt::format("  {}: {} {}, {} {}\n", place.where, nameA, place.a, nameB, place.b);
    }
    ++count;
    at += bytes;
  }
  if (count > most) lines += fmt::format("  and {} more\n", count - most);
  return fmt::format("{}: {} and {} differ in {} {}{}\n{}", output.title, nameA, nameB, count, image ? "texel" : "value",
                     count == 1 ? "" : "s", lines);
}

}  // namespace lanewise
