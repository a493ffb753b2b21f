// What each kind of finding is and what mends it, for SARIF, whose viewers show it beside a finding.
#pragma once

#include <string_view>

namespace lanewise {

struct Rule {
  std::string_view what;   // as the table of docs/findings.md says it
  std::string_view mends;  // so too, where a few words are enough; of what is no finding of a run empty
};

// Of CheckFinding::kind(). A kind that is neither one of finding.h nor a dependence ("depends on the schedule") is how a run ended.
Rule ruleOf(std::string_view kind);

}  // namespace lanewise
