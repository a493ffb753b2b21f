#include "tools/subject/subject_text.h"

#include <nlohmann/json.hpp>

#include "model/base/text.h"

namespace lanewise {
namespace {

using Json = nlohmann::ordered_json;

template <class T>
bool readInto(const Json& json, T& into) {
  if constexpr (std::is_same_v<T, std::string>) {
    if (!json.is_string()) return false;
    into = json.get<std::string>();
  } else if constexpr (std::is_same_v<T, bool>) {
    if (!json.is_boolean()) return false;
    into = json.get<bool>();
  } else if constexpr (std::is_integral_v<T>) {
    if (!json.is_number_unsigned() || json.get<std::uint64_t>() > std::numeric_limits<T>::max()) return false;
    into = json.get<T>();
  } else {
    if (!json.is_array()) return false;
    for (const Json& item : json)
      if (!readInto(item, into.emplace_back())) return false;
  }
  return true;
}

}  // namespace

std::string subjectText(const SubjectArguments& arguments) {
  Json json = Json::object();
  forEachOption(arguments, [&]<class Field>(const OptionRow& row, const Field& field) {
    if (field != Field{}) json[row.field] = field;
  });
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::optional<SubjectArguments> parseSubjectText(const std::string& text) {
  const Json json = Json::parse(text, nullptr, false);
  if (!json.is_object()) return {};
  SubjectArguments out;
  bool whole = true;
  forEachOption(out, [&](const OptionRow& row, auto& field) {
    if (json.contains(row.field)) whole = readInto(json[row.field], field) && whole;
  });
  return whole ? std::optional(std::move(out)) : std::nullopt;
}

std::string subjectOptions(const SubjectArguments& arguments) {
  std::string out;
  forEachOption(arguments, [&out]<class Field>(const OptionRow& row, const Field& field) {
    if (field == Field{}) return;
    const std::string name = longName(row);
    const auto add = [&](const std::string& value) {
      out += (out.empty() ? "" : " ") + name + (name.empty() || value.empty() ? "" : " ") + value;
    };
    if constexpr (std::is_same_v<Field, std::string>)
      add(shellWord(field));
    else if constexpr (std::is_same_v<Field, bool>)
      add("");
    else if constexpr (std::is_integral_v<Field>)
      add(std::to_string(field));
    else
      for (const std::string& one : field) add(shellWord(one));
  });
  return out;
}

}  // namespace lanewise
