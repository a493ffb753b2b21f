// The terms of a place are the digits of a number: where each scale is at least as large as all that is below it can be, the number tells
// every digit, and so the workgroup. Among the invocations of one workgroup the terms of workgroups are equal, and count as nothing. Any
// multiple of a scale vanishes modulo the power of two that divides it.
#include "model/exec/own_check.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <numeric>

namespace lanewise {
namespace {

constexpr std::uint64_t kAllPlaces = std::uint64_t{1} << 32;

std::optional<std::uint32_t> knownWord(std::span<const std::byte> bytes, std::uint64_t at) {
  std::uint32_t word = 0;
  if (at + sizeof word > bytes.size()) return {};
  std::memcpy(&word, bytes.data() + at, sizeof word);
  return word;
}

std::optional<std::uint32_t> knownValue(ir::Code op, std::uint32_t a, std::uint32_t b) {
  constexpr std::uint32_t kPositive = 0x7fffffff;
  using spv::Op;
  switch (op) {
    case ir::core(Op::OpIAdd):
      return a + b;
    case ir::core(Op::OpISub):
      return a - b;
    case ir::core(Op::OpIMul):
      return a * b;
    case ir::core(Op::OpBitwiseAnd):
      return a & b;
    case ir::core(Op::OpShiftLeftLogical):
      return b < 32 ? std::optional(a << b) : std::nullopt;
    case ir::core(Op::OpShiftRightLogical):
      return b < 32 ? std::optional(a >> b) : std::nullopt;
    case ir::core(Op::OpSDiv):
      return a <= kPositive && b <= kPositive && b != 0 ? std::optional(a / b) : std::nullopt;
    case ir::core(Op::OpUDiv):
      return b != 0 ? std::optional(a / b) : std::nullopt;
    case ir::kAddress:  // a + 1, where that is a signed number too: a counter up to a does not wrap
      return a < kPositive ? std::optional(a + b) : std::nullopt;
    default:
      return {};
  }
}

}  // namespace

OwnCheck::Accessed OwnCheck::accessedBy(const Program& program, std::uint32_t pc) {
  const auto& [first, second] = program.ownPlaces.all[pc];
  const ir::Access* access = program.accessOf(pc);
  return {{first, second}, access ? scalarBytes(access->type) : 1};
}

// A place in numbers: the scale of each axis, and all else by scale.
struct OwnCheck::One {
  struct Part {
    std::int64_t least = 0, most = 0;
    std::uint8_t axis = 0;
    bool bounded = true;
    // Of a sum that is capped: which, 0: none; the scale there, and that sum's own scale and limit.
    std::uint64_t cap = 0, inCap = 0, capScale = 0, below = 0;
    bool sameCap(const Part& other) const {
      return cap == other.cap && inCap == other.inCap && capScale == other.capScale && below == other.below;
    }
    void uncap() { cap = inCap = capScale = below = 0; }
  };
  std::map<std::uint64_t, Part> rests;
  std::array<std::uint64_t, 7> scale{};  // by axis
  std::array<Part, 7> axes;
};

// What several have in common.
struct OwnCheck::Sum {
  One one;
  std::uint32_t bytes = 0;
  bool any = false;

