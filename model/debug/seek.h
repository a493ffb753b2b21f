// What a debugger searches for in a run: the next line of one invocation, places in the program, accesses to a part of memory.
#pragma once

#include <algorithm>
#include <functional>
#include <set>

#include "model/debug/places.h"
#include "model/debug/timeline.h"

namespace lanewise::debug {

// An invocation of a dispatch, and its position in the engine.
struct Who {
  std::uint32_t dispatch = 0;
  Extent3 group;
  std::uint32_t batch = 0, lane = 0;
  bool isIn(const Batch& b) const { return b.env->dispatch == dispatch && b.env->group == group && b.index == batch; }
};

// Bytes of one memory.
struct Region {
  Place place = Place::kBuffer;  // kBuffer, kImage: of `resource`; kWorkgroup: of a workgroup; kLaneMemory: of an invocation
  std::uint32_t resource = 0;
  Who who;
  std::uint64_t begin = 0, end = 0;
  std::string name;  // of the resource
};

// Hit::pc for a blit that wrote what is searched: between two dispatches, by no lane.
inline constexpr std::uint32_t kBlitted = ~0u;

// The lane `rather` if it is in the mask, else the first lane of the mask.
std::uint32_t laneOf(const LaneMask& mask, std::optional<std::uint32_t> rather);
Hit hitAt(const Batch& batch, std::uint32_t pc, const LaneMask& lanes, std::optional<std::uint32_t> rather = {});

enum class Unit : std::uint8_t { kLineIn, kLineOver, kOut, kInstruction, kInstructionOver };

// Steps of one invocation. Forwards: finds the first instruction of another line (or the next instruction), or the invocation's end if that
// comes first. Backwards the last hit counts: where the current line begins, or, from there, where the line before it begins; kOut: where
// its function was called.
class StepSeeker final : public Seeker {
 public:
  enum Reason : std::uint32_t { kStepped, kReturns };
  // `from`: where the invocation is; empty if it has not begun or is over.
  StepSeeker(const Places& places, const Who& who, Unit unit, std::optional<std::uint32_t> from, bool forward);
  void begin(bool fromStart) override;
  std::optional<Hit> end() override;
  std::uint32_t watches() const override { return forward_ ? std::uint32_t{watch::kStrand} : 0; }
  std::optional<Hit> before(const InstructionEvent& event) override;
  std::optional<Hit> moment(const Moment& moment) override;

 private:
  bool isSeen(std::uint32_t pc) const;

  const Places& places_;
  Who who_;
  Unit unit_;
  std::optional<std::uint32_t> from_, last_;
  bool forward_, fresh_ = false;
  std::optional<Hit> first_, open_;  // where this and the later stretch reach a line that may have begun before
};

// The first instruction of an invocation that has a line, if there are lines.
class BeginSeeker final : public Seeker {
 public:
  BeginSeeker(const Places& places, const Who& who) : places_(places), who_(who) {}
  bool isBegin(std::uint32_t pc) const { return places_.begins(pc) && (!places_.hasLines() || places_.hasLine(pc)); }
  std::optional<Hit> before(const InstructionEvent& event) override {
    if (!who_.isIn(event.batch) || !event.lanes.test(who_.lane) || !isBegin(event.pc)) return {};
    return hitAt(event.batch, event.pc, event.lanes, who_.lane);
  }

