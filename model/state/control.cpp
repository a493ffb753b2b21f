#include "model/state/control.h"

#ifdef __x86_64__
#include <immintrin.h>
#endif

#include <algorithm>
#include <array>
#include <bit>
#include <iterator>

#include "model/base/host_level.h"
#include "model/state/lane_masks.h"
#include "model/state/observers.h"

namespace lanewise {
namespace {

alignas(64) constexpr std::array<std::uint32_t, kGroup> kBitOfLane = [] {
  std::array<std::uint32_t, kGroup> all{};
  for (std::uint32_t k = 0; k < kGroup; ++k) all[k] = 1u << k;
  return all;
}();

// In a function of its own it becomes vector code: within another loop GCC 12 unrolls it first, and leaves it so.
[[gnu::noinline]] void spread(std::uint32_t bits, std::int32_t* to) {
  for (std::uint32_t k = 0; k < kGroup; ++k) to[k] = (bits & kBitOfLane[k]) == kBitOfLane[k] ? -1 : 0;
}

// What goes through all lanes where they part and meet. A host with AVX-512 has masks of lanes in registers.
#ifdef __x86_64__
const bool kHasMasks = hostLevel() == HostLevel::kV4;

[[gnu::target("avx512f")]] void spreadMasks(const LaneMask& from, const LaneMask& was, std::uint32_t width, std::int32_t* to) {
  for (std::uint32_t g = 0; g * kGroup < width; ++g, to += kGroup)
    if (const std::uint32_t bits = from.group(g); bits != was.group(g))
      _mm512_store_si512(to, _mm512_maskz_set1_epi32(static_cast<__mmask16>(bits), -1));
}
[[gnu::target("avx512f")]] void addWhere(const LaneMask& lanes, std::uint64_t what, std::uint64_t* to) {
  const __m512i all = _mm512_set1_epi64(static_cast<long long>(what));
  for (const std::uint64_t word : lanes.word)
    for (std::uint32_t at = 0; at < 64; at += 8, to += 8)
      if (const auto bits = static_cast<__mmask8>(word >> at); bits != 0)
        _mm512_mask_storeu_epi64(to, bits, _mm512_add_epi64(_mm512_maskz_loadu_epi64(bits, to), all));
}
#endif

void addOwnSteps(Batch& s, const LaneMask& lanes, std::uint64_t steps) {
  s.mostOwnSteps += steps;
#ifdef __x86_64__
  if (kHasMasks) return addWhere(lanes, steps, s.ownSteps.data());
#endif
  forLanes(lanes, [&](std::uint32_t lane) { s.ownSteps[lane] += steps; });
}

// `lanes` of the running strand wait at `pc`.
void wait(Batch& s, std::uint32_t pc, LaneMask lanes) {
  auto at = s.waiting.end();
  while (at != s.waiting.begin() && std::prev(at)->pc < pc) --at;
  if (at != s.waiting.begin() && std::prev(at)->pc == pc) {
    Strand& other = *std::prev(at);
    if (s.steps > other.steps) addOwnSteps(s, lanes, s.steps - other.steps);
    if (s.steps < other.steps) addOwnSteps(s, other.lanes, std::exchange(other.steps, s.steps) - s.steps);
    other.lanes = other.lanes | lanes;
    if (watched(*s.env, watch::kStrand)) s.env->observers->moment(StrandsJoin{s, pc, other.lanes});
  } else {
    s.waiting.insert(at, {pc, lanes, s.steps});
  }
}

const Instr* runFirst(Batch& s) {
  const Strand first = s.waiting.back();
  s.waiting.pop_back();
  s.setMask(first.lanes);
  s.steps = first.steps;
  return goOn(s, s.base + first.pc);
}

std::uint32_t placeOf(const Batch& s, const Instr* ip) {
  return static_cast<std::uint32_t>(ip - s.base);
}

// The lanes of the running strand that have made more than they may with the next `steps`. Makes mostOwnSteps exact.
LaneMask lanesAtLimit(Batch& s, std::uint64_t steps) {
  LaneMask out;
  s.mostOwnSteps = *std::max_element(s.ownSteps.begin(), s.ownSteps.end());
  forLanes(s.mask, [&](std::uint32_t lane) {
    if (s.steps + s.ownSteps[lane] + steps > s.env->maxSteps) out.set(lane);
  });
  return out;
}

bool exceeds(Batch& s, std::uint64_t steps) {
  if (s.env->isStopped()) return true;
  return s.steps + s.mostOwnSteps + steps > s.env->maxSteps && lanesAtLimit(s, steps).any();
}

const Instr* trapAtLimit(Batch& s, const Instr* ip, std::uint64_t steps) {
  const LaneMask lanes = lanesAtLimit(s, steps);
  return trap(s, ip, !lanes.any() ? Fault::kStopped : s.env->asks ? Fault::kAsked : Fault::kStepLimit, lanes);
}

// Reports the subgroups of this batch that have lanes in `before` and none in `after`.
void tellEnds(const Batch& s, const LaneMask& before, const LaneMask& after) {
  forSubgroups(s, [&](std::uint32_t first, const LaneMask& subgroup) {
    if ((before & subgroup).any() && !(after & subgroup).any())
      s.env->observers->moment(SubgroupEnds{s, s.env->program->subgroupOf({s.index, first})});
  });
}

}  // namespace

void Batch::setMask(LaneMask m) {
  const auto each = [&] {
    for (std::uint32_t g = 0; g * kGroup < width; ++g)
      if (const std::uint32_t bits = m.group(g); bits != mask.group(g)) spread(bits, lanes + std::size_t{g} * kGroup);
  };
  // But for what `lanes` has already.
#ifdef __x86_64__
  kHasMasks ? spreadMasks(m, mask, width, lanes) : each();
#else
  each();
#endif
  mask = m;
  const std::uint64_t low = width >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << width) - 1;
  full = m.word[0] == low && (width <= 64 || m.word[1] == ~std::uint64_t{0});
  together = m == live;
  const int last = m.word[1] != 0 ? 128 - std::countl_zero(m.word[1]) : 64 - std::countl_zero(m.word[0]);
  groups = everyGroup ? kMaxLanes / kGroup : std::max(1u, (static_cast<std::uint32_t>(last) + kGroup - 1) / kGroup);
}

