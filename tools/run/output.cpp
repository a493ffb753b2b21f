#include "tools/run/output.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <span>

#include "golden/pictures/picture_io.h"
#include "model/base/file.h"
#include "tools/run/pictures.h"
#include "tools/run/type_text.h"
#include "tools/run/typed_image.h"

namespace lanewise {
namespace {

std::vector<std::string> typedValues(ValueType type, std::span<const std::byte> bytes) {
  std::vector<std::string> out;
  for (std::size_t at = 0; at + type.bytes <= bytes.size(); at += type.bytes)
    out.push_back(valueText(type, valueBits(type, bytes.data() + at)));
  return out;
}

// "name = value" for each scalar of a block. Bytes of no member are left out.
std::string layoutText(const Type& block, std::span<const std::byte> bytes) {
  std::string out;
  for (std::uint64_t at = 0; at < bytes.size();) {
    const std::optional<LeafAt> leaf = leafAt(block, at);
    if (!leaf || leaf->offset != at || at + typeOf(*leaf).bytes > bytes.size()) {
      ++at;
      continue;
    }
    out += fmt::format("{} = {}\n", leaf->path, valueText(typeOf(*leaf), valueBits(typeOf(*leaf), bytes.data() + at)));
    at += typeOf(*leaf).bytes;
  }
  return out;
}

// One line per row of texels, and a blank line between slices, layers and levels.
std::string imageText(const ImageData& image) {
  const FormatInfo& format = *formatInfo(image.format);
  const std::byte* texel = image.bytes.data();
  std::string out;
  for (std::uint32_t level = 0; level < image.levels; ++level) {
    const Extent3 e = image.levelExtent(level);
    for (std::uint32_t slice = 0; slice < e.z * image.layers; ++slice) {
      if (level + slice != 0) out += '\n';
      for (std::uint32_t y = 0; y < e.y; ++y) {
        for (std::uint32_t x = 0; x < e.x; ++x, texel += format.texelBytes) out += (x ? "  " : "") + texelText(format, texel);
        out += '\n';
      }
    }
  }
  return out;
}

std::string listText(const std::vector<std::string>& values, std::size_t aLine) {
  std::string out;
  for (std::size_t i = 0; i < values.size(); ++i) out += values[i] + ((i + 1) % aLine == 0 || i + 1 == values.size() ? '\n' : ' ');
  return out;
}

bool isNumber(const std::string& text) {
  return text.find_first_not_of("-+.0123456789e") == std::string::npos;
}

std::string jsonText(const RunOutput& output, const OutArgument& file, const Resource& resource) {
  std::string out = fmt::format("{{\"binding\":\"{}\",", output.slot.text());
  if (const auto* image = std::get_if<ImageData>(&resource.data))
    out += fmt::format("\"format\":\"{}\",\"extent\":[{},{},{}],\"levels\":{},\"layers\":{},", formatInfo(image->format)->name,
                       image->extent.x, image->extent.y, image->extent.z, image->levels, image->layers);
  out += "\"values\":[";
  const char* comma = "";
  for (const std::string& value : outputValues(output, file.type, resource)) {
    out += isNumber(value) ? comma + value : fmt::format("{}\"{}\"", comma, value);
    comma = ",";
  }
  return out + "]}\n";
}

}  // namespace

std::vector<std::string> outputValues(const RunOutput& output, std::optional<ValueType> type, const Resource& resource) {
  const std::span<const std::byte> bytes = resource.bytes();
  const auto* image = std::get_if<ImageData>(&resource.data);
  if (type) return typedValues(*type, bytes);
  if (!image && output.texels == Format::UNDEFINED)
    return typedValues(uniformType(*output.binding->type, bytes.size()).value_or(ValueType{}), bytes);
  const FormatInfo& format = *formatInfo(image ? image->format : output.texels);
  std::vector<std::string> out;
  for (std::size_t at = 0; at + format.texelBytes <= bytes.size(); at += format.texelBytes) {
    const std::string texel = texelText(format, bytes.data() + at);
    for (std::size_t from = 0; from <= texel.size();) {
      const std::size_t space = std::min(texel.find(' ', from), texel.size());
      out.push_back(texel.substr(from, space - from));
      from = space + 1;
    }
  }
  return out;
}

Expected<std::string> outputText(const RunOutput& output, const OutArgument& file, const Resource& resource) {
  const std::span<const std::byte> bytes = resource.bytes();
  const std::string ending = endingOf(file.file);
  if (ending == ".json") return jsonText(output, file, resource);
  if (ending != ".txt" && file.file != kTerminal) return std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  const auto* image = std::get_if<ImageData>(&resource.data);
  if (file.type) return listText(typedValues(*file.type, bytes), image ? image->extent.x : 16);
  if (image) return imageText(*image);
  if (output.texels != Format::UNDEFINED) return listText(outputValues(output, {}, resource), 4 * formatInfo(output.texels)->components);
  const Type& block = *output.binding->type;
  if (block.members.empty()) return listText(outputValues(output, {}, resource), 16);
  if (const auto type = uniformType(block, bytes.size())) return listText(typedValues(*type, bytes), 16);
  return layoutText(block, bytes);
}

Status writeOutput(const RunOutput& output, const OutArgument& file, const std::string& name, const Resource& resource) {
  const std::string ending = endingOf(file.file);
  const auto at = [&](Error error) {
    if (error.where.empty()) error.where = fmt::format("--out {}", output.slot.text());
    return error;
  };
  if (isPictureFile(file.file)) {
    const auto* image = std::get_if<ImageData>(&resource.data);
    if (!image)
      return Error{Outcome::kBadInput, fmt::format("a buffer is no picture: '{}'", name), fmt::format("--out {}", output.slot.text()),
                   "write it as .bin, .txt or .json"};
    const Expected<golden::Image> picture = imageToPicture(*image, ending == ".exr");
    if (!picture) return at(picture.error());
    const Status bad = golden::writeImage(name, *picture);
    return bad ? Status(at(*bad)) : std::nullopt;
  }
  const Expected<std::string> text = outputText(output, file, resource);
  if (!text) return text.error();
  return writeTextFile(name, *text);
}

std::string shapeText(const Resource& resource) {
  const auto* image = std::get_if<ImageData>(&resource.data);
  if (!image) return fmt::format("{} bytes", resource.bytes().size());
  std::string out = fmt::format("{}x{}", image->extent.x, image->extent.y);
  if (image->extent.z > 1) out += fmt::format("x{}", image->extent.z);
  out += fmt::format(" {}", formatInfo(image->format)->name);
  if (image->levels > 1) out += fmt::format(", {} levels", image->levels);
  if (image->layers > 1) out += fmt::format(", {} layers", image->layers);
  return out;
}

}  // namespace lanewise
