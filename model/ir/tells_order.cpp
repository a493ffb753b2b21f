#include "model/ir/tells_order.h"

#include "model/ir/operation_info.h"

namespace lanewise {

std::vector<bool> tellsOrder(const Program& program) {
  std::vector<bool> ofResource(program.resources.size()), out(program.code.size());
  const auto forEach = [&](const auto& use) {
    for (std::uint32_t pc = 0; pc < program.code.size(); ++pc) {
      const auto* atomic = std::get_if<kind::Atomic>(&program.code[pc].what);
      if (!atomic || program.accesses[atomic->access].space != ir::Space::kBuffer) continue;
      const ir::Facts& facts = ir::factsOf(ir::codeOf(atomic->op));
      if (facts.atomic == ir::AtomicUse::kLoads || facts.atomic == ir::AtomicUse::kStores) continue;
      use(pc, program.accesses[atomic->access].resource, program.code[pc].dst == 0 && ir::sumOf(ir::codeOf(atomic->op)) != spv::Op::OpNop);
    }
  };
  forEach([&](std::uint32_t, std::uint32_t resource, bool sums) { ofResource[resource] = ofResource[resource] || !sums; });
  forEach([&](std::uint32_t pc, std::uint32_t resource, bool) { out[pc] = ofResource[resource]; });
  return out;
}

}  // namespace lanewise
