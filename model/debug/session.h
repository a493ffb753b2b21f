// A debugging session: one run of a job, one invocation that is looked at, places to stop at; commands in, values out.
//
// It drives the observed, faithful engine under any schedule and profile. Every stop is a moment before an instruction, and the same one
// whether it was come to forwards or backwards; what an instruction is about to do to memory is told of a stop at an access. The session
// prints nothing and makes no text but errors' and findings'. Terminal and other faces encode its answers.
//
// Promise: going back changes nothing: the run is the same one, always. Gaps: races are not stops (they are told by a second run, race.h);
// variables are read and not set; hits are counted, and logs told, forwards alone.
#pragma once

#include "model/contract/finding.h"
#include "model/debug/evaluate.h"

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
  kNothing       // there is nothing more in this direction: the run stays where it is
};

struct Stop {
  Why why = Why::kBegin;
  std::uint32_t number = 0;
  std::optional<Hit> hit;
  Status error;
};

struct Breakpoint {
  enum class What : std::uint8_t { kLine, kFunction, kInstruction, kMemory };
  What what = What::kLine;
  std::string name;        // a line's file (or empty), a function, an operation or "%id"; of memory its name for people
  std::uint32_t line = 0;  // the line asked for, then the one that was found
  std::optional<Region> region;
  bool onRead = false, onWrite = false, onChange = false;
  std::vector<std::byte> becomes;
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
  // Set by the session.
  std::uint32_t number = 0;
  std::uint64_t hits = 0;
  std::size_t places = 0;
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

// Something the checker found, and when.
struct TimedFinding {
  RunFinding finding;
  Time time;
};

class Session {
 public:
  // The job must outlive the session; so must what `starter` needs.
  static Expected<std::unique_ptr<Session>> open(const Job& job, Timeline::Starter starter, Keeping keeping = {});

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
  Expected<Stop> toTime(Time time);
  Expected<Stop> toBegin();
  Expected<Stop> toEnd();
  // To who stored to a place last, before now.
  Expected<Stop> toWriter(const Region& region);
  Expected<Stop> toFinding(std::uint32_t index);

  // A texel of an image (x, y, then the slice or layer), or a word of a buffer (its first byte). Bad input: there is no such place.
  Expected<Region> regionOf(std::uint32_t resource, std::span<const std::uint64_t> coordinates, std::uint32_t level = 0) const;

  // Breakpoints. Bad input: no such line, function or instruction; a condition that means nothing there.
  Expected<std::uint32_t> add(Breakpoint breakpoint);
  bool remove(std::uint32_t number);
  Breakpoint* breakpoint(std::uint32_t number);
  const std::vector<Breakpoint>& breakpoints() const { return breakpoints_; }
  // The first of the instructions at which it stops, and a dispatch that executes it. Nothing: it is one of memory.
  std::optional<std::pair<std::uint32_t, std::uint32_t>> placeOf(const Breakpoint& breakpoint);
  // What the checker finds in the whole run (docs/findings.md), without races; computed once.
  Expected<const std::vector<TimedFinding>*> findings();
  std::set<FindingKind> stopsAtFindings;  // of these kinds
  // Asked now and then while the run goes, with where it is; true: it stops (Why::kInterrupted).
  void setPulse(Timeline::Pulse pulse) { line_.pulse = std::move(pulse); }

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
  std::size_t snapshots() const { return line_.snapshots(); }
  Extent3 focus() const { return focus_; }
  Standing standing(Extent3 global);
  Standing standing() { return standing(focus_); }
  // Where names mean something for an invocation. Unsupported: it has no place now. Good until the session moves.
  Expected<Scope> scope(Extent3 global, std::size_t frame = 0);
  Extent3 globalOf(Extent3 group, std::uint32_t batch, std::uint32_t lane);
  // The invocations of the workgroup that is looked at, in the order of their index.
  std::vector<Extent3> invocations();

 private:
  Session(const Job& job, Timeline line) : job_(job), line_(std::move(line)) {}
  const Places& placesOf(const Program& program);
  std::optional<Who> whoOf(Extent3 global, std::optional<std::uint32_t> dispatch = {});
  Stopper stopperOf(const Breakpoint& b);
  std::vector<Stopper> stoppers(bool forward, bool focusOnly);
  Expected<Stop> find(Seeker* own, bool forward, bool focusOnly, Time lowest, const std::function<Stop(const Hit&)>& stopOf,
                      bool here = false);
  Expected<Stop> seek(Stopper stopper, bool forward, Why why, bool withBreakpoints);
  bool counts(std::uint32_t number);
  Stop settle(Stop stop);
  Stop ended() const;
  Stop arrived(Why why);
  std::optional<std::pair<std::uint32_t, Time>> nextFinding(bool forward);
  Time beginOf(const Who& who);

  const Job& job_;
  Timeline line_;
  Extent3 focus_{0, 0, 0};
  Stop stop_;
  std::vector<Breakpoint> breakpoints_;
  std::uint32_t lastNumber_ = 0;
  std::optional<std::vector<TimedFinding>> findings_;
  std::map<const Program*, std::unique_ptr<Places>> places_;
  std::map<std::uint32_t, Environment> environments_;  // by slot, of now
};

}  // namespace lanewise::debug