  // False where an axis has another scale.
  bool add(const One& other, std::uint32_t size) {
    bytes = std::max(bytes, size);
    if (!std::exchange(any, true)) {
      one = other;
      return true;
    }
    if (one.scale != other.scale) return false;
    for (std::size_t axis = 1; axis < one.axes.size(); ++axis)
      if (!one.axes[axis].sameCap(other.axes[axis])) one.axes[axis].uncap();
    for (auto& [scale, part] : one.rests)
      if (!other.rests.contains(scale)) widen(part, {});
    for (const auto& [scale, part] : other.rests) {
      const auto [at, isNew] = one.rests.try_emplace(scale, part);
      widen(at->second, isNew ? One::Part{} : part);
    }
    return true;
  }
  static void widen(One::Part& part, const One::Part& by) {
    part.least = std::min(part.least, by.least);
    part.most = std::max(part.most, by.most);
    part.bounded = part.bounded && by.bounded;
    if (!part.sameCap(by)) part.uncap();
  }
};

OwnCheck::OwnCheck(const BoundDispatch& bound, const Program& program, const std::vector<bool>& fixed, Of of)
    : of_(of),
      count_{0,
             bound.dispatch->groups.x,
             bound.dispatch->groups.y,
             bound.dispatch->groups.z,
             program.localSize[0],
             program.localSize[1],
             program.localSize[2]} {
  for (const ir::Known& k : program.ownPlaces.known) {
    std::optional<std::uint32_t> value;
    if (k.op == ir::kConstant) {
      value = k.a;
    } else if (k.op == ir::kInput) {
      value = count_[1 + k.a - static_cast<std::uint32_t>(kind::InputRow::kGroupsX)];
    } else if (k.op == ir::kLoad && k.a == 0) {
      value = knownWord(bound.push, k.b);
    } else if (k.op == ir::kLoad) {
      const DescriptorRange range = bound.descriptors[k.a - 1];
      const BufferView view = range.count > 0 ? bound.buffers[range.first] : BufferView{};
      if (fixed[k.a - 1] && view.data) value = knownWord({view.data, view.size}, k.b);
    } else if (known_[k.a] && known_[k.b]) {
      value = knownValue(k.op, *known_[k.a], *known_[k.b]);
    }
    known_.push_back(value);
  }
}

// The sums of a place that are capped, and cannot have wrapped, signed or not.
std::vector<bool> OwnCheck::capsOf(const ir::Place& place) const {
  std::vector<std::uint64_t> most(place.caps.size());
  for (const ir::PlaceTerm& t : place.terms) {
    if (t.cap == 0) continue;
    const std::optional<std::uint32_t> scale = known_[t.inCap];
    const std::uint64_t count = t.isOfWorkgroup() ? count_[t.axis] - 1 : static_cast<std::uint64_t>(t.most);
    const bool fits = scale && t.bounded && t.below == 0 && t.least >= 0 && (count == 0 || *scale < kAllPlaces / count);
    most[t.cap - 1] += fits ? *scale * count : kAllPlaces;
  }
  std::vector<bool> out;
  for (std::size_t i = 0; i < most.size(); ++i) {
    const auto& [scale, below] = place.caps[i];
    out.push_back(below != 0 && known_[below] && known_[scale] && most[i] < kAllPlaces / 2);
  }
  return out;
}

// Empty: something that matters is not known.
std::optional<OwnCheck::One> OwnCheck::read(const ir::Place& place) const {
  One out;
  for (const ir::PlaceLimit& limit : place.limits)
    if (limit.scale * (std::uint64_t{count_[limit.axis]} - 1) + limit.rest >= kAllPlaces) return {};
  const std::vector<bool> caps = capsOf(place);
  for (const ir::PlaceTerm& t : place.terms) {
    if (!known_[t.scale]) return {};
    const std::uint64_t scale = *known_[t.scale];
    One::Part part{t.least, t.most, t.axis, t.bounded};
    if (t.below != 0) {
      part.bounded = known_[t.below].has_value();
      part.most = std::max<std::int64_t>(known_[t.below].value_or(1), 1) - 1;
    }
    if (t.cap != 0 && t.least == 0 && caps[t.cap - 1]) {
      const auto& [capScale, below] = place.caps[t.cap - 1];
      part.cap = t.cap, part.inCap = *known_[t.inCap], part.capScale = *known_[capScale], part.below = *known_[below];
      if (part.inCap * part.capScale != scale) part.uncap();
    }
    if (t.isOfWorkgroup() || (t.axis != 0 && of_ == Of::kInvocations)) {
      if (out.scale[t.axis] != 0) part.uncap();
      out.scale[t.axis] = (out.scale[t.axis] + scale) % kAllPlaces;
      out.axes[t.axis] = part;
      continue;
    }
    part.axis = 0;
    if (scale == 0) continue;
    const auto [at, isNew] = out.rests.try_emplace(scale, part);
    if (isNew) continue;
    at->second.least += part.least;
    at->second.most += part.most;
    at->second.bounded = at->second.bounded && part.bounded;
    at->second.uncap();
  }
  return out;
}

// A bit for each axis of which workgroups that differ there never meet.
std::uint32_t OwnCheck::axesToldBy(const Sum& sum) const {
  struct Digit {
    std::uint64_t scale = 0, count = 0;  // from 0 to `count`
    One::Part part;
  };
  std::uint64_t modulus = kAllPlaces;
  for (const auto& [scale, part] : sum.one.rests)
    if (!part.bounded || static_cast<std::uint64_t>(part.most - part.least) >= kAllPlaces / scale) modulus = std::gcd(modulus, scale);
  std::vector<Digit> digits;
  for (const auto& [scale, part] : sum.one.rests)
    if (scale % modulus != 0) digits.push_back({scale % modulus, static_cast<std::uint64_t>(part.most - part.least), part});
  std::uint32_t told = 0;
  for (std::uint32_t axis = firstAxis(), end = axis + ir::kLocalAxes; axis < end; ++axis) {
    One::Part part = sum.one.axes[axis];
    part.axis = static_cast<std::uint8_t>(axis);
    if (count_[axis] <= 1 || sum.one.scale[axis] % modulus == 0) continue;
    digits.push_back({sum.one.scale[axis] % modulus, count_[axis] - 1, part});
    told |= 1u << axis;
  }
  std::ranges::stable_sort(digits, {}, &Digit::scale);
  // What is below the next digit can be so many numbers, one after another. `capped`: the sum whose digits are being added, what is below
  // it, and what divides it.
  std::uint64_t below = sum.bytes, capped = 0, belowSum = 0, divides = 0;
  bool isTold = false;
  for (const Digit& d : digits) {
    if ((d.part.axis != 0 || isTold) && d.scale < below) return 0;
    if (d.count != 0 && d.scale > kAllPlaces / d.count) return 0;
    isTold = isTold || d.part.axis != 0;
    if (std::exchange(capped, d.part.cap) != d.part.cap) belowSum = below, divides = 0;
    below += d.scale * d.count;
    divides = std::gcd(divides, d.part.inCap);
    if (capped != 0 && divides != 0 && d.part.inCap * d.part.capScale == d.scale) {
      const std::uint64_t most = (std::max<std::uint64_t>(d.part.below, 1) - 1) / divides * divides;
      if (most == 0 || d.part.capScale <= kAllPlaces / most) below = std::min(below, belowSum + most * d.part.capScale);
    }
    if (below > modulus) return 0;
  }
  return told;
}

std::uint32_t OwnCheck::axesToldBy(std::span<const Accessed> all, std::size_t coordinate) const {
  Sum sum;
  for (const Accessed& a : all) {
    if (a.places[coordinate].empty()) return 0;
    for (const ir::Place& place : a.places[coordinate]) {
      const std::optional<One> one = read(place);
      if (!one || !sum.add(*one, a.bytes)) return 0;
    }
  }
  return axesToldBy(sum);
}

std::optional<std::uint64_t> OwnCheck::fixedPlace(const ir::Place& place) const {
  std::uint64_t sum = 0;
  for (const ir::PlaceTerm& t : place.terms) {
    if (t.axis != 0 || !t.bounded || t.below != 0 || t.least != t.most || !known_[t.scale]) return {};
    sum += *known_[t.scale] * static_cast<std::uint64_t>(t.least);
  }
  return sum % kAllPlaces;
}

std::optional<std::pair<std::uint64_t, std::uint64_t>> OwnCheck::endsOf(const ir::Place& place) const {
  std::uint64_t least = 0, most = 0;
  if (!place.limits.empty()) return {};
  for (const ir::PlaceTerm& t : place.terms) {
    if (!known_[t.scale] || !t.bounded || t.least < 0) return {};
    const std::uint64_t scale = *known_[t.scale], limit = t.below != 0 ? std::max(known_[t.below].value_or(0), 1u) - 1 : 0;
    const std::uint64_t top = t.isOfWorkgroup() ? count_[t.axis] - 1 : t.below != 0 ? limit : static_cast<std::uint64_t>(t.most);
    if ((t.below != 0 && !known_[t.below]) || top >= kAllPlaces) return {};
    least += t.axis != 0 ? 0 : scale * static_cast<std::uint64_t>(t.least);
    most += scale * top;
    if (most >= kAllPlaces) return {};
  }
  return std::pair(least, most);
}

bool OwnCheck::isOwn(std::span<const Accessed> all) const {
  const std::uint32_t told = axesToldBy(all, 0) | axesToldBy(all, 1);
  for (std::uint32_t axis = firstAxis(), end = axis + ir::kLocalAxes; axis < end; ++axis)
    if (count_[axis] > 1 && (told >> axis & 1) == 0) return false;
  return true;
}

}  // namespace lanewise
