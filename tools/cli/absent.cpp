// What stands in the place of everything that a first build leaves out (LANEWISE_COMMANDS): each use is an error that says how to build it.
#include "model/compiled_programs.h"
#include "tools/cli/commands.h"
#include "tools/cli/program.h"
#include "tools/described/described_kernel.h"
#include "tools/run/interface_difference.h"
#include "tools/run/module_file.h"
#include "tools/run/optimise.h"
#include "tools/run/source_text.h"

namespace lanewise {

AddCommand otherCommand(std::string_view) {
  return nullptr;
}

Status notBuilt(const ValidateOptions& options) {
  if (!options.module.empty()) return notBuilt("--module");
  if (options.tier.tiers != ValidateOptions().tier.tiers) return notBuilt("--tier " + options.tier.tiers);
  return {};
}

// tools/described
bool isDescriptionFile(std::string_view file) {
  return file.ends_with(".toml");
}

Expected<std::shared_ptr<const Kernel>> openDescription(const std::string& file, const KeptIn&, const std::atomic<bool>*) {
  return notBuilt("a kernel that a file describes, such as " + file + ",");
}

// tools/run: for --module, and for described kernels.
Expected<std::shared_ptr<const ShaderModule>> loadModule(const std::string&, const SourceOptions&, const KeptIn&) {
  return notBuilt("--module");
}

std::string interfaceDifference(const InterfaceEntry&, const InterfaceEntry&) {
  return notBuilt("--module").text();
}

RunResult OptimisingDevice::run(const Job&) {
  RunResult result;
  result.error = notBuilt("spirv-opt");
  return result;
}

// model/compiled
std::shared_ptr<const compiled::Compiled> CompiledPrograms::get(const Dispatch&, const Program&, const Options&, Tier, double, double) {
  return nullptr;
}

void CompiledPrograms::note(const Program&, double) {}
void CompiledPrograms::refuse(const std::string&) {}
void CompiledPrograms::countDispatches(std::uint64_t) {}

TierReport CompiledPrograms::report() {
  return {};
}

}  // namespace lanewise
