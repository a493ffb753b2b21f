#include "model/exec/weak_memory.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

namespace lanewise {

using race::Means;
using race::Reach;

namespace {

constexpr std::uint32_t kWhole = 0xffffffffu;

std::uint32_t merged(std::uint32_t old, std::uint32_t value, std::uint32_t bits) {
  return (old & ~bits) | (value & bits);
}

}  // namespace

WeakState::WeakState() = default;
WeakState::WeakState(const WeakState& other) : memory_(other.memory_ ? std::make_unique<WeakMemory>(*other.memory_) : nullptr) {}
WeakState::WeakState(WeakState&& other) noexcept = default;
WeakState& WeakState::operator=(const WeakState& other) {
  if (this != &other) memory_ = other.memory_ ? std::make_unique<WeakMemory>(*other.memory_) : nullptr;
  return *this;
}
WeakState& WeakState::operator=(WeakState&& other) noexcept = default;
WeakState::~WeakState() = default;
void WeakState::reset(std::unique_ptr<WeakMemory> memory) {
  memory_ = std::move(memory);
}

// --- Domains ----------------------------------------------------------------------------------------------------------------------------

// splitmix64.
std::uint64_t WeakMemory::random(std::uint64_t below) {
  std::uint64_t x = (seed_ + 1) * 0x9e3779b97f4a7c15u + ++drawn_ * 0xbf58476d1ce4e5b9u;
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
  x = (x ^ x >> 27) * 0x94d049bb133111ebu;
  return (x ^ x >> 31) % below;
}

WeakMemory::Level WeakMemory::levelOf(Reach reach) {
  return reach == Reach::kDevice ? kDevice : reach == Reach::kWorkgroup ? kWorkgroup : reach == Reach::kSubgroup ? kSubgroup : kInvocation;
}

WeakMemory::Agent WeakMemory::agentOf(const Batch& b, std::uint32_t lane) {
  const Program& p = *b.env->program;
  Agent a;
  a.slot = b.env->slot;
  a.group = &groups_[a.slot];
  a.subgroup = p.subgroupOf({b.index, lane});
  a.invocation = b.index * p.lanesPerBatch() + lane;
  return a;
}

WeakMemory::Domain& WeakMemory::domain(const Agent& a, std::uint32_t level) {
  return level == kInvocation ? a.group->invocations[a.invocation] : level == kSubgroup ? a.group->subgroups[a.subgroup] : a.group->domain;
}

void WeakMemory::attach(std::vector<Host> resources, std::span<WorkgroupState> residents, WeakTap& tap) {
  resources_ = std::move(resources);
  residents_ = residents;
  tap_ = &tap;
}

void WeakMemory::beginWorkgroup(std::uint32_t slot, const Program& program) {
  if (slot >= groups_.size()) groups_.resize(slot + 1);
  Group& g = groups_[slot];
  g = {};
  g.program = &program;
  g.subgroups.resize(program.batches * std::size_t{program.lanesPerBatch()} / program.subgroupSize + 1);
  g.invocations.resize(program.batches * std::size_t{program.lanesPerBatch()});
  const std::uint64_t first = (resources_.size() + slot) << kWordBits;
  std::erase_if(memory_, [&](const auto& word) { return word.first >> kWordBits == first >> kWordBits; });
  g.domain.since.fill(began_);
  for (auto* all : {&g.subgroups, &g.invocations})
    for (Domain& d : *all) {
      d.since.fill(began_);
      d.known.fill(began_);
    }
}

void WeakMemory::endWorkgroup(std::uint32_t slot) {
  Group& g = groups_[slot];
  std::vector<Late> own;
  const auto leave = [&](Domain& d) {
    for (const auto& [key, word] : d.words)
      if (word.dirty != 0 && top(key) == kDevice) own.push_back({key, word.versions.back().value, word.dirty});
  };
  leave(g.domain);
  for (Domain& d : g.subgroups) leave(d);
  for (Domain& d : g.invocations) leave(d);
  std::ranges::stable_sort(own, {}, &Late::key);
  for (const Late& l : own)
    if (random(2) == 0)
      arriveAtTop(l.key, l.value, l.bits);
    else
      late_.push_back(l);
  const std::uint64_t memory = resources_.size() + slot;
  std::erase_if(memory_, [&](const auto& word) { return word.first >> kWordBits == memory; });
  g = {};
}

void WeakMemory::endSegment() {
  for (std::size_t i = late_.size(); i > 1; --i) std::swap(late_[i - 1], late_[random(i)]);
  for (const Late& l : late_) save(l.key, merged(load(l.key), l.value, l.bits));
  late_.clear();
  memory_.clear();
  began_ = ++time_;
}

// --- Bytes of the host ------------------------------------------------------------------------------------------------------------------

std::byte* WeakMemory::hostBytes(std::uint64_t memory, std::uint64_t offset) const {
  if (memory >= resources_.size()) return residents_[memory - resources_.size()].memory.data() + offset;
  const Host& h = resources_[memory];
  if (h.levels == nullptr) return h.bytes + offset;
  std::size_t l = h.levels->size() - 1;
  while (l > 0 && (*h.levels)[l].offset > offset) --l;
  const ImageLevel& level = (*h.levels)[l];
  const std::uint64_t row = std::uint64_t{level.extent.x} * h.texelBytes, in = offset - level.offset;
  return level.data + in / (row * level.extent.y) * level.sliceBytes + in / row % level.extent.y * level.rowBytes + in % row;
}

std::uint64_t WeakMemory::bytesOf(std::uint64_t memory) const {
  return memory >= resources_.size() ? residents_[memory - resources_.size()].memory.size() : resources_[memory].size;
}

// What the device has: the bytes that are in the host. A word may go over the end of a row, or of the memory.
std::uint32_t WeakMemory::load(Key key) const {
  const std::uint64_t memory = key >> kWordBits, first = (key & ((Key{1} << kWordBits) - 1)) * 4, size = bytesOf(memory);
  std::array<std::byte, 4> bytes{};
  for (std::uint32_t i = 0; i < 4 && first + i < size; ++i) bytes[i] = *hostBytes(memory, first + i);
  return std::bit_cast<std::uint32_t>(bytes);
}

void WeakMemory::save(Key key, std::uint32_t value) const {
  const std::uint64_t memory = key >> kWordBits, first = (key & ((Key{1} << kWordBits) - 1)) * 4, size = bytesOf(memory);
  const auto bytes = std::bit_cast<std::array<std::byte, 4>>(value);
  for (std::uint32_t i = 0; i < 4 && first + i < size; ++i) *hostBytes(memory, first + i) = bytes[i];
}

// --- Up and down ------------------------------------------------------------------------------------------------------------------------

// A time between `from` and `to` at which to look: half of the time the latest, else that of any version.
std::uint64_t WeakMemory::pick(const Word* word, std::uint64_t from, std::uint64_t to) {
  if (from >= to || word == nullptr || random(2) == 0) return to;
  std::vector<std::uint64_t> times{from};
  for (const Version& v : word->versions)
    if (v.time > from && v.time <= to) times.push_back(v.time);
  return times[random(times.size())];
}

// What the domain at `level` had at a time, of these bits; what it has not is asked above. `hidden`: below this level only what is not yet
// above counts. own.seen says what the invocation has seen already, and is kept.
std::uint32_t WeakMemory::fetch(const Agent& a, const Look& look, std::uint32_t level, std::uint64_t at, std::uint32_t bits, Word& own) {
  const Key key = look.key;
  own.seen[level] = std::max(own.seen[level], at);
  if (level == top(key)) {
    const auto found = memory_.find(key);
    if (found == memory_.end()) return load(key);
    const std::vector<Version>& all = found->second.versions;
    std::size_t i = all.size() - 1;
    while (i > 0 && all[i].time > at) --i;
    return all[i].value;
  }
  Domain& d = domain(a, level);
  std::uint32_t value = 0;
  if (const auto found = d.words.find(key); found != d.words.end())
    for (std::size_t i = found->second.versions.size(); i-- > 0;) {
      const Version& v = found->second.versions[i];
      const std::uint32_t has = (level < look.visible ? v.bits & found->second.dirty : v.bits) & bits;
      if (v.time > at || has == 0) continue;
      value = merged(value, v.value, has);
      bits &= ~has;
      break;
    }
  if (bits == 0) return value;
  const Word* here = wordAt(a, key, level);
  const std::uint64_t since = level < look.visible ? look.known : d.since[look.in];
  const std::uint64_t from = std::max({since, here ? here->floor : 0, own.seen[level + 1], look.known});
  return merged(value, fetch(a, look, level + 1, pick(wordAt(a, key, level + 1), from, std::max(from, time_)), bits, own), bits);
}

const WeakMemory::Word* WeakMemory::wordAt(const Agent& a, Key key, std::uint32_t level) const {
  const std::unordered_map<Key, Word>& words = level == top(key) ? memory_ : domain(a, level).words;
  const auto found = words.find(key);
  return found == words.end() ? nullptr : &found->second;
}

void WeakMemory::arriveAtTop(Key key, std::uint32_t value, std::uint32_t bits) {
  Word& w = memory_[key];
  const std::uint32_t old = load(key);
  if (w.versions.empty()) w.versions.push_back({began_, old, kWhole});
  w.versions.push_back({++time_, merged(old, value, bits), kWhole});
  if (w.versions.size() > kMostVersions) w.versions.erase(w.versions.begin());
  save(key, merged(old, value, bits));
}

// The word gets a new value in a domain. Copies of the domains below that the invocation is in are older.
void WeakMemory::arrive(const Agent& a, Key key, std::uint32_t level, std::uint32_t value, std::uint32_t bits, const Stored& stored) {
  if (level == top(key)) {
    arriveAtTop(key, value, bits);
  } else {
    Word& w = domain(a, level).words[key];
    const Version before = w.versions.empty() ? Version{} : w.versions.back();
    w.versions.push_back({++time_, merged(before.value, value, bits), before.bits | bits});
    if (w.versions.size() > kMostVersions) w.versions.erase(w.versions.begin());
    w.dirty = stored.dirty ? w.dirty | bits : w.dirty & ~bits;
    w.stored = stored;
  }
  domain(a, kInvocation).words[key].seen[level] = time_;
}

// Forgets copies of these bits. What is dirty is no copy.
void WeakMemory::drop(Word& word, std::uint32_t bits) {
  word.floor = time_;
  for (Version& v : word.versions) v.bits &= ~bits | word.dirty;
  std::erase_if(word.versions, [](const Version& v) { return v.bits == 0; });
}

// What the domains below `to` have of a word and those above them have not.
void WeakMemory::bringUp(const Agent& a, Key key, std::uint32_t to) {
  const std::uint32_t last = std::min<std::uint32_t>(to, top(key));
  for (std::uint32_t level = kInvocation; level < last; ++level) {
    const auto found = domain(a, level).words.find(key);
    if (found == domain(a, level).words.end() || found->second.dirty == 0) continue;
    const std::uint32_t bits = std::exchange(found->second.dirty, 0u), value = found->second.versions.back().value;
    Stored stored = found->second.stored;
    for (std::uint32_t up = level + 1; up <= last; ++up) {
      stored.dirty = up == last && up != top(key);
      arrive(a, key, up, value, bits, stored);
    }
  }
}

void WeakMemory::release(const Agent& a, race::Semantics semantics, Reach reach) {
  if (!semantics.release) return;
  for (std::uint32_t level = kInvocation; level < kDevice; ++level) {
    std::vector<std::pair<Key, std::uint32_t>> up;
    for (const auto& [key, word] : domain(a, level).words) {
      if (word.dirty == 0 || word.stored.isPrivate || !semantics.names(word.stored.in)) continue;
      const std::uint32_t to = std::max(levelOf(word.stored.available), semantics.makesAvailable ? levelOf(reach) : kInvocation);
      if (to > level) up.emplace_back(key, to);
    }
    std::ranges::sort(up);
    for (const auto& [key, to] : up) bringUp(a, key, to);
  }
}

void WeakMemory::acquire(const Agent& a, race::Semantics semantics, Reach reach) {
  if (!semantics.acquire) return;
  ++time_;
  for (std::uint32_t c = 0; c < race::kClasses; ++c)
    if (semantics.names(c)) domain(a, kInvocation).known[c] = time_;
  if (!semantics.makesVisible) return;
  for (std::uint32_t level = kInvocation; level < levelOf(reach); ++level) {
    Domain& d = domain(a, level);
    for (std::uint32_t c = 0; c < race::kClasses; ++c)
      if (semantics.names(c)) d.since[c] = time_;
    for (auto& [key, word] : d.words)
      if (semantics.names(word.stored.in)) drop(word, kWhole);
  }
}

// At any time any word may go up by itself.
void WeakMemory::evict(const Agent& a) {
  if (random(4) != 0) return;
  std::vector<Key> keys;
  for (const auto& [key, word] : domain(a, kInvocation).words)
    if (word.dirty != 0) keys.push_back(key);
  if (keys.empty()) return;
  std::ranges::sort(keys);
  bringUp(a, keys[random(keys.size())], kDevice);
}

// --- Accesses ---------------------------------------------------------------------------------------------------------------------------

// Its own stores, and copies of what it saw, unless it looks further; else what the domains above have, or had.
std::uint32_t WeakMemory::seenBy(const Agent& a, Key key, std::uint32_t bits, const Means& means) {
  Domain& own = domain(a, kInvocation);
  Word& word = own.words[key];
  if (word.dirty == 0) word.stored.in = means.in;
  const bool sees = means.atomic || means.visible != Reach::kInvocation;
  const std::uint32_t visible = levelOf(means.atomic ? means.reach : means.visible);
  const Version last = word.versions.empty() ? Version{} : word.versions.back();
  const std::uint32_t has = (sees || random(4) == 0 ? word.dirty : last.bits) & bits, left = bits & ~has;
  if (left == 0) return last.value;
  const std::uint64_t known = sees && means.nonPrivate ? own.known[means.in] : began_;
  const Look look{key, means.in, sees ? std::min<std::uint32_t>(visible, top(key)) : std::uint32_t{kInvocation}, known};
  const std::uint64_t since = sees ? known : means.nonPrivate ? own.since[means.in] : began_;
  const std::uint64_t from = std::max({since, word.floor, word.seen[kSubgroup]});
  const std::uint32_t found = fetch(a, look, kSubgroup, pick(wordAt(a, key, kSubgroup), from, std::max(from, time_)), left, word);
  word.versions = {{time_, merged(last.value, found, left), last.bits | left}};
  return merged(last.value, found, left);
}

// What a domain has, or else those above it.
std::uint32_t WeakMemory::newest(const Agent& a, Key key, std::uint32_t level) const {
  std::uint32_t value = 0, left = kWhole;
  for (; level < top(key) && left != 0; ++level)
    if (const Word* w = wordAt(a, key, level); w && !w->versions.empty()) {
      value = merged(value, w->versions.back().value, w->versions.back().bits & left);
      left &= ~w->versions.back().bits;
    }
  return left == 0 ? value : merged(value, load(key), left);
}

// A store stays with its invocation, or goes up at once.
void WeakMemory::store(const Agent& a, Key key, std::uint32_t value, std::uint32_t bits, const Means& means) {
  arrive(a, key, kInvocation, value, bits, {means.in, true, !means.nonPrivate, means.available});
  Word& word = domain(a, kInvocation).words[key];
  word.versions.erase(word.versions.begin(), word.versions.end() - 1);
  if (random(2) == 0) bringUp(a, key, kDevice);
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
  WeakRows(const Batch& b, std::uint32_t pc) : b_(b), info_(b.env->program->info[pc]) { keep(); }
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
    for (std::uint32_t i = 0; i < std::uint32_t{info_.arguments} + info_.results; ++i) {
      const DescribedOperand& o = b_.env->program->described[info_.firstOperand + i];
      if (o.slot.offset != 0)
        use(b_.regs + o.slot.offset, isWide(o.type) ? std::size_t{8} : std::size_t{4}, o.slot.step == 0 ? std::size_t{kGroup} : b_.width);
    }
  }
  const Batch& b_;
  const InstrInfo& info_;
  std::vector<std::byte> saved_;
};

