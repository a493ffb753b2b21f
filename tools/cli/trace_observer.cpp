#include "tools/cli/trace_observer.h"

#include <fmt/format.h>

#include <bit>

namespace lanewise {
namespace {

std::string valueText(const Batch& batch, const DescribedOperand& operand, std::uint32_t lane) {
  const std::size_t bytes = isWide(operand.type) ? 8 : 4;
  const std::byte* from = batch.regs + operand.slot.offset + lane / kGroup * operand.slot.step + lane % kGroup * bytes;
  std::uint64_t bits = 0;
  std::memcpy(&bits, from, bytes);
  switch (operand.type) {
    case Scalar::kBool:
      return bits != 0 ? "true" : "false";
    case Scalar::kF32:
      return fmt::format("f32 {}", std::bit_cast<float>(static_cast<std::uint32_t>(bits)));
    case Scalar::kF64:
      return fmt::format("f64 {}", std::bit_cast<double>(bits));
    case Scalar::kI32:
      // Signedness belongs to operations: where it matters, both readings.
      if (const auto value = static_cast<std::int32_t>(bits); value < 0) return fmt::format("i32 {} ({})", bits, value);
      [[fallthrough]];
    default:
      return fmt::format("{} {}", scalarName(operand.type), bits);
  }
}

// `count` of the described operands of an instruction, from the `first` on.
std::string valuesText(const Batch& batch, const Program& program, std::uint32_t first, std::uint32_t count, std::uint32_t lane) {
  std::string out;
  for (std::uint32_t i = 0; i < count; ++i) out += (i == 0 ? "" : ", ") + valueText(batch, program.described[first + i], lane);
  return out;
}

const char* kindText(AccessKind kind) {
  constexpr const char* kNames[] = {"read", "write", "atomic"};
  return kNames[static_cast<std::size_t>(kind)];
}

}  // namespace

TraceObserver::TraceObserver(Extent3 global, std::uint64_t first, std::uint64_t stopAt, const Job& job,
                             std::function<void(const std::string&)> print)
    : global_(global), next_(first), stopAt_(stopAt), job_(job), print_(std::move(print)) {}

int TraceObserver::laneIn(const Batch& batch) const {
  const std::uint32_t* local = batch.env->program->localSize;
  const Extent3 group = batch.env->group;
  if (global_.x / local[0] != group.x || global_.y / local[1] != group.y || global_.z / local[2] != group.z) return -1;
  const std::uint32_t index = (global_.z % local[2] * local[1] + global_.y % local[1]) * local[0] + global_.x % local[0];
  const Program& program = *batch.env->program;
  const std::uint32_t perBatch = program.separateLanes ? program.subgroupSize : program.width;
  return index / perBatch == batch.index ? static_cast<int>(index % perBatch) : -1;
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
  const std::string name = event.resource < job_.resources.size() ? job_.resources[event.resource].name : "?";
  std::string place;
  switch (event.place) {
    case Place::kImage:
      place = fmt::format("{} texel ({}, {})", name, event.texel[0], event.texel[1]);
      break;
    case Place::kBuffer:
      place = fmt::format("{} byte {}", name, event.offset);
      break;
    case Place::kWorkgroup:
      place = fmt::format("workgroup memory byte {}", event.offset);
      break;
    case Place::kPush:
      place = fmt::format("push constants byte {}", event.offset);
      break;
    default:
      place = fmt::format("memory byte {}", event.offset);
      break;
  }
  memory_ += fmt::format(" {} {}{}", kindText(event.kind), place, event.inRange ? "" : " (out of range)");
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
