// The happens-before order of a run: barriers, fences and atomics, and what the invocations of each resident workgroup know.
//
// Source: Vulkan 1.3, appendix "Memory Model". As in the model, inter-thread-happens-before is kept separately for buffers, workgroup
// memory and images: a release and an acquire order only the storage classes that both name. A fence works through an atomic whose storage
// class it names. A release continues only through read-modify-writes. A control barrier whose semantics do not name a class orders it
// between fences that do. Availability and visibility by semantics are kept separately, for accesses that do not make memory available or
// visible themselves.
//
// Promise: it orders exactly what the axioms order. Gaps: chains of availability operations of growing scope are treated as one. Memory
// that is bound both as a buffer and as an image is ordered by neither.
#pragma once

#include <array>
#include <map>
#include <memory>
#include <vector>

#include "model/check/race.h"
#include "model/check/race_clock.h"
#include "model/state/observer.h"
#include "model/state/race_order.h"

namespace lanewise::race {

// The smallest scope that contains invocations of these workgroups and subgroups.
Reach apart(std::uint64_t groupA, std::uint32_t subgroupA, std::uint64_t groupB, std::uint32_t subgroupB);

struct Clocks {
  Clock happens;    // before
  Clock available;  // ... and was made available by semantics
  void join(const Clocks& other);
};

// An instruction that a batch executed, once or several times without synchronisation in between.
struct Executed {
  std::uint64_t group = 0;  // of all workgroups since the last full barrier
  std::uint32_t pc = 0;
  std::uint32_t phase = 0, interval = 0;
  std::uint32_t dispatch = 0, batch = 0;
  std::uint32_t passed = 0;  // barriers of the workgroup
};

class Sync {
 public:
  // Begins a segment: dispatches with no barrier between them.
  void clear();
  void begin(const Environment& env, std::uint64_t group);
  void barrierReleased(const BarrierReleased& at);
  void fence(const FencePassed& at);

  // An atomic, by all its lanes.
  void atomic(const AccessEvent& event, const Means& means);
  // A plain store, which ends release sequences.
  void overwrite(const AccessEvent& event) {
    if (!messages_.empty()) endMessages(event);
  }

  // The present moment, for an access to memory of a class.
  Executed execution(const Batch& batch, std::uint32_t pc, Class c) const;
  static std::uint32_t invocationOf(const Program& program, std::uint32_t batch, std::uint32_t lane) {
    return batch * program.lanesPerBatch() + lane;
  }
  // Whether a lane that is about to access memory of class c knows of `before`, an access of an invocation. `available`: that access made
  // itself available. `visible`: the new access makes available memory visible itself; otherwise an earlier acquire must have done so.
  struct Needs {
    Class c{};
    bool write = false;  // `before` was a write, so availability is needed
    bool available = true, visible = true;
  };
  bool knows(const Batch& batch, std::uint32_t lane, const Executed& before, std::uint32_t invocation, Needs needs) const;

  // An access by one invocation.
  struct Use {
    const Executed& at;
    const Means& means;
    const Program& program;
    std::uint32_t lane = 0;  // of its batch
    bool writes = false;     // for the later access, an atomic that only reads does not
  };
  // Whether the memory model orders `before`, or sees no conflict, when a lane of `batch` makes the access `now`.
  bool orders(const Batch& batch, const Use& before, const Use& now) const;
  // For two that the above does not order.
  Between standsBetween(const Batch& batch, std::uint32_t lane, const Executed& before, std::uint32_t invocation, Class c) const;
  // Whether all barriers of the workgroup so far have made this class of memory available and visible.
  bool isVisible(const Batch& batch, Class c) const {
    const Group& g = groupOf(batch);
    return g.availablePhase[c] == g.phase[c] && g.visiblePhase[c] == g.phase[c];
  }

 private:
  struct Fence {
    std::uint32_t interval = 0, phase = 0, availablePhase = 0;
    bool any = false, makesAvailable = false;
    Reach reach{};
    Clocks clocks;
  };
  struct Pending {
    Clocks clocks;
    Reach reach{};  // the scope that an acquire needs
    bool any = false;
  };
  // Lanes of a batch that have executed the same fences and atomics, and so know the same. A fence that all lanes execute does not split
  // them.
  struct Peers {
    LaneMask lanes;
    Clocks acquired[kClasses];  // what they know of other workgroups if `own`; otherwise they know what their workgroup knows
    Clocks visible[kClasses];
    bool own[kClasses] = {}, ownVisible[kClasses] = {};
    Fence fence[kClasses][kClasses];      // the last release, by the class of an atomic and the other class
    Pending pending[kClasses][kClasses];  // what atomics of a class have read, by the other class
    bool fenced = false, waits = false;   // whether there is any of these two
  };
  struct BatchState {
    std::uint32_t interval = 1, passed = 0;
    std::uint32_t phase[kClasses] = {};
    std::vector<std::unique_ptr<Peers>> peers;          // of lanes that did more than pass barriers
    std::array<std::uint8_t, kMaxLanes> peersOfLane{};  // 1 + an index into peers; 0: none

