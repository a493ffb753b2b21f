// Sampling, gathering and level of detail queries (SPIR-V 1.6, 3.42.10): sixteen lanes together where sample_group.h can, otherwise each
// lane by itself.
//
// Arguments: the image's descriptor element, the sampler's, the coordinates with the array layer last, then what ir::Sampling names.
#include "model/operations/image_lanes.h"
#include "model/operations/ops.h"
#include "model/operations/sample_group.h"

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
  if (access.type->arrayed && !a.form.queryLod) p.layer = o.real();
  if (a.form.compare) p.reference = o.real();
  if (a.form.gather && !a.form.compare) p.component = o.word();
  if (a.hasBias) p.bias = o.real();
  if (a.hasLod) p.lod = o.real();
  for (float* d : {p.dx, p.dy})
    for (std::uint32_t c = 0; a.hasGradient && c < axes; ++c) d[c] = o.real();
  for (std::uint32_t n = 0; n < a.offsets; ++n)
    for (std::uint32_t c = 0; c < axes; ++c) p.offset[n][c] = static_cast<std::int32_t>(o.word());
  if (a.hasMinLod) p.minLod = o.real();
  return p;
}

inline void logTaps(Batch& s, const ImageView& view, const SampledTexels& taps, std::uint32_t lane, std::uint32_t element) {
  for (const TexelPlace& p : std::span(taps.place, taps.count)) s.env->observers->log.add(texelRun(view, p, lane, element), {p.data});
}

// An image or a sampler that is not there.
inline void logMissing(Batch& s, std::uint32_t resource, std::uint32_t element, std::uint32_t lane) {
  s.env->observers->log.add(Outside{lane, Miss::kDescriptor, 0, 0, 0, element, s.env->program->resources[resource].variable});
}

// What all lanes of an instruction have in common, if sample_group.h can take it.
struct Together {
  const ImageView* view = nullptr;  // nullptr: each lane by itself
  std::uint32_t element = 0;        // of the view
  const SamplerState* sampler = nullptr;
  std::uint32_t component = 0;  // of a gather
  SampledLevels levels;         // otherwise
  std::int32_t offset[2] = {0, 0};
};

inline Together together(const Batch& s, const ir::ImageAccess& access, const Operand* o) {
  const ir::Sampling& a = access.sampling;
  Together t;
  if (access.type->dim != spv::Dim::Dim2D || (access.component != Scalar::kI32 && access.component != Scalar::kF32)) return t;
  // These it takes; a projection has been made, and what is sparse is there.
  if (a.form != ir::SampleForm{.project = a.form.project, .gather = a.form.gather, .sparse = a.form.sparse}) return t;
  if (a.hasBias || a.hasGradient || a.hasMinLod || a.offsets > 1) return t;
  const Operand* next = o + 2 + 2 + (access.type->arrayed ? 1 : 0);  // behind the coordinates
  const std::uint32_t others = (a.form.gather ? 1u : 0u) + (a.hasLod ? 1u : 0u) + 2u * a.offsets;
  std::uint32_t steps = o[0].step | o[1].step;
  for (std::uint32_t i = 0; i < others; ++i) steps |= next[i].step;
  if (steps != 0) return t;
  t.element = laneOf<std::uint32_t>(s, o[0], 0, 0);
  const ImageView& view = viewOf(s, access.resource, t.element);
  if (!view.data || !goesByGroups(*view.format)) return t;
  t.sampler = &samplerOf(s, a.resource, laneOf<std::uint32_t>(s, o[1], 0, 0));
  if (t.sampler == &kNoSampler) return t;
  Operands operands{s, next, 0, 0};
  if (a.form.gather) t.component = operands.word() & 3;
  const float lod = a.hasLod ? operands.real() : 0.0f;
  for (std::uint32_t c = 0; c < 2u * a.offsets; ++c) t.offset[c] = static_cast<std::int32_t>(operands.word());
  if (!a.form.gather) findLevels(view, *t.sampler, *s.env->profile, lod, t.levels);
  if (levelOf(view, t.levels.first + (t.levels.both ? 1 : 0))) t.view = &view;
  return t;
}

