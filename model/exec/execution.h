// One run of a Job on the model. The whole state is a value that can be stopped after any instruction, copied, saved and resumed.
//
// A full barrier lies between dispatches, and blits are done there. The schedule decides how many workgroups of a dispatch are resident, in
// which order they start, and which batch runs next and how far (turns.h).
#pragma once

#include <compare>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "model/contract/device.h"
#include "model/contract/schedule.h"
#include "model/exec/bound_dispatch.h"
#include "model/exec/compiled_run.h"
#include "model/exec/idle_workgroups.h"
#include "model/exec/parallel.h"
#include "model/exec/part.h"
#include "model/exec/print.h"

namespace lanewise {

// Where an Execution gets decoded programs from; a cache implements it. Must be thread-safe.
using ProgramSource = std::function<Expected<std::shared_ptr<const Program>>(const Dispatch&, std::uint32_t subgroupSize)>;

// Bytes of the state that somebody outside of the run gives other values.
struct Change {
  Place place = Place::kBuffer;  // kBuffer, kImage: of `resource`; kWorkgroup: of the resident in `slot`; kLaneMemory: of a lane of it
  std::uint32_t resource = 0, slot = 0, batch = 0, lane = 0;
  std::uint64_t offset = 0;  // as in reported accesses (access.h)
  std::vector<std::byte> bytes;
};

class Execution {
 public:
  // Where a run ends before its end: between two workgroups, when so many of a dispatch are over, and the dispatches before. Blits that
  // come before a dispatch are not done before its first workgroup.
  struct Until {
    std::uint32_t dispatch = ~0u;
    std::uint64_t workgroups = 0;
    friend auto operator<=>(const Until&, const Until&) = default;  // NOLINT(modernize-use-nullptr): in what the compiler writes
  };

  // The Job must outlive the execution. Errors: bad input (bindings, sizes, limits), unsupported. `from`: it goes on from where this run of
  // the same job is, of any flavour, and takes its resources; bad input while a workgroup is open there. After an error it still has them.
  // `alone`: where `programs` gives some whose batches have several workgroups (ir/together.h), those with one; asked for where the order
  // of workgroups could show. Nothing but run() may then be called, and after an error the job must begin again with those.
  static Expected<Execution> start(const Job& job, const Profile& profile, Schedule schedule, const ProgramSource& programs,
                                   Execution* from = nullptr, const ProgramSource& alone = {});

