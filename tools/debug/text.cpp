#include "tools/debug/text.h"

#include <fmt/format.h>

#include <algorithm>

#include "model/base/file.h"
#include "tools/debug/variable_text.h"
#include "tools/run/type_text.h"
#include "tools/run/typed_values.h"

namespace lanewise {

std::string invocationText(Extent3 at) {
  return fmt::format("{},{},{}", at.x, at.y, at.z);
}

namespace {

std::string numberText(const ScalarValue& v, bool hex) {
  using State = ScalarValue::State;
  if (v.state != State::kKnown) return v.state == State::kNotWritten ? "?" : v.state == State::kGone ? "optimised away" : "out of range";
  if (hex) return fmt::format("{:#x}", v.bits);
  if (v.type == Scalar::kBool) return v.bits != 0 ? "true" : "false";
  return valueText(typeOf(v.type, v.isSigned), v.bits);
}

}  // namespace

const std::string& functionName(const debug::Places& places, const SourceFrame& frame) {
  return places.source().debug().scopes[frame.function].name;
}

std::string functionText(const debug::Places& places, std::uint32_t pc) {
  const std::uint32_t at = places.lined(pc);
  const std::string name = places.frames(at).empty() ? "" : functionName(places, places.frames(at)[0]);
  return name.empty() ? "" : " in " + name;
}

std::string instructionText(const debug::Places& places, std::uint32_t pc) {
  const Program& p = places.program();
  const std::uint32_t id = p.instructionOf(pc).result;
  return fmt::format("{}{}", id == 0 ? "" : p.module.nameOf(id) + " ", p.moduleOpOf(pc));
}

std::string placeText(const debug::Places& places, std::uint32_t pc) {
  const std::uint32_t at = places.lined(pc);
  if (places.hasLine(at)) {
    const spirv::SourceLine line = places.frames(at)[0].line;
    return fmt::format("{}:{}{}", places.fileOf(line), line.line, functionText(places, pc));
  }
  return instructionText(places, pc) + functionText(places, pc);
}

std::string fileText(const debug::Places& places, std::uint32_t file) {
  for (const spirv::DebugSource& s : places.source().debug().sources)
    if (s.file == file && !s.text.empty()) return s.text;
  const std::string path = places.program().module.string(file);
  Expected<std::string> text = path.empty() ? Error{} : readWholeFile(path);
  return text ? *text : "";
}

std::string sourceText(const debug::Places& places, spirv::SourceLine line, bool isCurrent) {
  const std::string all = fileText(places, line.file);
  std::size_t begin = 0;
  for (std::uint32_t n = 1; n < line.line && begin != std::string::npos; ++n) {
    begin = all.find('\n', begin);
    if (begin != std::string::npos) ++begin;
  }
  if (line.line == 0 || begin >= all.size()) return "";
  std::string text = all.substr(begin, all.find('\n', begin) - begin);
  text.erase(text.find_last_not_of(" \t\r") + 1);
  return fmt::format("{}{:>5}{}{}", isCurrent ? ">" : " ", line.line, text.empty() ? "" : "  ", text);
}

std::uint32_t sourceLines(const debug::Places& places, spirv::SourceLine file) {
  const std::string all = fileText(places, file.file);
  return static_cast<std::uint32_t>(std::ranges::count(all, '\n')) + (all.empty() || all.back() == '\n' ? 0 : 1);
}

std::string tupleText(const debug::Tuple& tuple, bool hex) {
  std::string out;
  const std::size_t rows = tuple.columns == 0 ? 0 : tuple.parts.size() / tuple.columns;
  for (std::size_t i = 0; i < tuple.parts.size(); ++i) {
    const bool isFirst = rows != 0 && i % rows == 0, isLast = rows != 0 && i % rows == rows - 1;
    out += fmt::format("{}{}{}{}", i == 0 ? "" : ", ", isFirst ? "(" : "", numberText(tuple.parts[i], hex), isLast ? ")" : "");
  }
  return tuple.isVector() ? "(" + out + ")" : out;
}

namespace {

std::string bitsText(const ScalarValue& v, char format) {
  if (v.state != ScalarValue::State::kKnown || format == 'x') return numberText(v, format == 'x');
  const bool isWideValue = isWide(v.type);
  if (format == 'd' || format == 'u') return valueText(typeOf(isWideValue ? Scalar::kI64 : Scalar::kI32, format == 'd'), v.bits);
  if (format == 'f') return valueText(typeOf(isWideValue ? Scalar::kF64 : Scalar::kF32, true), v.bits);
  std::string out;
  for (int shift = 0; shift < 32; shift += 8)
    out += fmt::format("{}{:.4g}", out.empty() ? "" : ", ", static_cast<double>(v.bits >> shift & 0xff) / 255.0);
  return "(" + out + ")";
}

}  // namespace

std::string bitsText(const debug::Tuple& tuple, char format) {
  std::string out;
  for (const ScalarValue& v : tuple.parts) out += (out.empty() ? "" : ", ") + bitsText(v, format);
  return tuple.isVector() ? "(" + out + ")" : out;
}

namespace {

bool isShownAsTuple(const debug::Value& value, bool hex) {
  return value.tuple && (hex || !value.variable || value.variable->isGone());
}

// The bits that it has where it is: of narrow types fewer than arithmetic has.
debug::Tuple ownBits(const debug::Value& value) {
  debug::Tuple out = *value.tuple;
  for (std::size_t i = 0; value.variable && !value.variable->isGone() && i < out.parts.size(); ++i)
    out.parts[i] = value.variable->isScalar() ? value.variable->scalar() : value.variable->part(i).scalar();
  return out;
}

}  // namespace

std::string valueText(const debug::Value& value, bool hex) {
  return isShownAsTuple(value, hex) ? tupleText(hex ? ownBits(value) : *value.tuple, hex) : valueText(*value.variable);
}

std::string typeText(const debug::Value& value, bool hex) {
  return isShownAsTuple(value, hex) ? debug::typeName(*value.tuple) : typeText(*value.variable);
}

std::string valueText(const std::string& name, const debug::Value& value, bool hex) {
  return fmt::format("{} {} = {}", typeText(value, hex), name, valueText(value, hex));
}

namespace {

// What so many bytes are of a value that arithmetic has with 32 bits.
Scalar narrowed(Scalar type, std::uint64_t bytes) {
  if (bytes == 1 && type == Scalar::kI32) return Scalar::kI8;
  if (bytes == 2 && type == Scalar::kI32) return Scalar::kI16;
  return bytes == 2 && type == Scalar::kF32 ? Scalar::kF16 : type;
}

}  // namespace

std::optional<std::string> accessedText(const std::vector<std::byte>& bytes, const debug::Value& shape, debug::Session& session) {
  if (!shape.tuple || !shape.region) return {};
  debug::Tuple t = *shape.tuple;
  const auto* image =
      shape.region->place == Place::kImage ? std::get_if<ImageData>(&session.job().resources[shape.region->resource].data) : nullptr;
  const FormatInfo* format = image ? formatInfo(image->format) : shape.texel;
  const std::uint64_t whole = shape.region->end - shape.region->begin, each = whole / t.parts.size();
  if (format && bytes.size() == whole) return tupleText(debug::texelTuple(*format, session.profile().texel, bytes.data()));
  if (!format && bytes.size() == each) t.parts.resize(1);  // a store of one component
  const Scalar type = narrowed(t.type, each);
  if (format || bytes.size() != each * t.parts.size() || each != scalarBytes(type)) return {};
  for (std::size_t i = 0; i < t.parts.size(); ++i) {
    t.parts[i] = {ScalarValue::State::kKnown, type, t.isSigned, 0};
    std::memcpy(&t.parts[i].bits, bytes.data() + i * each, each);
    if (t.type == Scalar::kBool) t.parts[i].bits = t.parts[i].bits != 0;
  }
  return tupleText(t);
}

std::string bytesText(const std::vector<std::byte>& bytes, const debug::Value& shape, debug::Session& session) {
  if (const auto text = accessedText(bytes, shape, session)) return *text;
  std::string out = "bytes";
  for (const std::byte b : bytes) out += fmt::format(" {:02x}", static_cast<unsigned>(b));
  return out;
}

std::string standingText(debug::Session& session, const debug::Standing& at) {
  using State = debug::Standing::State;
  const auto there = [&] { return placeText(session.places(), at.pc); };
  switch (at.state) {
    case State::kNotOpen:
      return session.atEnd() ? "the run is over" : "its workgroup has not begun, or is over";
    case State::kNext:
      return "executes next " + there();
    case State::kReady:
      if (at.pc == 0) return "has not begun";
      return "can go on at " + there();
    case State::kDiverged:
      return "waits for others, who took another way, at " + there();
    case State::kAtBarrier:
      return "waits at the barrier " + there();
    case State::kFaulted:
      return "ended the run at " + there();
    default:
      return "has returned";
  }
}

char standingLetter(debug::Standing::State state) {
  using State = debug::Standing::State;
  switch (state) {
    case State::kNext:
      return '*';
    case State::kReady:
      return 'r';
    case State::kDiverged:
      return 'd';
    case State::kAtBarrier:
      return 'b';
    case State::kFaulted:
      return '!';
    case State::kReturned:
      return '.';
    default:
      return '-';
  }
}

std::string printedLine(const Printed& line) {
  return fmt::format("printed by {}: {}", invocationText(line.invocation), line.text);
}

std::string breakpointText(const debug::Breakpoint& b) {
  using What = debug::Breakpoint::What;
  std::string out = fmt::format("{}: ", b.number);
  switch (b.what) {
    case What::kLine:
      out += fmt::format("line {}{}", b.name.empty() ? "" : b.name + ":", b.line);
      break;
    case What::kFunction:
      out += "function " + b.name;
      break;
    case What::kInstruction:
      out += "instruction " + b.name;
      break;
    case What::kMemory:
      out += fmt::format("{} {}",
                         b.onRead && b.onWrite ? "access to"
                         : b.onRead            ? "read of"
                         : b.onChange          ? "change of"
                                               : "write to",
                         b.name);
      if (!b.value.empty()) out += " of " + b.value;
      break;
    case What::kEvent:
      out += b.event == debug::Event::kNan          ? "a NaN is computed"
             : b.event == debug::Event::kNanStore   ? "a NaN is stored"
             : b.event == debug::Event::kDivergence ? "divergence"
             : b.name.empty()                       ? "a print"
                                                    : fmt::format("a print that begins with '{}'", b.name);
  }
  if (b.isPlace()) out += fmt::format(", {} place{}", b.places, b.places == 1 ? "" : "s");
  if (b.condition) out += ", if " + b.condition->source;
  if (b.hits != 0) out += fmt::format(", {} hit{}", b.hits, b.hits == 1 ? "" : "s");
  if (b.ignored != 0) out += fmt::format(", the next {} ignored", b.ignored);
  if (b.isTemporary) out += ", once";
  if (!b.isEnabled) out += ", disabled";
  return out;
}

std::string timeText(debug::Time time) {
  if (time.step == ~std::uint64_t{0}) return "the end of the run";
  return fmt::format("{}.{}.{}: dispatch {}, {} workgroup{} opened, {} instruction{} since", time.dispatch, time.opened, time.step,
                     time.dispatch, time.opened, time.opened == 1 ? "" : "s", time.step, time.step == 1 ? "" : "s");
}

}  // namespace lanewise