// The texels that the active lanes of a group read of a level, into the log.
template <bool Linear>
inline void logFootprint(Batch& s, const GroupSample& group, std::uint32_t element, const ImageLevel& level, std::uint32_t g) {
  const ImageView& view = group.view;
  const std::uint32_t texelBytes = view.format->texelBytes, active = s.mask.group(g), taps = Linear ? 2 : 1;
  AxisTaps x, y;
  placeTaps<Linear>(group, 0, level.extent.x, x);
  placeTaps<Linear>(group, 1, level.extent.y, y);
  for (std::size_t n = 0; n < std::size_t{taps} * taps; ++n) {
    const std::int32_t *column = x.at[n % taps], *row = y.at[n / taps];
    std::uint64_t places[kGroup], hosts[kGroup];
    std::uint32_t inside = 0;
    for (std::uint32_t k = 0; k < kGroup; ++k) {
      const std::uint64_t slice = group.layer ? scalar::arrayLayer(group.layer[k], std::max(1u, view.layers)) : 0;
      const auto r = static_cast<std::uint32_t>(row[k]), c = static_cast<std::uint32_t>(column[k]);
      inside |= static_cast<std::uint32_t>((row[k] >= 0) & (column[k] >= 0)) << k;
      places[k] = level.offset + ((slice * level.extent.y + r) * level.extent.x + c) * texelBytes;
      hosts[k] = slice * level.sliceBytes + r * level.rowBytes + std::uint64_t{c} * texelBytes;
    }
    s.env->observers->log.add(g * kGroup, active & inside, view.resource, element, texelBytes, places, level.data, hosts);
  }
}

inline void logSamples(Batch& s, const GroupSample& group, const Together& t, bool gather, std::uint32_t g) {
  if (s.mask.group(g) == 0) return;
  if (gather) return logFootprint<true>(s, group, t.element, group.view, g);
  for (std::uint32_t level = t.levels.first; level <= t.levels.first + (t.levels.both ? 1 : 0); ++level) {
    const ImageLevel& one = *levelOf(group.view, level);
    t.levels.filter == Filter::kNearest ? logFootprint<false>(s, group, t.element, one, g)
                                        : logFootprint<true>(s, group, t.element, one, g);
  }
}

// Active lanes of several groups that have few, which are sampled as one group.
constexpr std::uint32_t kFew = 4;
struct Pool {
  alignas(64) float at[3][kGroup];  // s, t and the layer
  std::uint32_t lane[kGroup], count = 0;
};

inline bool isSparse(const Batch& s, std::uint32_t g) {
  const auto active = static_cast<std::uint32_t>(std::popcount(s.mask.group(g)));
  return active != 0 && active <= kFew;
}
// How many groups have few active lanes. Not of an instruction whose only group stands for all lanes.
inline std::uint32_t sparseGroups(const Batch& s, std::uint32_t groups) {
  std::uint32_t sparse = 0;
  for (std::uint32_t g = 0; g < groups && groups > 1; ++g) sparse += isSparse(s, g) ? 1u : 0u;
  return sparse;
}

