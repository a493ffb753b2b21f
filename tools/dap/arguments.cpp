#include "tools/dap/arguments.h"

#include <fmt/format.h>

namespace lanewise::dap {
namespace {

const Json kNothing;

}  // namespace

const Json& Arguments::at(const char* name) const {
  if (!of_.is_object()) return kNothing;
  const auto found = of_.find(name);
  return found == of_.end() ? kNothing : *found;
}

void Arguments::wrong(const char* name, const char* meant) {
  if (!bad_)
    bad_ = Error{Outcome::kBadInput, fmt::format("'{}' {}", name, has(name) ? fmt::format("is no {}", meant) : "is missing"), "", ""};
}

std::string Arguments::text(const char* name) {
  if (!at(name).is_string()) wrong(name, "text");
  return at(name).is_string() ? at(name).get<std::string>() : "";
}

std::int64_t Arguments::number(const char* name, std::int64_t least, std::int64_t most) {
  const Json& n = at(name);
  const bool isTooLarge =
      n.is_number_unsigned() && n.get<std::uint64_t>() > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
  if (n.is_number_integer() && !isTooLarge && n.get<std::int64_t>() >= least && n.get<std::int64_t>() <= most) return n.get<std::int64_t>();
  wrong(name, n.is_number() ? "number that it may be" : "number");
  return least;
}

std::string Arguments::textOr(const char* name, std::string usual) {
  return at(name).is_null() ? usual : text(name);
}

std::int64_t Arguments::numberOr(const char* name, std::int64_t usual, std::int64_t least, std::int64_t most) {
  return at(name).is_null() ? usual : number(name, least, most);
}

bool Arguments::flagOr(const char* name, bool usual) {
  if (at(name).is_null()) return usual;
  if (!at(name).is_boolean()) wrong(name, "boolean");
  return at(name).is_boolean() ? at(name).get<bool>() : usual;
}

std::vector<Arguments> Arguments::list(const char* name) {
  std::vector<Arguments> out;
  if (at(name).is_null()) return out;
  if (!at(name).is_array()) wrong(name, "list");
  if (at(name).is_array())
    for (const Json& one : at(name)) {
      if (!one.is_object()) wrong(name, "list of objects");
      out.emplace_back(one);
    }
  return out;
}

std::vector<std::string> Arguments::texts(const char* name) {
  std::vector<std::string> out;
  if (at(name).is_null()) return out;
  if (!at(name).is_array()) wrong(name, "list");
  if (at(name).is_array())
    for (const Json& one : at(name)) {
      if (!one.is_string()) wrong(name, "list of texts");
      out.push_back(one.is_string() ? one.get<std::string>() : "");
    }
  return out;
}

Arguments Arguments::inner(const char* name) {
  if (!at(name).is_null() && !at(name).is_object()) wrong(name, "object");
  return Arguments(at(name));
}

}  // namespace lanewise::dap
