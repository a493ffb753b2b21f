#include "tools/amber/sections.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>

#include "tools/amber/parser.h"

namespace lanewise::amber {
namespace {

// "uvec3", "mat2x3", "dmat4", "int16_t" as AmberScript names the type.
std::optional<DataType> typeNamed(std::string_view text) {
  constexpr std::pair<std::string_view, const char*> kScalars[] = {{"int", "int32"},         {"uint", "uint32"},     {"int8_t", "int8"},
                                                                   {"uint8_t", "uint8"},     {"int16_t", "int16"},   {"uint16_t", "uint16"},
                                                                   {"int64_t", "int64"},     {"uint64_t", "uint64"}, {"float", "float"},
                                                                   {"float16_t", "float16"}, {"double", "double"}};
  constexpr std::pair<std::string_view, const char*> kPrefixes[] = {
      {"", "float"},    {"d", "double"},   {"i", "int32"},   {"u", "uint32"},   {"i8", "int8"},    {"u8", "uint8"},
      {"i16", "int16"}, {"u16", "uint16"}, {"i64", "int64"}, {"u64", "uint64"}, {"f16", "float16"}};
  for (const auto& [name, amber] : kScalars)
    if (text == name) return dataTypeNamed(amber, {});
  for (const auto& [prefix, amber] : kPrefixes) {
    if (!text.starts_with(prefix)) continue;
    const std::string_view rest = text.substr(prefix.size());
    if (rest.size() == 4 && rest.starts_with("vec")) return dataTypeNamed(fmt::format("vec{}<{}>", rest[3], amber), {});
    if (rest.size() == 4 && rest.starts_with("mat")) return dataTypeNamed(fmt::format("mat{}x{}<{}>", rest[3], rest[3], amber), {});
    if (rest.size() == 6 && rest.starts_with("mat")) return dataTypeNamed(fmt::format("{}<{}>", rest, amber), {});
  }
  return {};
}

// How the values of one command lie in memory: "ssbo layout std140 row_major". VkRunner takes several values for the elements of an array;
// Amber packs the numbers and vectors of `uniform ubo` also in std140, and has no `layout`.
struct Rules {
  bool std140 = false, rowMajor = false, arrays = false;
};

Layout layoutUnder(Rules rules, DataType type) {
  const bool turned = rules.rowMajor && type.columns > 1;
  const std::size_t rows = type.rows, columns = type.columns;
  if (turned) std::swap(type.rows, type.columns);
  Layout out = *layoutOf(type, rules.std140);
  if (rules.std140 && rules.arrays) out.stride = (out.stride + 15) / 16 * 16;
  if (!turned) return out;
  // The values are written by column all the same.
  std::vector<Field> byColumn;
  for (std::size_t c = 0; c < columns; ++c)
    for (std::size_t r = 0; r < rows; ++r) {
      byColumn.push_back(out.fields[r * columns + c]);
      byColumn.back().component = static_cast<std::uint8_t>(r);
    }
  out.fields = std::move(byColumn);
  return out;
}

// "  compute   shader " as "compute shader".
std::string withSingleBlanks(std::string_view text) {
  std::string out;
  bool between = false;
  for (const char c : text) {
    const bool blank = c == ' ' || c == '\t' || c == '\r';
    if (!blank && between && !out.empty()) out += ' ';
    if (!blank) out += c;
    between = blank;
  }
  return out;
}

// The number that "1.2" or "1.2.131" begins with, as 1002.
std::optional<std::uint64_t> versionOf(std::string_view text) {
  std::uint64_t parts[3] = {};
  std::size_t count = 0;
  for (const char *at = text.data(), *const end = at + text.size();; ++at) {
    const auto [next, wrong] = std::from_chars(at, end, parts[count++]);
    if (wrong != std::errc{} || parts[count - 1] > 999) return {};
    if (next == end) return parts[0] * 1000 + parts[1];
    if (*next != '.' || count == std::size(parts)) return {};
    at = next;
  }
}

// A number that is not negative; as data -1 is one too.
std::optional<std::uint64_t> countOf(const std::string& text) {
  return text.starts_with('-') ? std::nullopt : bitsOfNumber(text, NumberKind::kUint, 32);
}

class Sections {
 public:
  Sections(const std::string& file, std::string_view text) : tokens_(file, text) {
    script_.file = file;
    uniformRules_.arrays = file.ends_with(".shader_test");
  }

