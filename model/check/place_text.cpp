#include "model/check/place_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "model/state/workgroup.h"

namespace lanewise {
namespace {

std::string coordinates(const ImageData& image, std::uint64_t byte) {
  const ImageData::Texel t = image.texelAt(byte);
  const std::string z = t.z != 0 ? fmt::format(",{}", t.z) : "";
  return image.dimensions == 1 ? fmt::format("{}{}", t.x, z) : fmt::format("{},{}{}", t.x, t.y, z);
}

// The start in a resource of what an access names, and the number of the descriptor.
struct Named {
  std::uint64_t start = 0;
  std::uint32_t element = 0;
};

bool hasByte(const ImageView& view, std::uint64_t byte) {
  const ImageLevel& last = view.levels > 1 && view.chain ? view.chain[view.levels - 1] : view;
  const std::uint64_t texels = std::uint64_t{last.extent.x} * last.extent.y * last.extent.z;
  return view.format && byte >= view.offset && byte < last.offset + texels * view.format->texelBytes;
}

Named viewOf(const AccessEvent& event, std::uint32_t resource, std::uint64_t byte) {
  const Environment& env = *event.batch.env;
  const Program& program = *env.program;
  const ir::Access* access = program.accessOf(event.pc);
  const ir::ImageAccess* image = program.imageAccessOf(event.pc);
  if (!image && !(access && event.place == Place::kBuffer && access->space == ir::Space::kBuffer)) return {};
  const DescriptorRange range = env.descriptors[image ? image->resource : access->resource];
  for (std::uint32_t i = 0; i < range.count; ++i) {
    const std::uint32_t at = range.first + i;
    const std::uint64_t start = image ? env.images[at].offset : env.buffers[at].offset;
    const bool fits = image ? hasByte(env.images[at], byte) : byte >= start && (byte - start < env.buffers[at].size || range.count == 1);
    if ((image ? env.images[at].resource : env.buffers[at].resource) == resource && fits) return {start, i};
  }
  return {};
}

}  // namespace

std::uint32_t placeInSource(const Program& program, std::uint32_t pc) {
  const spirv::Instruction& inst = program.instructionOf(pc);
  return inst.source.line ? inst.source.file << 20 ^ inst.source.line : 0x80000000u | inst.offset;
}

InstructionPlace linedPlace(const Program& program, std::uint32_t pc, std::uint32_t most) {
  const std::uint32_t first = pc - std::min(pc, most);
  for (std::uint32_t at = pc + 1; at-- > first;)
    if (InstructionPlace place = program.instructionPlace(at); place.line != 0) return place;
  return program.instructionPlace(pc);
}

InstructionPlace nextLinedPlace(const Program& program, std::uint32_t pc) {
  for (std::uint32_t at = pc; at < program.code.size(); ++at)
    if (InstructionPlace place = program.instructionPlace(at); place.line != 0) return place;
  return {};
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
  return {program.module.nameOf(event.variable),
          image && program.resources[image->resource].count != 1 ? fmt::format("[{}]", element) : ""};
}

std::string accessedName(const Program& program, std::uint32_t pc) {
  if (const ir::ImageAccess* image = program.imageAccessOf(pc)) return program.module.nameOf(image->variable);
  const ir::Access* access = program.accessOf(pc);
  if (access == nullptr) return "";
  const std::string path = pathName(program, pc, 0, 0).variable;
  return path.empty() && access->variable != 0 ? program.module.nameOf(access->variable) : path;
}

PlaceName placeName(const Job& job, const AccessEvent& event, std::uint32_t resource, std::uint64_t byte, std::uint32_t size) {
  const Program& program = *event.batch.env->program;
  const Named named = viewOf(event, resource, byte);
  if (event.place == Place::kImage) {
    PlaceName name = imageName(event, named.element);
    const auto* image = std::get_if<ImageData>(&job.resources[resource].data);
    name.part += fmt::format("[{}]", image ? coordinates(*image, byte) : std::to_string((byte - named.start) / std::max(1u, size)));
    return name;
  }
  PlaceName path = pathName(program, event.pc, byte - named.start, named.element);
  if (path.variable.empty()) path.variable = program.module.nameOf(event.variable);
  return path;
}

PlaceName placeName(const Program& program, const Dispatch& dispatch, const std::string& resource, std::uint64_t byte) {
  for (std::uint32_t pc = 0; pc < program.info.size(); ++pc) {
    const ir::Access* access = program.accessOf(pc);
    if (!access || program.info[pc].op != ir::kStore || access->space != ir::Space::kBuffer) continue;
    const ir::ResourceDeclaration& r = program.resources[access->resource];
    for (const Binding& b : dispatch.bindings)
      if (b.resource == resource && b.set == r.set && b.binding == r.binding && byte >= b.offset)
        return pathName(program, pc, byte - b.offset, b.element);
  }
  return {};
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
