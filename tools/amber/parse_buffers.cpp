// BUFFER, IMAGE and SAMPLER.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <filesystem>
#include <sstream>

#include "golden/pictures/picture_io.h"
#include "model/base/file.h"
#include "tools/amber/parser.h"
#include "tools/run/pictures.h"

namespace lanewise::amber {
namespace {

// Of one layer, all levels.
std::uint64_t bytesOf(const Buffer& b) {
  ImageData image;
  image.format = b.layout.format;
  image.extent = b.extent;
  image.levels = b.levels;
  image.dimensions = b.dimensions;
  image.samples = b.samples;
  return image.levelOffset(b.levels);
}

}  // namespace

// BUFFER name DATA_TYPE type ... or FORMAT format ...; IMAGE name the same. The words after it come in any order, the content last.
Status Parser::buffer(const Token& command, bool image) {
  const Expected<Token> name = word(fmt::format("the name of the {}", image ? "image" : "buffer"));
  if (!name) return name.error();
  if (name->is("DATA_TYPE") || name->is("FORMAT")) return tokens_.bad(name->at, fmt::format("the name of the {} is missing", command.text));
  if (Status bad = newName(*name, buffers_, "buffer")) return bad;
  Buffer b{.name = name->text, .at = name->at, .layout = {}, .isImage = image};
  if (image) b.extent = {0, 0, 0};
  bool typed = false, sized = false;
  if (Status bad = typeOf(b, typed)) return bad;
  while (!tokens_.peek().endsLine()) {
    const Token w = tokens_.next();
    if (w.is("DATA") || w.is("FILL") || w.is("SERIES_FROM") || w.is("FILE")) {
      if (Status bad = content(b, w, sized)) return bad;
      sized = true;
      break;
    }
    if (Status bad = shapeOf(b, w, sized)) return bad;
  }
  if (!sized && !typed && !image) {
    b.isImage = b.byFramebuffer = true;
  } else if (!sized && !image) {
    return tokens_.bad(name->at, fmt::format("nothing says how large '{}' is", b.name), "SIZE, or DATA ... END");
  } else if (b.bytes.empty() && b.isImage) {
    if (Status bad = sizeOf(b, 0, name->at)) return bad;
  }
  return finish(std::move(b));
}

// `typed`: by DATA_TYPE.
Status Parser::typeOf(Buffer& b, bool& typed) {
  const Token how = tokens_.peek();
  typed = tokens_.take("DATA_TYPE");
  if (!typed && !tokens_.take("FORMAT")) return tokens_.unexpected("DATA_TYPE or FORMAT");
  const Expected<Token> name = word(typed ? "a type" : "a format");
  if (!name) return name.error();
  const std::optional<DataType> type = dataTypeNamed(name->text, structures_);
  const bool isFormat = type && type->kind == DataType::Kind::kFormat;
  if (!type || (!typed && !isFormat)) {
    // Vulkan has more formats than are known here.
    const bool looksLikeOne =
        name->text.size() > 3 &&
        std::ranges::all_of(name->text, [](char c) { return (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_'; }) &&
        name->text.find('_') != std::string::npos;
    if (looksLikeOne) return tokens_.unsupported(name->at, fmt::format("the format {} is not among those that are known here", name->text));
    return tokens_.bad(name->at, fmt::format("there is no {} '{}'", typed ? "type" : "format", name->text));
  }
  const bool std140 = tokens_.take("STD140");
  if (!std140) tokens_.take("STD430");
  std::optional<Layout> layout = layoutOf(*type, std140);
  if (!layout) return tokens_.bad(name->at, fmt::format("an element of '{}' has too many numbers", name->text));
  b.layout = std::move(*layout);
  if (b.isImage && b.layout.format == Format::UNDEFINED) return tokens_.bad(name->at, fmt::format("'{}' is no type of texels", name->text));
  return {};
}

Status Parser::shapeOf(Buffer& b, const Token& w, bool& sized) {
  if (w.is("DIM_1D") || w.is("DIM_2D") || w.is("DIM_3D")) {
    if (!b.isImage) return tokens_.bad(w.at, "only an IMAGE has dimensions");
    b.dimensions = static_cast<std::uint32_t>(w.text[4] - '0');
    return {};
  }
  if (w.is("SIZE")) {
    const Expected<std::uint64_t> elements = integer<std::uint64_t>("a number of elements", kMostBytes);
    if (!elements) return elements.error();
    if (*elements == 0) return tokens_.bad(w.at, "a buffer without elements");
    sized = true;
    return sizeOf(b, *elements, w.at);
  }
  struct Number {
    std::string_view name;
    std::uint32_t* into;
    std::uint32_t most;
  };
  const Number numbers[] = {{"WIDTH", &b.extent.x, 1u << 24},
                            {"HEIGHT", &b.extent.y, 1u << 24},
                            {"DEPTH", &b.extent.z, 1u << 24},
                            {"MIP_LEVELS", &b.levels, 25},
                            {"SAMPLES", &b.samples, 64}};
  const auto* row = std::ranges::find(numbers, w.text, &Number::name);
  if (row == std::end(numbers))
    return tokens_.bad(w.at, fmt::format("'{}' says nothing of a buffer", w.text),
                       "SIZE, WIDTH, HEIGHT, DEPTH, MIP_LEVELS, SAMPLES, DATA, FILL, SERIES_FROM or FILE");
  const Token value = tokens_.peek();
  const Expected<std::uint32_t> number = integer("a number above 0", row->most);
  if (!number) return number.error();
  if (*number == 0 || (row->into == &b.samples && !std::has_single_bit(*number)))
    return tokens_.bad(value.at, fmt::format("{} cannot be {}", w.text, *number));
  *row->into = *number;
  if (w.is("WIDTH")) {
    if (!b.isImage && b.layout.format == Format::UNDEFINED) return tokens_.bad(w.at, "a buffer of this type has no width", "SIZE");
    b.isImage = sized = true;
  }
  return {};
}

// Makes the bytes: zeros. `elements`: of what is no image.
Status Parser::sizeOf(Buffer& b, std::uint64_t elements, Place at) {
  std::uint64_t size = 0;
  if (b.isImage) {
    if (b.dimensions == 1) b.extent.y = b.extent.z = 1;
    if (b.dimensions == 2) b.extent.z = 1;
    const Extent3 x = b.extent;
    if (x.x == 0 || x.y == 0 || x.z == 0)
      return tokens_.bad(at, fmt::format("nothing says the {} of the image", x.x == 0 ? "WIDTH" : x.y == 0 ? "HEIGHT" : "DEPTH"));
    if (b.levels > static_cast<std::uint32_t>(std::bit_width(std::max({x.x, x.y, x.z}))))
      return tokens_.bad(at, fmt::format("an image of {}x{}x{} has no {} levels", x.x, x.y, x.z, b.levels));
    if (b.samples > 1 && (b.dimensions != 2 || b.levels > 1)) return tokens_.bad(at, "several samples need DIM_2D and one level");
    if (double(x.x) * x.y * x.z * b.samples * static_cast<double>(b.layout.stride) > double(kMostBytes)) size = kMostBytes + 1;
    if (size == 0) size = bytesOf(b);
  } else {
    if (elements > kMostBytes / b.layout.stride) size = kMostBytes + 1;
    if (size == 0) size = elements * b.layout.stride;
  }
  if (size + bytes_ > kMostBytes) return tokens_.bad(at, fmt::format("the buffers of a script have at most {} bytes", kMostBytes));
  b.bytes.assign(size, std::byte{0});
  return {};
}

Status Parser::content(Buffer& b, const Token& w, bool sized) {
  if (b.isImage)
    if (Status bad = sizeOf(b, 0, w.at)) return bad;
  if (w.is("FILE")) return contentOfFile(b, w, sized);
  if (w.is("DATA")) {
    std::vector<Token> values;
    for (tokens_.skipLines(); !tokens_.take("END"); tokens_.skipLines()) {
      if (tokens_.atEnd()) return tokens_.bad(w.at, "DATA without END");
      values.push_back(tokens_.next());
    }
    return numbers(b, values, sized, w.at);
  }
  if (!sized) return tokens_.bad(w.at, fmt::format("{} needs a size", w.text), fmt::format("SIZE n {}", w.text));
  const Expected<Token> first = word("a number");
  if (!first) return first.error();
  Token step;
  if (w.is("SERIES_FROM")) {
    if (Status bad = keyword("INC_BY")) return bad;
    const Expected<Token> by = word("a number");
    if (!by) return by.error();
    step = *by;
  }
  std::vector<std::uint64_t> value, add;
  for (const Field& f : b.layout.fields) {
    const auto bits = bitsOfNumber(first->text, f.kind, f.bits);
    if (!bits) return tokens_.bad(first->at, fmt::format("'{}' is no number of this type", first->text));
    const auto by = step.isWord() ? bitsOfNumber(step.text, f.kind, f.bits) : std::optional<std::uint64_t>(0);
    if (!by) return tokens_.bad(step.at, fmt::format("'{}' is no number of this type", step.text));
    value.push_back(*bits);
    add.push_back(*by);
  }
  const std::uint64_t count = b.isImage ? bytesOf(b) / b.layout.stride : b.elements();
  for (std::uint64_t e = 0, n = 0; e < count; ++e)
    for (std::size_t i = 0; i < b.layout.fields.size(); ++i, ++n) {
      const Field& f = b.layout.fields[i];
      writeField(f, b.bytes.data() + e * b.layout.stride, value[0]);
      if (!step.isWord()) continue;
      if (f.kind == NumberKind::kFloat) {
        // As additions of the type itself.
        const double next = numberOf(f, value[0]) + numberOf(f, add[0]);
        value[0] =
            f.bits == 64 ? std::bit_cast<std::uint64_t>(next) : *bitsOfNumber(fmt::format("{}", static_cast<float>(next)), f.kind, f.bits);
      } else {
        value[0] = f.bits == 64 ? value[0] + add[0] : (value[0] + add[0]) & ((std::uint64_t{1} << f.bits) - 1);
      }
    }
  return {};
}

Status Parser::numbers(Buffer& b, const std::vector<Token>& values, bool sized, Place at) {
  const std::size_t each = b.layout.fields.size();
  if (values.empty() || values.size() % each != 0)
    return tokens_.bad(at, fmt::format("{} values are given; an element has {}", values.size(), each));
  const std::uint64_t given = values.size() / each;
  if (!sized)
    if (Status bad = sizeOf(b, given, at)) return bad;
  const std::uint64_t all = b.bytes.size() / b.layout.stride;
  std::uint64_t levelZero = all;
  if (b.isImage) levelZero = std::uint64_t{b.extent.x} * b.extent.y * b.extent.z * b.samples;
  if (given != all && given != levelZero) return tokens_.bad(at, fmt::format("{} elements are given, the size is {}", given, levelZero));
  for (std::size_t i = 0; i < values.size(); ++i) {
    const Field& f = b.layout.fields[i % each];
    const std::optional<std::uint64_t> bits = bitsOfNumber(values[i].text, f.kind, f.bits);
    if (!bits) return tokens_.bad(values[i].at, fmt::format("'{}' is no number of {} bits of this type", values[i].text, f.bits));
    writeField(f, b.bytes.data() + i / each * b.layout.stride, *bits);
  }
  return {};
}

Status Parser::contentOfFile(Buffer& b, const Token& w, bool sized) {
  const bool binary = tokens_.take("BINARY"), text = !binary && tokens_.take("TEXT");
  if (!binary && !text) tokens_.take("PNG");
  const Expected<Token> name = word("the name of the file");
  if (!name) return name.error();
  const std::string file = (std::filesystem::path(folder_) / name->text).string();
  const auto at = [&](const Error& e) { return Error{e.outcome, e.what, tokens_.where(name->at), e.hint}; };
  if (!binary && !text) {
    const Expected<golden::Image> picture = golden::readImage(file);
    if (!picture) return at(picture.error());
    if (b.layout.format == Format::UNDEFINED) return tokens_.bad(w.at, "a picture fills texels", "FORMAT R8G8B8A8_UNORM");
    b.isImage = true;
    b.extent = {picture->extent.width, picture->extent.height, 1};
    if (Status bad = sizeOf(b, 0, w.at)) return bad;
    ImageData image{.format = b.layout.format, .extent = b.extent, .levels = b.levels, .bytes = b.bytes};
    std::vector<std::string> notes;
    if (Status bad = pictureToImage(*picture, image, notes)) return at(*bad);
    b.bytes = std::move(image.bytes);
    return {};
  }
  const Expected<std::string> all = readWholeFile(file);
  if (!all) return at(all.error());
  if (text) {
    std::vector<Token> values;
    Tokens words(name->text, *all);
    for (words.skipLines(); !words.atEnd(); words.skipLines()) values.push_back({Token::Kind::kWord, words.next().text, name->at});
    // The file says how many elements there are, whatever SIZE says.
    return numbers(b, values, sized && b.isImage, name->at);
  }
  if (!sized) {
    if (all->size() % b.layout.stride != 0 || all->empty())
      return tokens_.bad(name->at, fmt::format("the file has {} bytes; an element has {}", all->size(), b.layout.stride));
    if (Status bad = sizeOf(b, all->size() / b.layout.stride, name->at)) return bad;
  }
  if (all->size() != b.bytes.size())
    return tokens_.bad(name->at, fmt::format("the file has {} bytes, the buffer {}", all->size(), b.bytes.size()));
  std::ranges::copy(std::as_bytes(std::span(*all)), b.bytes.begin());
  return {};
}

Status Parser::finish(Buffer&& b) {
  bytes_ += b.bytes.size();
  buffers_[b.name] = script_.buffers.size();
  script_.buffers.push_back(std::move(b));
  return {};
}

Status Parser::sampler() {
  const Expected<Token> name = word("the name of the sampler");
  if (!name) return name.error();
  if (Status bad = newName(*name, samplers_, "sampler")) return bad;
  Sampler s{.name = name->text, .state = {}};
  s.state.u = s.state.v = s.state.w = AddressMode::kRepeat;
  s.state.maxLod = 1;
  while (!tokens_.peek().endsLine()) {
    const Token w = tokens_.next();
    if (Status bad = samplerWord(w, s.state)) return bad;
  }
  if (s.state.unnormalized) s.state.minLod = s.state.maxLod = 0;
  samplers_[s.name] = script_.samplers.size();
  script_.samplers.push_back(std::move(s));
  return {};
}

Status Parser::samplerWord(const Token& w, SamplerState& s) {
  if (w.is("NORMALIZED_COORDS") || w.is("UNNORMALIZED_COORDS")) {
    s.unnormalized = w.text[0] == 'U';
    return {};
  }
  if (w.is("COMPARE")) {
    const Expected<bool> on = onOrOff();
    if (!on) return on.error();
    s.compare = *on;
    return {};
  }
  const Token value = tokens_.peek();
  if (w.is("MIN_LOD") || w.is("MAX_LOD")) {
    const auto bits = value.isWord() ? bitsOfNumber(value.text, NumberKind::kFloat, 32) : std::nullopt;
    if (!bits) return tokens_.unexpected("a number");
    (w.is("MIN_LOD") ? s.minLod : s.maxLod) = std::bit_cast<float>(static_cast<std::uint32_t>(*bits));
    tokens_.next();
    return {};
  }
  constexpr std::string_view kFilters[] = {"nearest", "linear"};
  constexpr std::string_view kModes[] = {"repeat", "mirrored_repeat", "clamp_to_edge", "clamp_to_border", "mirrored_clamp_to_edge"};
  constexpr std::string_view kCompares[] = {"never", "less", "equal", "less_or_equal", "greater", "not_equal", "greater_or_equal",
                                            "always"};
  constexpr std::string_view kBorders[] = {"float_transparent_black", "int_transparent_black", "float_opaque_black",
                                           "int_opaque_black",        "float_opaque_white",    "int_opaque_white"};
  const auto index = [&](std::span<const std::string_view> names) -> std::optional<std::uint8_t> {
    const auto found = std::ranges::find(names, value.text);
    if (found == names.end()) return {};
    return static_cast<std::uint8_t>(found - names.begin());
  };
  std::optional<std::uint8_t> i;
  if (w.is("MAG_FILTER") || w.is("MIN_FILTER")) {
    i = index(kFilters);
    if (i) (w.is("MAG_FILTER") ? s.mag : s.min) = static_cast<Filter>(*i);
  } else if (w.is("ADDRESS_MODE_U") || w.is("ADDRESS_MODE_V") || w.is("ADDRESS_MODE_W")) {
    i = index(kModes);
    if (i) (w.text.back() == 'U' ? s.u : w.text.back() == 'V' ? s.v : s.w) = static_cast<AddressMode>(*i);
  } else if (w.is("COMPARE_OP")) {
    i = index(kCompares);
    if (i) s.compareOp = static_cast<CompareOp>(*i);
  } else if (w.is("BORDER_COLOR")) {
    i = index(kBorders);
    if (i) {
      s.integerBorder = *i % 2 == 1;
      const std::uint32_t one = s.integerBorder ? 1u : std::bit_cast<std::uint32_t>(1.0f);
      s.border = {*i >= 4 ? one : 0u, *i >= 4 ? one : 0u, *i >= 4 ? one : 0u, *i >= 2 ? one : 0u};
    }
  } else {
    return tokens_.bad(w.at, fmt::format("'{}' says nothing of a sampler", w.text));
  }
  if (!i) return tokens_.unexpected(fmt::format("a value of {}", w.text));
  tokens_.next();
  return {};
}

}  // namespace lanewise::amber