    const Peers* of(std::uint32_t lane) const { return peersOfLane[lane] == 0 ? nullptr : peers[peersOfLane[lane] - 1u].get(); }
    Peers& add(std::unique_ptr<Peers> more);
    // Drops peers that have nothing of their own.
    void dropIdle();
  };
  struct Group {
    std::uint64_t number = 0;
    const Program* program = nullptr;
    std::vector<BatchState> batches;
    std::uint32_t opened = 0, barrierPc = 0;  // barriers, and the last one
    // Phases alone say what all know of their own workgroup. Clocks say what they know of others.
    std::uint32_t phase[kClasses] = {}, availablePhase[kClasses] = {}, visiblePhase[kClasses] = {};
    Clocks base[kClasses], visible[kClasses];
    Pending barrier[kClasses];  // released by fences before a barrier that does not name the class
    bool anyPeers = false;
  };
  struct Head {
    std::uint64_t group = 0;
    std::uint32_t subgroup = 0;
    Reach reach{};
    std::uint8_t classes = 0;
    Clocks clocks[kClasses];
  };
  struct Message {
    std::vector<Head> heads;
    // Of the last write.
    std::uint64_t group = 0;
    std::uint32_t subgroup = 0, reference = 0;
    Reach reach{};
  };
  // The location of the message.
  struct Mailbox {
    std::uint64_t memory = 0;  // a resource; beyond them, workgroup memory by workgroup
    std::uint64_t offset = 0;
    friend auto operator<=>(const Mailbox&, const Mailbox&) = default;
  };

  Group& groupOf(const Batch& batch) { return groups_[batch.env->slot]; }
  const Group& groupOf(const Batch& batch) const { return groups_[batch.env->slot]; }
  BatchState& stateOf(const Batch& batch) { return groupOf(batch).batches[batch.index]; }
  // Calls use(peers) for the peers with exactly these lanes.
  template <class Visit>
  static void forPeers(Group& g, std::uint32_t batch, LaneMask lanes, const Visit& use);
  static Peers& alone(Group& g, std::uint32_t batch, std::uint32_t lane);
  static const Clocks& clocksOf(const Group& g, const Peers* p, std::uint32_t c) { return p && p->own[c] ? p->acquired[c] : g.base[c]; }
  static Fence releaseNow(const Group& g, std::uint32_t batch, const Peers* p, std::uint32_t c, Reach reach, bool makesAvailable);
  static Clocks published(const Group& g, std::uint32_t batch, LaneMask lanes, const Fence& fence);
  static void acquire(const Group& g, Peers& p, std::uint32_t c, const Clocks& clocks);
  static void makeVisible(const Group& g, std::uint32_t batch, Peers& p, std::uint32_t c);
  static void workgroupBarrier(Group& g, Semantics semantics);
  static void orderClass(Group& g, std::uint32_t c, Semantics semantics);
  static void handOver(Group& g, std::uint32_t c, bool acquires);
  static void subgroupBarrier(Group& g, const BarrierReleased& at, Semantics semantics);
  static void handOver(Group& g, std::uint32_t batch, LaneMask lanes, std::uint32_t c);
  void addHead(Message& m, Head head);
  bool atomic(const Batch& batch, std::uint32_t lane, const Means& means, Semantics semantics, AccessKind kind, const Mailbox& at);
  void endMessages(const AccessEvent& event);
  void endMessages(const Mailbox& first, const LaneRun& run);
  Mailbox mailboxOf(const AccessEvent& event, const LaneRun& run, std::uint64_t byte) const {
    return event.place == Place::kWorkgroup ? Mailbox{(std::uint64_t{1} << 63) + groupOf(event.batch).number, byte}
                                            : Mailbox{run.resource, byte};
  }

  std::vector<Group> groups_;  // by slot
  std::map<Mailbox, Message> messages_;
};

}  // namespace lanewise::race
