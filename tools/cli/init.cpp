// `lanewise init`: writes a first description of a kernel.
#include "tools/described/init.h"

#include <fmt/format.h>

#include <filesystem>

#include "model/base/file.h"
#include "model/base/text.h"
#include "model/base/visible.h"
#include "tools/cli/commands.h"
#include "tools/described/keys.h"

namespace lanewise {

Expected<Outcome> runInit(const InitOptions& o) {
  if (o.schema) {
    fmt::print("{}", descriptionSchema());
    return Outcome::kOk;
  }
  if (o.modules.empty()) return Error{Outcome::kBadInput, "nothing is named", "init", "a module's file: lanewise init kernel.comp"};
  const std::string file = o.out.empty() ? std::filesystem::path(o.modules[0]).replace_extension(".toml").string() : o.out;
  std::error_code failed;
  if (file != "-" && !o.force && std::filesystem::exists(file, failed))
    return Error{Outcome::kBadInput, fmt::format("'{}' is there already", file), "--out", "another name, or --force to replace it"};
  const Expected<std::string> text = firstDescription(o.modules, o.source, file == "-" ? "" : file);
  if (!text) return text.error();
  if (file == "-") {
    fmt::print("{}", *text);
    return Outcome::kOk;
  }
  if (Status bad = writeTextFile(file, *text)) return *bad;
  const std::string word = shellWord(file);
  fmt::print("{}",
             visible(fmt::format("{}: look at the lines with ??, then `lanewise list {}` and `lanewise validate {}`\n", file, word, word)));
  return Outcome::kOk;
}

}  // namespace lanewise
