// Which row explains a survivor (reasons.h).
#include <fmt/format.h>

#include <algorithm>

#include "tools/selftest/reasons.h"

namespace lanewise {
namespace {

constexpr const char* kOrder = "no schedule of the model makes stores visible late: a race, or the missing order itself, is for a checker";
constexpr const char* kApart = "a lost update needs another invocation between the load and the store: for a checker of races";

constexpr Reason kEverywhere[] = {
    {kRace, "barrier weakened", "", "", "", "", kOrder},
    {kRace, "atomic made plain", "", "", "", "", kApart},
};

std::vector<Reason> allReasons() {
  std::vector<Reason> all(std::begin(kEverywhere), std::end(kEverywhere));
  for (const auto& some : {blurReasons(), photoReasons(), spdReasons(), pyramidReasons()}) all.insert(all.end(), some.begin(), some.end());
  return all;
}

bool holds(const std::string& text, const char* part) {
  return text.find(part) != std::string::npos;
}

bool applies(const Reason& r, const MutantResult& m) {
  return holds(m.rule, r.rule) && holds(m.module, r.module) && (*r.file == '\0' || m.place.substr(0, m.place.find(':')) == r.file) &&
         holds(m.source, r.source) && holds(m.change, r.change);
}

}  // namespace

void explainSurvivor(MutantResult& m) {
  static const std::vector<Reason> reasons = allReasons();
  for (const Reason& r : reasons)
    if (applies(r, m)) {
      m.fate = r.fate;
      m.why = r.why;
      return;
    }
}

std::vector<std::string> unusedReasons(const SelftestResult& result) {
  std::vector<std::string> unused;
  for (const Reason& r : allReasons()) {
    const auto used = [&](const MutantResult& m) { return m.fate == r.fate && m.why == r.why && applies(r, m); };
    if (std::none_of(result.mutants.begin(), result.mutants.end(), used))
      unused.push_back(fmt::format("{} {} {} `{}` {}", r.rule, r.module, r.file, r.source, r.change));
  }
  return unused;
}

}  // namespace lanewise
