// See sample.h.
#include "model/memory/sample.h"

#include "model/scalar/sampling.h"

namespace lanewise {
namespace {

using scalar::bitsOf;
using scalar::fromBits;

struct Texel {
  std::uint64_t c[4] = {0, 0, 0, 0};
  float real(std::size_t i) const { return fromBits<float>(static_cast<std::uint32_t>(c[i])); }
};

bool isInteger(const FormatInfo& format) {
  return format.numeric == NumericFormat::kUint || format.numeric == NumericFormat::kSint;
}

float biased(const SamplerState& s, float lod, float bias) {
  constexpr float kMost = 16;  // maxSamplerLodBias
  return lod + scalar::clampNumber(s.lodBias + bias, -kMost, kMost);
}
// `least`: the sampler's, or the instruction's.
float clamped(const SamplerState& s, float lod, float least) {
  return s.unnormalized ? 0 : scalar::clampNumber(lod, least, s.maxLod);
}
void levelsAt(const ImageView& view, const SamplerState& s, const Profile& profile, float lod, SampledLevels& out) {
  const bool smaller = lod > 0.0f, integer = isInteger(*view.format);
  out = {};
  out.filter = integer ? Filter::kNearest : smaller ? s.min : s.mag;
  const float d = scalar::clampNumber(lod, 0.0f, static_cast<float>(view.levels - 1));
  const float low = scalar::floor(d);
  out.first = s.mip == Filter::kNearest ? scalar::nearestLevel(d) : static_cast<std::uint32_t>(low);
  if (s.mip == Filter::kNearest) return;
  out.weight = d - low;
  out.both = !integer && (out.weight > 0.0f || (profile.bothLevels && out.first + 1 != view.levels));
}

class Sampling {
 public:
  Sampling(const ImageView& view, const SamplerState& sampler, const ir::ImageAccess& access, const Profile& profile, const SamplePoint& p,
           SampledTexels* touched)
      : view_(view),
        s_(sampler),
        a_(access.sampling),
        profile_(profile),
        p_(p),
        touched_(touched),
        dim_(access.type->dim),
        arrayed_(access.type->arrayed != 0),
        axes_(dim_ == spv::Dim::Dim1D   ? 1
              : dim_ == spv::Dim::Dim3D ? 3
                                        : 2) {
    for (int i = 0; i < 3; ++i) at_[i] = p.at[i];
    if (dim_ == spv::Dim::Cube) enterCube();
    const std::uint32_t faces = dim_ == spv::Dim::Cube ? 6 : 1;
    if (arrayed_) layer_ = scalar::arrayLayer(p.layer, std::max(1u, view.layers / faces)) * faces;
    reference_ = p.reference;
    // "If the image has a fixed-point format, the reference is clamped to [0, 1]" (Depth Compare Operation).
    if (view.format->numeric == NumericFormat::kUnorm) reference_ = scalar::clampNumber(reference_, 0.0f, 1.0f);
  }

  Texel sample() {
    SampledLevels taken;
    levelsAt(view_, s_, profile_, clampedLod(), taken);
    const Texel first = level(taken.first, taken.filter);
    return taken.both ? mix(first, level(taken.first + 1, taken.filter), taken.weight) : first;
  }

  // One component of the four texels that linear filtering would take at the base level, counter-clockwise from the lower left.
  Texel gather() {
    constexpr std::int32_t kOrder[4][2] = {{0, 1}, {1, 1}, {1, 0}, {0, 0}};
    const ImageLevel& l = view_;
    const Position u = position(l, 0), v = position(l, 1);
    Texel out;
    for (std::size_t n = 0; n < 4; ++n) {
      const bool own = a_.offsets == 4;  // ConstOffsets: the texel i0 j0 of each
      const std::int32_t* offset = p_.offset[own ? n : 0];
      const std::int32_t i = u.pair.first + offset[0] + (own ? 0 : kOrder[n][0]), j = v.pair.first + offset[1] + (own ? 0 : kOrder[n][1]);
      const Texel t = dim_ == spv::Dim::Cube ? cubeTap(l, i, j) : tap(l, i, j, 0);
      out.c[n] = a_.form.compare ? t.c[0] : t.c[p_.component & 3];
    }
    return out;
  }

  // OpImageQueryLod: the level or levels that would be sampled, and the level of detail before it is clamped.
  Texel queryLod() {
    const float d = scalar::clampNumber(clampedLod(), 0.0f, static_cast<float>(view_.levels - 1));
    Texel out;
    out.c[0] = bitsOf(s_.mip == Filter::kLinear ? d : static_cast<float>(scalar::nearestLevel(d)));
    out.c[1] = bitsOf(biasedLod());
    return out;
  }

