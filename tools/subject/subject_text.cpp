#include "tools/subject/subject_text.h"

#include <nlohmann/json.hpp>

namespace lanewise {
namespace {

using Json = nlohmann::ordered_json;

// Every field by its name, once.
template <class Arguments, class Use>
void forEachField(Arguments& a, const Use& use) {
  use("subject", a.text);
  use("size", a.kernel.size);
  use("radius", a.kernel.radius);
  use("edge", a.kernel.edge);
  use("input", a.kernel.input);
  use("with", a.kernel.with);
  use("include", a.module.source.includeFolders);
  use("define", a.module.source.defines);
  use("targetEnvironment", a.module.source.targetEnvironment);
  use("entry", a.module.entry);
  use("groups", a.module.groups);
  use("buffer", a.module.buffers);
  use("memory", a.module.memory);
  use("image", a.module.images);
  use("sampler", a.module.samplers);
  use("out", a.module.outs);
  use("push", a.module.push);
  use("spec", a.module.spec);
  use("zero", a.module.zero);
  use("maxSteps", a.module.maxSteps);
  use("subgroupSize", a.subgroupSize);
}

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

// "maxSteps" as "--max-steps".
std::string optionName(std::string_view field) {
  if (field == "targetEnvironment") return "--target-env";
  std::string out = "--";
  for (const char c : field) out += c >= 'A' && c <= 'Z' ? std::string{'-', static_cast<char>(c - 'A' + 'a')} : std::string(1, c);
  return out;
}

}  // namespace

std::string subjectText(const SubjectArguments& arguments) {
  Json json = Json::object();
  const SubjectArguments none;
  std::vector<Json> usual;
  forEachField(none, [&](const char*, const auto& field) { usual.emplace_back(field); });
  std::size_t at = 0;
  forEachField(arguments, [&](const char* name, const auto& field) {
    if (Json value = field; value != usual[at++]) json[name] = std::move(value);
  });
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::optional<SubjectArguments> parseSubjectText(const std::string& text) {
  const Json json = Json::parse(text, nullptr, false);
  if (!json.is_object()) return {};
  SubjectArguments out;
  bool whole = true;
  forEachField(out, [&](const char* name, auto& field) {
    if (json.contains(name)) whole = readInto(json[name], field) && whole;
  });
  return whole ? std::optional(std::move(out)) : std::nullopt;
}

std::string shellWord(const std::string& word) {
  if (word.find_first_of(" *'\"\\$&|;<>()?[]") == std::string::npos && !word.empty()) return word;
  std::string out = "'";
  for (const char c : word) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

std::string subjectOptions(const SubjectArguments& arguments) {
  std::string out;
  const auto add = [&out](const std::string& name, const std::string& value) {
    out += (out.empty() ? "" : " ") + (name == "subject" ? "" : optionName(name) + " ") + shellWord(value);
  };
  const SubjectArguments none;
  std::vector<Json> usual;
  forEachField(none, [&](const char*, const auto& field) { usual.emplace_back(field); });
  std::size_t at = 0;
  forEachField(arguments, [&](const char* name, const auto& field) {
    if (Json(field) == usual[at++]) return;
    using Field = std::remove_cvref_t<decltype(field)>;
    if constexpr (std::is_same_v<Field, std::string>)
      add(name, field);
    else if constexpr (std::is_same_v<Field, bool>)
      out += " " + optionName(name);
    else if constexpr (std::is_integral_v<Field>)
      add(name, std::to_string(field));
    else
      for (const std::string& one : field) add(name, one);
  });
  return out;
}

}  // namespace lanewise
