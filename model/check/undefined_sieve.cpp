#include "model/check/undefined_sieve.h"

namespace lanewise::undefined {

Sieve::Sieve(std::span<const Program* const> programs) {
  for (const Program* p : programs) {
    seen_ = seen_ || !p->undefined.empty();
    locals_ = locals_ || p->laneWords != 0;
  }
}

Answer Sieve::moment(const Moment& moment) {
  if (std::holds_alternative<OperandsUndefined>(moment)) seen_ = true;
  if (const auto* begins = std::get_if<WorkgroupBegins>(&moment)) {
    const Environment& env = begins->env;
    if (env.slot >= written_.size()) written_.resize(env.slot + 1);
    written_[env.slot].assign(env.program->batches, Words(env.program->laneWords));
  }
  return Answer::kGoOn;
}

Answer Sieve::access(const AccessEvent& event) {
  if (seen_ || event.place != Place::kLaneMemory) return Answer::kGoOn;
  Words& written = written_[event.batch.env->slot][event.batch.index];
  for (const LaneRun& run : event.runs) {
    const bool together = !run.list && run.stride == 0;
    for (std::uint32_t i = 0, count = together ? run.count : 1; i < run.count; i += count) {
      LaneMask lanes;
      for (std::uint32_t k = 0; k < count; ++k) lanes.set(run.lane + i + k);
      for (std::uint64_t word = run.offsetOf(i) / 4; word < (run.offsetOf(i) + run.size) / 4; ++word) {
        if (event.kind == AccessKind::kWrite)
          written[word] = written[word] | lanes;
        else
          seen_ = seen_ || without(lanes, written[word]).any();
      }
    }
  }
  return Answer::kGoOn;
}

}  // namespace lanewise::undefined
