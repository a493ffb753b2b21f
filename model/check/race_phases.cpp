#include "model/check/race_phases.h"

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

}  // namespace lanewise::race
