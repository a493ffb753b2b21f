#include "model/check/race_phases.h"

#include <algorithm>

#include "model/check/race_sieve.h"
#include "model/check/race_text.h"

namespace lanewise::race {

void Phase::begin(std::uint32_t dispatch) {
  dispatch_ = dispatch;
  words_.clear();
  accesses_ = 0;
  hash_ = 0;
  put(dispatch);
}

bool Phase::add(const AccessEvent& event) {
  std::size_t more = 2;
  for (const LaneRun& run : event.runs) {
    if (run.size > 0x7fff) return false;
    more += run.list ? 1 + run.count : 2;
  }
  if (words_.size() + more > kMostWords) return false;
  const std::uint32_t batch = event.batch.index;
  if (batch >= batches_.size()) batches_.resize(batch + 1);
  batches_[batch] = &event.batch;
  put(std::uint64_t{batch} << 33 | std::uint64_t{event.kind == AccessKind::kWrite} << 32 | event.pc);
  put(std::uint64_t{event.runs.size()} << 32 | event.variable);
  for (const LaneRun& run : event.runs) {
    const std::uint64_t isList = run.list ? 1 : 0;
    put(std::uint64_t{run.stride} << 32 | isList << 31 | run.size << 16 | run.count << 8 | run.lane);
    if (!run.list) put(run.offset);
    for (std::uint32_t i = 0; run.list && i < run.count; ++i) put(run.list[i]);
  }
  ++accesses_;
  return true;
}

bool CleanPhases::has(const Phase& phase) {
  ++asked_;
  const auto [first, last] = known_.equal_range(phase.hash());
  for (auto it = first; it != last; ++it)
    if (it->second == phase.words()) return ++found_, true;
  return false;
}

void CleanPhases::add(const Phase& phase) {
  if (words_ + phase.words().size() > kMostWords) return;
  words_ += phase.words().size();
  known_.emplace(phase.hash(), phase.words());
}

// --- How the sieve uses them ------------------------------------------------------------------------------------------------------------

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
