#include "model/exec/weak_memory.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

#include "model/state/level_bytes.h"

namespace lanewise {

using race::Reach;

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
  a.group = &groups_[b.env->slot];
  a.subgroup = p.subgroupOf({b.index, lane});
  a.invocation = b.index * p.lanesPerBatch() + lane;
  return a;
}

WeakMemory::Domain& WeakMemory::domain(const Agent& a, std::uint32_t level) {
  return level == kInvocation ? a.group->invocations[a.invocation] : level == kSubgroup ? a.group->subgroups[a.subgroup] : a.group->domain;
}

void WeakMemory::attach(std::vector<Host> resources, std::vector<WorkgroupState>& residents, WeakTap& tap) {
  resources_ = std::move(resources);
  residents_ = &residents;
  tap_ = &tap;
}

void WeakMemory::beginWorkgroup(std::uint32_t slot, const Program& program) {
  if (slot >= groups_.size()) groups_.resize(slot + 1);
  Group& g = groups_[slot];
  g = {};
  g.program = &program;
  g.number = begun_++;
  g.subgroups.resize(program.batches * std::size_t{program.lanesPerBatch()} / program.subgroupSize + 1);
  g.invocations.resize(program.batches * std::size_t{program.lanesPerBatch()});
}

// --- Bytes of the host ------------------------------------------------------------------------------------------------------------------

std::byte* WeakMemory::hostBytes(std::uint64_t memory, std::uint64_t offset) const {
  if (memory >= resources_.size()) return (*residents_)[memory - resources_.size()].memory.data() + offset;
  const Host& h = resources_[memory];
  if (h.levels == nullptr) return h.bytes + offset;
  std::size_t l = h.levels->size() - 1;
  while (l > 0 && (*h.levels)[l].offset > offset) --l;
  const ImageLevel& level = (*h.levels)[l];
  return byteOfLevel(level, h.texelBytes, offset - level.offset);
}

