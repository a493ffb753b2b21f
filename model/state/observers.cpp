#include "model/state/observers.h"

namespace lanewise {
namespace {

constexpr std::uint32_t kindOf(const Moment& moment) {
  constexpr std::uint32_t kKindOf[] = {watch::kDispatch, watch::kDispatch,  watch::kWorkgroup, watch::kWorkgroup, watch::kSubgroup,
                                       watch::kSubgroup, watch::kBarrier,   watch::kBarrier,   watch::kBarrier,   watch::kStrand,
                                       watch::kStrand,   watch::kStrand,    watch::kIndex,     watch::kPrint,     watch::kFault,
                                       watch::kBlit,     watch::kOperation, watch::kOperands,  watch::kLocals};
  static_assert(std::size(kKindOf) == std::variant_size_v<Moment>);
  return kKindOf[moment.index()];
}

InstructionEvent eventOf(const Batch& batch, std::uint32_t pc, LaneMask lanes) {
  const Program& program = *batch.env->program;
  return {batch, pc, lanes, program.info[pc], program.argumentsOf(pc), program.resultsOf(pc)};
}

}  // namespace

Observers::Observers(std::span<Observer* const> observers) {
  for (Observer* o : observers) {
    all_.push_back({o, o->watches()});
    watches_ |= all_.back().watches;
  }
}

template <class Call>
void Observers::tell(std::uint32_t kinds, const Call& call) {
  for (const Entry& e : all_)
    if ((e.watches & kinds) != 0 && call(*e.observer) == Answer::kStop) stopping_ = true;
}

bool Observers::before(const Batch& batch, std::uint32_t pc) {
  if (!want(watch::kBefore)) return true;
  const InstructionEvent event = eventOf(batch, pc, batch.mask);
  for (const Entry& e : all_)
    if ((e.watches & watch::kBefore) != 0 && e.observer->beforeInstruction(event) == Answer::kStop) {
      stopping_ = true;
      return false;
    }
  return true;
}

void Observers::after(const Batch& batch, std::uint32_t pc, LaneMask lanes) {
  if (!want(watch::kAfter)) return;
  const InstructionEvent event = eventOf(batch, pc, lanes);
  tell(watch::kAfter, [&](Observer& o) { return o.afterInstruction(event); });
}

void Observers::moment(const Moment& moment) {
  tell(kindOf(moment), [&](Observer& o) { return o.moment(moment); });
}

void Observers::access() {
  const AccessEvent event = log.finish();
  const std::uint32_t kind = event.place == Place::kLaneMemory ? watch::kLaneMemory : watch::kAccess;
  tell(kind, [&](Observer& o) { return o.access(event); });
}

}  // namespace lanewise
