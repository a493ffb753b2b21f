#include "model/check/place_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "model/ir/path_text.h"
#include "model/state/lane_value.h"
#include "model/state/workgroup.h"

namespace lanewise {
namespace {

std::string coordinates(const ImageData& image, std::uint64_t byte) {
  const ImageData::Texel t = image.texelAt(byte);
  const bool hasMore = image.extent.z > 1 || image.samples > 1 || image.layers > 1;
  const std::string z = hasMore ? fmt::format(",{}", t.z) : "";
  return image.dimensions == 1 ? fmt::format("{}{}", t.x, z) : fmt::format("{},{}{}", t.x, t.y, z);
}

// Where what a descriptor names starts in its resource; 0 of a pointer that is a value.
std::uint64_t startOf(const AccessEvent& event, std::uint32_t element) {
  const Environment& env = *event.batch.env;
  const ir::Access* access = env.program->accessOf(event.pc);
  if (const ir::ImageAccess* image = env.program->imageAccessOf(event.pc))
    return element < env.descriptors[image->resource].count ? env.images[env.descriptors[image->resource].first + element].offset : 0;
  if (!access || access->space != ir::Space::kBuffer || element >= env.descriptors[access->resource].count) return 0;
  return env.buffers[env.descriptors[access->resource].first + element].offset;
}

bool hasByte(const Binding& b, std::uint64_t byte) {
  return byte >= b.offset && (b.size == 0 || byte - b.offset < b.size);
}

// The steps of a path whose indices are not constant, from the front.
std::vector<const ir::PathStep*> indexed(const Program& program, std::uint32_t path) {
  std::vector<const ir::PathStep*> steps;
  for (; path != 0; path = program.paths[path].before)
    if (program.paths[path].isDynamic) steps.push_back(&program.paths[path]);
  std::ranges::reverse(steps);
  return steps;
}

// An index as its type has it. Nothing: it has 64 bits.
std::optional<std::int64_t> indexOf(const Program& program, std::uint32_t id, std::uint32_t bits) {
  const spirv::Instruction* const value = program.module.definition(id);
  const spirv::Instruction* const type = value ? program.module.definition(value->type) : nullptr;
  if (type && type->operand(0) > 32) return {};
  const bool isUnsigned = type && type->operand(1) == 0;
  return isUnsigned ? std::int64_t{bits} : std::int64_t{static_cast<std::int32_t>(bits)};
}

// Whether an access may be to this element of an array of descriptors.
bool mayUse(const Program& program, std::uint32_t pc, std::uint32_t element) {
  for (std::uint32_t at = program.info[pc].path; at != 0; at = program.paths[at].before) {
    const ir::PathStep& step = program.paths[at];
    if (step.kind == ir::PathStep::Kind::kDescriptor) return step.isDynamic || step.number == element;
  }
  return true;
}

}  // namespace

std::uint32_t placeInSource(const Program& program, std::uint32_t pc) {
  const spirv::Instruction& inst = program.instructionOf(pc);
  return inst.source.line ? inst.source.file << 20 ^ inst.source.line : 0x80000000u | inst.offset;
}

std::array<std::uint32_t, 3> globalInvocation(const Program& program, const Extent3& groups, std::uint64_t workgroup, std::uint32_t local) {
  const Extent3 id = globalInvocation(program.localSize, workgroupAt(workgroup, groups), local);
  return {id.x, id.y, id.z};
}

RunFinding findingAt(FindingKind kind, const Environment& env, std::uint32_t pc, std::uint32_t invocation) {
  RunFinding f;
  f.kind = kind;
  f.dispatch = env.dispatch;
  f.workgroup = {env.group.x, env.group.y, env.group.z};
  f.invocation = globalInvocation(*env.program, env.groups, linearOf(env.group, env.groups), invocation);
  f.at = env.program->instructionPlace(pc);
  f.instruction = spirv::opName(env.program->instructionOf(pc).op);
  return f;
}

PlaceName imageName(const AccessEvent& event, std::uint32_t element) {
  const Program& program = *event.batch.env->program;
  const ir::ImageAccess* image = program.imageAccessOf(event.pc);
  return {variableText(program, event.variable),
          image && program.resources[image->resource].count != 1 ? fmt::format("[{}]", element) : ""};
}

const FormatInfo* viewedFormat(const AccessEvent& event, const LaneRun& run) {
  const Environment& env = *event.batch.env;
  return env.images[env.descriptors[env.program->imageAccessOf(event.pc)->resource].first + run.element].format;
}

bool isSignedValue(const Program& program, std::uint32_t pc) {
  const Type* type = program.paths[program.info[pc].path].type;
  while (type && type->kind != Type::Kind::kStruct && type->element) type = type->element;
  return type && type->isSigned;
}

std::string variableName(const Program& program, std::uint32_t pc) {
  if (const ir::ImageAccess* image = program.imageAccessOf(pc)) return variableText(program, image->variable);
  const ir::Access* access = program.accessOf(pc);
  if (access == nullptr) return "";
  const std::string path = accessedName(program, pc);
  return path.empty() ? variableText(program, access->variable) : path;
}

PlaceName placeName(const Job& job, const AccessEvent& event, Accessed accessed, std::uint64_t byte, std::uint32_t size) {
  const Program& program = *event.batch.env->program;
  const std::uint64_t start = startOf(event, accessed.element);
  if (event.place == Place::kImage) {
    PlaceName name = imageName(event, accessed.element);
    const auto* image = std::get_if<ImageData>(&job.resources[accessed.resource].data);
    name.part += fmt::format("[{}]", image ? coordinates(*image, byte) : std::to_string((byte - start) / std::max(1u, size)));
    return name;
  }
  PlaceName path = pathName(program, event.pc, byte - start, accessed.element);
  if (path.variable.empty()) path.variable = variableText(program, event.variable);
  return path;
}

PlaceName placeName(const Program& program, const Dispatch& dispatch, const std::string& resource, std::uint64_t byte) {
  for (std::uint32_t pc = 0; pc < program.info.size(); ++pc) {
    const ir::Access* access = program.accessOf(pc);
    if (!access || program.info[pc].op != ir::kStore || access->space != ir::Space::kBuffer) continue;
    const ir::ResourceDeclaration& r = program.resources[access->resource];
    for (const Binding& b : dispatch.bindings)
      if (b.resource == resource && b.set == r.set && b.binding == r.binding && hasByte(b, byte) && mayUse(program, pc, b.element))
        return pathName(program, pc, byte - b.offset, b.element);
  }
  return {};
}

std::vector<std::optional<std::int64_t>> indicesOf(const IndexOutside& at, std::uint32_t lane) {
  const Program& program = *at.batch.env->program;
  const std::span<const DescribedOperand> arguments = program.argumentsOf(at.pc);
  const std::vector<const ir::PathStep*> steps = indexed(program, program.info[at.pc].path);
  std::vector<std::optional<std::int64_t>> out;
  for (std::size_t i = 0; i < arguments.size(); ++i) {  // its own is the first
    const auto bits = static_cast<std::uint32_t>(bitsOf(at.batch, arguments[(i + 1) % arguments.size()], lane));
    out.push_back(indexOf(program, i < steps.size() ? steps[i]->id : 0, bits));
  }
  return out;
}

std::int64_t firstByte(const AccessEvent& event, std::uint32_t element, std::span<const std::int64_t> indices) {
  const Program& program = *event.batch.env->program;
  std::int64_t byte = static_cast<std::int64_t>(startOf(event, element)) + program.accessOf(event.pc)->offset;
  const std::vector<const ir::PathStep*> steps = indexed(program, program.info[event.pc].path);
  for (std::size_t i = 0; i < std::min(steps.size(), indices.size()); ++i)
    if (steps[i]->kind == ir::PathStep::Kind::kElement) byte += indices[i] * steps[i]->stride;
  return byte;
}

std::string texelText(const Resource& resource, std::uint64_t byte) {
  const auto* image = std::get_if<ImageData>(&resource.data);
  if (!image) return fmt::format("byte {}", byte);
  return fmt::format("texel {} of level {}", coordinates(*image, byte), image->texelAt(byte).level);
}

std::string levelText(const Resource& resource, std::uint64_t byte) {
  const auto* image = std::get_if<ImageData>(&resource.data);
  return image && image->levels > 1 ? fmt::format("level {}", image->texelAt(byte).level) : "";
}

}  // namespace lanewise