std::uint64_t WeakMemory::bytesOf(std::uint64_t memory) const {
  return memory >= resources_.size() ? (*residents_)[memory - resources_.size()].memory.size() : resources_[memory].size;
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

const WeakMemory::Word* WeakMemory::wordAt(const Agent& a, Key key, std::uint32_t level) const {
  const std::unordered_map<Key, Word>& words = level != top(key) ? domain(a, level).words : level == kDevice ? memory_ : a.group->memory;
  const auto found = words.find(key);
  return found == words.end() ? nullptr : &found->second;
}

std::unordered_map<WeakMemory::Key, WeakMemory::Word>& WeakMemory::topWords(Key key) {
  return top(key) == kDevice ? memory_ : groups_[(key >> kWordBits) - resources_.size()].memory;
}

// The last one up to a time.
const WeakMemory::Drop* WeakMemory::lastDrop(const Domain& d, race::Class in, std::uint64_t at) {
  const std::vector<Drop>& all = d.drops[in];
  std::size_t i = all.size();
  while (i > 0 && all[i - 1].when > at) --i;
  return i == 0 ? nullptr : &all[i - 1];
}

// A time between `from` and `to` at which to look: half of the time the latest, else the first or that of any version.
std::uint64_t WeakMemory::pick(const Word* word, std::uint64_t from, std::uint64_t to) {
  if (from >= to || random(2) == 0) return to;
  std::vector<std::uint64_t> times{from};
  if (word)
    for (const Version& v : word->versions)
      if (v.time > from && v.time <= to) times.push_back(v.time);
  return times[random(times.size())];
}

// The invocation takes it.
void WeakMemory::found(const Agent& a, const Look& look, std::uint32_t level, const Version& version, Word& own) {
  own.seen[level] = std::max(own.seen[level], version.time);
  if (version.told) told_.push_back(version.told);
  if (!look.nonPrivate) return;
  for (std::uint64_t* read : {&own.read[level], &domain(a, kInvocation).read[level][look.in]}) *read = std::max(*read, version.time);
}

// What the domain at `level` had at a time since look.known, of these bits; what it has not is asked above. Below look.visible only what is
// not yet above counts.
std::uint32_t WeakMemory::fetch(const Agent& a, Look look, std::uint32_t level, std::uint32_t bits, Word& own) {
  const Key key = look.key;
  const Word* word = wordAt(a, key, level);
  const std::uint64_t from = std::max(look.known[level], own.seen[level]);
  if (!look.again) lookedAt_[level] = pick(word, from, std::max(from, time_));
  const std::uint64_t at = std::max(from, lookedAt_[level]);
  if (level == top(key)) {
    if (word == nullptr) return load(key);
    std::size_t i = word->versions.size() - 1;
    while (i > 0 && word->versions[i].time > at) --i;
    found(a, look, level, word->versions[i], own);
    return word->versions[i].value;
  }
  const bool passes = level < look.visible;
  const Drop* const dropped = lastDrop(domain(a, level), look.in, at);
  const std::uint64_t seenAbove = std::max(*std::max_element(own.seen.begin() + level + 1, own.seen.end()),
                                           *std::max_element(look.known.begin() + level + 1, look.known.end()));
  for (std::uint32_t up = level + 1; dropped && !passes && up < kLevels; ++up)
    look.known[up] = std::max(look.known[up], dropped->since[up]);
  std::uint32_t value = 0;
  if (word) {
    std::uint64_t& above = look.known[level + 1];
    above = std::max(above, word->floor);
    for (const Version& v : word->versions)
      if (v.time <= from) above = std::max(above, v.up);
    for (std::size_t i = word->versions.size(); i-- > 0;) {
      const Version& v = word->versions[i];
      const std::uint32_t copies = passes ? 0 : v.bits & v.since(std::max(seenAbove, dropped ? dropped->when + 1 : 0));
      const std::uint32_t has = ((v.dirty & word->dirty) | copies) & bits;
      if (v.time > at || has == 0) continue;
      value = v.value;
      bits &= ~has;
      found(a, look, level, v, own);
      break;
    }
  }
  return bits == 0 ? value : merged(value, fetch(a, look, level + 1, bits, own), bits);
}

void WeakMemory::Version::take(std::uint64_t when, std::uint32_t from, std::uint32_t which) {
  time = when;
  value = merged(value, from, which);
  bits |= which;
  for (std::uint32_t i = 0; i < got.size(); ++i)
    if ((which >> 8 * i & 0xff) != 0) got[i] = when;
}

std::uint32_t WeakMemory::Version::since(std::uint64_t when) const {
  std::uint32_t all = 0;
  for (std::uint32_t i = 0; i < got.size(); ++i)
    if (got[i] >= when) all |= 0xffu << 8 * i;
  return all;
}

void WeakMemory::keep(Word& word, Version version) {
  word.versions.push_back(std::move(version));
  if (word.versions.size() <= kMostVersions) return;
  // The second is the oldest from now on.
  Version& second = word.versions[1];
  second.time = word.versions[0].time;
  second.up = std::max(second.up, word.versions[0].up);
  for (std::uint64_t& got : second.got) got = std::min(got, second.time);
  word.versions.erase(word.versions.begin());
}

void WeakMemory::arriveAtTop(Key key, std::uint32_t value, std::uint32_t bits, const Told& told) {
  Word& w = topWords(key)[key];
  const std::uint32_t old = load(key);
  if (w.versions.empty()) keep(w, {began_, old, kWhole, 0, 0, {}});
  keep(w, {++time_, merged(old, value, bits), kWhole, 0, 0, told});
  save(key, merged(old, value, bits));
}

// The word gets a new value in a domain. If that is no dirty one, the domain above has had it since just now.
void WeakMemory::arrive(const Agent& a, Key key, std::uint32_t level, std::uint32_t value, std::uint32_t bits, const Stored& stored,
                        const Told& told) {
  Word& own = domain(a, kInvocation).words[key];
  if (level == top(key)) {
    arriveAtTop(key, value, bits, told);
    own.seen[level] = time_;
    return;
  }
  Domain& d = domain(a, level);
  Word& w = level == kInvocation ? own : d.words[key];
  // A word has been stored in one way. Bytes beside these that were stored in another one go up, as they may at any time.
  const bool mixes = stored.dirty && (w.dirty & ~bits) != 0 && !w.stored.isLike(stored);
  if (mixes) bringUp(a, key, kDevice);
  const std::uint64_t up = stored.dirty ? 0 : time_;
  if (!stored.dirty)
    for (Version& v : w.versions) {
      if (v.up == 0 || (v.dirty & bits) != 0) v.up = up;
      v.dirty &= ~bits;
    }
  const std::uint32_t dirty = stored.dirty ? w.dirty | bits : w.dirty & ~bits;
  Version next = w.versions.empty() ? Version{} : w.versions.back();
  next.take(++time_, value, bits);
  next.dirty = dirty;
  next.up = up;
  next.told = told;
  keep(w, std::move(next));
  const bool others = stored.dirty && w.dirty != 0 && w.stored.by != stored.by;
  if (stored.dirty && w.dirty == 0) w.dirtySince = time_;
  if (stored.dirty || w.dirty == 0) w.stored = stored;
  if (others) w.stored.by = kMany;
  const auto at = std::ranges::lower_bound(d.dirty, key);
  const bool listed = at != d.dirty.end() && *at == key;
  if (dirty != 0 && !listed) d.dirty.insert(at, key);
  if (dirty == 0 && listed) d.dirty.erase(at);
  w.dirty = dirty;
  own.seen[level] = time_;
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
    Domain& d = domain(a, level);
    const auto at = d.words.find(key);
    if (at == d.words.end() || at->second.dirty == 0) continue;
    Word& word = at->second;
    const std::uint32_t bits = std::exchange(word.dirty, 0u), value = word.versions.back().value;
    const Told told = word.versions.back().told;
    d.dirty.erase(std::ranges::lower_bound(d.dirty, key));
    Stored stored = word.stored;
    if (stored.by != a.invocation) stored.by = kMany;
    for (std::uint32_t up = last; up > level; --up) {
      stored.dirty = up == last && up != top(key);
      arrive(a, key, up, value, bits, stored, told);
    }
    for (Version& v : word.versions)
      if (std::exchange(v.dirty, 0u) != 0 || v.up == 0) v.up = time_;
  }
}

