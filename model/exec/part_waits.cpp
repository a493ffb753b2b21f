// Who runs where somebody waits: PartRunner's turns for batches that were seen to go round and round (wait_watch.h).
//
// A batch that makes many steps is looked at, alone. If it provably waits, the schedule's model of progress says who is promised a turn
// instead. When all of these wait too, those whose proof is old are looked at again: first who waits for a word that has another value by
// now, else the last. If each waits still, and nothing else has run since the first of these proofs, nobody is left who could end it.
#include <algorithm>
#include <cstring>

#include "model/exec/lanes.h"
#include "model/exec/part.h"
#include "model/exec/weak_memory.h"
#include "model/memory/texel_access.h"
#include "model/state/control.h"
#include "model/state/lane_masks.h"
#include "model/state/level_bytes.h"
#include "model/state/workgroup.h"

namespace lanewise {
namespace {

// How long somebody is looked at: a small part of what it has run.
std::size_t instructionsToWatch(std::uint64_t steps) {
  return std::clamp<std::uint64_t>(steps / 64, 256, 1 << 16);
}

void forget(Batch& b) {
  b.waits = 0;
  for (LoneLane& l : b.lone) l.waits = 0;
}

// Where a word of a buffer or a texel is; nullptr: it is of other memory, or outside.
const std::byte* placeOf(const WaitedWord& word, std::size_t bytes, const Program& program, const Environment& env) {
  if (word.place == Place::kBuffer && word.resource < env.addressableCount) {
    const BufferView& buffer = env.addressable[word.resource];
    return word.offset + bytes <= buffer.size ? buffer.data + word.offset : nullptr;
  }
  const auto declared = std::ranges::find(program.resources, word.variable, &ir::ResourceDeclaration::variable);
  if (word.place != Place::kImage || declared == program.resources.end()) return nullptr;
  const DescriptorRange range = env.descriptors[declared - program.resources.begin()];
  if (word.element >= range.count) return nullptr;
  const ImageView& view = env.images[range.first + word.element];
  for (std::uint32_t i = 0; const ImageLevel* const level = levelOf(view, i); ++i)
    if (const std::byte* const at = bytesInLevel(*level, word.size, word.offset, bytes)) return at;
  return nullptr;
}

}  // namespace

// The index of the first workgroup that has not started; the number of all: there is none.
std::uint64_t PartRunner::lowestUnopened() {
  while (unopened_ < dispatch_.workgroups && part_.hasOpened(dispatch_.schedule.placeOf(unopened_, dispatch_.workgroups))) ++unopened_;
  return unopened_;
}

// The highest index of those that have started.
std::uint64_t PartRunner::highestOpened() {
  if (highest_) return *highest_;
  highest_ = 0;
  for (std::uint64_t place = 0; place < part_.end; ++place)
    if (part_.hasOpened(place)) highest_ = std::max(*highest_, dispatch_.schedule.at(place, dispatch_.workgroups));
  return *highest_;
}

// The workgroup with the lowest index of those that have not ended; empty where it has not started.
std::optional<std::uint32_t> PartRunner::lowestSlot() {
  const auto lowest = turns_.lowestRunning();
  return lowest && lowest->first < lowestUnopened() ? std::optional(lowest->second) : std::nullopt;
}

TurnFacts PartRunner::turnFacts() {
  TurnFacts facts{.turns = part_.turns++, .dispatch = dispatch_.environment.dispatch};
  const Schedule& schedule = dispatch_.schedule;
  if (schedule.progress == Schedule::Progress::kHsa && !schedule.switches() && turns_.anyWaits())
    facts.only = lowestSlot().value_or(static_cast<std::uint32_t>(part_.residents.size()));
  return facts;
}

// The workgroup that the model of progress promises to start although no slot is free.
std::optional<std::uint64_t> PartRunner::placeToOpen() {
  using enum Schedule::Progress;
  const Schedule::Progress progress = dispatch_.schedule.progress;
  if (part_.next == part_.end || progress == kNone || progress == kOccupancyBound) return {};
  if (progress == kFair) return part_.next;
  const std::uint64_t lowest = lowestUnopened();
  const auto running = turns_.lowestRunning();
  const bool promised = progress == kHsa ? !running || lowest < running->first : lowest < highestOpened();
  return promised ? std::optional(dispatch_.schedule.placeOf(lowest, dispatch_.workgroups)) : std::nullopt;
}

bool PartRunner::openAnother() {
  const std::optional<std::uint64_t> place = placeToOpen();
  if (!place || part_.running >= dispatch_.room) return false;
  const std::optional<std::uint32_t> free = turns_.firstFree();
  const std::uint32_t slot = free.value_or(static_cast<std::uint32_t>(part_.residents.size()));
  if (!free) {
    part_.residents.emplace_back();
    environments_.emplace_back();
    part_.askAt.emplace_back();
  }
  open(*place, slot);
  return true;
}

// The batch of the turn has made so many steps that it is looked at. `again`: it waited before. Nothing has run afterwards: what the watch
// sees is a look ahead, so that it changes no order.
Status PartRunner::ask(bool again) {
  const Turn turn = *part_.turn;
  WorkgroupState& w = part_.residents[turn.slot];
  Batch& b = w.batches[turn.batch];
  b.status = Batch::Status::kReady;
  b.fault = Fault::kNone;
  setAsk(turn);
  std::uint64_t& at = part_.askAt[turn.slot][turn.batch];
  // The look keeps two copies more of the workgroup.
  if (2 * stateBytes(*w.program) > dispatch_.maxMemory) {
    at = dispatch_.environment.maxSteps;
    return {};
  }
  // What nobody sees yet might end the wait: it is seen from now on, as it may be at any time.
  if (part_.weak.get() != nullptr) part_.weak.get()->settle();
  WaitWatch watch(w, turn.batch, b.pc, b.mask, instructionsToWatch(at));
  if (!again) at = nextAsk(at);
  const WorkgroupState then = w;
  const std::uint64_t turns = part_.turns;
  const std::uint32_t running = part_.running;
  looksAhead_ = true;
  Observer* const all[] = {&watch};
  Observers observers(all);
  watch.setLog(observers.log);
  attach(turn.slot, observers);
  const bool ends = watchAlone(turn.slot, watch, observers).has_value();
  looksAhead_ = false;
  w = then;
  part_.turn = turn;
  part_.turns = turns;
  part_.running = running;
  attach(turn.slot, observers_);
  if (!watch.isOpen() || ends) wait_ = Wait{dispatch_.environment.dispatch, turn, w.id, b.pc, b.mask, watch.words(), false};
  if (watch.verdict() == WaitWatch::Verdict::kRound) return standAside(watch, turn, again);
  part_.firstOfSeries = part_.proofs + 1;
  // Not proved; others may have a turn all the same.
  const bool yields = watch.verdict() == WaitWatch::Verdict::kTooLong && part_.turn && !again &&
                      dispatch_.schedule.progress != Schedule::Progress::kNone && !dispatch_.schedule.switches();
  if (!yields) return {};
  const Turn now = *part_.turn;
  Batch& own = part_.residents[now.slot].batches[now.batch];
  ++part_.proofs;
  if (own.lane != kNoLane) own.lone[own.lane].waits = part_.proofs;
  parkLane(own);
  if (own.lone.empty()) own.waits = part_.proofs;
  part_.firstOfSeries = part_.proofs + 1;
  part_.turn.reset();
  return {};
}

// Runs the turns of this workgroup alone until the watch has seen enough.
Status PartRunner::watchAlone(std::uint32_t slot, const WaitWatch& watch, Observers& observers) {
  const WorkgroupState& w = part_.residents[slot];
  while (watch.isOpen() && w.running && !observers.stopping()) {
    if (!part_.turn) {
      const TurnFacts facts{part_.turns++, slot, dispatch_.environment.dispatch};
      part_.turn = turns_.next(facts);
      if (!part_.turn) return {};
    }
    if (Status error = runTurn(observers)) return error;
  }
  return {};
}

// What has gone round waits for others; where nobody is promised a turn, that is an error.
Status PartRunner::standAside(const WaitWatch& watch, const Turn& turn, bool again) {
  WorkgroupState& w = part_.residents[turn.slot];
  ++part_.proofs;
  if (!again) part_.firstOfSeries = part_.proofs;
  wait_->proved = true;
  for (Batch& b : w.batches) {
    const LaneMask lanes = watch.lanesOf(b.index);
    if (!lanes.any()) continue;
    waits_[{turn.slot, b.index}] = *wait_;
    if (b.lone.empty()) b.waits = part_.proofs;
    parkLane(b);
    if (b.lone.empty()) continue;
    forLanes(lanes, [&](std::uint32_t lane) {
      if (b.lone[lane].status != LoneLane::Status::kAbsent) b.lone[lane].waits = part_.proofs;
    });
    part_.askAt[turn.slot][b.index] = 0;  // the next lane has its own steps
  }
  part_.turn.reset();
  if (dispatch_.schedule.progress == Schedule::Progress::kNone && !dispatch_.schedule.switches()) return stuck(turn);
  wait_.reset();
  return {};
}

bool PartRunner::isChanged(const WaitedWord& word) const {
  const std::size_t bytes = std::min(word.size, 8u);
  const std::byte* const now = placeOf(word, bytes, *dispatch_.program, dispatch_.environment);
  return now && std::memcmp(now, &word.value, bytes) != 0;
}

// Of those whose proof is older than that, the last that waits for a word of a buffer or a texel which has changed.
std::optional<std::pair<std::uint64_t, Turn>> PartRunner::lastFreedBefore(std::uint64_t proof, std::uint32_t only) const {
  std::optional<std::pair<std::uint64_t, Turn>> last;
  for (const auto& [at, wait] : waits_) {
    const auto& [slot, batch] = at;
    const WorkgroupState& w = part_.residents[slot];
    if (!w.running || (only != TurnFacts::kAnySlot && only != slot) || !waits(w.batches[batch])) continue;
    const std::uint64_t own = lastProof(w.batches[batch]);
    if (own >= proof || (last && own < last->first)) continue;
    if (std::ranges::any_of(wait.words, [this](const WaitedWord& word) { return isChanged(word); })) last = {own, Turn{slot, batch}};
  }
  return last;
}

// Whoever can run waits.
Status PartRunner::nobodyElse() {
  if (openAnother()) return {};
  TurnFacts facts = turnFacts();
  if (facts.only == part_.residents.size()) facts.only = TurnFacts::kAnySlot;  // the one that is promised a turn has no room
  auto last = lastFreedBefore(part_.firstOfSeries, facts.only);
  if (!last) last = turns_.lastProofBefore(part_.firstOfSeries, facts.only);
  if (!last) return nobodyWithin(facts);
  const auto [proof, turn] = *last;
  part_.turn = turn;
  Batch& b = part_.residents[turn.slot].batches[turn.batch];
  if (!b.lone.empty()) {
    const auto lane = std::ranges::find(b.lone, proof, &LoneLane::waits);
    lane->waits = 0;
    resumeLane(b, static_cast<std::uint32_t>(lane - b.lone.begin()));
  }
  b.waits = 0;
  return ask(true);
}

// ... and nobody is left who could end that: told is the first.
Status PartRunner::nobodyWithin(const TurnFacts& facts) {
  std::optional<Turn> first;
  std::uint64_t earliest = ~std::uint64_t{0};
  for (std::uint32_t slot = 0; slot < part_.residents.size(); ++slot) {
    const WorkgroupState& w = part_.residents[slot];
    if (!w.running || (facts.only != TurnFacts::kAnySlot && facts.only != slot)) continue;
    for (const Batch& b : w.batches) {
      if (!waits(b) || lastProof(b) >= earliest) continue;
      earliest = lastProof(b);
      first = Turn{slot, b.index};
    }
  }
  return first ? stuck(*first) : Error{Outcome::kInternal, "no subgroup can run", dispatch_.program->module.name, ""};
}

Status PartRunner::stuck(const Turn& turn) {
  WorkgroupState& w = part_.residents[turn.slot];
  if (const auto known = waits_.find({turn.slot, turn.batch}); known != waits_.end()) wait_ = known->second;
  Batch& b = w.batches[turn.batch];
  forget(b);
  trap(b, b.base + (wait_ ? wait_->pc : b.pc), Fault::kWaits, wait_ ? wait_->lanes : b.mask);
  return faultError(w, b);
}

}  // namespace lanewise
