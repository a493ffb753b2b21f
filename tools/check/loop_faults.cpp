#include "tools/check/loop_faults.h"

#include <algorithm>
#include <functional>

#include "model/patch/locals_in_memory.h"
#include "model/patch/order_edit.h"
#include "model/spirv/parse.h"

namespace lanewise {
namespace {

// The job with other modules for those that have loops; empty if no module is another.
std::optional<Job> withLoopsChanged(Job job,
                                    const std::function<std::optional<ShaderModule>(const Dispatch&, const spirv::Module&)>& change) {
  bool isChanged = false;
  for (Dispatch& d : job.dispatches) {
    const auto module = spirv::parse(d.module->name, d.module->words);
    if (!module || std::ranges::count(module->instructions, spv::Op::OpLoopMerge, &spirv::Instruction::op) == 0) continue;
    std::optional<ShaderModule> changed = change(d, *module);
    if (!changed) continue;
    d.module = std::make_shared<const ShaderModule>(std::move(*changed));
    isChanged = true;
  }
  return isChanged ? std::optional(std::move(job)) : std::nullopt;
}

}  // namespace

std::optional<Job> withoutFencesOfLoops(Job job) {
  return withLoopsChanged(std::move(job), [](const Dispatch&, const spirv::Module& module) -> std::optional<ShaderModule> {
    const std::vector<OrderEdit> edits = relaxedAll(module);
    if (edits.empty()) return {};
    return withOrder(module, edits);
  });
}

std::optional<Job> withLocalsInMemory(Job job) {
  return withLoopsChanged(std::move(job),
                          [](const Dispatch& d, const spirv::Module& module) { return withLocalsInMemory(module, d.entryPoint); });
}

}  // namespace lanewise
