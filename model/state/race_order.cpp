#include "model/state/race_order.h"

namespace lanewise::race {

Reach reachOf(std::uint32_t scope) {
  switch (static_cast<spv::Scope>(scope)) {
    case spv::Scope::CrossDevice:
    case spv::Scope::Device:
    case spv::Scope::QueueFamily:
      return Reach::kDevice;
    case spv::Scope::Workgroup:
      return Reach::kWorkgroup;
    case spv::Scope::Subgroup:
      return Reach::kSubgroup;
    default:
      return Reach::kInvocation;
  }
}

Semantics semanticsOf(std::uint32_t mask) {
  using Mask = spv::MemorySemanticsMask;
  const auto has = [mask](Mask m) { return (mask & static_cast<std::uint32_t>(m)) != 0; };
  const bool both = has(Mask::AcquireRelease) || has(Mask::SequentiallyConsistent);
  Semantics s;
  s.acquire = both || has(Mask::Acquire);
  s.release = both || has(Mask::Release);
  s.makesAvailable = has(Mask::MakeAvailable);
  s.makesVisible = has(Mask::MakeVisible);
  const auto name = [&s](Class c, bool named) { s.classes |= static_cast<std::uint8_t>(named ? 1u << c : 0u); };
  name(kBufferMemory, has(Mask::UniformMemory));
  name(kWorkgroupMemory, has(Mask::WorkgroupMemory));
  name(kImageMemory, has(Mask::ImageMemory));
  return s;
}

namespace {

std::uint32_t referenceOf(const Program& program, std::uint32_t pc, Place place, std::uint32_t variable) {
  const ir::Access* memory = program.accessOf(pc);
  const ir::Space space = memory ? memory->space : ir::Space::kBuffer;
  if (space == ir::Space::kVariable || space == ir::Space::kPhysical) return kAnyReference;
  // Overlapping blocks of workgroup memory are decorated Aliased.
  return place == Place::kWorkgroup && program.module.decoration(variable, spv::Decoration::Aliased) ? kAnyReference : variable;
}

}  // namespace

Means meansOf(const Program& program, std::uint32_t pc, Place place, std::uint32_t variable) {
  const ir::Order& order = program.orders[program.info[pc].order];
  Means m;
  m.order = &order;
  m.in = place == Place::kWorkgroup ? kWorkgroupMemory : place == Place::kImage ? kImageMemory : kBufferMemory;
  m.atomic = order.has(ir::Order::kAtomic);
  m.nonPrivate = order.has(ir::Order::kNonPrivate);
  if (m.atomic) m.reach = reachOf(order.scope);
  if (order.has(ir::Order::kMakeAvailable)) m.available = reachOf(order.available);
  if (order.has(ir::Order::kMakeVisible)) m.visible = reachOf(order.visible);
  m.reference = referenceOf(program, pc, place, variable);
  return m;
}

}  // namespace lanewise::race