// How far a release brings a dirty word: what is its own, or happened before it, if it is available; what it has read, always.
std::uint32_t WeakMemory::risesTo(const Agent& a, Key key, std::uint32_t level, race::Semantics semantics, race::Reach reach) {
  const Word& word = domain(a, level).words.at(key);
  const race::Class in = word.stored.in;
  if (word.stored.isPrivate || !semantics.names(in)) return level;
  const std::uint32_t available = std::max(levelOf(word.stored.available), semantics.makesAvailable ? levelOf(reach) : kInvocation);
  const std::uint32_t rises = std::min<std::uint32_t>(levelOf(reach), available);
  if (level == kInvocation) return rises;
  const Domain& own = domain(a, kInvocation);
  const auto mine = own.words.find(key);
  const bool hasRead =
      own.knows.read[level][in] >= word.dirtySince || (mine != own.words.end() && mine->second.read[level] >= word.dirtySince);
  if (hasRead) return levelOf(reach);
  const bool isBefore =
      word.stored.by == a.invocation || word.stored.by == kMany || own.knows.storedAt(level, in, semantics.classes) >= word.dirtySince;
  return isBefore ? rises : level;
}

WeakMemory::Message WeakMemory::release(const Agent& a, race::Semantics semantics, Reach reach) {
  for (std::uint32_t level = kInvocation; level < levelOf(reach); ++level)
    for (const Key key : std::vector<Key>(domain(a, level).dirty))
      if (const std::uint32_t to = risesTo(a, key, level, semantics, reach); to > level) bringUp(a, key, to);
  const Domain& own = domain(a, kInvocation);
  Message m{reach, semantics.classes, a.group->number, a.subgroup, own.knows};
  ++time_;
  for (std::uint32_t level = kSubgroup; level < kLevels; ++level)
    for (std::uint32_t c = 0; c < race::kClasses; ++c) {
      m.knows.read[level][c] = std::max(m.knows.read[level][c], own.read[level][c]);
      for (std::uint32_t through = 0; through < race::kClasses; ++through)
        if (level <= levelOf(reach) && semantics.names(c) && semantics.names(through) && (semantics.makesAvailable || c == through))
          m.knows.stored[through][level][c] = time_;
    }
  return m;
}

