#include "tools/cli/tier_options.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>

#include "model/base/caches.h"
#include "model/model.h"
#include "tools/subject/comma_lists.h"

namespace lanewise {
void addTier(CLI::App& app, TierOptions& o, bool several) {
  app.add_option(
         "--tier", o.tiers,
         std::string("Who executes in the model: interpreter, compiled (native code by LLVM), or auto: what is quicker; the bytes are "
                     "the same") +
             (several ? "; several with commas are compared" : ""))
      ->capture_default_str();
  app.add_flag("--no-cache", o.noCache, "Neither read nor keep compiled programs on disk; so does LANEWISE_NO_CACHE=1");
}

void untilChosen(const TierOptions& o, const std::function<bool()>& run) {
  constexpr std::chrono::seconds kLong{1};
  constexpr int kOften = 100;
  const Expected<std::vector<std::string>> tiers = parseNames("--tier", o.tiers);
  const auto isChosen = [](const std::string& name) {
    const Expected<Tier> tier = parseTier(name);
    return tier && *tier == Tier::kAuto;
  };
  if (!tiers || std::ranges::none_of(*tiers, isChosen)) return;
  const auto begin = std::chrono::steady_clock::now();
  for (int done = 0; done < kOften && std::chrono::steady_clock::now() - begin < kLong; ++done)
    if (!run()) return;
}

std::filesystem::path codeFolder(const TierOptions& o) {
  return o.noCache ? std::filesystem::path() : cacheFolder("code");
}

}  // namespace lanewise
