// `lanewise coverage`: what of SPIR-V the model executes.
#include <fmt/core.h>

#include "tools/cli/run_options.h"
#include "tools/coverage/coverage.h"

namespace lanewise {

Expected<Outcome> runCoverage(const CoverageOptions& o) {
  if (o.json && o.markdown) return Error{Outcome::kBadInput, "--json and --markdown exclude each other", "coverage", ""};
  const CoverageTables tables = coverageTables();
  fmt::print("{}", o.json ? coverageJson(tables, LANEWISE_VERSION) : o.markdown ? coverageMarkdown(tables) : coverageText(tables));
  return Outcome::kOk;
}

}  // namespace lanewise
