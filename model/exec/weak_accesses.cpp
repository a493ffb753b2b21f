// What the instructions of an invocation do in its domains. See weak_memory.h.
#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

#include "model/exec/weak_memory.h"
#include "model/state/lane_masks.h"

namespace lanewise {

using race::Means;
using race::Reach;

// Its own stores, and copies of what it saw, unless it looks further; else what the domains above have, or had. `again`: when it looked the
// last time, for another word.
std::uint32_t WeakMemory::seenBy(const Agent& a, Key key, std::uint32_t bits, const Means& means, bool again) {
  Domain& own = domain(a, kInvocation);
  Word& word = own.words[key];
  if (word.dirty == 0) word.stored.in = means.in;
  const bool sees = means.atomic || means.visible != Reach::kInvocation;
  const Version last = word.versions.empty() ? Version{} : word.versions.back();
  const Drop* const dropped = means.nonPrivate ? lastDrop(own, means.in, time_) : nullptr;
  const std::uint32_t copies = dropped ? last.bits & last.since(dropped->when + 1) : last.bits;
  bool isOld = dropped && copies == 0;
  for (std::uint32_t level = kSubgroup; level < kLevels && means.nonPrivate; ++level)
    isOld = isOld || own.knows.read[level][means.in] > word.seen[level];
  const bool looks = sees || isOld || random(4) == 0;
  const std::uint32_t has = (word.dirty | (looks ? 0 : copies)) & bits, left = bits & ~has;
  if (left == 0) return last.value;
  Look look{key, means.in, kInvocation, means.nonPrivate, again, {}};
  if (sees) look.visible = std::min<std::uint32_t>(levelOf(means.atomic ? means.reach : means.visible), top(key));
  for (std::uint32_t level = kSubgroup; level < kLevels && means.nonPrivate; ++level)
    look.known[level] = std::max(own.knows.read[level][means.in], sees ? own.knows.stored[means.in][level][means.in] : 0);
  look.known[kSubgroup] = std::max({look.known[kSubgroup], word.floor, !sees && dropped ? dropped->when : 0});
  Version now = last;
  now.take(time_, fetch(a, look, kSubgroup, left, word), left);
  now.dirty = word.dirty;
  now.told = nullptr;
  word.versions = {now};
  return now.value;
}

// What a domain has, or else those above it.
std::uint32_t WeakMemory::newest(const Agent& a, Key key, std::uint32_t level, race::Class in) {
  std::uint32_t value = 0, left = kWhole;
  const auto take = [&](const Version& v, std::uint32_t bits) {
    value = merged(value, v.value, bits & left);
    left &= ~bits;
    if (v.told) told_.push_back(v.told);
  };
  for (; level < top(key) && left != 0; ++level)
    if (const Word* w = wordAt(a, key, level); w && !w->versions.empty()) {
      const Version& v = w->versions.back();
      const Drop* const dropped = lastDrop(domain(a, level), in, time_);
      take(v, dropped ? v.bits & (w->dirty | v.since(dropped->when + 1)) : v.bits);
    }
  if (left == 0) return value;
  const Word* w = wordAt(a, key, top(key));
  if (w && w->versions.back().told) told_.push_back(w->versions.back().told);
  return merged(value, load(key), left);
}

// A store stays with its invocation, or goes up at once.
void WeakMemory::store(const Agent& a, Key key, std::uint32_t value, std::uint32_t bits, const Means& means) {
  arrive(a, key, kInvocation, value, bits, {means.in, true, !means.nonPrivate, means.available, a.invocation}, {});
  Word& word = domain(a, kInvocation).words[key];
  word.versions.erase(word.versions.begin(), word.versions.end() - 1);
  if (random(2) == 0) bringUp(a, key, kDevice);
}

// What an atomic write tells: its own release, the fences before it, and as a read-modify-write what it has read.
WeakMemory::Told WeakMemory::tellsOf(const Agent& a, const Means& means, std::vector<Message> own, bool goesOn) const {
  const auto add = [&own](const Message& m) {
    const bool full = own.size() >= kMostMessages;
    const auto same = std::ranges::find_if(own, [&](const Message& one) {
      return one.reach == m.reach && one.classes == m.classes && (full || (one.workgroup == m.workgroup && one.subgroup == m.subgroup));
    });
    if (same == own.end()) return own.push_back(m);
    if (same->workgroup != m.workgroup || same->subgroup != m.subgroup) same->workgroup = kMany;
    learn(same->knows, m.knows, m.classes, kSubgroup);
  };
  for (const Message& m : domain(a, kInvocation).fences)
    if ((m.classes >> means.in & 1) != 0) add(m);
  if (goesOn)
    for (const Told& told : told_)
      for (const Message& m : *told) add(m);
  return own.empty() ? nullptr : std::make_shared<const std::vector<Message>>(std::move(own));
}

std::uint64_t WeakMemory::memoryOf(const Batch& b, const WeakTap::Piece& piece) const {
  return tap_->place == Place::kWorkgroup ? resources_.size() + b.env->slot : piece.resource;
}

// Calls use(key, bits, before, after) for the words of a lane's access.
template <class Use>
void WeakMemory::forWords(const Batch& b, const WeakTap::Piece& piece, const Use& use) const {
  const Key memory = memoryOf(b, piece) << kWordBits;
  for (std::uint64_t word = piece.offset / 4; word * 4 < piece.offset + piece.size; ++word) {
    std::array<std::byte, 4> bits{}, before{}, after{};
    for (std::uint32_t i = 0; i < 4; ++i) {
      const std::uint64_t byte = word * 4 + i;
      if (byte < piece.offset || byte >= piece.offset + piece.size) continue;
      bits[i] = std::byte{0xff};
      before[i] = piece.before[byte - piece.offset];
      after[i] = piece.after[byte - piece.offset];
    }
    use(memory | word, std::bit_cast<std::uint32_t>(bits), std::bit_cast<std::uint32_t>(before), std::bit_cast<std::uint32_t>(after));
  }
}

// Takes back what the instruction wrote.
void WeakMemory::undo(const Batch& b) const {
  for (std::size_t i = tap_->pieces.size(); i-- > 0;)
    forWords(b, tap_->pieces[i],
             [&](Key key, std::uint32_t bits, std::uint32_t before, std::uint32_t) { save(key, merged(load(key), before, bits)); });
}

void WeakMemory::stores(const Batch& b, const Means& means) {
  undo(b);
  for (const WeakTap::Piece& piece : tap_->pieces) {
    const Agent a = agentOf(b, piece.lane);
    evict(a);
    forWords(b, piece, [&](Key key, std::uint32_t bits, std::uint32_t, std::uint32_t after) { store(a, key, after, bits, means); });
  }
}

// The registers of an instruction: its operands and its results.
class WeakRows {
 public:
  WeakRows(const Batch& b, std::uint32_t pc) : b_(b), operands_(b.env->program->operandsOf(pc)) { keep(); }
  void keep() {
    saved_.clear();
    forEach([&](std::byte* row, std::size_t bytes, std::size_t lanes) { saved_.insert(saved_.end(), row, row + bytes * lanes); });
  }
  void giveBack() const {
    const std::byte* from = saved_.data();
    forEach([&](std::byte* row, std::size_t bytes, std::size_t lanes) {
      std::memcpy(row, from, bytes * lanes);
      from += bytes * lanes;
    });
  }
  // Of one lane what it has now; of a row of equal lanes all of it.
  void keepLane(std::uint32_t lane) {
    std::byte* to = saved_.data();
    forEach([&](const std::byte* row, std::size_t bytes, std::size_t lanes) {
      const bool all = lanes != b_.width;
      std::memcpy(to + (all ? 0 : lane * bytes), row + (all ? 0 : lane * bytes), all ? bytes * lanes : bytes);
      to += bytes * lanes;
    });
  }

