// Weak memory: what a store writes is not yet where others look, and a load may see what was there before, as Vulkan's memory model allows.
// A missing `coherent`, barrier, fence or scope becomes a wrong result.
//
// Source: Vulkan 1.3, appendix "Memory Model", "Availability and Visibility". Each invocation, subgroup and workgroup is a domain with
// copies of words of its own; memory itself is the domain of the device, and workgroup memory that of the workgroup.
// - A store stays with its invocation. A release with availability brings up to its scope what happened before it, for the storage
//   classes that it names; the end of a segment (a barrier between dispatches) brings everything up. The seed also does, at any time.
// - A release leaves a message with the atomic, or at the barrier: since when the domains have what happened before it. An acquire that
//   synchronizes with it knows that too. With visibility it drops the copies below its scope.
// - A load takes the copy of its invocation, or what the domain above has or had; the seed picks, but nothing older than what it knows,
//   and nothing older than what others have read before it.
// - Private accesses (not `coherent`) are neither brought up nor dropped by shaders. Those that are available or visible by themselves go
//   to the domain of their scope.
// - An atomic acts in the domain of its scope, where atomics have one order; an atomic load may see an older value of it.
//
// Promise: but for that no run leaves the memory model: it is stronger in that who synchronizes with a release knows all that was brought
// to its scope before it, and in that references are not told apart. The same seed and schedule give the same run. Gaps: no load sees a
// store of the future (load buffering); a word keeps its last kMostVersions values.
#pragma once

#include <array>
#include <memory>
#include <unordered_map>
#include <vector>

#include "model/exec/bound_dispatch.h"
#include "model/exec/turns.h"
#include "model/exec/weak_state.h"
#include "model/state/observer.h"
#include "model/state/race_order.h"

namespace lanewise {

// The accesses of the instruction that runs, with their bytes before and after it.
class WeakTap final : public Observer {
 public:
  struct Piece {
    std::uint32_t lane = 0, resource = 0, size = 0;
    std::uint64_t offset = 0;
    std::array<std::byte, 16> before{}, after{};
  };
  std::uint32_t watches() const override { return watch::kAccess | watch::kValues; }
  Answer access(const AccessEvent& event) override;

  std::vector<Piece> pieces;
  Place place{};
  AccessKind kind{};
  std::uint32_t variable = 0;
};

class WeakMemory {
 public:
  // Where the bytes of a resource are now: `bytes`, or the levels of an image.
  struct Host {
    std::byte* bytes = nullptr;
    std::uint64_t size = 0;  // without padding
    const std::vector<ImageLevel>* levels = nullptr;
    std::uint32_t texelBytes = 1;
  };
  static constexpr std::size_t kMostVersions = 16;

  explicit WeakMemory(std::uint64_t seed) : seed_(seed) {}

  // What may have moved with a copy of the state.
  void attach(std::vector<Host> resources, std::vector<WorkgroupState>& residents, WeakTap& tap);
  void beginWorkgroup(std::uint32_t slot, const Program& program);
  // What its invocations have not made available stays unavailable.
  void endWorkgroup(std::uint32_t slot);
  // Executes the instruction for the lanes of the mask.
  const Instr* execute(Batch& batch, const Instr* ip);
  // They continue after the control barrier at `pc`.
  void released(const Batch& batch, std::uint32_t pc, const LaneMask& lanes);
  // Everything is available and visible, to those that are resident too.
  void settle();
  // ... and nobody is.
  void endSegment();