  Expected<Script> run() {
    for (tokens_.skipLines(); !tokens_.atEnd(); tokens_.skipLines())
      if (Status bad = section()) return *bad;
    return finish();
  }

 private:
  // What a probe expects, until the sizes of the buffers are known.
  struct Probe {
    std::size_t command;
    std::size_t buffer;
    Layout layout;
    Token offset;
    std::vector<Token> values;
  };

  Status section() {
    const Token head = tokens_.peek();
    std::string name = tokens_.restOfLine();
    if (!name.starts_with('[')) return tokens_.bad(head.at, "a section is expected, as [test]; AmberScript begins with #!amber");
    if (const std::size_t comment = name.find('#'); comment != std::string::npos) name.resize(comment);
    name = withSingleBlanks(name);
    if (!name.ends_with(']')) return tokens_.bad(head.at, fmt::format("'{}' has no ']'", name.substr(0, 60)));
    name = withSingleBlanks(std::string_view(name).substr(1, name.size() - 2));
    const std::string first = name.substr(0, name.find(' '));
    if (name == "require") return lines(&Sections::require);
    if (name == "test") return lines(&Sections::test);
    if (first == "compute") return shader(head, name);
    if (name == "comment") {
      Place at;
      tokens_.section(at);
      return {};
    }
    if (foreignTo(first) != nullptr || name == "vertex data")
      return tokens_.unsupported(head.at, fmt::format("[{}] belongs to graphics; only compute shaders are run here", name));
    return tokens_.bad(head.at, fmt::format("there is no section [{}]", name.substr(0, 60)), "[require], [compute shader] or [test]");
  }

  Status shader(const Token& head, const std::string& name) {
    constexpr std::pair<std::string_view, Language> kNames[] = {{"compute shader", Language::kGlsl},
                                                                {"compute shader spirv", Language::kAssembly},
                                                                {"compute shader spirv hex", Language::kHex},
                                                                {"compute shader binary", Language::kHex}};
    const auto* found = std::ranges::find(kNames, name, &std::pair<std::string_view, Language>::first);
    if (found == std::end(kNames)) return tokens_.bad(head.at, fmt::format("there is no section [{}]", name.substr(0, 60)));
    if (!script_.shaders.empty()) return tokens_.bad(head.at, "there is a compute shader already");
    Shader s{.name = "compute", .at = head.at, .language = found->second, .source = script_.file};
    Place at;
    s.text = tokens_.section(at);
    s.line = at.line;
    script_.shaders.push_back(std::move(s));
    Pipeline p{.name = "compute", .at = head.at, .shader = 0, .attachedAt = head.at};
    script_.pipelines.push_back(std::move(p));
    return {};
  }

  Status lines(Status (Sections::*line)()) {
    for (tokens_.skipLines(); !tokens_.atEnd() && !tokens_.peek().text.starts_with('['); tokens_.skipLines()) {
      if (Status bad = (this->*line)()) return bad;
      if (!tokens_.peek().endsLine()) return tokens_.unexpected("the end of the line");
    }
    return {};
  }

  Status require() {
    Token name = tokens_.next();
    if (name.is("fence_timeout")) {
      const Token time = tokens_.next();
      const auto ms = bitsOfNumber(time.text, NumberKind::kUint, 32);
      if (!ms) return tokens_.bad(time.at, "a number of milliseconds is expected");
      script_.timeout = static_cast<double>(*ms) / 1000;
      return {};
    }
    if (name.is("vulkan")) return version();
    if (name.is("GL") || name.is("GLSL") || name.is("SPIRV") || name.text.starts_with("GL_"))
      return tokens_.unsupported(name.at, fmt::format("[require] '{}' asks for OpenGL; only what is for Vulkan is run here", name.text));
    // They say nothing of a compute shader.
    if (name.is("fbsize") || name.is("framebuffer") || name.is("depthstencil")) {
      while (!tokens_.peek().endsLine()) tokens_.next();
      return {};
    }
    // As AmberScript has it: "DEVICE_FEATURE shaderInt64".
    for (const std::string_view word : {"DEVICE_FEATURE", "DEVICE_EXTENSION", "INSTANCE_EXTENSION"})
      if (name.is(word) && tokens_.peek().isWord()) name = tokens_.next();
    using Kind = Requirement::Kind;
    const bool isWord = std::ranges::all_of(name.text, [](char c) { return c == '_' || std::isalnum(static_cast<unsigned char>(c)) != 0; });
    if (isFeature(name.text) || isFeatureOfExtension(name.text)) {
      script_.requirements.push_back({Kind::kFeature, name.text, name.at});
    } else if (isWord) {
      script_.requirements.push_back({Kind::kExtension, name.text, name.at});
    } else {
      const std::string what = fmt::format("[require] knows no '{}'", name.text.substr(0, 60));
      return mayBeFeature(name.text) ? tokens_.unsupported(name.at, what) : tokens_.bad(name.at, what);
    }
    return {};
  }