 private:
  template <class Use>
  void forEach(const Use& use) const {
    for (const DescribedOperand& o : operands_)
      if (o.slot.offset != 0)
        use(b_.regs + o.slot.offset, isWide(o.type) ? std::size_t{8} : std::size_t{4}, o.slot.step == 0 ? std::size_t{kGroup} : b_.width);
  }
  const Batch& b_;
  const std::span<const DescribedOperand> operands_;
  std::vector<std::byte> saved_;
};

// `rows`: as they were before the instruction. A lane that sees something else executes it again, alone, with those bytes in their place.
void WeakMemory::loads(Batch& b, std::uint32_t pc, const Means& means, WeakRows& rows) {
  const Instr* const again = &b.env->program->code[pc];
  WeakRows results(b, pc);
  const std::vector<WeakTap::Piece>& all = tap_->pieces;
  std::vector<std::pair<Key, std::uint32_t>> back;
  for (std::size_t i = 0; i < all.size();) {
    const std::uint32_t lane = all[i].lane;
    const Agent a = agentOf(b, lane);
    evict(a);
    bool differs = false;
    back.clear();
    told_.clear();
    for (; i < all.size() && all[i].lane == lane; ++i)
      forWords(b, all[i], [&](Key key, std::uint32_t bits, std::uint32_t before, std::uint32_t) {
        const std::uint32_t seen = seenBy(a, key, bits, means);
        differs = differs || ((seen ^ before) & bits) != 0;
        back.emplace_back(key, load(key));
        save(key, merged(load(key), seen, bits));
      });
    if (differs) {
      rows.giveBack();
      b.setMask(oneLane(lane));
      again->run(again, b);
      results.keepLane(lane);
    }
    for (std::size_t k = back.size(); k-- > 0;) save(back[k].first, back[k].second);
  }
  results.giveBack();
}

void WeakMemory::atomics(Batch& b, std::uint32_t pc, const Means& means, WeakRows& rows) {
  undo(b);
  rows.giveBack();
  for (const WeakTap::Piece& piece : tap_->pieces) atomic(b, pc, means, piece);
}

// In the domain of its scope: what is there is put in its place, and what it leaves is brought there.
void WeakMemory::atomic(Batch& b, std::uint32_t pc, const Means& means, const WeakTap::Piece& piece) {
  const Instr* const run = &b.env->program->code[pc];
  const Agent a = agentOf(b, piece.lane);
  const race::Semantics semantics = race::semanticsOf(means.order->semantics);
  evict(a);
  std::vector<Message> own;
  if (semantics.release) own.push_back(release(a, semantics, means.reach));
  told_.clear();
  const auto levelAt = [&](Key key) { return std::min<std::uint32_t>(levelOf(means.reach), top(key)); };
  struct HeldWord {
    Key key = 0;
    std::uint32_t bits = 0, device = 0;  // what the device has
  };
  std::vector<HeldWord> words;
  forWords(b, piece, [&](Key key, std::uint32_t bits, std::uint32_t, std::uint32_t) {
    bringUp(a, key, levelAt(key));
    words.push_back({key, bits, load(key)});
  });
  // Of a value of two words the second first: it arrived last, so what was there with it was there before.
  for (std::size_t i = words.size(); i-- > 0;) {
    const auto& [key, bits, device] = words[i];
    const bool mayBeOld = tap_->kind == AccessKind::kAtomicRead;
    save(key, mayBeOld ? merged(device, seenBy(a, key, bits, means, i + 1 < words.size()), bits) : newest(a, key, levelAt(key), means.in));
  }
  b.setMask(oneLane(piece.lane));
  run->run(run, b);
  const Told told = writes(tap_->kind) ? tellsOf(a, means, std::move(own), reads(tap_->kind)) : nullptr;
  std::size_t next = 0;
  forWords(b, piece, [&](Key key, std::uint32_t bits, std::uint32_t, std::uint32_t) {
    const std::uint32_t level = levelAt(key), left = load(key);
    save(key, words[next++].device);
    if (!writes(tap_->kind)) return;
    for (std::uint32_t below = kInvocation; below < level; ++below)
      if (const auto found = domain(a, below).words.find(key); found != domain(a, below).words.end()) drop(found->second, bits);
    arrive(a, key, level, left, bits, {means.in, level != top(key), false, Reach::kInvocation, a.invocation}, told);
    for (std::uint32_t below = kInvocation; below < level; ++below) domain(a, below).words[key].floor = time_;
  });
  hear(a, told_, semantics, means);
}

void WeakMemory::fence(const Batch& b, std::uint32_t pc, const LaneMask& lanes, bool releases, bool acquires) {
  const ir::Order& order = b.env->program->orders[b.env->program->info[pc].order];
  const InstrInfo& info = b.env->program->info[pc];
  const race::Semantics semantics = race::semanticsOf(order.semantics);
  const Reach reach = race::reachOf(order.scope);
  const bool isControl = info.op == ir::kControlBarrier;
  const std::uint32_t meets =
      isControl && b.env->program->code[pc].as<kind::Barrier>().execution == spv::Scope::Subgroup ? kSubgroup : kWorkgroup;
  forLanes(lanes, [&](std::uint32_t lane) {
    const Agent a = agentOf(b, lane);
    Domain& own = domain(a, kInvocation);
    if (releases && semantics.release) {
      const Message m = release(a, semantics, reach);
      std::erase_if(own.fences, [&](const Message& one) { return one.reach == m.reach && one.classes == m.classes; });
      own.fences.push_back(m);
    }
    if (releases && isControl)
      for (const Message& m : own.fences) learn(domain(a, meets).knows, m.knows, m.classes, kSubgroup);
    if (acquires && isControl) learn(pendingOf(own, Reach::kSubgroup, race::kClasses), domain(a, meets).knows, ~0u, kSubgroup);
    if (acquires && semantics.acquire) acquireFence(a, semantics, reach);
  });
}

void WeakMemory::released(const Batch& b, std::uint32_t pc, const LaneMask& lanes) {
  fence(b, pc, lanes, false, true);
}

const Instr* WeakMemory::execute(Batch& b, const Instr* ip) {
  const Program& p = *b.env->program;
  const auto pc = static_cast<std::uint32_t>(ip - b.base);
  const ir::Code op = p.info[pc].op;
  const LaneMask lanes = b.mask;
  if (op == ir::kMemoryBarrier || op == ir::kControlBarrier) {
    fence(b, pc, lanes, true, false);
    const bool waits = op == ir::kControlBarrier && ip->as<kind::Barrier>().execution != spv::Scope::Subgroup;
    const Instr* const next = ip->run(ip, b);
    if (!waits) fence(b, pc, lanes, false, true);
    return next;
  }
  const InstrKind& what = p.code[pc].what;
  const bool accesses =
      std::holds_alternative<kind::Memory>(what) || std::holds_alternative<kind::Atomic>(what) || std::holds_alternative<kind::Image>(what);
  if (!accesses) return ip->run(ip, b);
  tap_->pieces.clear();
  WeakRows rows(b, pc);
  const Instr* const next = ip->run(ip, b);
  if (tap_->pieces.empty() || tap_->place == Place::kPush) return next;
  const Means means = race::meansOf(p, pc, tap_->place, tap_->variable);
  if (isAtomic(tap_->kind))
    atomics(b, pc, means, rows);
  else if (writes(tap_->kind))
    stores(b, means);
  else
    loads(b, pc, means, rows);
  b.setMask(lanes);
  return next;
}

Answer WeakTap::access(const AccessEvent& event) {
  if (event.place == Place::kLaneMemory) return Answer::kGoOn;
  place = event.place;
  kind = event.kind;
  variable = event.variable;
  std::size_t at = 0;
  forEachLane(event, [&](std::uint32_t lane, const LaneRun& run, std::uint64_t offset) {
    Piece piece{lane, run.resource, std::min(run.size, 16u), offset};
    std::copy_n(event.before.begin() + static_cast<std::ptrdiff_t>(at), piece.size, piece.before.begin());
    std::copy_n(event.after.begin() + static_cast<std::ptrdiff_t>(at), piece.size, piece.after.begin());
    at += run.size;
    pieces.push_back(piece);
  });
  return Answer::kGoOn;
}

}  // namespace lanewise
