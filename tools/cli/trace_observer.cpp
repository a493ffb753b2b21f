#include "tools/cli/trace_observer.h"

#include <fmt/format.h>

#include "tools/arbitrate/value_text.h"

namespace lanewise {

TraceObserver::TraceObserver(Extent3 global, std::uint64_t first, std::uint64_t stopAt, const Job& job,
                             std::function<void(const std::string&)> print)
    : global_(global), next_(first), stopAt_(stopAt), job_(job), print_(std::move(print)) {}

int TraceObserver::laneIn(const Batch& batch) const {
  const std::uint32_t* local = batch.env->program->localSize;
  const Extent3 group = batch.env->group;
  if (global_.x / local[0] != group.x || global_.y / local[1] != group.y || global_.z / local[2] != group.z) return -1;
  const std::uint32_t index = (global_.z % local[2] * local[1] + global_.y % local[1]) * local[0] + global_.x % local[0];
  const Program& program = *batch.env->program;
  const Program::LanePlace place = program.placeOf(index);
  return place.batch == batch.index ? static_cast<int>(place.lane) : -1;
}

bool TraceObserver::beforeInstruction(const Batch& batch, std::uint32_t pc) {
  const int lane = laneIn(batch);
  if (lane < 0 || !batch.mask.test(static_cast<std::uint32_t>(lane))) return true;
  if (stopAt_ != 0 && next_ == stopAt_) return false;
  const InstrInfo& info = batch.env->program->info[pc];
  operands_ = valuesText(batch, *batch.env->program, info.firstOperand, info.arguments, static_cast<std::uint32_t>(lane));
  memory_.clear();
  return true;
}

void TraceObserver::access(const Batch& batch, std::uint32_t, const MemoryEvent& event) {
  if (laneIn(batch) != static_cast<int>(event.lane)) return;
  memory_ += fmt::format(" {}", memoryText(job_, event));
}

void TraceObserver::afterInstruction(const Batch& batch, std::uint32_t pc, LaneMask lanes) {
  const int lane = laneIn(batch);
  if (lane < 0 || !lanes.test(static_cast<std::uint32_t>(lane))) return;
  const Program& program = *batch.env->program;
  const InstrInfo& info = program.info[pc];
  const std::string results =
      valuesText(batch, program, info.firstOperand + info.arguments, info.results, static_cast<std::uint32_t>(lane));
  const std::string fullPlace = program.lineOf(pc);
  std::string_view place = fullPlace;
  if (place.starts_with("./")) place.remove_prefix(2);
  if (place.empty()) place = "-";
  std::string line = fmt::format("{:>7} d{} {} {}", next_++, batch.env->dispatch, place, program.opOf(pc));
  if (!operands_.empty()) line += " " + operands_;
  if (!results.empty()) line += " -> " + results;
  print_(line + memory_);
}

}  // namespace lanewise