  Status version() {
    const std::optional<std::uint64_t> version = tokens_.peek().isWord() ? versionOf(tokens_.peek().text) : std::nullopt;
    if (!version) return tokens_.unexpected("a version of Vulkan, as 1.1,");
    const Token number = tokens_.next();
    // Every device here has this one.
    if (*version > 1003)
      return tokens_.unsupported(number.at, fmt::format("the script asks for Vulkan {}; Lanewise uses 1.3", number.text));
    return {};
  }

  Status test() {
    const Token c = tokens_.next();
    if (c.is("compute")) return compute(c);
    if (c.is("ssbo")) return tokens_.take("layout") ? rules(storageRules_) : buffer(BoundAs::kStorage, storageRules_);
    if (c.is("ubo") && tokens_.take("layout")) return rules(uniformRules_);
    if (c.is("ubo")) return buffer(BoundAs::kUniform, {uniformRules_.std140, uniformRules_.rowMajor, true});
    if (c.is("push") && tokens_.take("layout")) return rules(pushRules_);
    if (c.is("uniform") || c.is("push")) return uniform(c);
    if (c.is("probe") && tokens_.peek().is("ssbo")) return probe(c);
    if (c.is("tolerance")) return tolerance();
    if (c.is("probe") || foreignTo(c.text) != nullptr || c.text.ends_with("Enable"))
      return tokens_.unsupported(c.at, fmt::format("'{}' belongs to graphics; only compute shaders are run here", c.text));
    if (c.is("image") || c.is("combined") || c.is("sampler"))
      return tokens_.unsupported(c.at, fmt::format("'{}' of VkRunner's images is not run here; AmberScript has IMAGE and SAMPLER", c.text));
    return tokens_.bad(c.at, fmt::format("there is no command '{}'", c.text.substr(0, 60)),
                       "compute, ssbo, ubo, push, uniform, probe ssbo or tolerance");
  }

  Expected<std::uint32_t> number(std::string_view wanted, std::uint64_t most = 0xffffffff) {
    const auto value = tokens_.peek().isWord() ? countOf(tokens_.peek().text) : std::nullopt;
    if (!value || *value > most) return tokens_.unexpected(wanted);
    tokens_.next();
    return static_cast<std::uint32_t>(*value);
  }

  Status compute(const Token& c) {
    if (script_.shaders.empty()) return tokens_.bad(c.at, "there is no compute shader before this");
    if (tokens_.take("entrypoint")) {
      if (!tokens_.peek().isWord()) return tokens_.unexpected("the name of an entry point");
      // For the runs from here on.
      if (ran_) {
        script_.pipelines.push_back(script_.pipelines.front());
        pipeline_ = script_.pipelines.size() - 1;
        ran_ = false;
      }
      script_.pipelines[pipeline_].entry = tokens_.next().text;
      return {};
    }
    RunCommand run{.at = c.at, .pipeline = pipeline_};
    for (std::uint32_t* into : {&run.groups.x, &run.groups.y, &run.groups.z}) {
      const Expected<std::uint32_t> count = number("a number of workgroups");
      if (!count) return count.error();
      *into = *count;
    }
    script_.commands.emplace_back(run);
    ran_ = true;
    return {};
  }

