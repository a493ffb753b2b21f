// report.json back as a result, and several parts of one plan as one result.
#pragma once

#include <functional>
#include <string_view>

#include "tools/catalogue/catalogue.h"
#include "tools/sweep/result.h"

namespace lanewise {

// Reads the text of jsonText(), without the images. Bad input says what is wrong and in which case. A report of another version of the
// schema is bad input too. Safe for any bytes. `named` makes a case of its name.
Expected<SweepResult> readJson(std::string_view text, const std::function<Expected<Case>(std::string_view)>& named = parseCase);

struct NamedResult {
  std::string name;  // where it came from, for messages
  SweepResult result;
};

struct Merged {
  SweepResult result;                   // sides and cases of all parts; interrupted if something is missing
  std::vector<std::string> missing;     // parts that were not given, and parts that were interrupted
  std::vector<std::string> duplicates;  // parts given twice, and whether the two say the same
};
// Bad input: no part, or parts of different plans.
Expected<Merged> mergeResults(std::vector<NamedResult> parts);

}  // namespace lanewise
