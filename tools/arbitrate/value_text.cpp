#include "tools/arbitrate/value_text.h"

#include <fmt/format.h>

#include <bit>

namespace lanewise {
namespace {

std::string valueText(const Batch& batch, const DescribedOperand& operand, std::uint32_t lane) {
  const std::uint64_t bits = valueBits(batch, operand, lane);
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

const char* kindText(AccessKind kind) {
  constexpr const char* kNames[] = {"read", "write", "atomic read", "atomic write", "atomic"};
  return kNames[static_cast<std::size_t>(kind)];
}

}  // namespace

std::uint64_t valueBits(const Batch& batch, const DescribedOperand& operand, std::uint32_t lane) {
  const std::size_t bytes = isWide(operand.type) ? 8 : 4;
  const std::byte* from = batch.regs + operand.slot.offset + lane / kGroup * operand.slot.step + lane % kGroup * bytes;
  std::uint64_t bits = 0;
  std::memcpy(&bits, from, bytes);
  return bits;
}

std::string valuesText(const Batch& batch, const Program& program, std::uint32_t first, std::uint32_t count, std::uint32_t lane) {
  std::string out;
  for (std::uint32_t i = 0; i < count; ++i) out += (i == 0 ? "" : ", ") + valueText(batch, program.described[first + i], lane);
  return out;
}

std::string memoryText(const Job& job, const MemoryEvent& event) {
  const std::string name = event.resource < job.resources.size() ? job.resources[event.resource].name : "?";
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
  return fmt::format("{} {}{}", kindText(event.kind), place, event.inRange ? "" : " (out of range)");
}

std::uint32_t invocationIndex(const Batch& batch, std::uint32_t lane) {
  return batch.env->program->invocationOf({batch.index, lane});
}

}  // namespace lanewise
