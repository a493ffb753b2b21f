#include "tools/subject/with.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "tools/subject/comma_lists.h"

namespace lanewise {
namespace {

constexpr const char* kOption = "--with";

// Names, numbers, and ranges of numbers.
Expected<std::vector<std::string>> textsOf(std::string_view option, const std::string& text) {
  const Expected<std::vector<std::string>> parts = parseNames(option, text);
  if (!parts) return parts;
  std::vector<std::string> texts;
  for (const std::string& part : *parts) {
    if (part.find("..") == std::string::npos) {
      texts.push_back(part);
      continue;
    }
    const Expected<std::vector<std::string>> numbers = parseNumbers(option, part);
    if (!numbers) return numbers;
    texts.insert(texts.end(), numbers->begin(), numbers->end());
  }
  return texts;
}

const Parameter* find(const Kernel& kernel, std::string_view name) {
  const auto found = std::ranges::find(kernel.parameters, name, &Parameter::name);
  return found == kernel.parameters.end() ? nullptr : &*found;
}

Error unknown(const NamedValues& named, const std::string& who, const std::set<std::string>& known) {
  return {Outcome::kBadInput, fmt::format("{} parameter '{}'", who, named.parameter), named.option,
          known.empty() ? "it has none" : fmt::format("one of {}", fmt::join(known, ", "))};
}

}  // namespace

Expected<std::vector<NamedValues>> parseWith(std::span<const std::string> pairs) {
  std::vector<NamedValues> out;
  for (const std::string& pair : pairs) {
    const std::size_t equals = pair.find('=');
    if (equals == std::string::npos || equals == 0 || equals + 1 == pair.size())
      return Error{Outcome::kBadInput, fmt::format("not NAME=VALUE: '{}'", pair), kOption,
                   "e.g. --with radius=0..3 --with edge=clamp,zero"};
    Expected<std::vector<std::string>> texts = textsOf(kOption, pair.substr(equals + 1));
    if (!texts) return texts.error();
    const std::string name = pair.substr(0, equals);
    if (std::ranges::find(out, name, &NamedValues::parameter) != out.end())
      return Error{Outcome::kBadInput, fmt::format("'{}' is named twice", name), kOption, "separate values by commas: " + name + "=1,2"};
    out.push_back({name, std::move(*texts), kOption});
  }
  return out;
}

Status addShort(std::string_view option, const char* parameter, const std::string& text, std::vector<NamedValues>& into) {
  if (text.empty()) return {};
  Expected<std::vector<std::string>> texts = textsOf(option, text);
  if (!texts) return texts.error();
  if (std::ranges::find(into, parameter, &NamedValues::parameter) != into.end())
    return Error{Outcome::kBadInput, fmt::format("'{}' is named twice", parameter), std::string(option), "leave one of them out"};
  into.push_back({parameter, std::move(*texts), std::string(option)});
  return {};
}

Status checkKnown(std::span<const NamedValues> with, std::span<const Kernel* const> kernels) {
  std::set<std::string> known;
  for (const Kernel* kernel : kernels)
    for (const Parameter& p : kernel->parameters) known.insert(p.name);
  for (const NamedValues& named : with)
    if (!known.contains(named.parameter))
      return unknown(named, kernels.size() == 1 ? kernels[0]->name + " has no" : std::string("no kernel of the plan has a"), known);
  return {};
}

Expected<Case> withValues(Case c, std::span<const NamedValues> with) {
  const Kernel* const one[] = {c.kernel};
  if (Status bad = checkKnown(with, one)) return *bad;
  for (const NamedValues& named : with) {
    if (named.texts.size() != 1)
      return Error{Outcome::kBadInput, fmt::format("{} values for '{}', where one case is meant", named.texts.size(), named.parameter),
                   named.option, "name one"};
    const Parameter* parameter = find(*c.kernel, named.parameter);
    const Expected<std::uint32_t> value = parameter->parse(named.texts[0]);
    if (!value) return Error{value.error().outcome, value.error().what, named.option, value.error().hint};
    c.values[static_cast<std::size_t>(parameter - c.kernel->parameters.data())] = *value;
  }
  return c;
}

bool hasValues(const Case& c, std::span<const NamedValues> with) {
  return std::ranges::all_of(with, [&](const NamedValues& named) {
    const Parameter* parameter = find(*c.kernel, named.parameter);
    return parameter != nullptr && std::ranges::find(named.texts, parameter->text(c.value(named.parameter))) != named.texts.end();
  });
}

}  // namespace lanewise