namespace {

LaneMask only(std::uint32_t lane) {
  LaneMask m;
  m.set(lane);
  return m;
}

}  // namespace

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
    for (; i < all.size() && all[i].lane == lane; ++i)
      forWords(b, all[i], [&](Key key, std::uint32_t bits, std::uint32_t before, std::uint32_t) {
        const std::uint32_t seen = seenBy(a, key, bits, means);
        differs = differs || ((seen ^ before) & bits) != 0;
        back.emplace_back(key, load(key));
        save(key, merged(load(key), seen, bits));
      });
    if (differs) {
      rows.giveBack();
      b.setMask(only(lane));
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
  release(a, semantics, means.reach);
  std::vector<std::array<std::uint32_t, 2>> words;  // what the device has, and what is seen
  forWords(b, piece, [&](Key key, std::uint32_t bits, std::uint32_t, std::uint32_t) {
    const std::uint32_t level = std::min<std::uint32_t>(levelOf(means.reach), top(key)), old = load(key);
    bringUp(a, key, level);
    const std::uint32_t device = load(key);
    words.push_back(
        {device, tap_->kind == AccessKind::kAtomicRead ? merged(old, seenBy(a, key, bits, means), bits) : newest(a, key, level)});
    save(key, words.back()[1]);
  });
  b.setMask(only(piece.lane));
  run->run(run, b);
  std::size_t next = 0;
  forWords(b, piece, [&](Key key, std::uint32_t bits, std::uint32_t, std::uint32_t) {
    const std::uint32_t level = std::min<std::uint32_t>(levelOf(means.reach), top(key)), left = load(key);
    save(key, words[next++][0]);
    if (!writes(tap_->kind)) return;
    for (std::uint32_t below = kInvocation; below < level; ++below)
      if (const auto found = domain(a, below).words.find(key); found != domain(a, below).words.end()) drop(found->second, bits);
    arrive(a, key, level, left, bits, {means.in, level != top(key), false, Reach::kInvocation});
    for (std::uint32_t below = kInvocation; below < level; ++below) domain(a, below).words[key].floor = time_;
  });
  acquire(a, semantics, means.reach);
}

void WeakMemory::fence(const Batch& b, std::uint32_t pc, const LaneMask& lanes, bool releases, bool acquires) {
  const ir::Order& order = b.env->program->orders[b.env->program->info[pc].order];
  race::Semantics semantics = race::semanticsOf(order.semantics);
  semantics.release = semantics.release && releases;
  semantics.acquire = semantics.acquire && acquires;
  for (std::uint32_t lane = 0; lane < b.width; ++lane) {
    if (!lanes.test(lane)) continue;
    release(agentOf(b, lane), semantics, race::reachOf(order.scope));
    acquire(agentOf(b, lane), semantics, race::reachOf(order.scope));
  }
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
