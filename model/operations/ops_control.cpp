// Moves into phis, branches, barriers: what changes the path of a strand.
#include "model/operations/elementwise.h"
#include "model/operations/ops.h"
#include "model/state/control.h"
#include "model/state/observers.h"

namespace lanewise {
inline namespace LANEWISE_ISA {
namespace {

// A copy that keeps what inactive lanes have.
template <class Word>
const Instr* move(const Instr* ip, Batch& s) {
  auto* d = s.slot<Word>(ip->dst);
  const auto* a = s.slot<Word>(ip->a);
  const std::size_t step = ip->stepA * (64 / sizeof(Word));
  if (s.together) {
    forGroups(
        groupsOf(ip, s), [&]() __attribute__((always_inline)) {
#pragma GCC ivdep
          for (std::uint32_t k = 0; k < kGroup; ++k) d[k] = a[k];
          d += kGroup, a += step;
          forget(d, a);
        });
    return ip + 1;
  }
  const std::int32_t* lanes = s.lanes;
  forGroups(
      groupsOf(ip, s), [&]() __attribute__((always_inline)) {
#pragma GCC ivdep
        for (std::uint32_t k = 0; k < kGroup; ++k) d[k] = lanes[k] ? a[k] : d[k];
        d += kGroup, a += step, lanes += kGroup;
        forget(d, a, lanes);
      });
  return ip + 1;
}

template <class Word>
const Instr* moveUniform(const Instr* ip, Batch& s) {
  auto* d = s.slot<Word>(ip->dst);
  const auto* a = s.slot<Word>(ip->a);
#pragma GCC ivdep
  for (std::uint32_t k = 0; k < kGroup; ++k) d[k] = a[k];
  return ip + 1;
}

const Instr* jump(const Instr* ip, Batch& s) {
  const auto& [to, steps] = ip->known<kind::Jump>();
  const Instr* target = s.base + to;
  if (target <= ip) return jumpBack(s, ip, to, steps);
  s.steps += steps;
  if (s.waiting.empty()) return target;
  return enter(s, to);
}

const Instr* branchUniform(const Instr* ip, Batch& s) {
  return takeBranch(ip, s, *s.slot<std::uint32_t>(ip->a) != 0);
}

const Instr* branchVarying(const Instr* ip, Batch& s) {
  const auto* condition = s.slot<std::uint32_t>(ip->a);
  if (s.lane != kNoLane) return takeBranch(ip, s, condition[s.lane] >> 31 != 0);  // it runs alone
  return takeBranch(ip, s, lanesWhere(s, condition));
}

const Instr* switchUniform(const Instr* ip, Batch& s) {
  const kind::Switch& what = ip->known<kind::Switch>();
  const std::uint64_t selector = what.wide ? *s.slot<std::uint64_t>(ip->a) : *s.slot<std::uint32_t>(ip->a);
  const std::uint32_t to = caseOf(s, what.table, selector);
  if (s.base + to <= ip) return jumpBack(s, ip, to, what.steps);
  s.steps += what.steps;
  return enter(s, to);
}

const Instr* switchVarying(const Instr* ip, Batch& s) {
  return splitSwitch(s, ip);
}
const Instr* returnLanes(const Instr* ip, Batch& s) {
  return finish(s, ip);
}
// Lanes of a subgroup that are together have nothing to wait for among themselves.
const Instr* controlBarrier(const Instr* ip, Batch& s) {
  if (ip->known<kind::Barrier>().execution != spv::Scope::Subgroup) return arrive(s, ip);
  if (!watched(*s.env, watch::kBarrier)) return ip + 1;
  const auto pc = static_cast<std::uint32_t>(ip - s.base);
  s.env->observers->moment(BarrierReached{s, pc, s.mask, spv::Scope::Subgroup});
  s.env->observers->moment(BarrierReleased{s, pc, s.mask, spv::Scope::Subgroup});
  return goOn(s, ip + 1);
}
const Instr* memoryBarrier(const Instr* ip, Batch& s) {
  if (!watched(*s.env, watch::kBarrier)) return ip + 1;
  s.env->observers->moment(FencePassed{s, static_cast<std::uint32_t>(ip - s.base), s.mask});
  return goOn(s, ip + 1);
}
// Whoever wants lines makes them.
const Instr* print(const Instr* ip, Batch& s) {
  if (!watched(*s.env, watch::kPrint)) return ip + 1;
  s.env->observers->moment(PrintReached{s, static_cast<std::uint32_t>(ip - s.base), s.mask});
  return goOn(s, ip + 1);
}
const Instr* readClock(const Instr* ip, Batch& s) {
  const auto pc = static_cast<std::uint32_t>(ip - s.base);
  for (std::uint32_t lane = 0; lane < s.width; ++lane) s.slot<std::uint64_t>(ip->dst)[lane] = stepsAt(s, pc, lane);
  return ip + 1;
}
// Without an observer, nothing.
const Instr* passIndex(const Instr* ip, Batch&) {
  return ip + 1;
}
const Instr* checkIndex(const Instr* ip, Batch& s) {
  if (!watched(*s.env, watch::kIndex)) return ip + 1;
  const auto& [length, variable] = ip->known<kind::CheckIndex>();
  LaneMask outside;
  for (std::uint32_t g = 0; g * kGroup < s.width; ++g) {
    const auto* index = s.slot<std::uint32_t>(ip->a + g * ip->stepA * 64);
    std::uint32_t most = 0;
    for (std::uint32_t k = 0; k < kGroup; ++k) most = most < index[k] ? index[k] : most;
    if (most < length) continue;
    for (std::uint32_t k = 0; k < kGroup; ++k)
      if (index[k] >= length) outside.set(g * kGroup + k);
  }
  outside = outside & s.mask;
  if (!outside.any()) return ip + 1;
  const auto pc = static_cast<std::uint32_t>(ip - s.base);
  s.env->observers->moment(IndexOutside{s, pc, outside, {ip->a, ip->stepA * 64u}, length, variable});
  return goOn(s, ip + 1);
}
const Instr* unreachable(const Instr* ip, Batch& s) {
  return trap(s, ip, Fault::kUnreachable);
}

}  // namespace

void addControlRows(OpTable& t) {
  t.add({control::kMove, Scalar::kI32, Scalar::kNone}, &move<std::uint32_t>);
  t.add({control::kMove, Scalar::kI64, Scalar::kNone}, &move<std::uint64_t>);
  t.add({control::kMoveUniform, Scalar::kI32, Scalar::kNone}, &moveUniform<std::uint32_t>);
  t.add({control::kMoveUniform, Scalar::kI64, Scalar::kNone}, &moveUniform<std::uint64_t>);
  t.add({control::kJump, Scalar::kNone, Scalar::kNone}, &jump);
  t.add({control::kBranchUniform, Scalar::kNone, Scalar::kNone}, &branchUniform);
  t.add({control::kBranchVarying, Scalar::kNone, Scalar::kNone}, &branchVarying);
  t.add({control::kSwitchUniform, Scalar::kNone, Scalar::kNone}, &switchUniform);
  t.add({control::kSwitchVarying, Scalar::kNone, Scalar::kNone}, &switchVarying);
  t.add({control::kReturn, Scalar::kNone, Scalar::kNone}, &returnLanes);
  t.add({ir::kControlBarrier, Scalar::kNone, Scalar::kNone}, &controlBarrier);
  t.add({ir::kMemoryBarrier, Scalar::kNone, Scalar::kNone}, &memoryBarrier);
  t.add({ir::kPrint, Scalar::kNone, Scalar::kNone}, &print);
  t.add({ir::kReadClock, Scalar::kI64, Scalar::kNone}, &readClock);
  t.add({ir::kCheckIndex, Scalar::kNone, Scalar::kNone}, {&passIndex, &checkIndex});
  t.add({ir::kTrapUnreachable, Scalar::kNone, Scalar::kNone}, &unreachable);
}

}  // namespace LANEWISE_ISA
}  // namespace lanewise