 private:
  const Places& places_;
  Who who_;
};

// What happens in a run and is no place: an instruction whose result is a NaN though no operand is one; a store of a NaN to memory that
// others share; a branch that sends lanes of a subgroup to several places; DebugPrintf.
enum class Event : std::uint8_t { kNone, kNan, kNanStore, kDivergence, kPrint };

// A place to stop at. Which of them a hit is for, its reason says.
struct Stopper {
  std::uint32_t number = 0;
  // Of which program, by instruction; or an access to a part of memory; or an event.
  std::map<const Program*, std::set<std::uint32_t>> at;
  std::optional<Region> region;
  bool onRead = false, onWrite = false;
  bool onChange = false;           // only where the bytes are others afterwards
  std::vector<std::byte> becomes;  // only where they are these afterwards; empty: any
  std::optional<Who> only;         // one invocation alone
  Event event = Event::kNone;
  std::string begins;  // kPrint: how the text begins
  // Nothing: always.
  std::function<bool(const LaneState&, std::uint32_t pc)> condition;
  // Told of each lane that comes there, and then it does not stop.
  std::function<void(const LaneState&, std::uint32_t pc)> log;
  // Asked at a hit; false: it does not stop. Nothing: it does.
  std::function<bool()> counts;
};

class StopSeeker final : public Seeker {
 public:
  // `skipped`: where instructions are no hits, and are neither told nor counted.
  explicit StopSeeker(std::vector<Stopper> stoppers, std::optional<Who> focus, std::optional<Time> skipped = {});
  std::uint32_t watches() const override { return watches_; }
  bool needsInstructions() const override {
    return std::ranges::any_of(stoppers_,
                               [](const Stopper& s) { return !s.at.empty() || s.event == Event::kNan || s.event == Event::kNanStore; });
  }
  std::vector<std::uint32_t> storesTo() const override;
  std::optional<StoredBytes> everyStoreTo() const override;
  // Values only where they decide.
  std::uint32_t watchesWorkgroups() const override {
    const bool any = std::ranges::any_of(stoppers_, [](const Stopper& s) { return s.onChange || !s.becomes.empty(); });
    return any ? watches_ : watches_ & ~std::uint32_t{watch::kValues};
  }
  std::optional<Hit> before(const InstructionEvent& event) override;
  std::optional<Hit> after(const InstructionEvent& event) override;
  std::optional<Hit> access(const AccessEvent& event) override;
  std::optional<Hit> moment(const Moment& moment) override;

 private:
  std::optional<Hit> of(Event event, const Batch& batch, std::uint32_t pc, const LaneMask& lanes);
  std::optional<Hit> blitted(const BlitTexel& blit);
  std::optional<Hit> filtered(const Stopper& s, const Batch& batch, std::uint32_t pc, LaneMask lanes) const;
  std::optional<Hit> accessOf(const Stopper& s, const AccessEvent& event) const;

  std::vector<Stopper> stoppers_;
  std::optional<Who> focus_;
  std::optional<Time> skipped_;
  std::uint32_t watches_ = 0;
  bool seeksNans_ = false;
  LaneMask nans_;  // the lanes in which an operand of the instruction that runs is one
};

// Several seekers; the first in the list with a hit counts. `once`: each is asked until it has one.
class AnySeeker final : public Seeker {
 public:
  static constexpr std::uint32_t kReasons = 1u << 24;  // a hit's reason is its seeker's place in the list times this, plus its own
  explicit AnySeeker(std::vector<Seeker*> all, bool once = false) : hits(all.size()), all_(std::move(all)), once_(once) {}
  std::vector<std::optional<Hit>> hits;  // with `once`: what each of them has
  void begin(bool fromStart) override {
    for (Seeker* s : all_) s->begin(fromStart);
  }
  std::optional<Hit> end() override {
    return first([&](Seeker& s) { return s.end(); });
  }
  std::uint32_t watches() const override {
    std::uint32_t all = 0;
    for (const Seeker* s : all_) all |= s->watches();
    return all;
  }
  bool needsInstructions() const override {
    return std::ranges::any_of(all_, [](const Seeker* s) { return s->needsInstructions(); });
  }
  std::uint32_t watchesWorkgroups() const override {
    std::uint32_t all = 0;
    for (const Seeker* s : all_) all |= s->watchesWorkgroups();
    return all;
  }
  std::optional<Hit> before(const InstructionEvent& e) override {
    return first([&](Seeker& s) { return s.before(e); });
  }
  std::optional<Hit> after(const InstructionEvent& e) override {
    return first([&](Seeker& s) { return s.after(e); });
  }
  std::optional<Hit> access(const AccessEvent& e) override {
    return first([&](Seeker& s) { return s.access(e); });
  }
  std::optional<Hit> moment(const Moment& m) override {
    return first([&](Seeker& s) { return s.moment(m); });
  }

 private:
  template <class Ask>
  std::optional<Hit> first(const Ask& ask) {
    std::optional<Hit> found;
    for (Seeker* s : all_) s->now = now;
    for (std::uint32_t i = 0; i < all_.size(); ++i) {
      if (once_ && hits[i]) continue;
      std::optional<Hit> hit = ask(*all_[i]);
      if (!hit) continue;
      if (once_) hits[i] = *hit;
      hit->reason += i * kReasons;
      if (!found) found = std::move(hit);
    }
    return found;
  }
  std::vector<Seeker*> all_;
  bool once_;
};

}  // namespace lanewise::debug
