// A debugging session: one run of a job, one invocation that is looked at, places to stop at; commands in, values out.
//
// It drives the observed, faithful engine under any schedule and profile. Every stop is a moment before an instruction, and the same one
// whether it was come to forwards or backwards; what an instruction is about to do to memory is told of a stop at an access. The session
// prints nothing and makes no text but errors' and findings'. Terminal and other faces encode its answers.
//
// Promise: going back changes nothing: the run is the same one, always. To set a variable makes another run of it (set()), and unset() goes
// back to the first. Gap: hits are counted, and logs told, forwards alone.
#pragma once

#include "model/check/paged_shadow.h"
#include "model/contract/finding.h"
#include "model/debug/evaluate.h"

namespace lanewise::race {
class Suspects;
}

namespace lanewise::debug {

enum class Why : std::uint8_t {
  kBegin,        // of the run
  kStep,         // the step is done
  kArrived,      // at what was asked for
  kReturns,      // the invocation ends here
  kBreakpoint,   // Stop::number
  kFinding,      // Stop::number, in findings()
  kWriter,       // this stored it last
  kBlit,         // a blit between dispatches did
  kEnd,          // of the run
  kFault,        // the run ends with an error: Stop::error
  kInterrupted,  // pulse asked for it
  kNothing,      // there is nothing more in this direction: the run stays where it is
  kOther         // the first access of the race Stop::number
};

struct Stop {
  Why why = Why::kBegin;
  std::uint32_t number = 0;
  std::optional<Hit> hit;
  Status error;
};

struct Breakpoint {
  enum class What : std::uint8_t { kLine, kFunction, kInstruction, kMemory, kEvent };
  What what = What::kLine;
  Event event = Event::kNone;
  std::string name;  // a line's file (or empty), a function; of an instruction and of memory the name for people; of a print how it begins
  std::uint32_t line = 0;  // the line asked for, then the one that was found
  InstructionName instruction;
  std::optional<Region> region;
  bool onRead = false, onWrite = false, onChange = false;
  std::vector<std::byte> becomes;
  std::string value;  // ... as it is written; for people
  std::shared_ptr<const Expression> condition;
  bool isTemporary = false;
  bool isEnabled = true;
  std::uint64_t ignored = 0;  // hits that still do not stop
  // Which hits stop, of those that come forwards: all, the n-th, from the n-th on, or each n-th.
  enum class Hits : std::uint8_t { kAll, kNth, kFromNth, kEachNth };
  Hits stopping = Hits::kAll;
  std::uint64_t n = 0;
  // Told of each invocation that comes there forwards; then it never stops.
  std::function<void(const Scope&)> log;
  // Set by the session. The number may be given: that of a breakpoint of a session before.
  std::uint32_t number = 0;
  std::uint64_t hits = 0;
  std::size_t places = 0;
  bool isPlace() const { return what != What::kMemory && what != What::kEvent; }
};

// Where an invocation stands.
struct Standing {
  enum class State : std::uint8_t {
    kNotOpen,   // its workgroup has not begun
    kOver,      // its workgroup is over
    kNext,      // it executes the next instruction
    kReady,     // it can go on when its subgroup's turn comes
    kDiverged,  // it waits until others that took another way come to where it is
    kAtBarrier,
    kReturned,
    kFaulted
  };
  State state = State::kNotOpen;
  std::uint32_t pc = 0, slot = 0, batch = 0, lane = 0;
  bool hasPlace() const { return state != State::kNotOpen && state != State::kOver && state != State::kReturned; }
};

// Something the checker found, and when; of a race the second access, and how to find the first.
struct TimedFinding {
  RunFinding finding;
  Time time;
  struct Access {
    Who who;
    std::uint32_t pc = 0;
    Region region;
    bool reads = false, writes = false;
  };
  std::optional<Access> first;
};

// Bytes of a resource.
struct ByteRange {
  std::uint32_t resource = 0;
  std::uint64_t begin = 0, end = 0;
};

// Where an invocation begins to do something else to memory than in another run. Both sessions stand there.
struct Departure {
  bool isByOrder = false;  // no invocation does, but stores in another order make other bytes: both stand at the end
  Extent3 invocation;
  bool ends = false, otherEnds = false;  // it does nothing more in this run; in the other run
  bool isWhole = true;                   // false: too much differs, and a later invocation may part earlier
};

// Who stored to a byte last, and where the run was then. `pc` is not in the program: nobody has.
struct LastStore {
  Time time;
  Extent3 invocation{0, 0, 0};
  std::uint32_t pc = kBlitted;
};
using LastStores = PagedShadow<std::vector<LastStore>>;

class Session {
  class Written;

