#include "model/exec/turns.h"

namespace lanewise {
namespace {

bool isReady(const Batch& b) {
  return b.status == Batch::Status::kReady;
}

// Picks any batch that is ready, each with the same probability.
std::optional<Turn> anyTurn(std::uint64_t seed, std::uint64_t turns, std::span<const WorkgroupState> residents) {
  std::uint64_t ready = 0;
  for (const WorkgroupState& w : residents)
    if (w.running) ready += static_cast<std::uint64_t>(std::ranges::count_if(w.batches, isReady));
  if (ready == 0) return {};
  std::uint64_t x = (seed + 1) * 0x9e3779b97f4a7c15u + turns * 0xbf58476d1ce4e5b9u;  // splitmix64's last steps
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
  x = (x ^ x >> 27) * 0x94d049bb133111ebu;
  std::uint64_t skip = (x ^ x >> 31) % ready;
  for (std::uint32_t slot = 0; slot < residents.size(); ++slot)
    for (std::uint32_t i = 0; residents[slot].running && i < residents[slot].batches.size(); ++i)
      if (isReady(residents[slot].batches[i]) && skip-- == 0) return Turn{slot, i};
  return {};
}

}  // namespace

std::optional<Turn> nextTurn(const Schedule& schedule, std::uint64_t turns, std::span<const WorkgroupState> residents) {
  if (schedule.order == Schedule::Order::kInterleave) return anyTurn(schedule.seed, turns, residents);
  const WorkgroupState* first = nullptr;
  for (const WorkgroupState& w : residents)
    if (w.running && (!first || w.place < first->place)) first = &w;
  if (!first) return {};
  const std::uint64_t count = first->batches.size();
  for (std::uint64_t i = first->next; i < count; ++i) {
    const auto batch = static_cast<std::uint32_t>(schedule.at(i, count));
    if (isReady(first->batches[batch])) return Turn{static_cast<std::uint32_t>(first - residents.data()), batch};
  }
  return {};
}

std::uint8_t switchesAt(const Schedule& schedule) {
  return schedule.order == Schedule::Order::kInterleave ? kAtBarrier | kAtAtomic | kAtAccess | kAtJumpBack : 0;
}

}  // namespace lanewise