  // "2" or "1:2": the buffer there, which comes into being.
  Expected<std::size_t> bufferAt(BoundAs as) {
    const Token token = tokens_.peek();
    const std::size_t colon = token.text.find(':');
    const auto set = colon == std::string::npos ? std::optional<std::uint64_t>(0) : countOf(token.text.substr(0, colon));
    const auto binding = countOf(colon == std::string::npos ? token.text : token.text.substr(colon + 1));
    if (!token.isWord() || !set || !binding || *set > 31) return tokens_.unexpected("a binding, as 0:1,");
    tokens_.next();
    const auto [found, fresh] = buffers_.try_emplace({*set, *binding}, script_.buffers.size());
    if (fresh) {
      script_.buffers.push_back(
          {.name = fmt::format("{}:{}", *set, *binding), .at = token.at, .layout = *layoutOf(*typeNamed("uint8_t"), false)});
      sizes_.push_back(0);
      bound_.push_back({.at = token.at,
                        .as = as,
                        .set = static_cast<std::uint32_t>(*set),
                        .binding = static_cast<std::uint32_t>(*binding),
                        .buffers = {found->second},
                        .offsets = {0},
                        .ranges = {0}});
    } else if (const auto b = std::ranges::find(bound_, std::vector<std::size_t>{found->second}, &Bound::buffers);
               b != bound_.end() && b->as != as) {
      return tokens_.bad(token.at, fmt::format("{} is a buffer of another kind already", token.text));
    }
    return found->second;
  }

  // Of the commands from here on: what is not named is as it is without the command.
  Status rules(Rules& of) {
    of = {.std140 = &of == &uniformRules_, .arrays = true};
    while (!tokens_.peek().endsLine()) {
      const Token word = tokens_.peek();
      if (word.is("std140") || word.is("std430"))
        of.std140 = word.is("std140");
      else if (word.is("row_major") || word.is("column_major"))
        of.rowMajor = word.is("row_major");
      else
        return tokens_.unexpected("std140, std430, row_major or column_major");
      tokens_.next();
    }
    return {};
  }

  Expected<Layout> type(Rules under) {
    const Token name = tokens_.peek();
    const std::optional<DataType> type = typeNamed(name.text);
    if (!type) return tokens_.unexpected("a type");
    tokens_.next();
    return layoutUnder(under, *type);
  }

  Status need(std::size_t buffer, std::uint64_t size, Place at) {
    if (size <= sizes_[buffer]) return {};
    all_ += size - sizes_[buffer];
    if (all_ > kMostBytes) return tokens_.bad(at, fmt::format("the buffers of a script have at most {} bytes", kMostBytes));
    sizes_[buffer] = size;
    return {};
  }

  // "type offset values".
  Status data(std::size_t buffer, Rules under) {
    const Expected<Layout> layout = type(under);
    if (!layout) return layout.error();
    const Expected<std::uint32_t> offset = number("a number of bytes");
    if (!offset) return offset.error();
    const Place at = tokens_.peek().at;
    std::size_t count = 0;
    for (; !tokens_.peek().endsLine(); ++count) {
      const Token value = tokens_.next();
      const Field& f = layout->fields[count % layout->fields.size()];
      const auto bits = bitsOfNumber(value.text, f.kind, f.bits);
      if (!bits) return tokens_.bad(value.at, fmt::format("'{}' is no number of {} bits of this type", value.text.substr(0, 60), f.bits));
      const std::uint64_t to = *offset + count / layout->fields.size() * layout->stride + f.offset;
      if (Status bad = need(buffer, to + f.bits / 8u, value.at)) return bad;
      WriteCommand* last = count == 0 ? nullptr : std::get_if<WriteCommand>(&script_.commands.back());
      if (last == nullptr || last->offset + last->bytes.size() != to) {
        script_.commands.emplace_back(WriteCommand{buffer, to, {}});
        last = std::get_if<WriteCommand>(&script_.commands.back());
      }
      for (unsigned i = 0; i < f.bits / 8u; ++i) last->bytes.push_back(std::byte(*bits >> (8 * i)));
    }
    if (count == 0 || count % layout->fields.size() != 0)
      return tokens_.bad(at, fmt::format("{} values are given; one of the type has {}", count, layout->fields.size()));
    return {};
  }

  Status buffer(BoundAs as, Rules under) {
    const Expected<std::size_t> buffer = bufferAt(as);
    if (!buffer) return buffer.error();
    if (tokens_.take("subdata")) return data(*buffer, under);
    const Place at = tokens_.peek().at;
    const Expected<std::uint32_t> size = number("subdata or a number of bytes", kMostBytes);
    if (!size) return size.error();
    return need(*buffer, *size, at);
  }