template <bool Observed>
inline void sampleTogether(const Instr* ip, Batch& s, const ir::ImageAccess& access, const Operand* o, const Together& t) {
  const Operand* results = o + ip->known<kind::Image>().results;
  GroupSample group{*t.view, *t.sampler, *s.env->profile, {}, nullptr, {t.offset[0], t.offset[1]}};
  group.runsMixer = runsMixerOf(group);
  const std::uint32_t groups = groupsOf(ip, s), used = ip->known<kind::Image>().used, axes = access.type->arrayed ? 3 : 2;
  const auto sample = [&](TexelValues& texels) {
    access.sampling.form.gather ? gatherGroup(group, t.component, texels) : sampleGroup(group, t.levels, used, texels);
  };
  const auto place = [&](const float* x, const float* y, const float* layer) {
    group.at[0] = x;
    group.at[1] = y;
    if (axes == 3) group.layer = layer;
  };
  const auto result = [&](std::uint32_t c, std::uint32_t g) { return s.slot<std::uint32_t>(results[c].offset + g * results[c].step); };
  const auto isUsed = [&](std::uint32_t c) { return c < access.components && (used >> c & 1) != 0; };
  Pool pool;
  const auto samplePool = [&] {
    if (pool.count == 0) return;
    for (std::uint32_t c = 0; c < axes; ++c) std::fill(pool.at[c] + pool.count, pool.at[c] + kGroup, pool.at[c][0]);
    place(pool.at[0], pool.at[1], pool.at[2]);
    alignas(64) TexelValues texels;
    sample(texels);
    for (std::uint32_t c = 0; c < 4; ++c)
      for (std::uint32_t k = 0; k < pool.count && isUsed(c); ++k) result(c, pool.lane[k] / kGroup)[pool.lane[k] % kGroup] = texels[c][k];
    pool.count = 0;
  };
  const bool pools = sparseGroups(s, groups) > 1;
  for (std::uint32_t g = 0; g < groups; ++g) {
    if (groups > 1 && s.mask.group(g) == 0) continue;
    const auto lanes = [&](std::uint32_t c) { return s.slot<float>(o[2 + c].offset + g * o[2 + c].step); };
    place(lanes(0), lanes(1), axes == 3 ? lanes(2) : nullptr);
    if constexpr (Observed)
      if (watchesTexels(s)) logSamples(s, group, t, access.sampling.form.gather, g);
    if (pools && isSparse(s, g)) {
      if (pool.count + kFew > kGroup) samplePool();
      for (std::uint32_t left = s.mask.group(g); left != 0; left &= left - 1) {
        const auto k = static_cast<std::uint32_t>(std::countr_zero(left));
        for (std::uint32_t c = 0; c < axes; ++c) pool.at[c][pool.count] = lanes(c)[k];
        pool.lane[pool.count++] = g * kGroup + k;
      }
      continue;
    }
    alignas(64) TexelValues texels;
    sample(texels);
    for (std::uint32_t c = 0; c < 4; ++c)
      if (isUsed(c)) std::memcpy(result(c, g), texels[c], sizeof texels[c]);
  }
  samplePool();
}

template <bool Observed>
inline void sampleLane(const Instr* ip, Batch& s, const ir::ImageAccess& access, const Operand* o, std::uint32_t g, std::uint32_t k) {
  const Operand* results = o + ip->known<kind::Image>().results;
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
    if (lane < s.width && s.lanes[lane] && watchesTexels(s)) {
      if (!view.data) logMissing(s, access.resource, element, lane);
      if (which >= s.env->descriptors[access.sampling.resource].count) logMissing(s, access.sampling.resource, which, lane);
      logTaps(s, view, taps, lane, element);
    }
  for (std::uint32_t c = 0; c < access.components; ++c)
    if (ip->known<kind::Image>().used >> c & 1)
      s.slot<std::uint32_t>(results[c].offset + g * results[c].step)[k] = narrowComponent(access.component, component[c]);
}

template <bool Observed>
const Instr* imageSample(const Instr* ip, Batch& s) {
  const ir::ImageAccess& access = s.env->program->imageAccesses[ip->known<kind::Image>().access];
  const Operand* o = s.env->program->operands.data() + ip->operands;
  if (Observed && watchesTexels(s)) beginTexels(s, ip, access, AccessKind::kRead);
  if (const Together t = together(s, access, o); t.view) {
    const bool tells = Observed && !isUnheard(s, ip);
    tells ? sampleTogether<Observed>(ip, s, access, o, t) : sampleTogether<false>(ip, s, access, o, t);
    return tells ? tellTexels(s, ip) : ip + 1;
  }
  for (std::uint32_t g = 0, groups = groupsOf(ip, s); g < groups; ++g)
    for (std::uint32_t k = 0; k < kGroup; ++k) sampleLane<Observed>(ip, s, access, o, g, k);
  return Observed ? tellTexels(s, ip) : ip + 1;
}

}  // namespace

void addSampleRows(OpTable& t) {
  t.add({ir::kImageSample, Scalar::kNone, Scalar::kNone}, {&imageSample<false>, &imageSample<true>});
}

}  // namespace LANEWISE_ISA
}  // namespace lanewise
