// Sampling, gathering and level of detail queries: each lane by itself (SPIR-V 1.6, 3.42.10).
//
// Arguments: the image's descriptor element, the sampler's, the coordinates with the array layer last, then what ir::Sampling names.
#include "model/exec/image_lanes.h"
#include "model/exec/ops.h"
#include "model/memory/sample.h"

namespace lanewise {
inline namespace LANEWISE_ISA {
namespace {

const SamplerState kNoSampler{};

inline const SamplerState& samplerOf(const Batch& s, std::uint32_t resource, std::uint32_t element) {
  const DescriptorRange range = s.env->descriptors[resource];
  return element < range.count ? s.env->samplers[range.first + element] : kNoSampler;
}

// Reads a lane's operands one after the other.
struct Operands {
  const Batch& s;
  const Operand* next;
  std::uint32_t g, k;
  std::uint32_t word() { return laneOf<std::uint32_t>(s, *next++, g, k); }
  float real() { return std::bit_cast<float>(word()); }
};

inline SamplePoint pointOf(const ir::ImageAccess& access, Operands o) {
  const ir::Sampling& a = access.sampling;
  const std::uint32_t axes = imageAxes(access.type->dim);
  SamplePoint p;
  for (std::uint32_t c = 0; c < axes; ++c) p.at[c] = o.real();
  if (access.type->arrayed && !a.queryLod) p.layer = o.real();
  if (a.compare) p.reference = o.real();
  if (a.gather && !a.compare) p.component = o.word();
  if (a.hasBias) p.bias = o.real();
  if (a.hasLod) p.lod = o.real();
  for (float* d : {p.dx, p.dy})
    for (std::uint32_t c = 0; a.hasGradient && c < axes; ++c) d[c] = o.real();
  for (std::uint32_t n = 0; n < a.offsets; ++n)
    for (std::uint32_t c = 0; c < axes; ++c) p.offset[n][c] = static_cast<std::int32_t>(o.word());
  if (a.hasMinLod) p.minLod = o.real();
  return p;
}

inline void reportTaps(Batch& s, const Instr* ip, const ImageView& view, const ir::ImageAccess& access, const SampledTexels& taps,
                       std::uint32_t lane) {
  for (std::uint32_t i = 0; i < taps.count; ++i) {
    const TexelPlace& p = taps.place[i];
    MemoryEvent event = imageEvent(view, p, AccessKind::kRead, lane, access.variable);
    event.texel[0] = static_cast<std::int32_t>(p.x);
    event.texel[1] = static_cast<std::int32_t>(p.row);
    event.texel[2] = static_cast<std::int32_t>(p.slice);
    s.env->observer->access(s, static_cast<std::uint32_t>(ip - s.base), event);
  }
}

// An image or a sampler that is not there.
inline void reportMissing(Batch& s, const Instr* ip, std::uint32_t resource, std::uint32_t element, std::uint32_t lane) {
  MemoryEvent event;
  event.place = Place::kImage;
  event.lane = lane;
  event.inRange = false;
  event.miss = Miss::kDescriptor;
  event.element = element;
  event.variable = s.env->program->resources[resource].variable;
  s.env->observer->access(s, static_cast<std::uint32_t>(ip - s.base), event);
}

template <bool Observed>
const Instr* imageSample(const Instr* ip, Batch& s) {
  const ir::ImageAccess& access = s.env->program->imageAccesses[ip->imm];
  const Operand* o = s.env->program->operands.data() + ip->extra;
  const Operand* results = o + ip->target;
  for (std::uint32_t g = 0; g < ip->groups; ++g)
    for (std::uint32_t k = 0; k < kGroup; ++k) {
      const std::uint32_t lane = g * kGroup + k;
      const auto element = laneOf<std::uint32_t>(s, o[0], g, k), which = laneOf<std::uint32_t>(s, o[1], g, k);
      const ImageView& view = viewOf(s, access.resource, element);
      const SamplerState& sampler = samplerOf(s, access.sampling.resource, which);
      std::uint64_t component[4];
      std::conditional_t<Observed, SampledTexels, std::nullptr_t> taps{};
      SampledTexels* touched = nullptr;
      if constexpr (Observed) touched = &taps;
      sampleImage(view, sampler, access, *s.env->profile, pointOf(access, {s, o + 2, g, k}), component, touched);
      if constexpr (Observed)
        if (lane < s.width && s.lanes[lane]) {
          if (!view.data) reportMissing(s, ip, access.resource, element, lane);
          if (which >= s.env->descriptors[access.sampling.resource].count) reportMissing(s, ip, access.sampling.resource, which, lane);
          reportTaps(s, ip, view, access, taps, lane);
        }
      for (std::uint32_t c = 0; c < access.components; ++c)
        if (ip->otherwise >> c & 1)
          s.slot<std::uint32_t>(results[c].offset + g * results[c].step)[k] = narrowComponent(access.component, component[c]);
    }
  return ip + 1;
}

}  // namespace

void addSampleRows(OpTable& t) {
  t.add({ir::kImageSample, Scalar::kNone, Scalar::kNone}, {&imageSample<false>, &imageSample<true>});
}

}  // namespace LANEWISE_ISA
}  // namespace lanewise