 private:
  struct Position {
    std::int32_t nearest = 0;
    scalar::Neighbours pair;
  };

  // Converts the direction to a face and coordinates on it. Gradients are projected in the same way ("Cube Map Derivative Transformation").
  void enterCube() {
    const auto axes = scalar::cubeAxes(scalar::cubeFace(at_[0], at_[1], at_[2]), at_[0], at_[1], at_[2]);
    face_ = axes.face;
    at_[0] = scalar::cubeCoordinate(axes.sc, axes.rc);
    at_[1] = scalar::cubeCoordinate(axes.tc, axes.rc);
    at_[2] = 0;
    for (float* d : {p_.dx, p_.dy}) {
      const auto moved = scalar::cubeAxes(face_, d[0], d[1], d[2]);
      const float rc = scalar::fAbs(axes.rc), drc = axes.rc < 0 ? -moved.rc : moved.rc, square = rc * rc;
      d[0] = 0.5f * (rc * moved.sc - axes.sc * drc) / square;
      d[1] = 0.5f * (rc * moved.tc - axes.tc * drc) / square;
      d[2] = 0;
    }
  }

  float biasedLod() const {
    float base = a_.hasLod ? p_.lod : 0.0f;
    if (a_.hasGradient) {
      const Extent3 e = view_.extent;
      const float size[3] = {static_cast<float>(e.x), axes_ > 1 ? static_cast<float>(e.y) : 0.0f,
                             axes_ > 2 ? static_cast<float>(e.z) : 0.0f};
      base = scalar::gradientLod(p_.dx, p_.dy, size);
    }
    return biased(s_, base, p_.bias);
  }

  float clampedLod() const { return clamped(s_, biasedLod(), a_.hasMinLod && p_.minLod > s_.minLod ? p_.minLod : s_.minLod); }

  Position position(const ImageLevel& l, int axis) const {
    const std::uint32_t size = axis == 0 ? l.extent.x : axis == 1 ? l.extent.y : l.extent.z;
    const float u = s_.unnormalized ? at_[axis] : at_[axis] * static_cast<float>(size);
    return {scalar::floorToInteger(u), scalar::linear(u, profile_.subTexelBits, profile_.cutWeights)};
  }

  AddressMode mode(int axis) const { return axis == 0 ? s_.u : axis == 1 ? s_.v : s_.w; }

  Texel border() const {
    Texel t;
    for (std::uint32_t c = 0; c < 4; ++c) t.c[c] = borderComponent(*view_.format, s_, c);
    return compared(t);
  }

  Texel compared(Texel t) const {
    if (!a_.form.compare) return t;
    const bool passes = scalar::compares(s_.compareOp, reference_, t.real(0));
    t = {};
    t.c[0] = bitsOf(passes ? 1.0f : 0.0f);
    return t;
  }

  // A texel by its position in the level.
  Texel read(const ImageLevel& l, std::uint32_t x, std::uint32_t y, std::uint32_t slice) {
    TexelPlace p;
    p.level = &l;
    p.x = x;
    p.row = y;
    p.slice = slice;
    p.data = l.data + slice * l.sliceBytes + y * l.rowBytes + std::size_t{x} * view_.format->texelBytes;
    if (touched_ && touched_->count < 32) touched_->place[touched_->count++] = p;
    Texel t;
    decodeTexel(*view_.format, profile_.texel, p.data, t.c);
    return compared(t);
  }

  // A texel by its coordinates before they are wrapped.
  Texel tap(const ImageLevel& l, std::int32_t i, std::int32_t j, std::int32_t k) {
    const std::int32_t size[3] = {static_cast<std::int32_t>(l.extent.x), static_cast<std::int32_t>(l.extent.y),
                                  static_cast<std::int32_t>(l.extent.z)};
    std::int32_t at[3] = {i, j, k};
    for (int axis = 0; axis < axes_; ++axis) {
      // NOLINTNEXTLINE(clang-analyzer-core.CallAndMessage): axes_ is at most 3
      at[axis] = scalar::wrap(dim_ == spv::Dim::Cube ? AddressMode::kClampToEdge : mode(axis), at[axis], size[axis]);
      if (at[axis] < 0) return border();
    }
    const auto u = [&](int axis) { return axis < axes_ ? static_cast<std::uint32_t>(at[axis]) : 0u; };
    return read(l, u(0), u(1), dim_ == spv::Dim::Dim3D ? u(2) : layer_ + face_);
  }

