// `lanewise list`: kernels, and the cases of a kernel.
#include <fmt/format.h>

#include "model/base/visible.h"
#include "tools/catalogue/catalogue.h"
#include "tools/cli/commands.h"

namespace lanewise {
namespace {

std::string parameterText(const Parameter& parameter) {
  if (!parameter.choices.empty()) return fmt::format("{}={}", parameter.name, fmt::join(parameter.choices, "|"));
  return fmt::format("{}={}..{}", parameter.name, parameter.lowest, parameter.highest);
}

void printKernel(const Kernel& kernel, std::size_t cases) {
  std::string parameters;
  for (const Parameter& p : kernel.parameters) parameters += parameterText(p) + " ";
  const bool every = kernel.leastSubgroup == 1 && kernel.greatestSubgroup == 128;
  const std::string lanes = every ? "" : fmt::format("; subgroups of {} to {} lanes", kernel.leastSubgroup, kernel.greatestSubgroup);
  fmt::print("{}\n  {}\n  contract {}: {}\n  parameters {}sizes 1x1 to {}x{}{}; {} cases in the quick set\n", visible(kernel.name),
             visible(kernel.summary), kernel.contract.name, visible(kernel.promise), visible(parameters), kernel.largestSide,
             kernel.line ? 1 : kernel.largestSide, lanes, cases);
}

}  // namespace

Expected<Outcome> runList(const ListOptions& options) {
  const std::vector<std::string> all = {"*", "broken/*"};
  const Expected<Selection> selected = selectSubjects(options.patterns.empty() ? all : options.patterns);
  if (!selected) return selected.error();
  if (Status file = refuseFiles(*selected, "`lanewise inspect` shows a module or a capsule")) return *file;
  for (const Case& c : selected->cases) {
    if (Status bad = outsideDomain(c)) return *bad;
    if (options.cases)
      fmt::print("{}\n", visible(c.name()));
    else
      printKernel(*c.kernel, casesOf(*c.kernel)->size());
  }
  for (const Kernel* kernel : selected->kernels) {
    const Expected<std::vector<Case>> cases = casesOf(*kernel);
    if (!cases) return cases.error();
    if (!options.cases) printKernel(*kernel, cases->size());
    for (const Case& c : *cases)
      if (options.cases) fmt::print("{}\n", visible(c.name()));
  }
  return Outcome::kOk;
}

}  // namespace lanewise