 public:
  ~Session();
  // The job must outlive the session; so must what `starter` needs. `hurries`: stretches that nobody looks at run in quicker flavours.
  static Expected<std::unique_ptr<Session>> open(const Job& job, RunStarter starter, Keeping keeping = {}, bool hurries = true);

  // Moves. Errors are those of a start of the run, or bad input of what is asked for.
  Expected<Stop> step(Unit unit, bool forward = true);
  // `here`: a breakpoint at this very instruction stops too.
  Expected<Stop> go(bool forward = true, bool here = false);
  // The next control barrier of the invocation.
  Expected<Stop> toBarrier(bool forward = true);
  // To a line, a function or an instruction, as a breakpoint says it, for this invocation alone.
  Expected<Stop> until(const Breakpoint& place, bool forward = true);
  // The next store to a resource, by anyone.
  Expected<Stop> toStore(std::uint32_t resource, bool forward = true);
  // To where an invocation begins, in the dispatch of now or another one; or only to look at it, if its workgroup is open.
  Expected<Stop> toInvocation(Extent3 global, std::optional<std::uint32_t> dispatch = {});
  Status look(Extent3 global);
  // To a moment; pulse may stop it on the way.
  Expected<Stop> toTime(Time time);
  Expected<Stop> toBegin();
  Expected<Stop> toEnd();
  // To who stored to a place last, before now.
  Expected<Stop> toWriter(const Region& region);
  // To the store that matters most of those that made these bytes what they are now: of the last stores to each, the first in time.
  Expected<Stop> toFirstWriter(std::span<const ByteRange> bytes);
  // To where another run of the job begins to differ: the first access to shared memory, in the order of this run, that its invocation does
  // not do there as its n-th one too, with the same bytes. Nothing: each invocation does the same, and all bytes are the same in the end.
  Expected<std::optional<Departure>> part(Session& other);
  Expected<Stop> toFinding(std::uint32_t index);
  // Of a race the access that came first. Bad input: it is no race.
  Expected<Stop> toOther(std::uint32_t index);

  // A texel of an image (its coordinates, then the layer), or a word of a buffer (its first byte). Bad input: there is no such place.
  Expected<Region> regionOf(std::uint32_t resource, std::span<const std::uint64_t> coordinates, std::uint32_t level = 0) const;

  // How often the invocation has come to a line, a function or an instruction, now included.
  Expected<std::uint64_t> visits(const Breakpoint& place);

  // Breakpoints. Bad input: no such line, function or instruction; a condition that means nothing there.
  Expected<std::uint32_t> add(Breakpoint breakpoint);
  bool remove(std::uint32_t number);
  Breakpoint* breakpoint(std::uint32_t number);
  const std::vector<Breakpoint>& breakpoints() const { return breakpoints_; }
  // The highest number that a breakpoint had; a session that goes on from another one begins behind that.
  std::uint32_t lastNumber() const { return lastNumber_; }
  void countFrom(std::uint32_t last) { lastNumber_ = std::max(lastNumber_, last); }
  // Another condition; nullptr: none. Bad input: a name in it is known at none of the breakpoint's places.
  Status setCondition(std::uint32_t number, std::shared_ptr<const Expression> condition);
  // The first of the instructions at which it stops, and a dispatch that executes it. Nothing: it is one of memory.
  std::optional<std::pair<std::uint32_t, std::uint32_t>> placeOf(const Breakpoint& breakpoint);
  // What the checkers find in the whole run (docs/findings.md), races last; computed once.
  Expected<const std::vector<TimedFinding>*> findings();
  bool knowsFindings() const { return findings_.has_value(); }
  // What else is found in this run, by checkers that need the quick flavour (Model::run). Each is told where its invocation comes to its
  // instruction first; where it ends the run, at the end.
  void setChecks(std::function<std::vector<RunFinding>()> checks) { checks_ = std::move(checks); }
  std::set<FindingKind> stopsAtFindings;  // of these kinds
  // Asked now and then while the run goes, with where it is; true: it stops (Why::kInterrupted).
  void setPulse(Timeline::Pulse pulse) { line_.pulse = std::move(pulse); }

  // What would happen: a variable, a part of one or a texel gets another value, here and now. From this moment on the session has another
  // run, in which it has; going back shows the same as before, and then the same change again. The new value is returned. Bad input: it has
  // no place in memory, or the value is of another type.
  Expected<Value> set(const Expression& target, const Expression& value, Extent3 of, std::size_t frame = 0);
  // The same with bytes.
  Status setBytes(const Region& region, std::vector<std::byte> bytes);
  // The run as it is, where it was changed first. Bad input: nothing was set.
  Expected<Stop> unset();
  bool isChanged() const { return line_.isChanged(); }

