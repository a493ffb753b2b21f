// RUN, COPY, EXPECT and REPEAT.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tools/amber/parser.h"

namespace lanewise::amber {
namespace {

constexpr std::pair<std::string_view, Comparator> kComparators[] = {{"EQ", Comparator::kEqual},   {"NE", Comparator::kNotEqual},
                                                                    {"LT", Comparator::kLess},    {"LE", Comparator::kLessOrEqual},
                                                                    {"GT", Comparator::kGreater}, {"GE", Comparator::kGreaterOrEqual}};

const Comparator* comparatorNamed(const std::string& text) {
  const auto* found = std::ranges::find(kComparators, text, &std::pair<std::string_view, Comparator>::first);
  return found == std::end(kComparators) ? nullptr : &found->second;
}

}  // namespace

std::optional<Allowed> allowedBy(const std::string& text) {
  Allowed out;
  out.percent = text.ends_with('%');
  const std::string number = out.percent ? text.substr(0, text.size() - 1) : text;
  const auto bits = bitsOfNumber(number, NumberKind::kFloat, 64);
  if (!bits) return {};
  out.value = numberOf({.bits = 64, .kind = NumberKind::kFloat}, *bits);
  if (!(out.value >= 0)) return {};
  return out;
}

Status Parser::repeatable(const Token& c) {
  if (c.is("RUN")) return runCommand(c);
  if (c.is("COPY")) return copy(c);
  if (c.is("EXPECT")) return expect(c);
  if (const char* to = foreignTo(c.text)) return foreign(c, to);
  return tokens_.bad(c.at, fmt::format("there is no command '{}'", c.text.substr(0, 60)));
}

Status Parser::repeat(const Token& command) {
  const Expected<std::uint32_t> count = integer("how often", 1u << 20);
  if (!count) return count.error();
  if (*count == 0) return tokens_.bad(command.at, "it is repeated no time");
  if (Status bad = endOfLine()) return bad;
  const std::size_t begin = script_.commands.size();
  script_.commands.emplace_back(RepeatCommand{.count = *count});
  for (tokens_.skipLines(); !tokens_.take("END"); tokens_.skipLines()) {
    if (tokens_.atEnd()) return tokens_.bad(command.at, "REPEAT without END");
    const Token c = tokens_.next();
    if (Status bad = repeatable(c)) return bad;
    if (Status bad = endOfLine()) return bad;
  }
  std::get<RepeatCommand>(script_.commands[begin]).end = script_.commands.size();
  return {};
}

Status Parser::runCommand(const Token& command) {
  tokens_.take("TIMED_EXECUTION");
  const Expected<std::size_t> p = named(pipelines_, "pipeline");
  if (!p) return p.error();
  RunCommand run{.at = command.at, .pipeline = *p};
  if (const char* to = foreignTo(tokens_.peek().text)) return foreign(tokens_.peek(), to);
  for (std::uint32_t* into : {&run.groups.x, &run.groups.y, &run.groups.z}) {
    const Expected<std::uint32_t> count = integer("a number of workgroups");
    if (!count) return count.error();
    *into = *count;
  }
  script_.commands.emplace_back(run);
  return {};
}

Status Parser::copy(const Token& command) {
  const Expected<std::size_t> from = named(buffers_, "buffer");
  if (!from) return from.error();
  if (Status bad = keyword("TO")) return bad;
  const Expected<std::size_t> to = named(buffers_, "buffer");
  if (!to) return to.error();
  if (*from == *to) return tokens_.bad(command.at, "a buffer is copied to itself");
  const Buffer &a = script_.buffers[*from], &b = script_.buffers[*to];
  if (a.bytes.size() != b.bytes.size() && !a.byFramebuffer && !b.byFramebuffer)
    return tokens_.bad(command.at, fmt::format("'{}' has {} bytes, '{}' {}", a.name, a.bytes.size(), b.name, b.bytes.size()));
  script_.commands.emplace_back(CopyCommand{command.at, *from, *to});
  return {};
}

Status Parser::expect(const Token& command) {
  const Expected<std::size_t> buffer = named(buffers_, "buffer");
  if (!buffer) return buffer.error();
  if (!tokens_.take("IDX")) return expectBuffers(command, *buffer);
  const Token x = tokens_.peek();
  if (const Expected<std::uint64_t> number = integer<std::uint64_t>("a position"); !number) return number.error();
  const Token y = tokens_.peek();
  if (!y.isWord() || !isNumber(y.text)) return expectValues(command, *buffer, x);
  ExpectTexels e{.at = command.at, .buffer = *buffer};
  e.x = static_cast<std::uint32_t>(*bitsOfNumber(x.text, NumberKind::kUint, 32));
  const Expected<std::uint32_t> row = integer("a row of texels");
  if (!row) return row.error();
  e.y = *row;
  if (Status bad = keyword("SIZE")) return bad;
  for (std::uint32_t* into : {&e.width, &e.height}) {
    const Expected<std::uint32_t> side = integer("a number of texels");
    if (!side) return side.error();
    *into = *side;
  }
  return expectTexels(std::move(e));
}

Status Parser::tolerances(std::vector<Allowed>& out) {
  while (tokens_.peek().isWord() && out.size() < 4) {
    const std::optional<Allowed> one = allowedBy(tokens_.peek().text);
    if (!one) break;
    out.push_back(*one);
    tokens_.next();
    if (!out.back().percent && tokens_.take("%")) out.back().percent = true;
  }
  if (out.empty()) return tokens_.unexpected("a tolerance");
  return {};
}

Status Parser::expectBuffers(const Token& command, std::size_t first) {
  ExpectBuffers e{.at = command.at, .first = first};
  const Expected<Token> how = word("IDX or a comparator");
  if (!how) return how.error();
  if (how->is("RMSE_BUFFER")) {
    e.measure = Measure::kRootMeanSquare;
  } else if (how->is("EQ_HISTOGRAM_EMD_BUFFER") || how->is("EMD_BUFFER")) {
    e.measure = Measure::kEarthMovers;
  } else if (!how->is("EQ_BUFFER")) {
    return tokens_.bad(how->at, fmt::format("'{}' does not compare buffers", how->text),
                       "IDX, EQ_BUFFER, RMSE_BUFFER or EQ_HISTOGRAM_EMD_BUFFER");
  }
  const Expected<std::size_t> second = named(buffers_, "buffer");
  if (!second) return second.error();
  e.second = *second;
  const Buffer &a = script_.buffers[first], &b = script_.buffers[*second];
  if (a.bytes.size() != b.bytes.size() && !a.byFramebuffer && !b.byFramebuffer)
    return tokens_.bad(command.at, fmt::format("'{}' has {} bytes, '{}' {}", a.name, a.bytes.size(), b.name, b.bytes.size()));
  if (a.layout.stride != b.layout.stride || a.layout.components().size() != b.layout.components().size())
    return tokens_.bad(command.at, fmt::format("'{}' and '{}' are not of one type", a.name, b.name));
  if (e.measure != Measure::kEqual) {
    if (Status bad = keyword("TOLERANCE")) return bad;
    std::vector<Allowed> most;
    const Place at = tokens_.peek().at;
    if (Status bad = tolerances(most)) return bad;
    if (most.size() != 1 || most[0].percent) return tokens_.bad(at, "one number is the tolerance");
    e.most = most[0].value;
  }
  script_.commands.emplace_back(e);
  return {};
}

Status Parser::expectTexels(ExpectTexels e) {
  if (tokens_.take("TOLERANCE"))
    if (Status bad = tolerances(e.tolerances)) return bad;
  const bool alpha = tokens_.take("EQ_RGBA");
  if (!alpha && !tokens_.take("EQ_RGB")) return tokens_.unexpected("EQ_RGB or EQ_RGBA");
  for (int i = 0; i < (alpha ? 4 : 3); ++i) {
    const Token value = tokens_.peek();
    const auto bits = value.isWord() ? bitsOfNumber(value.text, NumberKind::kFloat, 64) : std::nullopt;
    if (!bits) return tokens_.unexpected("a number from 0 to 255");
    e.colour.push_back(numberOf({.bits = 64, .kind = NumberKind::kFloat}, *bits));
    tokens_.next();
  }
  if (e.tolerances.empty() && tokens_.take("TOLERANCE"))
    if (Status bad = tolerances(e.tolerances)) return bad;
  const Buffer& b = script_.buffers[e.buffer];
  if (b.layout.format == Format::UNDEFINED) return tokens_.bad(e.at, fmt::format("'{}' has no texels", b.name), "IDX offset EQ values");
  if (e.width == 0 || e.height == 0) return tokens_.bad(e.at, "no texel is expected");
  if (!b.byFramebuffer && b.isImage && (std::uint64_t{e.x} + e.width > b.extent.x || std::uint64_t{e.y} + e.height > b.extent.y))
    return tokens_.bad(e.at, fmt::format("'{}' has {}x{} texels", b.name, b.extent.x, b.extent.y));
  if (!b.isImage && (std::uint64_t{e.x} + e.width > b.elements() || std::uint64_t{e.y} + e.height > 1))
    return tokens_.bad(e.at, fmt::format("'{}' has {}x1 texels", b.name, b.elements()));
  script_.commands.emplace_back(std::move(e));
  return {};
}

Status Parser::expectValues(const Token& command, std::size_t buffer, const Token& index) {
  std::vector<Allowed> allowed;
  const Place toleranceAt = tokens_.peek().at;
  if (tokens_.take("TOLERANCE"))
    if (Status bad = tolerances(allowed)) return bad;
  const Expected<Token> how = word("a comparator");
  if (!how) return how.error();
  const Comparator* comparator = comparatorNamed(how->text);
  if (comparator == nullptr) return tokens_.bad(how->at, fmt::format("there is no comparator '{}'", how->text), "EQ, NE, LT, LE, GT or GE");
  std::vector<Token> values;
  while (!tokens_.peek().endsLine() && !tokens_.peek().is("TOLERANCE")) values.push_back(tokens_.next());
  if (values.empty()) return tokens_.unexpected("a value");
  if (allowed.empty() && tokens_.take("TOLERANCE"))
    if (Status bad = tolerances(allowed)) return bad;
  if (!allowed.empty() && *comparator != Comparator::kEqual) return tokens_.bad(toleranceAt, "only EQ has a tolerance");
  const Buffer& b = script_.buffers[buffer];
  if (b.byFramebuffer)
    return tokens_.bad(command.at, fmt::format("'{}' is sized by a pipeline", b.name), "IDX x y SIZE width height EQ_RGBA ...");
  Expected<ExpectValues> e = expectationAt(tokens_, b, b.layout, *bitsOfNumber(index.text, NumberKind::kUint, 64), index, values);
  if (!e) return e.error();
  e->at = command.at;
  e->buffer = buffer;
  e->comparator = *comparator;
  e->tolerances = std::move(allowed);
  script_.commands.emplace_back(std::move(*e));
  return {};
}

Expected<ExpectValues> expectationAt(const Tokens& tokens, const Buffer& buffer, const Layout& layout, std::uint64_t offset,
                                     const Token& index, const std::vector<Token>& values) {
  ExpectValues out;
  std::uint64_t element = offset / layout.stride;
  const auto first = std::ranges::find(layout.fields, offset % layout.stride, &Field::offset);
  if (first == layout.fields.end()) return tokens.bad(index.at, fmt::format("no number of '{}' begins at byte {}", buffer.name, offset));
  std::size_t at = static_cast<std::size_t>(first - layout.fields.begin());
  for (const Token& value : values) {
    Field f = layout.fields[at];
    f.offset += element * layout.stride;
    if (f.offset + (f.shift + f.bits + 7u) / 8u > buffer.bytes.size())
      return tokens.bad(value.at,
                        fmt::format("'{}' has {} bytes; this value would be at byte {}", buffer.name, buffer.bytes.size(), f.offset));
    const std::optional<std::uint64_t> bits = bitsOfNumber(value.text, f.kind, f.bits);
    if (!bits) return tokens.bad(value.at, fmt::format("'{}' is no number of {} bits of this type", value.text.substr(0, 60), f.bits));
    out.fields.push_back(f);
    out.bits.push_back(*bits);
    if (++at == layout.fields.size()) {
      at = 0;
      ++element;
    }
  }
  return out;
}

}  // namespace lanewise::amber
