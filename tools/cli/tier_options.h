// --tier and --no-cache: who executes in the models, and whether compiled programs are kept on disk.
#pragma once

#include <filesystem>
#include <functional>
#include <string>

namespace CLI {
class App;
}

namespace lanewise {

struct TierOptions {
  std::string tiers = "auto";  // as parseTier() has them; some commands take several, separated by commas
  bool noCache = false;
};

void addTier(CLI::App& app, TierOptions& options, bool several = false);

// Runs a model until it has chosen its tier, if it does that by itself: for a second, or often (docs/model.md, "Tiers"). `run`: false where
// it failed.
void untilChosen(const TierOptions& options, const std::function<bool()>& run);

// lanewise/code in the user's folder of caches. Empty: nothing is kept, by --no-cache, LANEWISE_NO_CACHE, or for want of such a folder.
std::filesystem::path codeFolder(const TierOptions& options);

}  // namespace lanewise