  // Runs until the end, an error, or until an observer stops it: then run() may be called again. Bad input where an observer wants
  // something that ir::Flavour::kUnwatched does not show (watch::kFlow).
  Status run(std::span<Observer* const> observers = {});
  Status run(Observer& observer);
  // The observer is told of the accesses that store to these resources alone, and all else runs as if nobody watched. Empty: of all.
  Status runForStores(Observer& observer, std::span<const std::uint32_t> resources, Until until);
  // Nobody watches. Bad input while a workgroup is open, or where several are resident.
  Status runUntil(Until until);
  // Runs the current dispatch, whose turns `choose` gives, to its end or until it names none. The schedule must be one that switches.
  Status runChosen(std::span<Observer* const> observers, const TurnChooser& choose);
  // What recorded turns belong to: modules, entry points, specialization, groups and subgroup size. Never 0.
  std::uint16_t subject() const;
  // Whether a dispatch may store to one of these resources: it has instructions, or pointers, that lead there, or a blit does.
  bool mayStore(std::uint32_t dispatch, std::span<const std::uint32_t> resources) const;
  // How far it is: the dispatch, and how many workgroups of it were opened.
  Until progress() const { return {dispatch_, part_.next}; }
  // True where it ended with a fault, but another flavour may have another one first, or none (ir::Function::countsMore).
  bool countedMore() const { return countedMore_; }
  // How a run that nobody watches uses the host's other cores. The bytes are the same.
  void setParallel(const ParallelRule& rule) { parallel_ = rule; }
  // Where the state of workgroups is taken from and given back to. Who is asked about residents after their end sets none.
  void setIdle(IdleWorkgroups* idle) { idle_ = idle; }
  // A flag that another thread sets: the run soon ends, as if an observer had stopped it; one of compiled code has given up. nullptr:
  // nobody does.
  void setStop(const std::atomic<bool>* stop) { stop_ = stop; }
  // Who executes a run that nobody watches. The bytes are the same. kInterpreter is the default.
  void setTier(Tier tier, CompiledSource source) {
    tier_ = tier;
    compiled_ = std::move(source);
  }
  // True where compiled code gave the run up (compiled_run.h): the job must begin again, with the interpreter.
  bool gaveUp() const { return gaveUp_; }
  // True where parts of a dispatch met (parallel.h), which its program remembers: the job must begin again.
  bool met() const { return met_; }
  // How many dispatches execute several workgroups together, or lanes that the schedule has one by one.
  std::uint64_t together() const;
  // How many dispatches compiled code ran so far.
  std::uint64_t ranCompiled() const { return ranCompiled_; }
  // How many dispatches ran with parts side by side so far. For tests: nothing but the time shows it.
  std::uint64_t ranParallel() const { return ranParallel_; }
  // How many workgroups were resident together at most.
  std::uint64_t mostTogether() const { return std::max<std::uint64_t>(mostTogether_, part_.residents.size()); }
  // Whether the schedule puts nobody last: no workgroup has that index, and no subgroup or lane in one.
  bool isNobodyLast() const;
  // After an error: what waits, and for what, if that ended the run. At the step limit: what may have waited.
  const std::optional<Wait>& wait() const { return wait_; }
  // Whether a workgroup of the current dispatch has begun.
  bool hasStarted(std::uint64_t workgroup) const;
  bool finished() const { return dispatch_ == bound_.size() && nextBlit_ == job_->blits.size(); }

  // The resources as they are now, in the job's order.
  const std::vector<Resource>& resources();
  // Bytes of one of them as they are now: no more is copied than has to be. Empty: it has no such bytes.
  std::vector<std::byte> bytesOf(std::uint32_t resource, std::uint64_t begin, std::uint64_t end);
  std::vector<Resource> takeOutputs();
  // What DebugPrintf has printed. It is not part of a saved state: a resumed run has only what is printed after that.
  const PrintLog& printed() const { return *printed_; }
  // The slots for resident workgroups, of which some may be free; and the turn that has begun and not ended.
  std::span<const WorkgroupState> residents() const { return part_.residents; }
  const std::optional<Turn>& turn() const { return part_.turn; }
  // For reading a resident's variables while the run is stopped (state/variables.h). Valid until the run continues.
  Environment environmentOf(std::uint32_t slot);
  const Program& program() const { return *bound_[std::min<std::size_t>(dispatch_, bound_.size() - 1)].program; }

  const Program& programOf(std::uint32_t dispatch) const { return *bound_[dispatch].program; }
  const Schedule& schedule() const { return schedule_; }
  const Profile& profile() const { return profile_; }

  // save() returns the state as bytes, and restore() continues from them. The job, profile and schedule must be the same; anything else is
  // bad input, and so is weak memory, of which the bytes say nothing.
  std::vector<std::byte> save();
  Status restore(const std::vector<std::byte>& state);
  // A copy of the state, independent of this one. Both have those images in common that neither can store to any more.
  Execution clone();
  // Goes on from where another run of the job is, of any flavour, which is left without resources: nothing is copied. False, and nothing
  // has happened: a workgroup is open there.
  bool takeOver(Execution&& other);
  // Of a run that is stopped. False: there is no such place, and nothing has changed.
  bool change(const Change& change);

  Execution(Execution&&) = default;
  Execution& operator=(Execution&&) = default;

