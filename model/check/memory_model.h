// Vulkan's memory model as axioms, evaluated exactly on a few events: the reference for races.
//
// Source: Vulkan 1.3, appendix "Memory Model", and its formal statement by Khronos. Terms are the appendix's: an event is one
// execution of an instruction by one invocation; relations between events are bit matrices. The file reads top down as the appendix does:
// scopes, atomic modification orders, release sequences, synchronizes-with, inter-thread happens-before by storage class, availability and
// visibility chains, location order, races.
//
// Promise: exact for at most kMaxEvents events and three storage classes. An execution says where each read gets its value from and how
// atomics are ordered. Gaps: one queue family instance and one device beyond what the events name; no variable that two descriptors alias
// by different offsets (a location is a number).
//
// Thread safety: pure functions.
#pragma once

#include <array>
#include <cstdint>
#include <utility>
#include <vector>

namespace lanewise::memory_model {

inline constexpr std::uint32_t kMaxEvents = 64;
inline constexpr std::uint32_t kClasses = 3;  // storage classes that semantics tell apart: buffer, workgroup, image

enum class Scope : std::uint8_t { kNone, kSubgroup, kWorkgroup, kQueueFamily, kDevice };

struct Event {
  bool read = false, write = false, atomic = false;
  bool fence = false;           // a memory barrier, or a control barrier with semantics
  bool controlBarrier = false;  // of `instance`
  bool acquire = false, release = false;
  bool available = false, visible = false;                    // an operation of this access (MakePointerAvailable, ...)
  bool semanticsAvailable = false, semanticsVisible = false;  // MakeAvailable, MakeVisible in the semantics
  bool deviceAvailability = false, deviceVisibility = false;  // between dispatches
  bool nonPrivate = false;
  Scope scope = Scope::kNone;
  std::uint8_t storageClass = 0;      // of an access: one of kClasses
  std::uint8_t semanticsClasses = 0;  // a bit for each storage class
  std::uint32_t location = 0, reference = 0;
  std::uint32_t invocation = 0, subgroup = 0, workgroup = 0, queueFamily = 0;  // numbers that differ where these differ
  std::uint32_t instance = 0;                                                  // of a control barrier
};

// Events of one invocation stand in program order.
struct Program {
  std::vector<Event> events;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> systemSynchronizes;  // events: the first system-synchronizes-with the second
};

class Relation {
 public:
  bool has(std::uint32_t a, std::uint32_t b) const { return row_[a] >> b & 1; }
  void add(std::uint32_t a, std::uint32_t b) { row_[a] |= std::uint64_t{1} << b; }
  bool empty() const;
  std::uint32_t count() const;
  bool acyclic(std::uint32_t events) const;
  std::uint64_t row(std::uint32_t a) const { return row_[a]; }
  std::uint64_t& row(std::uint32_t a) { return row_[a]; }
  friend bool operator==(const Relation&, const Relation&) = default;

 private:
  std::array<std::uint64_t, kMaxEvents> row_{};
};

// What happened of all that could: by event.
struct Execution {
  static constexpr std::int32_t kInitial = -1;
  std::vector<std::int32_t> readsFrom;  // of a read: the write, or kInitial
  Relation modificationOrder;           // scoped modification order of atomic writes
};

// How exactly the model is taken. All false is the model; each of the others is a mistake that a checker could make: tests show that the
// litmus programs tell it apart.
struct Rules {
  bool noChains = false;    // vulkanMemoryModelAvailabilityVisibilityChains is false
  bool transitive = false;  // happens-before closed over storage classes, as in C++
  bool ignoreScopes = false;
  bool ignoreStorageClasses = false;  // semantics name all
  bool ignoreReferences = false;      // every name of a location is one reference
  bool privateIsNonPrivate = false;
  bool noAvailability = false;  // happens-before is enough for a read after a write
  bool noReleaseSequences = false;
  bool barriersSynchronizeAlways = false;   // a control barrier orders without semantics
  bool fencePairsThroughAnyAtomic = false;  // whatever its storage class
};

struct Judgement {
  bool wellFormed = false;  // what the model asks of every program holds; all else is false or empty where it does not
  bool consistent = false;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> races;  // first < second
  Relation happensBefore, synchronizesWith, locationOrder, releaseSequence;
};

// Which atomics are ordered against each other: those of one location and reference, each in the other's scope.
Relation mutuallyOrdered(const Program& program);

Judgement judge(const Program& program, const Execution& execution, const Rules& rules = {});

}  // namespace lanewise::memory_model
