// The axioms of the memory model (memory_model.h), asked about pairs of accesses that the race checker has judged: each race that it
// reports, and a sample of the pairs that it calls ordered. If they disagree, one of the two has a bug, and it is ours.
//
// What may order a pair is cut out of the run: the two accesses, and between them the barriers, fences and atomics of their invocations
// and of all that reach these through atomics; where the axioms say race against the checker, also of those that do an atomic behind a
// barrier of theirs. Promise: of such a slice the answer is exact. Gaps: slices of more than memory_model::kMaxEvents events, or of a log
// of more than kMostLogged, are not judged and are counted; an invocation without an atomic that hands on what it knows through barriers
// is not in the slice, and neither are the values that plain stores leave for atomics.
#pragma once

#include <map>
#include <vector>

#include "model/check/memory_model.h"
#include "model/contract/device.h"
#include "model/state/observer.h"
#include "model/state/race_order.h"

namespace lanewise::race {

class Referee {
 public:
  static constexpr std::size_t kMostLogged = std::size_t{1} << 16;

  // A place in memory: a resource, or beyond them workgroup memory by workgroup.
  struct Location {
    std::uint64_t memory = 0, byte = 0;
    friend auto operator<=>(const Location&, const Location&) = default;
  };
  struct Invocation {
    std::uint64_t group = 0;
    std::uint32_t batch = 0, lane = 0;
    friend auto operator<=>(const Invocation&, const Invocation&) = default;
  };
  struct Access {
    Invocation by;
    const Means* means = nullptr;
    bool reads = false, writes = false;
    std::uint32_t subgroup = 0;
    Location at;
  };

  // The position in the log, for the first of two accesses.
  std::size_t now() const { return log_.size(); }
  void clear();
  void barrier(const Batch& batch, std::uint64_t group, std::uint32_t pc, const LaneMask& lanes, spv::Scope execution);
  void fence(const Batch& batch, std::uint64_t group, std::uint32_t pc, const LaneMask& lanes);
  void atomic(const Access& access);

  // Nothing is judged where a barrier between the two was passed without an invocation that had returned: what follows has no meaning, and
  // is told as such (access_checker.h). `since`: now() of the earlier access. `raced`: what the checker says. `where`: for the text of a
  // disagreement.
  void judge(const Access& earlier, std::size_t since, const Access& later, bool raced, const std::string& where);
  // Whether a pair that the checker calls ordered is one of the sample.
  bool samples() { return asked_++ % kSample == 0 && told_.silences < kMostSilences; }
  const Refereed& told() const { return told_; }

 private:
  static constexpr std::uint64_t kSample = 61, kMostSilences = 64;
  enum class Kind : std::uint8_t { kBarrier, kFence, kAtomic };
  struct Entry {
    Kind kind{};
    Access access;   // kAtomic; else the batch, and its first lane
    LaneMask lanes;  // else
    const ir::Order* order = nullptr;
    std::uint32_t instance = 0, lanesPerSubgroup = 1, firstSubgroup = 0;
    std::uint32_t invocations = 0;  // kBarrier of a workgroup: that have to reach it
  };
  class Slice;
  bool isMissed(std::span<const Entry> between, std::uint64_t group) const;

  std::vector<Entry> log_;
  bool full_ = false;
  std::map<std::pair<std::uint64_t, std::uint32_t>, std::uint32_t> passed_;     // by group and batch: barriers of the workgroup
  std::map<std::pair<std::uint64_t, std::uint32_t>, std::uint32_t> instances_;  // by group and number
  std::uint32_t nextInstance_ = 0;
  std::uint64_t asked_ = 0;
  Refereed told_;
};

}  // namespace lanewise::race
