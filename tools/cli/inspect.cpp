// `lanewise inspect`: what a module needs, where it runs, and what devices may differ in.
#include <fmt/format.h>

#include <set>

#include "model/model.h"
#include "model/spirv/parse.h"
#include "model/spirv/uses.h"
#include "model/spirv/validate.h"
#include "tools/cli/run_options.h"
#include "tools/cli/sides.h"
#include "tools/coverage/coverage.h"
#include "tools/run/inspect.h"
#include "tools/run/make_job.h"
#include "tools/run/module_file.h"
#include "tools/subject/comma_lists.h"
#include "tools/subject/subject.h"

namespace lanewise {
namespace {

// The options of the source, written as on a command line.
std::string sourceText(const SourceOptions& s) {
  std::string out;
  for (const std::string& folder : s.includeFolders) out += fmt::format(" -I '{}'", folder);
  for (const std::string& define : s.defines) out += fmt::format(" -D '{}'", define);
  if (!s.targetEnvironment.empty()) out += fmt::format(" --target-env {}", s.targetEnvironment);
  return out;
}

// The model's error when it prepares the entry point.
Runnable onModel(Model& model, const std::shared_ptr<const ShaderModule>& module, const spirv::Module& parsed, const InterfaceEntry& entry,
                 const std::vector<SpecConstant>& spec) {
  Dispatch d;
  d.module = module;
  d.entryPoint = entry.name;
  d.spec = spec;
  const auto program = model.program(d, model.profile().subgroupSize);
  Runnable out{"model", entry.conflicts};
  if (program) return out;
  out.obstacles.push_back(program.error().text());
  if (program.error().outcome != Outcome::kUnsupported) return out;
  // The model reports only the first thing that it cannot do; the table knows the others.
  std::set<std::uint32_t> refused;
  for (const CoverageRow& row : coverageTables().instructions)
    if (row.coverage == Coverage::kRefused) refused.insert(row.number);
  for (const spirv::Instruction* inst : spirv::reachableInstructions(parsed, entry.function))
    if (refused.contains(static_cast<std::uint32_t>(inst->op)))
      out.obstacles.push_back(fmt::format("{} is not supported ({})", spirv::opName(inst->op), placeOf(parsed, *inst)));
  return out;
}

}  // namespace

Expected<Outcome> runInspect(const InspectOptions& o) {
  if (Status kernel = refuseKernel(o.file)) return *kernel;
  const Expected<std::shared_ptr<const ShaderModule>> module = loadModule(o.file, o.source);
  if (!module) return module.error();
  if (Status wrong = spirv::validate((*module)->name, (*module)->words); wrong && wrong->outcome == Outcome::kBadInput) return *wrong;
  const Expected<spirv::Module> parsed = spirv::parse((*module)->name, (*module)->words);
  if (!parsed) return parsed.error();
  const Expected<Interface> plain = readInterface(*parsed);
  if (!plain) return plain.error();
  const Expected<std::vector<SpecConstant>> spec = parseSpec(o.spec, *plain);
  if (!spec) return spec.error();
  const Expected<Interface> interface = readInterface(*parsed, *spec);
  if (!interface) return interface.error();
  Inspection inspection = inspect(**module, *parsed, *interface, sourceText(o.source), *spec);
  Model model;
  for (InspectedEntry& entry : inspection.entries) entry.sides.push_back(onModel(model, *module, *parsed, *entry.entry, *spec));
  if (o.device != "model") {
    const Expected<OpenSides> open = openSides({.devices = o.device});
    if (!open) return open.error();
    for (const Side& side : open->sides)
      if (side.info.name != "model")
        for (InspectedEntry& entry : inspection.entries)
          entry.sides.push_back({side.info.name, obstacles(*interface, *entry.entry, side.device->profile())});
  }
  fmt::print("{}", o.json ? inspectJson(inspection, LANEWISE_VERSION) : inspectText(inspection));
  return Outcome::kOk;
}

}  // namespace lanewise
