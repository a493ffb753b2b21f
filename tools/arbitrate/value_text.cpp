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

std::string nameOf(const Job& job, std::uint32_t resource) {
  return resource < job.resources.size() ? job.resources[resource].name : "?";
}

// "source texel (1, 0)" of an image's byte, or of a texel buffer's.
std::string texelText(const Job& job, std::uint32_t resource, std::uint64_t offset, std::uint32_t size) {
  std::uint64_t x = offset / size, y = 0;
  if (const auto* image = std::get_if<ImageData>(&job.resources[resource].data)) {
    std::uint32_t level = 0;
    while (level + 1 < image->levels && offset >= image->levelOffset(level + 1)) ++level;
    const Extent3 e = image->levelExtent(level);
    const std::uint64_t texel = (offset - image->levelOffset(level)) / size;
    x = texel % e.x;
    y = texel / e.x % e.y;
  }
  return fmt::format("{} texel ({}, {})", nameOf(job, resource), x, y);
}

std::string placeText(const Job& job, Place place, std::uint32_t resource, std::uint64_t offset, std::uint32_t size) {
  switch (place) {
    case Place::kImage:
      return texelText(job, resource, offset, size);
    case Place::kBuffer:
      return fmt::format("{} byte {}", nameOf(job, resource), offset);
    case Place::kWorkgroup:
      return fmt::format("workgroup memory byte {}", offset);
    case Place::kPush:
      return fmt::format("push constants byte {}", offset);
    case Place::kLaneMemory:
      return fmt::format("function memory byte {}", offset);
    default:
      return fmt::format("memory byte {}", offset);
  }
}

}  // namespace

std::uint64_t valueBits(const Batch& batch, const DescribedOperand& operand, std::uint32_t lane) {
  const std::size_t bytes = isWide(operand.type) ? 8 : 4;
  const std::byte* from = batch.regs + operand.slot.offset + lane / kGroup * operand.slot.step + lane % kGroup * bytes;
  std::uint64_t bits = 0;
  std::memcpy(&bits, from, bytes);
  return bits;
}

void setValueBits(const Batch& batch, const DescribedOperand& operand, std::uint32_t lane, std::uint64_t bits) {
  const std::size_t bytes = isWide(operand.type) ? 8 : 4;
  std::byte* const group = batch.regs + operand.slot.offset + lane / kGroup * operand.slot.step;
  for (std::uint32_t i = 0; i < kGroup; ++i)
    if (operand.slot.step == 0 || i == lane % kGroup) std::memcpy(group + i * bytes, &bits, bytes);
}

std::string valuesText(const Batch& batch, std::span<const DescribedOperand> operands, std::uint32_t lane) {
  std::string out;
  for (const DescribedOperand& operand : operands) out += (out.empty() ? "" : ", ") + valueText(batch, operand, lane);
  return out;
}

std::string memoryText(const Job& job, const AccessEvent& event, const LaneRun& run, std::uint64_t offset) {
  return fmt::format("{} {}", kindText(event.kind), placeText(job, event.place, run.resource, offset, run.size));
}

std::string memoryText(const Job& job, const AccessEvent& event, const Outside& at) {
  const std::string place = event.place == Place::kImage
                                ? fmt::format("{} texel ({}, {})", nameOf(job, at.resource), at.texel[0], at.texel[1])
                                : placeText(job, event.place, at.resource, at.offset, at.size);
  return fmt::format("{} {} (out of range)", kindText(event.kind), place);
}

std::uint32_t invocationIndex(const Batch& batch, std::uint32_t lane) {
  return batch.env->program->invocationOf({batch.index, lane});
}

}  // namespace lanewise
