#include "model/exec/wait_watch.h"

#include <algorithm>
#include <utility>

#include "model/ir/operation_info.h"
#include "model/state/lane_masks.h"
#include "model/state/lane_value.h"

namespace lanewise {
namespace {

// Each looks at the whole trace.
constexpr std::size_t kMostClosures = 32;
constexpr std::size_t kMostLoads = std::size_t{1} << 16;

// Of a copy too, whose `regs` are the original's.
std::uint64_t registerIn(const Batch& b, std::uint32_t offset, std::uint32_t step, bool wide, std::uint32_t lane) {
  std::uint64_t value = 0;
  std::memcpy(&value, b.registers.data() + laneByte({offset, step}, wide, lane), wide ? 8 : 4);
  return value;
}

bool sameStrands(const Batch& a, const Batch& b) {
  return std::ranges::equal(a.waiting, b.waiting, [](const Strand& x, const Strand& y) { return x.pc == y.pc && x.lanes == y.lanes; });
}

// Lanes that run alone, but for the one that runs.
bool sameLanes(const Batch& a, const Batch& b) {
  for (std::uint32_t i = 0; i < a.lone.size(); ++i)
    if (i != b.lane && (a.lone[i].status != b.lone[i].status || a.lone[i].pc != b.lone[i].pc)) return false;
  return a.lane == b.lane;
}

// Whether two lanes of the access go to one place.
bool meetsItself(const AccessEvent& event) {
  if (event.runs.size() == 1 && event.runs[0].count == 1) return false;
  std::vector<std::pair<std::uint64_t, std::uint64_t>> places;  // resource and first byte
  std::uint32_t size = 1;
  forEachLane(event, [&](std::uint32_t, const LaneRun& run, std::uint64_t offset) {
    places.emplace_back(run.resource, offset);
    size = std::max(size, run.size);
  });
  std::ranges::sort(places);
  return std::ranges::adjacent_find(
             places, [=](const auto& a, const auto& b) { return a.first == b.first && b.second - a.second < size; }) != places.end();
}

}  // namespace

Answer WaitWatch::beforeInstruction(const InstructionEvent& event) {
  if (!isOpen()) return Answer::kStop;
  if (event.batch.index == batch_ && event.pc == pc_ && event.lanes == lanes_) {
    if (!then_.empty() && isRound()) verdict_ = Verdict::kRound;
    if (!isOpen()) return Answer::kStop;
    // From powers of two: a round of any length is seen within three times its length (Brent).
    if (then_.empty() || ++visits_ == next_) remember();
  }
  if (++executed_ > most_) {
    verdict_ = Verdict::kTooLong;
    return Answer::kStop;
  }
  trace_.push_back({event.batch.index, event.pc, event.lanes});
  return Answer::kGoOn;
}

void WaitWatch::remember() {
  next_ = std::max<std::size_t>(1, 2 * visits_);
  then_ = workgroup_.batches;
  trace_.clear();
  loads_.clear();
  stored_.clear();
  witness_.reset();
}

Answer WaitWatch::access(const AccessEvent& event) {
  if (event.place == Place::kPush) return Answer::kGoOn;
  const bool changes =
      writes(event.kind) && (!std::ranges::equal(event.before, event.after) || (event.kind == AccessKind::kWrite && meetsItself(event)));
  if (changes) log_->undo();
  if (changes && isOpen()) verdict_ = Verdict::kGoesOn;
  if (!isOpen()) return Answer::kStop;
  if (event.kind == AccessKind::kWrite || event.kind == AccessKind::kAtomicWrite)
    forEachLane(event, [&](std::uint32_t, const LaneRun& run, std::uint64_t offset) {
      stored_.insert({event.place, run.resource, offset});
    });
  if (!reads(event.kind) || trace_.empty()) return Answer::kGoOn;
  std::size_t at = 0;
  forEachLane(event, [&](std::uint32_t lane, const LaneRun& run, std::uint64_t offset) {
    WaitedWord word{event.batch.index, lane, event.pc, event.place, event.variable, run.resource, run.element, run.size, offset, 0};
    if (at + run.size <= event.before.size()) std::memcpy(&word.value, event.before.data() + at, std::min(run.size, 8u));
    at += run.size;
    if (loads_.size() < kMostLoads) loads_.push_back({trace_.size() - 1, word});
  });
  return Answer::kGoOn;
}

bool WaitWatch::sameShape() const {
  for (std::size_t i = 0; i < then_.size(); ++i) {
    const Batch &was = then_[i], &is = workgroup_.batches[i];
    const bool runs = is.index == batch_;
    if (was.status != is.status || !(was.live == is.live) || !(was.mask == is.mask) || !sameStrands(was, is) || !sameLanes(was, is) ||
        (!runs && was.pc != is.pc))
      return false;
  }
  return true;
}

bool WaitWatch::differs(const Batch& was, const Batch& is, std::uint32_t offset, const Need& need) {
  for (std::uint32_t lane = 0; lane < is.width; ++lane) {
    if (!need.lanes.test(lane)) continue;
    if (registerIn(was, offset, need.step, need.wide, lane) == registerIn(is, offset, need.step, need.wide, lane)) continue;
    witness_ = Witness{is.index, offset, lane, need.wide, need.step};
    return true;
  }
  return false;
}

bool WaitWatch::isRound() {
  if (!sameShape()) return false;
  if (witness_) {
    const auto& [batch, offset, lane, wide, step] = *witness_;
    if (registerIn(then_[batch], offset, step, wide, lane) != registerIn(workgroup_.batches[batch], offset, step, wide, lane)) return false;
  }
  const auto differ = [this](const Pass& pass) {
    for (std::size_t i = 0; i < then_.size(); ++i)
      for (const auto& [offset, need] : pass.needs[i].registers)
        if (differs(then_[i], workgroup_.batches[i], offset, need)) return true;
    return false;
  };
  if (differ(back(std::vector<Needs>(then_.size()), true))) return false;  // what the round itself needs only grows: the witness stays
  if (++closures_ > kMostClosures) {
    verdict_ = Verdict::kTooLong;
    return false;
  }
  const Pass all = closed(true);
  if (all.clock) verdict_ = Verdict::kTooLong;  // it may end at any time
  const bool other = differ(all);
  if (other) witness_.reset();
  if (other || all.clock) return false;
  for (std::size_t i = 0; i < then_.size(); ++i) {
    const AlignedBytes &was = then_[i].laneMemory, &is = workgroup_.batches[i].laneMemory;
    if (all.needs[i].laneMemory && !std::equal(was.data(), was.data() + was.size(), is.data())) return false;
  }
  return true;
}

bool WaitWatch::isRoot(std::uint32_t pc, bool stores) const {
  switch (program().info[pc].op) {
    case control::kBranchUniform:
    case control::kBranchVarying:
    case control::kSwitchUniform:
    case control::kSwitchVarying:
      return true;
    default:
      break;
  }
  if (!stores) return false;
  const ir::Facts& facts = ir::operationInfo(program().info[pc].op)->facts;
  return facts.effect == ir::Effect::kActs && program().info[pc].op != ir::kLocalStore;
}

WaitWatch::Pass WaitWatch::back(const std::vector<Needs>& end, bool stores) const {
  Pass pass{end, false, std::vector<bool>(trace_.size())};
  for (std::size_t i = trace_.size(); i-- > 0;) {
    const auto& [batch, pc, lanes] = trace_[i];
    const InstrInfo& info = program().info[pc];
    Needs& needs = pass.needs[batch];
    bool wanted = false;
    for (const DescribedOperand& result : program().resultsOf(pc)) {
      const auto it = needs.registers.find(result.slot.offset);
      if (result.slot.offset == 0 || it == needs.registers.end()) continue;
      const LaneMask made = result.slot.step == 0 ? firstLanes(kMaxLanes) : lanes;
      wanted = wanted || (it->second.lanes & made).any();
      it->second.lanes = without(it->second.lanes, made);
      if (!it->second.lanes.any()) needs.registers.erase(it);
    }
    pass.wanted[i] = wanted;
    const bool isLocal = std::holds_alternative<kind::LaneMemory>(program().code[pc].what);
    if (isLocal && wanted) needs.laneMemory = true;
    if (info.op == ir::kReadClock && wanted) pass.clock = true;
    if (!wanted && !isRoot(pc, stores) && !(isLocal && info.results == 0 && needs.laneMemory)) continue;
    for (const DescribedOperand& argument : program().argumentsOf(pc)) {
      if (argument.slot.offset == 0) continue;
      Need& need = needs.registers[argument.slot.offset];
      need.lanes = need.lanes | (argument.slot.step == 0 ? oneLane(0) : lanes);
      need.wide = isWide(argument.type);
      need.step = argument.slot.step;
    }
  }
  return pass;
}

WaitWatch::Pass WaitWatch::closed(bool stores) const {
  std::vector<Needs> end(then_.size());
  for (;;) {
    Pass pass = back(end, stores);
    bool grows = false;
    for (std::size_t i = 0; i < end.size(); ++i) {
      grows = grows || (pass.needs[i].laneMemory && !end[i].laneMemory);
      end[i].laneMemory = end[i].laneMemory || pass.needs[i].laneMemory;
      for (const auto& [offset, need] : pass.needs[i].registers) {
        Need& own = end[i].registers[offset];
        grows = grows || without(need.lanes, own.lanes).any();
        own = {own.lanes | need.lanes, need.wide, need.step};
      }
    }
    if (!grows) {
      pass.needs = std::move(end);
      return pass;
    }
  }
}

std::vector<WaitedWord> WaitWatch::words() const {
  const auto own = [this](const WaitedWord& w) { return isOwn(w); };
  std::vector<WaitedWord> out = words(false);
  if (std::ranges::none_of(out, own)) return out;
  std::vector<WaitedWord> others = words(true);
  std::erase_if(others, own);
  return others.empty() ? out : others;
}

std::vector<WaitedWord> WaitWatch::words(bool stores) const {
  std::vector<WaitedWord> out;
  const Pass pass = closed(stores);
  for (const Load& load : loads_) {
    if (load.at >= trace_.size() || !pass.wanted[load.at]) continue;
    const ir::Access* access = program().accessOf(load.word.pc);
    const bool shared = access ? ir::isShared(*access) : ir::isShared(*program().imageAccessOf(load.word.pc), program().resources);
    if (shared) out.push_back(load.word);
  }
  return out;
}

LaneMask WaitWatch::lanesOf(std::uint32_t batch) const {
  LaneMask lanes;
  for (const Executed& e : trace_)
    if (e.batch == batch) lanes = lanes | e.lanes;
  return lanes;
}

}  // namespace lanewise
