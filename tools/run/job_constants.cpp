// Specialization and push constants of `lanewise run`. See make_job.h.
#include <fmt/format.h>

#include "model/base/file.h"
#include "tools/run/make_job.h"
#include "tools/run/type_text.h"

namespace lanewise {
namespace {

std::string listText(const Interface& interface) {
  std::string out;
  for (const InterfaceSpec& s : interface.spec)
    out += fmt::format("{}{}{}", out.empty() ? "it has " : ", ", s.id, s.name.empty() ? "" : " (" + s.name + ")");
  return out.empty() ? "it has none" : out;
}

const InterfaceSpec* find(const Interface& interface, std::string_view name) {
  for (const InterfaceSpec& s : interface.spec)
    if (std::to_string(s.id) == name || (!s.name.empty() && s.name == name)) return &s;
  return nullptr;
}

Expected<SpecConstant> parseOne(std::string_view text, const Interface& interface) {
  constexpr const char* kOption = "--spec";
  const std::size_t equals = text.find('=');
  if (equals == std::string_view::npos)
    return Error{Outcome::kBadInput, fmt::format("'{}' has no '='", text), kOption, "ID=VALUE or NAME=VALUE, e.g. 3=16"};
  const InterfaceSpec* s = find(interface, text.substr(0, equals));
  if (!s)
    return Error{Outcome::kBadInput, fmt::format("the module has no specialization constant '{}'", text.substr(0, equals)), kOption,
                 listText(interface)};
  std::string_view value = text.substr(equals + 1);
  const std::string where = fmt::format("{} {}", kOption, text);
  if (s->scalar == Scalar::kBool) {
    if (value == "true" || value == "1") return SpecConstant{s->id, 1};
    if (value == "false" || value == "0") return SpecConstant{s->id, 0};
    return Error{Outcome::kBadInput, fmt::format("'{}' is no truth value", value), where, "true or false"};
  }
  ValueType type = typeOf(s->scalar, s->isSigned);
  if (const std::size_t colon = value.find(':'); colon != std::string_view::npos) {  // "u32:16": the type is optional and is checked
    if (valueTypeByName(value.substr(0, colon)) != type)
      return Error{Outcome::kBadInput, fmt::format("the constant is of type {}", valueTypeName(type)), where, ""};
    value = value.substr(colon + 1);
  }
  // In SPIR-V operations give integers their sign, so a negative value is accepted for an unsigned one too.
  if (type.kind == ValueType::Kind::kUnsigned && value.starts_with('-')) type.kind = ValueType::Kind::kSigned;
  const Expected<std::uint64_t> bits = parseValue(where, type, value);
  if (!bits) return bits.error();
  return SpecConstant{s->id, *bits};
}

}  // namespace

Expected<std::vector<SpecConstant>> parseSpec(const std::vector<std::string>& texts, const Interface& interface,
                                              std::vector<std::string>* notes) {
  std::vector<SpecConstant> out;
  for (const std::string& text : texts)
    for (std::size_t from = 0; from <= text.size();) {
      const std::size_t comma = std::min(text.find(',', from), text.size());
      const std::string_view item = std::string_view(text).substr(from, comma - from);
      const std::string_view id = item.substr(0, item.find('='));
      const bool number = !id.empty() && id.size() < item.size() && id.find_first_not_of("0123456789") == std::string_view::npos;
      if (notes != nullptr && number && find(interface, id) == nullptr) {
        notes->push_back(fmt::format("--spec {}: the module has no specialization constant of this id; it is left out", item));
        from = comma + 1;
        continue;
      }
      const Expected<SpecConstant> one = parseOne(std::string_view(text).substr(from, comma - from), interface);
      if (!one) return one.error();
      for (const SpecConstant& s : out)
        if (s.id == one->id) return Error{Outcome::kBadInput, fmt::format("constant {} is given twice", s.id), "--spec", ""};
      out.push_back(*one);
      from = comma + 1;
    }
  return out;
}

Expected<ParsedValues> parsePush(const std::vector<std::string>& texts) {
  ParsedValues out;
  for (const std::string& text : texts) {
    if (text.starts_with('@')) {
      const Expected<std::string> bytes = readWholeFile(text.substr(1));
      if (!bytes) return bytes.error();
      const auto* from = reinterpret_cast<const std::byte*>(bytes->data());
      out.bytes.insert(out.bytes.end(), from, from + bytes->size());
      continue;
    }
    Expected<ParsedValues> values = parseValues("--push", text, 65536);
    if (!values) return values.error();
    for (AddressValue& address : values->addresses) {
      address.at += out.bytes.size();
      out.addresses.push_back(std::move(address));
    }
    out.bytes.insert(out.bytes.end(), values->bytes.begin(), values->bytes.end());
  }
  return out;
}

}  // namespace lanewise