 private:
  Execution() = default;
  bool runsLanesTogether(const BoundDispatch& bound) const { return schedule_.lanes && !bound.program->separateLanes; }
  // With the program of `programs`, or of `alone` (start()).
  Status prepare(const Dispatch& dispatch, const ProgramSource& programs, const ProgramSource& alone);
  Status add(const Dispatch& dispatch, const ProgramSource& programs);
  Status bind(BoundDispatch& bound);
  Status bindOne(BoundDispatch& bound, std::size_t resource, std::uint32_t element, const Binding& binding);
  Status layOutImages();
  static Resource withoutTexels(const Resource& resource);
  void takeResources(Execution& from);
  void goOnFrom(Execution& from);
  void viewBuffers();
  void bindAgain();
  // An image's bytes become this run's own. True: they are elsewhere now, and bindAgain() is due.
  bool ownImage(std::size_t image);
  bool mayStoreFromNowOn(std::uint32_t resource) const;
  Status placeAddresses();
  Expected<std::uint64_t> addressOf(const Address& address) const;
  void copyIn(std::size_t resource, const std::vector<std::byte>& from);
  void copyOut(std::size_t resource);
  // Does the blits that come before the current dispatch.
  void doBlits(Observers& observers);
  std::uint64_t room() const;
  std::uint64_t mostResident() const;
  // The current dispatch, as all its workgroups see it, and as its parts do.
  Environment environment() const;
  DispatchRun dispatchRun() const;
  // How a run is run, besides by whom it is observed.
  struct Manner {
    std::span<const std::uint32_t> storesTo = {};  // of runForStores
    Until until = {};
    const TurnChooser* chooser = nullptr;
  };
  Status runAll(std::span<Observer* const> given, const Manner& manner);
  Status runTurns(Observers& observers, bool watched, const Manner& manner);
  void countCompiled() { ranCompiled_ += std::exchange(lastCompiled_, dispatch_) != dispatch_ ? 1 : 0; }
  std::span<std::byte> viewedBytes(std::uint32_t resource);
  // Workgroups by compiled code: all that are left, or as many as must be tried to see whether it is quicker; it goes on if it is.
  enum class Ran : std::uint8_t { kRefused, kSlower, kQuicker, kAll, kGaveUp };
  Ran runCompiled(const compiled::Compiled& code, const DispatchRun& run, const CompiledWatch& watch, bool all);
  // In parts side by side, by compiled code if there is any. kRefused: nothing has changed.
  Ran runParallel(const compiled::Compiled* code, const DispatchRun& run, std::chrono::nanoseconds left);
  Ran runKnown(const compiled::Compiled& code, const DispatchRun& run, ParallelWatch& parallel,
               std::optional<std::chrono::nanoseconds> left);
  std::uint64_t memoryLeft() const;
  void takeIdle();
  void endDispatch();
  void attachWeak(class WeakTap& tap);
  bool beginsSegment() const;
  std::uint64_t fingerprint() const;
  bool readResidents(class StateReader& reader, Execution& read);

  const Job* job_ = nullptr;
  Profile profile_;
  Schedule schedule_;
  std::uint32_t subgroupSize_ = 32;
  std::vector<Resource> resources_;  // images without texels, until somebody asks for them
  std::vector<PaddedImage> images_;  // by resource; empty for buffers
  std::unique_ptr<PrintLog> printed_ = std::make_unique<PrintLog>();
  std::vector<BufferView> addressable_;  // by resource; empty for images
  std::vector<BoundDispatch> bound_;
  std::uint32_t dispatch_ = 0;
  std::uint32_t nextBlit_ = 0;
  Part part_;  // the current dispatch
  ParallelRule parallel_;
  IdleWorkgroups* idle_ = nullptr;
  const std::atomic<bool>* stop_ = nullptr;
  std::uint64_t ranParallel_ = 0;
  bool countedMore_ = false;
  std::optional<Wait> wait_;
  Tier tier_ = Tier::kInterpreter;
  CompiledSource compiled_;
  bool gaveUp_ = false, met_ = false;
  std::uint64_t ranCompiled_ = 0;
  std::uint64_t mostTogether_ = 0;                  // in dispatches that have ended
  std::uint32_t lastCompiled_ = ~std::uint32_t{0};  // the last dispatch that is counted there
};

}  // namespace lanewise
