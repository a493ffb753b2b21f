// What becomes of what invocations have stored, when they or the segment have ended. See weak_memory.h.
#include <algorithm>
#include <utility>

#include "model/exec/weak_memory.h"

namespace lanewise {

// The bits that must not arrive behind what is nearer to an invocation: whoever stored that has stored these before, or
// has seen them, or may know of them. Where nothing orders the two, either may be the last.
std::uint32_t WeakMemory::hides(const Group& g, Key key, const Word& nearer, const Word& word, std::uint32_t level) {
  const std::uint32_t by = nearer.stored.by;
  if (by == kMany || word.stored.by == kMany || by == word.stored.by) return nearer.dirty;
  const Domain& own = g.invocations[by];
  const race::Class in = word.stored.in;
  std::uint64_t known = std::max(own.knows.storedAt(level, in, ~0u), own.knows.read[level][in]);
  if (const auto mine = own.words.find(key); mine != own.words.end()) known = std::max(known, mine->second.seen[level]);
  return nearer.dirty & ~word.versions.back().since(known + 1);
}

void WeakMemory::endWorkgroup(std::uint32_t slot) {
  Group& g = groups_[slot];
  std::vector<Late> own;
  struct Nearer {
    const Word* word;
    std::uint32_t level, subgroup;
  };
  std::unordered_map<Key, std::vector<Nearer>> nearer;  // in ascending order of the levels
  const auto leave = [&](const Domain& d, std::uint32_t level, std::uint32_t subgroup) {
    for (const Key key : d.dirty) {
      if (top(key) != kDevice) continue;
      const Word& word = d.words.at(key);
      std::uint32_t bits = word.dirty;
      for (const Nearer& n : nearer[key]) {
        if (n.level == level) break;
        if (level == kWorkgroup || n.subgroup == subgroup) bits &= ~hides(g, key, *n.word, word, level);
      }
      if (bits != 0) own.push_back({key, word.versions.back().value, bits});
      nearer[key].push_back({&word, level, subgroup});
    }
  };
  for (std::uint32_t i = 0; i < g.invocations.size(); ++i) leave(g.invocations[i], kInvocation, i / g.program->subgroupSize);
  for (std::uint32_t i = 0; i < g.subgroups.size(); ++i) leave(g.subgroups[i], kSubgroup, i);
  leave(g.domain, kWorkgroup, 0);
  std::ranges::stable_sort(own, {}, &Late::key);
  for (const Late& l : own)
    if (random(2) == 0)
      arriveAtTop(l.key, l.value, l.bits, {});
    else
      late_.push_back(l);
  g = {};
}

// What others have may be what a domain has stored, or older or newer: in which order it arrives is open.
void WeakMemory::settle() {
  for (Group& g : groups_) {
    if (g.program == nullptr) continue;
    for (std::uint32_t i = 0; i < g.invocations.size(); ++i) {
      const Agent a{&g, i / g.program->subgroupSize, i};
      for (std::uint32_t level = kInvocation; level < kDevice; ++level)
        for (const Key key : std::vector<Key>(domain(a, level).dirty)) bringUp(a, key, kDevice);
    }
    g.memory.clear();
    const auto forget = [](Domain& d) {
      d.words.clear();
      d.dirty.clear();
    };
    forget(g.domain);
    for (Domain& d : g.subgroups) forget(d);
    for (Domain& d : g.invocations) forget(d);
  }
  endSegment();
}

void WeakMemory::endSegment() {
  for (std::size_t i = late_.size(); i > 1; --i) std::swap(late_[i - 1], late_[random(i)]);
  for (const Late& l : late_) save(l.key, merged(load(l.key), l.value, l.bits));
  late_.clear();
  memory_.clear();
  began_ = ++time_;
}

}  // namespace lanewise
