// How the sieve uses phases (race_phases.h).
#include <algorithm>

#include "model/check/race_sieve.h"
#include "model/check/race_text.h"

namespace lanewise::race {

Sieve::WorkgroupUse Sieve::workgroupUse(const Program& program) {
  WorkgroupUse use;
  std::uint32_t reference = kAnyReference;
  const auto& capabilities = program.module.capabilities;
  const bool mayOverlap = std::ranges::find(capabilities, spv::Capability::WorkgroupMemoryExplicitLayoutKHR) != capabilities.end();
  for (std::uint32_t pc = 0; pc < program.info.size(); ++pc) {
    const ir::Code op = program.info[pc].op;
    use.hasAtomics = use.hasAtomics || program.orders[program.info[pc].order].has(ir::Order::kAtomic);
    if (op == ir::kControlBarrier) {
      const ir::Order& order = program.orders[program.info[pc].order];
      const Semantics semantics = semanticsOf(order.semantics);
      const bool orders = semantics.acquire && semantics.release && semantics.names(kWorkgroupMemory);
      use.hasPhases =
          use.hasPhases && (spv::Scope{order.execution} == spv::Scope::Subgroup || (orders && reachOf(order.scope) >= Reach::kWorkgroup));
    }
    if (op != ir::kLoad && op != ir::kStore && op != ir::kAtomic) continue;
    const ir::Access& access = *program.accessOf(pc);
    if (access.space != ir::Space::kWorkgroup) continue;
    const Means m = meansOf(program, pc, Place::kWorkgroup, access.variable);
    const AccessKind kind = op == ir::kLoad    ? AccessKind::kRead
                            : op == ir::kStore ? AccessKind::kWrite
                                               : atomicKind(static_cast<spv::Op>(program.codeOf(pc)));
    const bool several = mayOverlap && !oneReference(reference, m.reference);
    if (m.reference != kAnyReference) reference = m.reference;
    use.canAge = use.canAge && m.nonPrivate && !several;
    use.agesAlone = use.agesAlone && (writes(kind) ? m.available : m.visible) >= Reach::kWorkgroup;
  }
  return use;
}

// Notes an access of workgroup memory, or judges it with those that were noted.
void Sieve::note(const AccessEvent& event) {
  Group& g = groups_[event.batch.env->slot];
  if (event.kind == AccessKind::kWrite) sync_.overwrite(event);  // also where the phase is known
  if (g.noted.add(event)) return;
  judgeNoted(g);
  look(event);
}

// No later access needs to know of what was noted.
void Sieve::endPhase(Group& g) {
  if (g.noted.empty()) return;
  if (clean_.has(g.noted)) return g.noted.clear();
  asked_ = false;
  g.noted.forEach([this](const AccessEvent& event) { look(event); });
  if (!asked_) clean_.add(g.noted);
  g.noted.clear();
}

// Later accesses need it, or something orders a part of the phase.
void Sieve::judgeNoted(Group& g) {
  g.noted.forEach([this](const AccessEvent& event) { look(event); });
  g.noted.clear();
  g.notes = false;
}

void Sieve::suspectNoted(Group& g) {
  g.noted.forEach([this](const AccessEvent& event) {
    forEachLane(event, [this](std::uint32_t, const LaneRun& run, std::uint64_t offset) {
      for (std::uint64_t byte = offset & ~std::uint64_t{3}; byte < offset + run.size; byte += 4) suspects_.add(Place::kWorkgroup, 0, byte);
    });
  });
  g.noted.clear();
}

const Suspects& Sieve::suspects() {
  for (Group& g : groups_) suspectNoted(g);
  return suspects_;
}

}  // namespace lanewise::race
