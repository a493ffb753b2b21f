// JSON documents against their schemas in docs/schemas, which use a part of JSON Schema (draft 2020-12): $ref, anyOf, const, enum, type,
// required, properties, additionalProperties, items, minItems and maxItems.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

namespace lanewise {

class Schema {
 public:
  using Json = nlohmann::json;
  // `name`: "lanewise-run-1".
  explicit Schema(const std::string& name) {
    std::ifstream file(std::string(LANEWISE_PAGES) + "schemas/" + name + ".json");
    root_ = Json::parse(file, nullptr, false);
  }

  // What the schema does not allow, and where; empty: nothing. Nor may there be a field that it does not name, although it lets others
  // come: a new field needs a word in it.
  std::string wrong(const Json& value) const { return root_.is_object() ? wrong(root_, value, "") : "there is no such schema"; }

 private:
  std::string wrong(const Json& schema, const Json& value, const std::string& at) const {
    if (schema.contains("$ref")) {
      const std::string to = schema["$ref"];
      if (!to.starts_with('#')) return Schema(to.substr(0, to.find('.'))).wrong(value);
      return wrong(root_.at(Json::json_pointer(to.substr(1))), value, at);
    }
    if (schema.contains("anyOf")) {
      std::string all;
      for (const Json& one : schema["anyOf"]) {
        const std::string why = wrong(one, value, at);
        if (why.empty()) return "";
        all += (all.empty() ? "" : ", or ") + why;
      }
      return all;
    }
    if (schema.contains("const") && value != schema["const"])
      return fmt::format("{} is {}, not {}", at, value.dump(), schema["const"].dump());
    if (schema.contains("enum") && std::ranges::find(schema["enum"], value) == schema["enum"].end())
      return fmt::format("{}: {} is not among {}", at, value.dump(), schema["enum"].dump());
    if (schema.contains("type") && !isOf(schema["type"], value))
      return fmt::format("{}: {} is no {}", at, value.dump(), schema["type"].dump());
    if (value.is_object()) return wrongFields(schema, value, at);
    if (value.is_array()) return wrongItems(schema, value, at);
    return "";
  }

  std::string wrongFields(const Json& schema, const Json& value, const std::string& at) const {
    for (const std::string field : schema.value("required", Json::array()))
      if (!value.contains(field)) return fmt::format("{} has no {}", at, field);
    const Json named = schema.value("properties", Json::object());
    for (const auto& [name, field] : value.items()) {
      const Json* of = named.contains(name)                      ? &named[name]
                       : schema.contains("additionalProperties") ? &schema["additionalProperties"]
                                                                 : nullptr;
      if (of == nullptr) return fmt::format("{}/{} is not in the schema", at, name);
      if (std::string why = wrong(*of, field, at + "/" + name); !why.empty()) return why;
    }
    return "";
  }

  std::string wrongItems(const Json& schema, const Json& value, const std::string& at) const {
    if (value.size() < schema.value("minItems", 0u) || value.size() > schema.value("maxItems", ~0u))
      return fmt::format("{} has {} items", at, value.size());
    for (std::size_t i = 0; i < value.size() && schema.contains("items"); ++i)
      if (std::string why = wrong(schema["items"], value[i], fmt::format("{}/{}", at, i)); !why.empty()) return why;
    return "";
  }

  static bool isOf(const std::string& type, const Json& value) {
    return type == "integer" ? value.is_number_integer() : type == "number" ? value.is_number() : type == value.type_name();
  }

  Json root_;
};

}  // namespace lanewise