  Status uniform(const Token& c) {
    if (tokens_.take("ubo")) {
      const Expected<std::size_t> buffer = bufferAt(BoundAs::kUniform);
      if (!buffer) return buffer.error();
      return data(*buffer, uniformRules_);
    }
    if (!push_) {
      push_ = script_.buffers.size();
      script_.buffers.push_back({.name = "push constants", .at = c.at, .layout = *layoutOf(*typeNamed("uint8_t"), false)});
      sizes_.push_back(0);
    }
    return data(*push_, pushRules_);
  }

  Status tolerance() {
    tolerances_.clear();
    while (!tokens_.peek().endsLine()) {
      const std::optional<Allowed> one = allowedBy(tokens_.peek().text);
      if (!one || tolerances_.size() == 4) return tokens_.unexpected("a tolerance");
      tolerances_.push_back(*one);
      tokens_.next();
      if (tokens_.take("%")) tolerances_.back().percent = true;
    }
    if (tolerances_.empty()) return tokens_.unexpected("a tolerance");
    return {};
  }

  // probe ssbo type binding offset comparator values.
  Status probe(const Token& c) {
    tokens_.next();
    Expected<Layout> layout = type(storageRules_);
    if (!layout) return layout.error();
    const Expected<std::size_t> buffer = bufferAt(BoundAs::kStorage);
    if (!buffer) return buffer.error();
    Probe p{.command = script_.commands.size(), .buffer = *buffer, .layout = std::move(*layout), .offset = tokens_.peek(), .values = {}};
    if (const Expected<std::uint32_t> offset = number("a number of bytes"); !offset) return offset.error();
    constexpr std::pair<std::string_view, Comparator> kProbes[] = {
        {"==", Comparator::kEqual}, {"!=", Comparator::kNotEqual}, {"<", Comparator::kLess},           {"<=", Comparator::kLessOrEqual},
        {"~=", Comparator::kEqual}, {">", Comparator::kGreater},   {">=", Comparator::kGreaterOrEqual}};
    const auto* how = std::ranges::find(kProbes, tokens_.peek().text, &std::pair<std::string_view, Comparator>::first);
    if (how == std::end(kProbes)) return tokens_.unexpected("a comparator");
    tokens_.next();
    while (!tokens_.peek().endsLine()) p.values.push_back(tokens_.next());
    if (p.values.empty()) return tokens_.unexpected("a value");
    ExpectValues e{.at = c.at, .buffer = *buffer, .comparator = how->second};
    if (how->first == "~=") e.tolerances = tolerances_;
    script_.commands.emplace_back(std::move(e));
    probes_.push_back(std::move(p));
    return {};
  }

  Expected<Script> finish() {
    for (std::size_t i = 0; i < sizes_.size(); ++i) {
      if (sizes_[i] == 0) return tokens_.bad(script_.buffers[i].at, "nothing says how large this buffer is", "ssbo binding size");
      script_.buffers[i].bytes.assign(sizes_[i], std::byte{0});
    }
    for (const Probe& p : probes_) {
      Expected<ExpectValues> placed = expectationAt(tokens_, script_.buffers[p.buffer], p.layout,
                                                    *bitsOfNumber(p.offset.text, NumberKind::kUint, 32), p.offset, p.values);
      if (!placed) return placed.error();
      auto& e = std::get<ExpectValues>(script_.commands[p.command]);
      e.fields = std::move(placed->fields);
      e.bits = std::move(placed->bits);
    }
    for (Pipeline& p : script_.pipelines) {
      p.bound = bound_;
      p.push = push_;
    }
    return std::move(script_);
  }

  Tokens tokens_;
  Script script_;
  std::map<std::pair<std::uint64_t, std::uint64_t>, std::size_t> buffers_;  // by set and binding
  std::vector<std::uint64_t> sizes_;                                        // of each buffer
  std::uint64_t all_ = 0;
  std::vector<Bound> bound_;
  std::vector<Probe> probes_;
  std::vector<Allowed> tolerances_ = {{1e-6, true}};
  Rules storageRules_, pushRules_, uniformRules_{.std140 = true};
  std::optional<std::size_t> push_;
  std::size_t pipeline_ = 0;
  bool ran_ = false;  // the pipeline
};

}  // namespace

Expected<Script> parseSections(const std::string& file, std::string_view text) {
  return Sections(file, text).run();
}

}  // namespace lanewise::amber
