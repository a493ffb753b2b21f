// `lanewise inspect`: what a module needs, where it runs, and what devices may differ in.
#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <set>

#include "model/base/visible.h"
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
#include "tools/subject/subject_text.h"

namespace lanewise {
namespace {

// The options of the source, written as on a command line.
std::string sourceText(const SourceOptions& s) {
  std::string out;
  for (const std::string& folder : s.includeFolders) out += fmt::format(" -I '{}'", folder);
  for (const std::string& define : s.defines) out += fmt::format(" -D '{}'", define);
  if (!s.targetEnvironment.empty()) out += fmt::format(" --target-env {}", s.targetEnvironment);
  if (s.optimise) out += " -O";
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

// What an inspection points to.
struct Inspected {
  UsedModules::One used;
  std::unique_ptr<spirv::Module> parsed;
  std::unique_ptr<Interface> interface;
  Inspection inspection;
};

Expected<Inspected> inspectOne(const InspectOptions& o, const UsedModules::One& used, const UsedModules& of, const OpenSides& open) {
  Expected<spirv::Module> parsed = spirv::parse(used.module->name, used.module->words);
  if (!parsed) return parsed.error();
  Inspected out{used, std::make_unique<spirv::Module>(std::move(*parsed)), nullptr, {}};
  Expected<Interface> interface = readInterface(*out.parsed, used.spec);
  if (!interface) return interface.error();
  out.interface = std::make_unique<Interface>(std::move(*interface));
  out.inspection = inspect(*used.module, *out.parsed, *out.interface, sourceText(o.subject.module.source), used.spec);
  Model model;
  for (InspectedEntry& entry : out.inspection.entries) {
    if (!of.subject.empty()) entry.command = "lanewise run " + subjectOptions(o.subject);
    entry.sides.push_back(onModel(model, used.module, *out.parsed, *entry.entry, used.spec));
    for (const Side& side : open.sides) {
      if (side.info.isModel) continue;
      std::vector<std::string> all = obstacles(*out.interface, *entry.entry, side.device->profile());
      if (of.of != nullptr && of.of->script != nullptr)
        if (std::string lacks = of.of->cannotRunOn(side.device->profile()); !lacks.empty()) all.push_back(std::move(lacks));
      entry.sides.push_back({side.info.name, std::move(all)});
    }
  }
  return out;
}  // NOLINT(clang-analyzer-cplusplus.NewDeleteLeaks): out owns it

}  // namespace

Expected<Outcome> runInspect(const InspectOptions& o) {
  const Expected<UsedModules> used = modulesOf(o.subject);
  if (!used) return used.error();
  SideOptions on;
  on.devices = o.device;
  const Expected<OpenSides> open = openSides(on);
  if (!open) return open.error();
  std::vector<Inspected> all;
  for (const UsedModules::One& one : used->all) {
    Expected<Inspected> inspected = inspectOne(o, one, *used, *open);
    if (!inspected) return inspected.error();
    all.push_back(std::move(*inspected));
  }
  if (used->subject.empty()) {
    fmt::print("{}", o.json ? inspectJson(all[0].inspection, LANEWISE_VERSION) : visible(inspectText(all[0].inspection)));
    return Outcome::kOk;
  }
  std::string text;
  for (const Inspected& one : all) {
    if (!text.empty()) text += o.json ? ",\n" : "\n";
    text += o.json ? inspectJson(one.inspection, LANEWISE_VERSION) : inspectText(one.inspection);
  }
  if (o.json)
    fmt::print("{{\"schema\": \"lanewise-inspect-subject-1\", \"subject\": {}, \"modules\": [\n{}]}}\n",
               nlohmann::json(used->subject).dump(), text);
  else
    fmt::print("{}\n\n{}", visible(used->subject), visible(text));
  return Outcome::kOk;
}

}  // namespace lanewise
