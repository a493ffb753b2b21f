// A run that can be brought to any of its moments. Forwards it continues; backwards it starts from the nearest earlier copy of the state.
//
// A moment is (dispatch, workgroups opened, step). It is before the step-th instruction that the engine executes since the last workgroup
// of the dispatch was opened. If one workgroup is resident at a time, that is the workgroup's own step. A run is the same every time, so a
// moment is a plain value that stays valid. Workgroups before the one that is asked for run without being observed.
//
// A run can be changed, to see what would happen. It then is another run from that moment on, which also goes both ways.
//
// Memory: copies of the state are kept at regular distances. When they fill the bytes that the caller allows, every other one is dropped
// and the distance doubles. One more is kept where the last search began. Without any copy the run starts again. Gap: a copy has all
// buffers and every image that is stored to from there on, not only the pages that were written; and counts as if it had all resources.
#pragma once

#include <compare>
#include <functional>
#include <map>
#include <memory>

#include "model/exec/execution.h"

namespace lanewise::debug {

struct Time {
  std::uint32_t dispatch = 0;
  std::uint64_t opened = 0;  // workgroups of the dispatch
  std::uint64_t step = 0;
  friend auto operator<=>(const Time&, const Time&) = default;  // NOLINT(modernize-use-nullptr): in what the compiler writes
};

// Copies of the state: how many bytes they may take, and how far apart they are at first, in steps of one workgroup and in workgroups.
struct Keeping {
  std::uint64_t bytes = std::uint64_t{256} << 20;
  std::uint64_t steps = 1 << 16, groups = 64;
};

// The result of a search: an instruction, for a lane.
struct Hit {
  Time time;
  std::uint32_t reason = 0;  // as the seeker defines it
  Extent3 group;
  std::uint32_t slot = 0, batch = 0, lane = 0, pc = 0;
  LaneMask lanes;             // all lanes that it is a hit for
  bool isAccess = false;      // the hit is an access of the instruction
  bool writes = false;        // ... that stores
  bool isFirst = false;       // of a search backwards: nothing else is found before it; false: or that is not known
  std::vector<Strand> parts;  // of a divergence: where which lanes go
  std::vector<Hit> also;      // of other reasons, at the same instruction
  Status error;               // of those: why a breakpoint's condition means nothing there
  // Of that lane's access: its bytes, and where they begin, in a resource of the job or another memory.
  std::vector<std::byte> before, after;
  Place place = Place::kBuffer;
  std::uint32_t resource = 0;
  std::uint64_t byte = 0;
};

// Bytes of a resource of the job.
struct StoredBytes {
  std::uint32_t resource = 0;
  std::uint64_t begin = 0, end = 0;
};

// Searches for something. It gets every instruction in the order in which they run; an answer is a hit at that instruction.
class Seeker {
 public:
  virtual ~Seeker() = default;
  // A stretch of the run begins. In a backward search each stretch lies before the previous one. `fromStart`: it is the first stretch in
  // which something may be found.
  virtual void begin(bool fromStart) { static_cast<void>(fromStart); }
  // The stretch ends. May return a hit of a later stretch that is only now known to be one, with its time.
  virtual std::optional<Hit> end() { return {}; }
  // The bits of watch::Kind that it needs besides kBefore.
  virtual std::uint32_t watches() const { return 0; }
  // False if only accesses and moments can be hits, each by itself. Then whole workgroups are searched without stops.
  virtual bool needsInstructions() const { return true; }
  // The resources of the job, if stores to them alone can be hits, wherever they are in the program: every flavour has the same, and
  // nothing else needs to be told. Empty: others too.
  virtual std::vector<std::uint32_t> storesTo() const { return {}; }
  // If every store to these bytes is a hit, whoever does it, and nothing else is.
  virtual std::optional<StoredBytes> everyStoreTo() const { return {}; }
  // The bits of watch::Kind that it needs then.
  virtual std::uint32_t watchesWorkgroups() const { return watches(); }
  virtual std::optional<Hit> before(const InstructionEvent&) { return {}; }
  virtual std::optional<Hit> after(const InstructionEvent&) { return {}; }  // with watch::kAfter
  virtual std::optional<Hit> access(const AccessEvent&) { return {}; }
  virtual std::optional<Hit> moment(const Moment&) { return {}; }
  // The time of the current event; set by the caller.
  Time now;
};

// Starts the run in a flavour; with `from` it goes on from there (Execution::start).
using RunStarter = std::function<Expected<Execution>(ir::Flavour flavour, Execution* from)>;

class Timeline {
 public:
  // `job`: whose runs those are; they may take quicker flavours for the stretches that nobody looks at. Nothing: they do not.
  static Expected<Timeline> open(RunStarter starter, Keeping keeping, const Job* job = nullptr);

