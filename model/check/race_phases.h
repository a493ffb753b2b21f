// What a workgroup does to its memory between two barriers that order all of it: a phase. Most phases of a run do what an earlier one did,
// in another workgroup or in the loop's last turn, and need no second look. So plain accesses are noted, and judged when the phase is over.
//
// Why this is sound, for a phase that is noted from its beginning to its end:
// - An access of any other phase of the workgroup is ordered with each of it by the barrier between them.
// - Nothing within it synchronises: an atomic, a barrier of the subgroup, and a fence that an atomic could pass on end the noting. So two
//   of its accesses are ordered only if one invocation makes both, or neither writes, and the words below say that: which instruction, by
//   which lanes, where. A phase with the same words of the same dispatch has the same races.
// - A phase is kept as clean only if each access was found to be ordered without asking for synchronisation, so because of what its words
//   say.
#pragma once

#include <unordered_map>
#include <vector>

#include "model/state/access.h"

namespace lanewise::race {

// The accesses of a phase so far, in order.
class Phase {
 public:
  // Begins the first one of a workgroup, or the next one.
  void begin(std::uint32_t dispatch);
  void clear() { begin(dispatch_); }
  // A plain access of workgroup memory. Its batch must live until the next one begins. False if the phase is too long for it; it is not
  // noted then.
  bool add(const AccessEvent& event);
  bool empty() const { return accesses_ == 0; }
  // Calls use(event) for each. The events have what a judgement needs: neither lanes nor bytes nor what is out of range.
  template <class Use>
  void forEach(const Use& use) const;

  // What was done, as words that are equal where it is, and their hash.
  const std::vector<std::uint64_t>& words() const { return words_; }
  std::uint64_t hash() const { return hash_; }

 private:
  static constexpr std::size_t kMostWords = 1 << 13;
  void put(std::uint64_t word) {
    words_.push_back(word);
    hash_ = (hash_ ^ word) * 0x9E3779B97F4A7C15u;
    hash_ ^= hash_ >> 32;
  }

  std::vector<std::uint64_t> words_;  // the dispatch; for each access its head, and for each run its shape and its places
  std::vector<const Batch*> batches_;
  std::uint64_t hash_ = 0;
  std::size_t accesses_ = 0;
  std::uint32_t dispatch_ = 0;
};

// Phases in which nothing races, whatever was before them. Full after 2 MiB; the phases that come later are judged each time.
class CleanPhases {
 public:
  bool has(const Phase& phase);
  void add(const Phase& phase);
  // False where so few phases came again that noting them costs more than it saves.
  bool areUseful() const { return asked_ < 64 || found_ >= asked_ / 2; }

 private:
  static constexpr std::size_t kMostWords = 1 << 18;
  std::unordered_multimap<std::uint64_t, std::vector<std::uint64_t>> known_;  // words, by hash
  std::size_t words_ = 0, asked_ = 0, found_ = 0;
};

template <class Use>
void Phase::forEach(const Use& use) const {
  std::vector<LaneRun> runs;
  for (std::size_t at = 1; at < words_.size();) {
    const std::uint64_t what = words_[at], who = words_[at + 1];
    at += 2;
    runs.clear();
    for (auto left = static_cast<std::uint32_t>(who >> 32); left > 0; --left) {
      const std::uint64_t shape = words_[at++];
      LaneRun run{.lane = static_cast<std::uint32_t>(shape & 0xff),
                  .count = static_cast<std::uint32_t>(shape >> 8 & 0xff),
                  .size = static_cast<std::uint32_t>(shape >> 16 & 0x7fff),
                  .stride = static_cast<std::uint32_t>(shape >> 32),
                  .offset = words_[at]};
      const bool isList = (shape >> 31 & 1) != 0;
      if (isList) run.list = &words_[at];
      at += isList ? run.count : 1;
      runs.push_back(run);
    }
    const auto batch = static_cast<std::uint32_t>(what >> 33);
    use(AccessEvent{*batches_[batch],
                    static_cast<std::uint32_t>(what),
                    Place::kWorkgroup,
                    (what >> 32 & 1) != 0 ? AccessKind::kWrite : AccessKind::kRead,
                    static_cast<std::uint32_t>(who),
                    {},
                    runs,
                    {},
                    {},
                    {}});
  }
}

}  // namespace lanewise::race
