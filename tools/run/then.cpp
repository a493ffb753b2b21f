#include "tools/run/then.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

namespace lanewise {
namespace {

constexpr const char* kThen = "--then";

Error badThen(std::string what, std::string hint = "") {
  if (hint.empty()) hint = "e.g. --then 'sum.comp --groups 1 --push u32:64' or --then 'copy 0:1 0:0'";
  return {Outcome::kBadInput, std::move(what), kThen, std::move(hint)};
}

// Words between blanks, without their quotes. Nothing: a quote that does not end.
std::optional<std::vector<std::string>> wordsOf(const std::string& text) {
  std::vector<std::string> words;
  char quote = 0;
  bool inside = false;
  for (const char c : text) {
    const bool blank = c == ' ' || c == '\t' || c == '\n';
    if (quote == 0 && blank) {
      inside = false;
      continue;
    }
    if (!inside) words.emplace_back();
    inside = true;
    if (c == quote)
      quote = 0;
    else if (quote == 0 && (c == '\'' || c == '"'))
      quote = c;
    else
      words.back() += c;
  }
  return quote == 0 ? std::optional(words) : std::nullopt;
}

// An option of a dispatch: its names, and the field of one of these types that it fills.
struct Option {
  const char* brief;
  const char* name;
  std::string* one = nullptr;
  std::vector<std::string>* several = nullptr;
  bool* flag = nullptr;
  bool value = true;  // that the flag then has
};

Status takeOption(std::span<const Option> options, const std::vector<std::string>& words, std::size_t& at) {
  const std::string& word = words[at];
  const std::size_t equals = word.starts_with("--") ? word.find('=') : std::string::npos;
  const std::string name = word.substr(0, equals);
  const bool joined = !word.starts_with("--") && word.size() > 2;  // -DN=4
  for (const Option& o : options) {
    if (name != o.name && (joined ? word.substr(0, 2) : name) != o.brief) continue;
    if (o.flag != nullptr) {
      if (equals != std::string::npos || joined) return badThen(fmt::format("{} takes no value", o.name));
      *o.flag = o.value;
      return {};
    }
    std::string value = joined ? word.substr(2) : equals == std::string::npos ? "" : word.substr(equals + 1);
    if (!joined && equals == std::string::npos && ++at < words.size()) value = words[at];
    if (value.empty()) return badThen(fmt::format("{} wants a value", o.name));
    if (o.several != nullptr) {
      o.several->push_back(std::move(value));
      return {};
    }
    if (!o.one->empty()) return badThen(fmt::format("{} is given twice", o.name));
    *o.one = std::move(value);
    return {};
  }
  std::string names;
  for (const Option& o : options) names += fmt::format("{}{}", names.empty() ? "" : ", ", o.name);
  return badThen(fmt::format("a dispatch has no option '{}'", name),
                 fmt::format("it has {}; data is given outside, e.g. --buffer 2/0:1=... for the second dispatch", names));
}

}  // namespace

Expected<ThenArguments> parseThen(const std::string& text) {
  const auto words = wordsOf(text);
  if (!words) return badThen(fmt::format("a quote does not end in \"{}\"", text));
  if (words->empty()) return badThen("nothing is said", "--then '--groups 8' dispatches the same module again");
  ThenArguments out;
  if (words->front() == "copy") {
    if (words->size() != 3) return badThen("a copy names two bindings", "copy FROM TO, e.g. --then 'copy 0:1 0:0'");
    out.from = (*words)[1];
    out.to = (*words)[2];
    return out;
  }
  const Option options[] = {{"", "--entry", &out.entry},
                            {"", "--groups", &out.groups},
                            {"", "--push", nullptr, &out.push},
                            {"", "--spec", nullptr, &out.spec},
                            {"", "--no-barrier", nullptr, nullptr, &out.barrier, false},
                            {"-D", "--define", nullptr, &out.source.defines},
                            {"-I", "--include", nullptr, &out.source.includeFolders},
                            {"-O", "--optimise", nullptr, nullptr, &out.source.optimise},
                            {"", "--target-env", &out.source.targetEnvironment}};
  for (std::size_t at = 0; at < words->size(); ++at) {
    if ((*words)[at].starts_with('-')) {
      if (Status bad = takeOption(options, *words, at)) return *bad;
    } else if (out.file.empty()) {
      out.file = (*words)[at];
    } else {
      return badThen(fmt::format("a second file: '{}'", (*words)[at]), "each --then is one dispatch");
    }
  }
  return out;
}

}  // namespace lanewise