  Time time() const { return at_; }
  // The run is over: by its end, or by `fault`.
  bool atEnd() const { return ended_; }
  const Status& fault() const { return fault_; }
  Execution& execution() { return *now_; }
  std::size_t snapshots() const { return snapshots_.size() + (near_ ? 1 : 0); }
  // Asked now and then while the run goes; true: forward(), backward(), every(), survey(), goToEnd() and goTo(mayStop) stop there.
  using Pulse = std::function<bool(const Time&)>;
  Pulse pulse;
  // The last of them was stopped so: forwards the run stands where it came to, backwards where it was.
  bool interrupted() const { return interrupted_; }

  // To a moment, or to the first instruction behind it; at the end of the run to that. Never an error but at the start of a new run.
  // `mayStop`: pulse may stop it on the way.
  Status goTo(Time time, bool mayStop = false);
  Status goToEnd();
  // The first hit behind now and before `limit`; where there is none the run stands there, or at its end. Of this very instruction what
  // `here` says counts. The run then stands at the hit, before the instruction.
  struct Here {
    bool access = false, instruction = false;
  };
  Expected<std::optional<Hit>> forward(Seeker& seeker, Here here, Time limit = {~0u, 0, 0});
  // The last hit before now, not before `lowest`; where there is none the run stays where it is. From `highest` on there is none.
  Expected<std::optional<Hit>> backward(Seeker& seeker, Time lowest, Time highest = {~0u, 0, 0});
  // Shows the seeker the run from one moment up to another, and comes back to now.
  Status survey(Seeker& seeker, Time begin, Time end);
  // Shows the seeker the instruction that comes next, which is not executed.
  void peek(Seeker& seeker);
  // All hits of the run from its start to its end, while this one stays where it is.
  Expected<std::vector<Hit>> every(Seeker& seeker);

  // Everything from a moment to now, or to the end where the run is over, while this one stays where it is. For seekers that note what they
  // see: hits are dropped. Before the workgroup of now only accesses and moments are told, unless the seeker needs instructions.
  Status upToNow(Seeker& seeker, Time from);

  // Makes another run of it: one with these bytes from now on. What was changed later than now is forgotten. False: there is no such place.
  bool change(const std::vector<Change>& changes);
  bool isChanged() const { return !changes_.empty(); }
  // Makes it the run without changes again, at the moment of the first of them.
  Status unchange();

 private:
  class Walk;
  Timeline() = default;
  void walk(Walk& walk, bool mayStop = false);
  Status run(Execution& execution, Walk& walk);
  Expected<std::pair<Time, Execution>> nearest(Time time);
  Status rewind(Time time);
  std::uint64_t room();
  void keep();

  bool canHurry() const;
  bool isWorthwhile(Time target) const;
  Status hurry(Time target, bool mayStop);
  Status runQuietly(Execution& execution, Execution::Until until, bool mayStop);
  std::optional<Execution> beginOf(std::uint32_t dispatch);
  Time timeOf(Execution::Until progress) const;
  Expected<std::optional<std::optional<Hit>>> searchQuickly(Seeker& seeker, Time end);
  std::optional<Hit> lastIn(Seeker& seeker, Time group);
  std::optional<std::optional<Hit>> searchFrom(Seeker& seeker, Execution& execution, Time end);
  std::optional<Execution> beforeLastStore(const Seeker& seeker, Time& end, bool& isEarlier);

  RunStarter starter_;
  const Job* job_ = nullptr;
  Keeping keeping_;
  std::unique_ptr<Execution> now_;
  Time at_;
  bool ended_ = false;
  Status fault_;
  bool interrupted_ = false;
  std::map<Time, Execution> snapshots_;
  std::optional<std::pair<Time, Execution>> near_;
  std::optional<Execution> ahead_;                             // an unwatched run, for the next move
  std::optional<Execution> last_;                              // one that stands before the last dispatch, if it took long to come there
  std::vector<std::pair<Time, std::vector<Change>>> changes_;  // in the order of their times
};

}  // namespace lanewise::debug
