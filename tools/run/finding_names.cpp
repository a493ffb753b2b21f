#include "tools/run/finding_names.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace lanewise {

std::vector<std::string> findingNames(const RunFinding& f) {
  std::vector<std::string> out{f.at.text()};
  const auto add = [&out](const std::string& more) { out.push_back(fmt::format("{} {}", out.back(), more)); };
  add(findingName(f.kind));
  add(fmt::format("{}", fmt::join(f.invocation, ",")));
  add(fmt::format("dispatch {} word {}", f.dispatch, f.at.word));
  if (!f.otherAt.empty()) add(fmt::format("with word {}", f.otherAt.word));
  return out;
}

}  // namespace lanewise