std::uint64_t WeakMemory::Knows::storedAt(std::uint32_t level, std::uint32_t in, std::uint32_t through) const {
  std::uint64_t time = 0;
  for (std::uint32_t c = 0; c < race::kClasses; ++c)
    if ((through >> c & 1) != 0) time = std::max(time, stored[c][level][in]);
  return time;
}

void WeakMemory::learn(Knows& knows, const Knows& other, std::uint32_t classes, std::uint32_t lowest) {
  for (std::uint32_t level = lowest; level < kLevels; ++level)
    for (std::uint32_t c = 0; c < race::kClasses; ++c) {
      if ((classes >> c & 1) == 0) continue;
      for (std::uint32_t in = 0; in < race::kClasses; ++in)
        knows.stored[c][level][in] = std::max(knows.stored[c][level][in], other.stored[c][level][in]);
      knows.read[level][c] = std::max(knows.read[level][c], other.read[level][c]);
    }
}

Reach WeakMemory::nearest(const Agent& a, const Message& m) {
  if (m.workgroup != a.group->number) return m.workgroup == kMany ? Reach::kSubgroup : Reach::kDevice;
  return m.subgroup == a.subgroup ? Reach::kSubgroup : Reach::kWorkgroup;
}

// The messages of what an atomic has read: it synchronizes with them, or a fence behind it does.
void WeakMemory::hear(const Agent& a, const std::vector<Told>& all, race::Semantics semantics, const race::Means& means) {
  Domain& own = domain(a, kInvocation);
  for (const Told& told : all)
    for (const Message& m : *told) {
      const Reach with = nearest(a, m);
      if (m.reach < with) continue;
      if (semantics.acquire && means.reach >= with) learn(own.knows, m.knows, m.classes & semantics.classes, levelOf(with));
      learn(pendingOf(own, with, means.in), m.knows, m.classes, levelOf(with));
    }
  if (semantics.acquire) makeVisible(a, semantics, means.reach);
}

WeakMemory::Knows& WeakMemory::pendingOf(Domain& own, Reach nearest, race::Class in) {
  const auto p = std::ranges::find_if(own.pending, [&](const Pending& one) { return one.nearest == nearest && one.in == in; });
  return p != own.pending.end() ? p->knows : own.pending.emplace_back(Pending{nearest, in, {}}).knows;
}

void WeakMemory::acquireFence(const Agent& a, race::Semantics semantics, Reach reach) {
  Domain& own = domain(a, kInvocation);
  for (const Pending& p : own.pending)
    if (p.nearest <= reach && (p.in == race::kClasses || semantics.names(p.in)))
      learn(own.knows, p.knows, semantics.classes, levelOf(p.nearest));
  makeVisible(a, semantics, reach);
}

void WeakMemory::makeVisible(const Agent& a, race::Semantics semantics, Reach reach) {
  if (!semantics.makesVisible) return;
  ++time_;
  for (std::uint32_t c = 0; c < race::kClasses; ++c) {
    if (!semantics.names(c)) continue;
    Drop drop{time_, {}};
    for (std::uint32_t level = levelOf(reach); level-- > kInvocation;) {
      drop.since[level + 1] = domain(a, kInvocation).knows.storedAt(level + 1, c, semantics.classes);
      std::vector<Drop>& all = domain(a, level).drops[c];
      Drop& now = all.emplace_back(drop);
      for (std::uint32_t up = level + 1; all.size() > 1 && up < kLevels; ++up)
        now.since[up] = std::max(now.since[up], all[all.size() - 2].since[up]);
      if (all.size() <= kMostDrops) continue;
      all[0].since = all[1].since;
      all.erase(all.begin() + 1);
    }
  }
}

// At any time any word may go up by itself.
void WeakMemory::evict(const Agent& a) {
  if (random(4) != 0) return;
  const std::vector<Key>& keys = domain(a, kInvocation).dirty;
  if (!keys.empty()) bringUp(a, keys[random(keys.size())], kDevice);
}

}  // namespace lanewise
