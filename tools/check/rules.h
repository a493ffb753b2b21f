// What each kind of finding is and what mends it, for SARIF, whose viewers show it beside a finding.
#pragma once

#include <string_view>

namespace lanewise {

struct Rule {
  std::string_view what;   // as the table of docs/findings.md says it
  std::string_view mends;  // so too, where a few words are enough; of what is no finding of a run empty
};

struct CheckFinding;
Rule ruleOf(const CheckFinding& finding);

}  // namespace lanewise
