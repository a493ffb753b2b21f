#include "model/exec/weak_memory.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

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

}  // namespace lanewise
