#include "model/state/control.h"

#include <algorithm>
#include <array>
#include <iterator>

namespace lanewise {
namespace {

void wait(Batch& s, std::uint32_t pc, LaneMask lanes) {
  auto at = s.waiting.end();
  while (at != s.waiting.begin() && std::prev(at)->pc < pc) --at;
  if (at != s.waiting.begin() && std::prev(at)->pc == pc)
    std::prev(at)->lanes = std::prev(at)->lanes | lanes;
  else
    s.waiting.insert(at, {pc, lanes});
}

const Instr* runFirst(Batch& s) {
  const Strand first = s.waiting.back();
  s.waiting.pop_back();
  s.setMask(first.lanes);
  return s.base + first.pc;
}

struct FourLanes {
  std::int32_t lane[4];
};
constexpr std::array<FourLanes, 16> kFourLanes = [] {
  std::array<FourLanes, 16> all{};
  for (std::uint32_t bits = 0; bits < 16; ++bits)
    for (std::uint32_t k = 0; k < 4; ++k) all[bits].lane[k] = (bits >> k & 1) != 0 ? -1 : 0;
  return all;
}();

}  // namespace

void Batch::setMask(LaneMask m) {
  mask = m;
  for (std::uint32_t i = 0; i < width; i += 4) std::memcpy(lanes + i, &kFourLanes[m.word[i / 64] >> (i % 64) & 15], sizeof(FourLanes));
  const std::uint64_t low = width >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << width) - 1;
  full = m.word[0] == low && (width <= 64 || m.word[1] == ~std::uint64_t{0});
  together = m == live;
}

const Instr* enter(Batch& s, std::uint32_t pc) {
  if (s.waiting.empty() || s.waiting.back().pc > pc) return s.base + pc;
  wait(s, pc, s.mask);
  return runFirst(s);
}

const Instr* jumpBack(Batch& s, const Instr* from, std::uint32_t pc) {
  s.fuel -= from - (s.base + pc) + 1;
  if (s.fuel < 0) return trap(s, from, Fault::kStepLimit);
  return enter(s, pc);
}

const Instr* split(Batch& s, const Instr* from, LaneMask yes, std::uint32_t target, std::uint32_t otherwise) {
  const std::uint32_t first = std::min(target, otherwise);
  if (s.base + first <= from) {
    s.fuel -= from - (s.base + first) + 1;
    if (s.fuel < 0) return trap(s, from, Fault::kStepLimit);
  }
  const LaneMask no = without(s.mask, yes);
  wait(s, std::max(target, otherwise), target < otherwise ? no : yes);
  s.setMask(target < otherwise ? yes : no);
  return enter(s, first);
}

std::uint32_t caseOf(const Batch& s, std::uint32_t table, std::uint64_t selector) {
  const SwitchTable& t = s.env->program->switches[table];
  for (const auto& [literal, pc] : t.cases)
    if (literal == selector) return pc;
  return t.otherwise;
}

const Instr* splitSwitch(Batch& s, const Instr* ip) {
  const bool wide = ip->imm != 0;
  for (std::uint32_t lane = 0; lane < s.width; ++lane) {
    if (!s.mask.test(lane)) continue;
    const std::uint64_t selector = wide ? s.slot<std::uint64_t>(ip->a)[lane] : s.slot<std::uint32_t>(ip->a)[lane];
    LaneMask one;
    one.set(lane);
    const std::uint32_t to = caseOf(s, ip->extra, selector);
    if (s.base + to <= ip) s.fuel -= ip - (s.base + to) + 1;
    wait(s, to, one);
  }
  if (s.fuel < 0) return trap(s, ip, Fault::kStepLimit);
  return runFirst(s);
}

const Instr* finish(Batch& s) {
  s.live = without(s.live, s.mask);
  if (!s.waiting.empty()) return runFirst(s);
  s.status = Batch::Status::kDone;
  return nullptr;
}

const Instr* arrive(Batch& s, const Instr* ip) {
  const auto pc = static_cast<std::uint32_t>(ip - s.base);
  if (!s.waiting.empty() || !(s.mask == s.live)) return trap(s, ip, Fault::kDivergentBarrier);
  s.pc = pc + 1;
  s.status = Batch::Status::kAtBarrier;
  return nullptr;
}

const Instr* trap(Batch& s, const Instr* ip, Fault fault) {
  s.pc = static_cast<std::uint32_t>(ip - s.base);
  s.fault = fault;
  s.status = Batch::Status::kFaulted;
  return nullptr;
}

}  // namespace lanewise