 private:
  using Key = std::uint64_t;  // of a word of four bytes: the memory, then the word
  enum Level : std::uint8_t { kInvocation, kSubgroup, kWorkgroup, kDevice, kLevels };
  using Times = std::array<std::array<std::uint64_t, race::kClasses>, kLevels>;
  // What happens before what an invocation does next, by level and storage class: all that was made available there up to that time, and
  // what others have read, which needs no visibility. An operation that makes one class available may be known through another one, which
  // both sides name; the store itself is not.
  struct Knows {
    std::array<Times, race::kClasses> stored{};  // by the class through which it is known
    Times read{};
    std::uint64_t storedAt(std::uint32_t level, std::uint32_t in, std::uint32_t through) const;
  };
  // What a release tells those that synchronize with it.
  struct Message {
    race::Reach reach{};
    std::uint8_t classes = 0;
    std::uint32_t workgroup = 0, subgroup = 0;
    Knows knows;
  };
  using Told = std::shared_ptr<const std::vector<Message>>;
  struct Version {
    std::uint64_t time = 0;
    std::uint32_t value = 0, bits = 0;   // bits: which of them it has
    std::uint32_t dirty = 0;             // ... and which of these the domain above did not have
    std::uint64_t up = 0;                // since when that has them
    Told told;                           // of an atomic
    std::array<std::uint64_t, 4> got{};  // since when it has each byte
    void take(std::uint64_t when, std::uint32_t from, std::uint32_t which);
    std::uint32_t since(std::uint64_t when) const;  // bits of the bytes that it has since then at most
  };
  // How a word was stored.
  struct Stored {
    race::Class in{};
    bool dirty = false;                                // the domain above does not have it
    bool isPrivate = false;                            // ... and does not get it from a release
    race::Reach available = race::Reach::kInvocation;  // ... or gets it from a release of any scope, because the store says so
    std::uint32_t by = 0;                              // the invocation in the workgroup, or kMany
    bool isLike(const Stored& o) const { return in == o.in && isPrivate == o.isPrivate && available == o.available; }
  };
  struct Word {
    std::vector<Version> versions;
    std::uint32_t dirty = 0;                    // bits that the domain above does not have
    std::uint64_t dirtySince = 0;               // ... of which the first came then
    Stored stored;                              // the last time
    std::uint64_t floor = 0;                    // a copy was dropped then: what is above is looked at from then on
    std::array<std::uint64_t, kLevels> seen{};  // of an invocation: it sees nothing older there any more
    std::array<std::uint64_t, kLevels> read{};  // ... and has read that
  };
  // What a load looks for.
  struct Look {
    Key key = 0;
    race::Class in{};
    std::uint32_t visible = kInvocation;         // copies below this level do not count
    bool nonPrivate = false;                     // others that it happens before must not see older ones
    bool again = false;                          // when the last one looked, at each level
    std::array<std::uint64_t, kLevels> known{};  // what is there since then must be seen
  };
  // Copies of before `when` are dropped; what is above is looked at from `since` on, by level.
  struct Drop {
    std::uint64_t when = 0;
    std::array<std::uint64_t, kLevels> since{};
  };
  // What atomics have read, or the fences before a control barrier told. Only an acquiring fence makes use of it.
  struct Pending {
    race::Reach nearest{};  // the smallest scope that has both
    race::Class in{};       // of the atomic; kClasses: it was a barrier
    Knows knows;
  };
  struct Domain {
    std::unordered_map<Key, Word> words;
    std::vector<Key> dirty;  // those with dirty bits, in ascending order
    std::array<std::vector<Drop>, race::kClasses> drops;
    Knows knows;   // of an invocation; of a group what the fences before its barriers tell
    Times read{};  // of an invocation: the newest that it has read itself
    std::vector<Message> fences;
    std::vector<Pending> pending;
  };
  struct Group {
    const Program* program = nullptr;
    std::uint32_t number = 0;  // of the workgroup: slots are used again
    Domain domain;
    std::vector<Domain> subgroups, invocations;
    std::unordered_map<Key, Word> memory;  // of workgroup memory, as memory_
  };
  // An invocation that acts.
  struct Agent {
    Group* group = nullptr;
    std::uint32_t subgroup = 0, invocation = 0;
  };
  struct Late {
    Key key;
    std::uint32_t value, bits;
  };

  std::uint64_t random(std::uint64_t below);
  Agent agentOf(const Batch& batch, std::uint32_t lane);
  static Domain& domain(const Agent& a, std::uint32_t level);
  static Level levelOf(race::Reach reach);
  Level top(Key key) const { return key >> kWordBits >= resources_.size() ? kWorkgroup : kDevice; }
  std::byte* hostBytes(std::uint64_t memory, std::uint64_t offset) const;
  std::uint64_t bytesOf(std::uint64_t memory) const;
  std::uint32_t load(Key key) const;
  void save(Key key, std::uint32_t value) const;

