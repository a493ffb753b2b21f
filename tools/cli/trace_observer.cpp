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

Answer TraceObserver::beforeInstruction(const InstructionEvent& event) {
  const int lane = laneIn(event.batch);
  if (lane < 0 || !event.lanes.test(static_cast<std::uint32_t>(lane))) return Answer::kGoOn;
  if (stopAt_ != 0 && next_ == stopAt_) return Answer::kStop;
  operands_ = valuesText(event.batch, event.arguments, static_cast<std::uint32_t>(lane));
  memory_.clear();
  return Answer::kGoOn;
}

Answer TraceObserver::access(const AccessEvent& event) {
  const int watched = laneIn(event.batch);
  forEachLane(event, [&](std::uint32_t lane, const LaneRun& run, std::uint64_t offset) {
    if (static_cast<int>(lane) == watched) memory_ += fmt::format(" {}", memoryText(job_, event, run, offset));
  });
  for (const Outside& at : event.outside)
    if (static_cast<int>(at.lane) == watched) memory_ += fmt::format(" {}", memoryText(job_, event, at));
  return Answer::kGoOn;
}

Answer TraceObserver::afterInstruction(const InstructionEvent& event) {
  const int lane = laneIn(event.batch);
  if (lane < 0 || !event.lanes.test(static_cast<std::uint32_t>(lane))) return Answer::kGoOn;
  const Program& program = *event.batch.env->program;
  const std::string results = valuesText(event.batch, event.results, static_cast<std::uint32_t>(lane));
  const std::string fullPlace = program.lineOf(event.pc);
  std::string_view place = fullPlace;
  if (place.starts_with("./")) place.remove_prefix(2);
  if (place.empty()) place = "-";
  std::string line = fmt::format("{:>7} d{} {} {}", next_++, event.batch.env->dispatch, place, program.opOf(event.pc));
  if (!operands_.empty()) line += " " + operands_;
  if (!results.empty()) line += " -> " + results;
  print_(line + memory_);
  return Answer::kGoOn;
}

}  // namespace lanewise
