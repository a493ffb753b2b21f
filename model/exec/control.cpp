#include "model/exec/control.h"

#include <algorithm>

namespace lanewise {
namespace {

void wait(Batch& s, std::uint32_t pc, LaneMask lanes) {
  const auto at =
      std::lower_bound(s.waiting.begin(), s.waiting.end(), pc, [](const Strand& strand, std::uint32_t p) { return strand.pc < p; });
  if (at != s.waiting.end() && at->pc == pc)
    at->lanes = at->lanes | lanes;
  else
    s.waiting.insert(at, {pc, lanes});
}

const Instr* runFirst(Batch& s) {
  const Strand first = s.waiting.front();
  s.waiting.erase(s.waiting.begin());
  s.setMask(first.lanes);
  return s.base + first.pc;
}

}  // namespace

void Batch::setMask(LaneMask m) {
  mask = m;
  for (std::uint32_t i = 0; i < width; ++i) lanes[i] = m.test(i) ? -1 : 0;
  const std::uint64_t low = width >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << width) - 1;
  full = m.word[0] == low && (width <= 64 || m.word[1] == ~std::uint64_t{0});
}

const Instr* enter(Batch& s, std::uint32_t pc) {
  if (s.waiting.empty() || s.waiting.front().pc > pc) return s.base + pc;
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
  wait(s, target, yes);
  wait(s, otherwise, without(s.mask, yes));
  return runFirst(s);
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