  // All stores to a place in the whole run, in the order of time.
  Expected<std::vector<Hit>> history(const Region& region);
  // Whether nobody has written there before, of the access where the run stands; or, with the stores `before` it, of one of history(). Of a
  // workgroup's memory: whether it is poison.
  bool isFresh(const Hit& hit, std::optional<std::span<const Hit>> before = {});
  // The invocation of a hit, of any dispatch.
  Extent3 invocationOf(const Hit& hit);
  // What costs a run of a part, and moves nothing. Interrupted: pulse stopped it.
  // How many steps there are between the opening of this workgroup and what opens the next one (Time::step).
  Expected<std::uint64_t> stepsOf(std::uint32_t dispatch, std::uint64_t opened);
  // Who stored last to each byte of the memory of the workgroup of the invocation that is looked at last. Unsupported: it is not open now.
  Expected<LastStores> workgroupStores();

  // Looking.
  const Stop& stop() const { return stop_; }
  Time time() const { return line_.time(); }
  bool atEnd() const { return line_.atEnd(); }
  const Job& job() const { return job_; }
  std::uint32_t dispatch() const;
  const Program& program() { return line_.execution().program(); }
  const Places& places() { return placesOf(program()); }
  // Of a dispatch, of those that the job has.
  const Places& placesOf(std::uint32_t dispatch) { return placesOf(line_.execution().programOf(dispatch)); }
  std::span<const WorkgroupState> residents() { return line_.execution().residents(); }
  const std::vector<Resource>& resources() { return line_.execution().resources(); }
  const Profile& profile() { return line_.execution().profile(); }
  std::size_t snapshots() const { return line_.snapshots(); }
  // What the kernel has printed until now (NonSemantic.DebugPrintf).
  const PrintLog& printed() { return line_.execution().printed(); }
  Extent3 focus() const { return focus_; }
  Standing standing(Extent3 global);
  Standing standing() { return standing(focus_); }
  // Where names mean something for an invocation. Unsupported: it has no place now. Good until the session moves.
  Expected<Scope> scope(Extent3 global, std::size_t frame = 0);
  // There; and where an invocation has no place, of what a dispatch is bound to: the one of now, or the last.
  Expected<Value> evaluate(const Expression& expression, Extent3 of, std::size_t frame = 0);
  // The bytes of a region of a resource; nothing: nobody has written it.
  std::optional<std::vector<std::byte>> bytesOf(const Region& region);
  Extent3 globalOf(Extent3 group, std::uint32_t batch, std::uint32_t lane);
  // The invocations of the workgroup that is looked at, in the order of their index.
  std::vector<Extent3> invocations();

 private:
  Session(const Job& job, Timeline line);
  const Places& placesOf(const Program& program);
  std::optional<Who> whoOf(Extent3 global, std::optional<std::uint32_t> dispatch = {});
  Stopper stopperOf(const Breakpoint& b);
  Status unknownIn(const Breakpoint& b, const Stopper& at);
  std::vector<Stopper> stoppers(bool forward, bool focusOnly);
  std::vector<Hit> othersAt(const Hit& hit, bool forward, bool focusOnly);
  Expected<Stop> find(Seeker* own, bool forward, bool focusOnly, Time lowest, const std::function<Stop(const Hit&)>& stopOf,
                      bool here = false);
  Expected<Stop> seek(Stopper stopper, bool forward, Why why, bool withBreakpoints);
  bool counts(std::uint32_t number);
  Stop settle(Stop stop);
  Stop ended() const;
  Stop arrived(Why why);
  std::optional<std::pair<std::uint32_t, Time>> nextFinding(bool forward);
  Time beginOf(const Who& who);
  Status addRaces(std::vector<TimedFinding>& known, const race::Suspects& suspects);
  Status addChecks(std::vector<TimedFinding>& known);
  Expected<std::optional<Departure>> partFrom(Session& other, bool isOther);
  void forget();
  const WrittenBytes* written();
  Status change(std::vector<Change> changes);
  Change changeAt(const Region& region);

  const Job& job_;
  Timeline line_;
  Extent3 focus_{0, 0, 0};
  Stop stop_;
  std::vector<Breakpoint> breakpoints_;
  std::uint32_t lastNumber_ = 0;
  std::set<std::uint32_t> passed_;  // the breakpoints with hits that did not count, in the last search
  Environment nowhere_;             // of no workgroup
  std::optional<std::vector<TimedFinding>> findings_;
  std::function<std::vector<RunFinding>()> checks_;
  std::map<const Program*, std::unique_ptr<Places>> places_;
  std::map<std::uint32_t, Environment> environments_;  // by slot, of now
  std::unique_ptr<Written> written_;                   // likewise
};

}  // namespace lanewise::debug
