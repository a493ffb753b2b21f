// report.json back as a result, and several parts of one plan as one result.
#pragma once

#include <string_view>

#include "tools/sweep/result.h"

namespace lanewise {

// What jsonText() wrote, without the images. Bad input names what is wrong and in which case; a report of another version of the schema is
// bad input too. Robust: any bytes give a result or an Error.
Expected<SweepResult> readJson(std::string_view text);

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