  // A texel of the cube around the face in the direction.
  Texel cubeTap(const ImageLevel& l, std::int32_t i, std::int32_t j) {
    const auto size = static_cast<std::int32_t>(l.extent.x);
    const bool outX = i < 0 || i >= size, outY = j < 0 || j >= size;
    if (outX && outY) return corner(l, i, j, size);
    scalar::CubeTexel t{face_, i, j};
    if (outX || outY) t = scalar::cubeNeighbour(t, size);
    return read(l, static_cast<std::uint32_t>(t.i), static_cast<std::uint32_t>(t.j), layer_ + t.face);
  }

  Texel corner(const ImageLevel& l, std::int32_t i, std::int32_t j, std::int32_t size) {
    const auto inside = [size](std::int32_t n) { return n < 0 ? 0 : n < size ? n : size - 1; };
    const Texel own = cubeTap(l, inside(i), inside(j));
    if (isInteger(*view_.format)) return own;
    const Texel across = cubeTap(l, i, inside(j)), along = cubeTap(l, inside(i), j);
    Texel mean;
    for (std::size_t c = 0; c < 4; ++c) mean.c[c] = bitsOf((own.real(c) + across.real(c) + along.real(c)) / 3.0f);
    return mean;
  }

  Texel mix(const Texel& a, const Texel& b, float t) const {
    Texel out;
    for (std::size_t c = 0; c < 4; ++c) out.c[c] = bitsOf(scalar::reduce(s_.reduction, a.real(c), b.real(c), t, profile_.fusedFilter));
    return out;
  }

  Texel level(std::uint32_t index, Filter filter) {
    const ImageLevel* found = levelOf(view_, index);
    if (!found) return {};
    const ImageLevel& l = *found;
    const std::int32_t* offset = p_.offset[0];
    Position at[3];
    for (int axis = 0; axis < axes_; ++axis) at[axis] = position(l, axis);
    if (filter == Filter::kNearest) return tap(l, at[0].nearest + offset[0], at[1].nearest + offset[1], at[2].nearest + offset[2]);
    const auto linearRow = [&](std::int32_t y, std::int32_t z) {
      const std::int32_t i = at[0].pair.first + offset[0], j = at[1].pair.first + offset[1] + y, k = at[2].pair.first + offset[2] + z;
      if (dim_ == spv::Dim::Cube) return mix(cubeTap(l, i, j), cubeTap(l, i + 1, j), at[0].pair.weight);
      return mix(tap(l, i, j, k), tap(l, i + 1, j, k), at[0].pair.weight);
    };
    const auto linearPlane = [&](std::int32_t z) { return mix(linearRow(0, z), linearRow(1, z), at[1].pair.weight); };
    if (axes_ == 1) return linearRow(0, 0);
    return axes_ == 2 ? linearPlane(0) : mix(linearPlane(0), linearPlane(1), at[2].pair.weight);
  }

  const ImageView& view_;
  const SamplerState& s_;
  const ir::Sampling& a_;
  const Profile& profile_;
  SamplePoint p_;
  SampledTexels* touched_;
  spv::Dim dim_;
  bool arrayed_;
  int axes_;
  float at_[3];
  float reference_ = 0;
  std::uint32_t face_ = 0, layer_ = 0;
};

}  // namespace

void findLevels(const ImageView& view, const SamplerState& sampler, const Profile& profile, float lod, SampledLevels& out) {
  levelsAt(view, sampler, profile, clamped(sampler, biased(sampler, lod, 0), sampler.minLod), out);
}

std::uint32_t borderComponent(const FormatInfo& format, const SamplerState& sampler, std::uint32_t c) {
  if (format.layout.bits[c] != 0) return sampler.border[c];
  return c < 3 ? 0u : isInteger(format) ? 1u : 0x3f800000u;
}

void sampleImage(const ImageView& view, const SamplerState& sampler, const ir::ImageAccess& access, const Profile& profile,
                 const SamplePoint& point, std::uint64_t out[4], SampledTexels* touched) {
  std::fill(out, out + 4, 0);
  if (!view.data) return;
  Sampling s(view, sampler, access, profile, point, touched);
  const Texel t = access.sampling.form.queryLod ? s.queryLod() : access.sampling.form.gather ? s.gather() : s.sample();
  std::copy(t.c, t.c + 4, out);
}

}  // namespace lanewise
