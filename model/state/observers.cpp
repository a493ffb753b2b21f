#include "model/state/observers.h"

#include <algorithm>

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
  if (const auto* begins = std::get_if<DispatchBegins>(&moment)) findUnheard(begins->env);
  if (std::holds_alternative<IndexOutside>(moment)) unheard_.clear();  // whoever was told of it waits for the access that goes by it
}

void Observers::findUnheard(const Environment& env) {
  unheard_.clear();
  if (!want(watch::kAccess)) return;
  const Program& program = *env.program;
  const auto needs = [&](std::uint32_t resource) {
    return std::ranges::any_of(all_, [&](const Entry& e) { return (e.watches & watch::kAccess) != 0 && e.observer->needsLoads(resource); });
  };
  const auto isNeeded = [&](std::uint32_t resource) {
    const auto [first, count] = env.descriptors[resource];
    for (std::uint32_t i = first; i < first + count; ++i)
      if ((env.buffers[i].data && needs(env.buffers[i].resource)) || (env.images[i].data && needs(env.images[i].resource))) return true;
    return false;
  };
  std::vector<std::uint8_t> unneeded(program.resources.size());
  for (std::uint32_t r = 0; r < unneeded.size(); ++r) unneeded[r] = isNeeded(r) ? 0 : 1;
  unheard_.resize(program.info.size());
  for (std::uint32_t pc = 0; pc < unheard_.size(); ++pc)
    if (program.orders[program.info[pc].order].alignment <= 1) {
      const ir::Access* const access = program.accessOf(pc);
      if (const auto resource = program.resourceOf(pc)) unheard_[pc] = unneeded[*resource];
      if (access && access->space == ir::Space::kPush) unheard_[pc] = needs(Observer::kPushConstants) ? 0 : 1;
    }
}

void Observers::access() {
  const AccessEvent event = log.finish();
  const std::uint32_t kind = event.place == Place::kLaneMemory ? watch::kLaneMemory : watch::kAccess;
  tell(kind, [&](Observer& o) { return o.access(event); });
}

}  // namespace lanewise