  const Word* wordAt(const Agent& a, Key key, std::uint32_t level) const;
  std::unordered_map<Key, Word>& topWords(Key key);
  static const Drop* lastDrop(const Domain& d, race::Class in, std::uint64_t at);
  std::uint64_t pick(const Word* word, std::uint64_t from, std::uint64_t to);
  std::uint32_t fetch(const Agent& a, Look look, std::uint32_t level, std::uint32_t bits, Word& own);
  void found(const Agent& a, const Look& look, std::uint32_t level, const Version& version, Word& own);
  void keep(Word& word, Version version);
  void arriveAtTop(Key key, std::uint32_t value, std::uint32_t bits, const Told& told);
  void arrive(const Agent& a, Key key, std::uint32_t level, std::uint32_t value, std::uint32_t bits, const Stored& stored,
              const Told& told);
  void drop(Word& word, std::uint32_t bits);
  static std::uint32_t hides(const Group& g, Key key, const Word& nearer, const Word& word, std::uint32_t level);
  void bringUp(const Agent& a, Key key, std::uint32_t to);
  std::uint32_t risesTo(const Agent& a, Key key, std::uint32_t level, race::Semantics semantics, race::Reach reach);
  Message release(const Agent& a, race::Semantics semantics, race::Reach reach);
  static void learn(Knows& knows, const Knows& other, std::uint32_t classes, std::uint32_t lowest);
  static race::Reach nearest(const Agent& a, const Message& m);
  static Knows& pendingOf(Domain& own, race::Reach nearest, race::Class in);
  void hear(const Agent& a, const std::vector<Told>& all, race::Semantics semantics, const race::Means& means);
  void makeVisible(const Agent& a, race::Semantics semantics, race::Reach reach);
  void acquireFence(const Agent& a, race::Semantics semantics, race::Reach reach);
  void evict(const Agent& a);

  std::uint32_t seenBy(const Agent& a, Key key, std::uint32_t bits, const race::Means& means, bool again = false);
  std::uint32_t newest(const Agent& a, Key key, std::uint32_t level, race::Class in);
  Told tellsOf(const Agent& a, const race::Means& means, std::vector<Message> own, bool goesOn) const;
  void store(const Agent& a, Key key, std::uint32_t value, std::uint32_t bits, const race::Means& means);
  void loads(Batch& b, std::uint32_t pc, const race::Means& means, class WeakRows& rows);
  void stores(const Batch& b, const race::Means& means);
  void atomics(Batch& b, std::uint32_t pc, const race::Means& means, class WeakRows& rows);
  void atomic(Batch& b, std::uint32_t pc, const race::Means& means, const WeakTap::Piece& piece);
  void undo(const Batch& b) const;
  void fence(const Batch& b, std::uint32_t pc, const LaneMask& lanes, bool releases, bool acquires);
  std::uint64_t memoryOf(const Batch& b, const WeakTap::Piece& piece) const;
  template <class Use>
  void forWords(const Batch& b, const WeakTap::Piece& piece, const Use& use) const;

  static constexpr std::uint32_t kWordBits = 40, kWhole = 0xffffffffu, kMany = 0xffffffffu;
  static constexpr std::size_t kMostDrops = 8, kMostMessages = 32;
  static std::uint32_t merged(std::uint32_t old, std::uint32_t value, std::uint32_t bits) { return (old & ~bits) | (value & bits); }
  std::uint64_t seed_, drawn_ = 0, time_ = 0, began_ = 0;
  std::unordered_map<Key, Word> memory_;           // of words that were written in this segment: the domain above all others
  std::vector<Told> told_;                         // by the versions that an atomic reads
  std::array<std::uint64_t, kLevels> lookedAt_{};  // by the last fetch
  std::vector<Group> groups_;                      // by slot
  std::uint32_t begun_ = 0;                        // workgroups
  std::vector<Late> late_;                         // of invocations that have ended
  std::vector<Host> resources_;
  std::vector<WorkgroupState>* residents_ = nullptr;  // of the part, which may open more
  WeakTap* tap_ = nullptr;
};

}  // namespace lanewise
