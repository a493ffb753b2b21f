#include "tools/debug/variable_text.h"

#include <fmt/format.h>

#include "tools/run/type_text.h"
#include "tools/run/typed_values.h"

namespace lanewise {
namespace {

constexpr std::size_t kMaxParts = 8, kMaxText = 120;

const char* stateText(ScalarValue::State state) {
  switch (state) {
    case ScalarValue::State::kNotWritten:
      return "not written yet";
    case ScalarValue::State::kGone:
      return "optimised away";
    default:
      return "out of range";
  }
}

std::string scalarText(const ScalarValue& v) {
  if (v.type == Scalar::kBool) return v.bits != 0 ? "true" : "false";
  return valueText(typeOf(v.type, v.isSigned), v.bits);
}

// The state of all scalars, where they have one and no value.
std::optional<ScalarValue::State> stateOf(const LaneValue& value) {
  using State = ScalarValue::State;
  if (value.isGone()) return State::kGone;
  if (value.isScalar()) return value.scalar().state == State::kKnown ? std::nullopt : std::optional(value.scalar().state);
  std::optional<State> all;
  for (std::uint64_t i = 0; i < std::min<std::uint64_t>(value.count(), 4096); ++i) {
    const std::optional<State> part = stateOf(value.part(i));
    if (!part || (all && all != part)) return {};
    all = part;
  }
  return all;
}

std::string partsText(const LaneValue& value);

// An image or a sampler; nothing for anything else.
std::optional<std::string> descriptorText(const LaneValue& value) {
  const ir::ResourceDeclaration* r = value.resource();
  if (!r || value.type()->leaves != 0 || value.count() != 0) return {};
  const std::string element = value.element() == 0 ? "" : fmt::format(", element {}", value.element());
  return fmt::format("(set {}, binding {}{})", r->set, r->binding, element);
}

std::string inside(const LaneValue& value) {
  if (auto text = descriptorText(value)) return std::move(*text);
  if (!value.isScalar()) return partsText(value);
  const ScalarValue v = value.scalar();
  return v.state == ScalarValue::State::kKnown ? scalarText(v) : v.state == ScalarValue::State::kNotWritten ? "?" : stateText(v.state);
}

std::string partsText(const LaneValue& value) {
  if (!value.type()) return "?";
  const Type::Kind kind = value.type()->kind;
  const bool isTuple = kind == Type::Kind::kVector || kind == Type::Kind::kMatrix;
  std::string out;
  for (std::uint64_t i = 0; i < value.count(); ++i) {
    out += i == 0 ? "" : ", ";
    if (!isTuple && kind != Type::Kind::kStruct && (i == kMaxParts || out.size() > kMaxText)) {
      out += fmt::format("... of {}", value.count());
      break;
    }
    if (kind == Type::Kind::kStruct) out += partText(value, i).substr(1) + ": ";
    out += inside(value.part(i));
  }
  return isTuple ? fmt::format("({})", out) : fmt::format("{{{}}}", out);
}

}  // namespace

LaneValue asWritten(const LaneValue& value) {
  const bool isBlock = value.type() && value.type()->kind == Type::Kind::kStruct && value.count() == 1;
  return isBlock && value.memberName(0).starts_with('@') ? value.part(0) : value;
}

std::string valueText(const LaneValue& given) {
  const LaneValue value = asWritten(given);
  if (const auto state = stateOf(value)) return stateText(*state);
  if (value.type() && value.type()->kind == Type::Kind::kPointer && !value.isScalar()) return "a pointer that is not followed";
  return inside(value);
}

std::string typeText(const LaneValue& given) {
  const LaneValue value = asWritten(given);
  const Type* one = value.type();
  while (one && (one->kind == Type::Kind::kArray || one->kind == Type::Kind::kRuntimeArray)) one = one->element;
  const bool isImage = one && value.home() == LaneValue::Home::kOpaque;
  const spirv::DebugType* told = isImage ? nullptr : value.sourceType();  // glslang calls all images alike
  return told ? told->name : value.type() ? typeText(*value.type()) : "?";
}

std::string variableText(const std::string& name, const LaneValue& value) {
  return fmt::format("{} {} = {}", typeText(value), name, valueText(value));
}

std::string partText(const LaneValue& value, std::uint64_t part) {
  const bool isVector = value.type() && value.type()->kind == Type::Kind::kVector && value.count() <= 4;
  if (isVector && part < 4) return fmt::format(".{}", "xyzw"[part]);
  if (!value.type() || value.type()->kind != Type::Kind::kStruct) return fmt::format("[{}]", part);
  const std::string_view name = value.memberName(part);
  return name.empty() ? fmt::format(".{}", part) : fmt::format(".{}", name);
}

}  // namespace lanewise
