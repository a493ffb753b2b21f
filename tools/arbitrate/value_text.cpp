#include "tools/arbitrate/value_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cctype>

#include "model/check/place_text.h"
#include "model/state/lane_value.h"

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

// The job's name of an image; of one that `run` calls "0:1" the variable's.
std::string imageText(const Job& job, const AccessEvent& event, Accessed at) {
  const std::string name = nameOf(job, at.resource), variable = imageName(event, at.element).text();
  const bool isBinding = std::isdigit(static_cast<unsigned char>(name[0])) != 0;
  return isBinding && !variable.starts_with('%') ? variable : name;
}

// "source texel (1, 0)"; "volume texel (1, 0, 1) of level 2" of an image that has slices, layers or samples, and levels.
std::string texelText(const std::string& name, const ImageData& image, std::uint64_t byte) {
  const ImageData::Texel t = image.texelAt(byte);
  const bool isDeep = image.extent.z > 1 || image.layers > 1 || image.samples > 1;
  return fmt::format("{} texel ({}, {}{}){}", name, t.x, t.y, isDeep ? fmt::format(", {}", t.z) : "",
                     image.levels > 1 ? fmt::format(" of level {}", t.level) : "");
}

// As findings name it: "b.d[2]", "b.v[1].x to b.v[1].w" of a vector. Where no variable has it, the byte.
std::string placeText(const Job& job, const AccessEvent& event, Accessed at, std::uint64_t offset, std::uint32_t size) {
  if (event.place == Place::kLaneMemory) return fmt::format("function memory byte {}", offset);
  if (event.place == Place::kPhysical) return fmt::format("{} byte {}", nameOf(job, at.resource), offset);
  if (event.place == Place::kImage)
    if (const auto* image = std::get_if<ImageData>(&job.resources[at.resource].data))
      return texelText(imageText(job, event, at), *image, offset);
  const ir::Access* access = event.batch.env->program->accessOf(event.pc);
  const std::uint32_t scalar = access ? std::min(size, scalarBytes(access->type)) : size;
  const std::string first = placeName(job, event, at, offset, scalar).text();
  if (first.empty()) return fmt::format("memory byte {}", offset);
  return size <= scalar ? first : fmt::format("{} to {}", first, placeName(job, event, at, offset + size - scalar, scalar).text());
}

// The coordinates that an image does not have: there is no texel.
std::string missText(const Job& job, const AccessEvent& event, const Outside& at) {
  const ir::ImageAccess* image = event.batch.env->program->imageAccessOf(event.pc);
  const std::uint32_t count = std::clamp<std::uint32_t>(image ? image->coordinates : 2, 1, 3);
  return fmt::format("{} texel ({}){}", imageText(job, event, {at.resource, at.element}), fmt::join(at.texel, at.texel + count, ", "),
                     at.miss == Miss::kLevel ? fmt::format(" of level {}", at.texel[3]) : "");
}

}  // namespace

std::uint64_t valueBits(const Batch& batch, const DescribedOperand& operand, std::uint32_t lane) {
  return bitsOf(batch, operand, lane);
}

void setValueBits(const Batch& batch, const DescribedOperand& operand, std::uint32_t lane, std::uint64_t bits) {
  const bool wide = isWide(operand.type);
  const std::uint32_t first = lane / kGroup * kGroup;
  for (std::uint32_t i = 0; i < kGroup; ++i)
    if (operand.slot.step == 0 || first + i == lane) std::memcpy(batch.regs + laneByte(operand.slot, wide, first + i), &bits, wide ? 8 : 4);
}

std::string valuesText(const Batch& batch, std::span<const DescribedOperand> operands, std::uint32_t lane) {
  std::string out;
  for (const DescribedOperand& operand : operands) out += (out.empty() ? "" : ", ") + valueText(batch, operand, lane);
  return out;
}

std::string memoryText(const Job& job, const AccessEvent& event, const LaneRun& run, std::uint64_t offset) {
  return fmt::format("{} {}", kindText(event.kind), placeText(job, event, accessedBy(run), offset, run.size));
}

std::string memoryText(const Job& job, const AccessEvent& event, const Outside& at) {
  const std::string place =
      event.place == Place::kImage ? missText(job, event, at) : placeText(job, event, {at.resource, at.element}, at.offset, at.size);
  return fmt::format("{} {} (out of range)", kindText(event.kind), place);
}

std::uint32_t invocationIndex(const Batch& batch, std::uint32_t lane) {
  return batch.env->program->invocationOf({batch.index, lane});
}

}  // namespace lanewise