const Instr* goOn(Batch& s, const Instr* next) {
  if (next == nullptr || s.env->watches == 0 || !s.env->observers->stopping()) return next;
  s.pc = placeOf(s, next);
  return nullptr;
}

const Instr* enter(Batch& s, std::uint32_t pc) {
  if (s.waiting.empty() || s.waiting.back().pc > pc) return s.base + pc;
  wait(s, pc, s.mask);
  return runFirst(s);
}

const Instr* jumpBack(Batch& s, const Instr* from, std::uint32_t pc, std::uint32_t steps) {
  if (exceeds(s, steps)) return trapAtLimit(s, from, steps);
  s.steps += steps;
  return enter(s, pc);
}

const Instr* split(Batch& s, const Instr* from, LaneMask yes) {
  const auto& [whereTrue, whereFalse, steps] = from->known<kind::Branch>();
  const std::uint32_t first = std::min(whereTrue, whereFalse);
  if (s.base + first <= from && exceeds(s, steps)) return trapAtLimit(s, from, steps);
  const LaneMask no = without(s.mask, yes);
  if (watched(*s.env, watch::kStrand)) {
    const Strand parts[] = {{whereTrue, yes}, {whereFalse, no}};
    s.env->observers->moment(StrandSplits{s, placeOf(s, from), parts});
  }
  s.steps += steps;
  wait(s, std::max(whereTrue, whereFalse), whereTrue < whereFalse ? no : yes);
  s.setMask(whereTrue < whereFalse ? yes : no);
  return goOn(s, enter(s, first));
}

std::uint32_t caseOf(const Batch& s, std::uint32_t table, std::uint64_t selector) {
  return s.env->program->switches[table].targetOf(selector);
}

const Instr* splitSwitch(Batch& s, const Instr* ip) {
  const auto& [table, steps, wide] = ip->known<kind::Switch>();
  Strand parts[kMaxLanes];
  std::size_t count = 0;
  bool back = false;
  for (std::uint32_t lane = 0; lane < s.width; ++lane) {
    if (!s.mask.test(lane)) continue;
    const std::uint64_t selector = wide ? s.slot<std::uint64_t>(ip->a)[lane] : s.slot<std::uint32_t>(ip->a)[lane];
    const std::uint32_t to = caseOf(s, table, selector);
    back = back || s.base + to <= ip;
    Strand* part = std::ranges::find(parts, parts + count, to, &Strand::pc);
    if (part == parts + count) parts[count++] = {to, {}};
    part->lanes.set(lane);
  }
  if (back && exceeds(s, steps)) return trapAtLimit(s, ip, steps);
  if (count > 1 && watched(*s.env, watch::kStrand)) s.env->observers->moment(StrandSplits{s, placeOf(s, ip), {parts, count}});
  s.steps += steps;
  if (count == 1) return enter(s, parts[0].pc);
  for (const Strand& part : std::span(parts, count)) wait(s, part.pc, part.lanes);
  return runFirst(s);
}

const Instr* finish(Batch& s, const Instr* ip) {
  const std::uint32_t steps = ip->known<kind::Return>().steps;
  if (exceeds(s, steps)) return trapAtLimit(s, ip, steps);
  const LaneMask before = s.live;
  s.live = without(s.live, s.mask);
  if (watched(*s.env, watch::kStrand)) s.env->observers->moment(LanesReturn{s, placeOf(s, ip), s.mask});
  if (watched(*s.env, watch::kSubgroup)) tellEnds(s, before, s.live);
  if (!s.waiting.empty()) return runFirst(s);
  s.status = Batch::Status::kDone;
  return nullptr;
}

const Instr* arrive(Batch& s, const Instr* ip) {
  const std::uint32_t pc = placeOf(s, ip);
  if (watched(*s.env, watch::kBarrier)) s.env->observers->moment(BarrierReached{s, pc, s.mask, ip->known<kind::Barrier>().execution});
  if (!s.waiting.empty() || !(s.mask == s.live)) return trap(s, ip, Fault::kDivergentBarrier);
  s.pc = pc + 1;
  s.status = Batch::Status::kAtBarrier;
  return nullptr;
}

const Instr* refuse(Batch& s, const Instr* ip) {
  s.pc = placeOf(s, ip);
  s.status = Batch::Status::kRefused;
  return nullptr;
}

const Instr* trap(Batch& s, const Instr* ip, Fault fault) {
  return trap(s, ip, fault, s.mask);
}

const Instr* trap(Batch& s, const Instr* ip, Fault fault, const LaneMask& lanes) {
  s.pc = placeOf(s, ip);
  s.fault = fault;
  s.status = Batch::Status::kFaulted;
  if (fault != Fault::kAsked && fault != Fault::kStopped && watched(*s.env, watch::kFault))
    s.env->observers->moment(Faulted{s, s.pc, lanes});
  return nullptr;
}

}  // namespace lanewise
