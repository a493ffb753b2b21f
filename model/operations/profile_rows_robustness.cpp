// What an access outside of a buffer or an image does, where that is not the strict choice. Source: Vulkan 1.3, "Shader Memory Access
// Bounds Checking", "Texel Replacement".
#include <vector>

#include "model/operations/image_lanes.h"
#include "model/operations/memory_lanes.h"
#include "model/operations/profile_rows.h"

namespace lanewise {
inline namespace LANEWISE_ISA {
namespace {

template <ir::Space S>
void addWithin(OpTable& t) {
  forEachMemoryType([&t]<class T>(T, Scalar type) { addAccessByLane<T, S, OutsideBuffer::kWithin>(t, type); });
  forEachAtomicType([&t]<class T>(T, Scalar result) {
    t.add({ir::kAtomic, result, scalarOf<T>(), S},
          {&atomicByLane<T, S, OutsideBuffer::kWithin, false>, &atomicByLane<T, S, OutsideBuffer::kWithin, true>});
  });
}

// The strict row, and then 1 in the alpha of the lanes that read outside. These are found before, because results may use the registers of
// the coordinates.
template <ir::Code Code, OutsideImage R, bool Observed>
const Instr* readAlphaOne(const Instr* ip, Batch& s) {
  const ir::ImageAccess& access = s.env->program->imageAccesses[ip->known<kind::Image>().access];
  const Operand* o = s.env->program->operands.data() + ip->operands;
  const std::uint32_t lanes = ip->groups * kGroup;
  std::vector<bool> one(lanes);
  for (std::uint32_t lane = 0; lane < lanes; ++lane) {
    const std::uint32_t g = lane / kGroup, k = lane % kGroup;
    const ImageView& view = viewOf(s, access.resource, laneOf<std::uint32_t>(s, o[0], g, k));
    if (!view.data || (R == OutsideImage::kByFormat && view.format->layout.bits[3] != 0)) continue;
    one[lane] = !locate(s, access, view, o, g, k).data;
  }
  static const OpRow strict = *operations().find({Code, Scalar::kNone, Scalar::kNone});
  const Instr* next = (Observed ? strict.observed : strict.quiet)(ip, s);
  if (access.components < 4 || !(ip->known<kind::Image>().used >> 3 & 1)) return next;
  const Operand& alpha = (o + ip->known<kind::Image>().results)[3];
  const std::uint32_t bits = isInteger(access.component) ? 1 : narrowComponent(access.component, 0x3f800000u);
  for (std::uint32_t lane = 0; lane < lanes; ++lane) {
    if (!one[lane]) continue;
    const std::uint32_t at = alpha.offset + lane / kGroup * alpha.step, k = lane % kGroup;
    if (scalarBytes(access.component) == 8)
      s.slot<std::uint64_t>(at)[k] = 1;
    else
      s.slot<std::uint32_t>(at)[k] += bits;  // to 0, or to what is added
  }
  return next;
}

template <OutsideImage R>
void addAlphaOne(OpTable& t) {
  const auto add = [&t]<ir::Code Code>() {
    t.add({Code, Scalar::kNone, Scalar::kNone}, {&readAlphaOne<Code, R, false>, &readAlphaOne<Code, R, true>});
  };
  add.template operator()<ir::kImageRead>();
  add.template operator()<ir::kImageReadAdd>();
}

}  // namespace

void addRobustnessChoices(OpTable& t, const Choices& c) {
  if (c.profile.outsideBuffer == OutsideBuffer::kWithin) {
    addWithin<ir::Space::kBuffer>(t);
    addWithin<ir::Space::kVariable>(t);
  }
  choose<OutsideImage::kByFormat, OutsideImage::kAlphaOne>(c.profile.outsideImage, [&]<OutsideImage R>() { addAlphaOne<R>(t); });
}

}  // namespace LANEWISE_ISA
}  // namespace lanewise
