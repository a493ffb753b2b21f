// Workgroups of a dispatch by compiled code (model/compiled), in the order and with the bytes of the interpreter.
#pragma once

#include <chrono>
#include <functional>
#include <optional>

#include "model/compiled/compile.h"
#include "model/exec/bound_dispatch.h"
#include "model/exec/part.h"

namespace lanewise {

// Who executes a run that nobody watches. kAuto: compiled code where that is worth while.
enum class Tier : std::uint8_t { kAuto, kInterpreter, kCompiled };
// "auto", "interpreter", "compiled"; bad input otherwise.
Expected<Tier> parseTier(std::string_view name);

// What the tiers did: dispatches that native code ran, and programs that were compiled or read from disk.
struct TierReport {
  std::uint64_t together = 0;                            // dispatches in which the interpreter executed several workgroups together
  std::uint64_t dispatches = 0, programs = 0, kept = 0;  // kept: of the programs, those that were read
  double seconds = 0;                                    // that all programs took
  std::vector<std::string> refusals;                     // why others were not compiled, each once
  std::string store;                                     // why none is kept on disk; empty: there is no reason
};

// Where a run gets compiled programs from. Must be thread-safe.
struct CompiledSource {
  // `program`: what the interpreter executes; `spent`: seconds that it has taken for the dispatch so far; `left`: that it would take for
  // the rest. nullptr: the interpreter goes on, because it is refused or not worth while yet. kCompiled: it is worth while.
  std::function<std::shared_ptr<const compiled::Compiled>(const Dispatch&, const Program& program, Tier, double spent, double left)> get;
  // The interpreter has taken so long for a whole dispatch.
  std::function<void(const Program& program, double spent)> note;
};

// Asks now and then, while the interpreter runs a dispatch, whether compiled code should go on. What has not been seen to be quicker is
// tried for some workgroups first.
class CompiledWatch {
 public:
  CompiledWatch(Tier tier, const CompiledSource& source, const Part& part, const DispatchRun& run, const Dispatch& dispatch, bool watched);
  // After each turn of the interpreter.
  void look();
  // Once, before the first workgroup: what is known to be the quicker one.
  std::shared_ptr<const compiled::Compiled> known();
  // Between two workgroups, after that.
  std::shared_ptr<const compiled::Compiled> code();
  // The same when the rest runs in parts; `left`: seconds.
  std::shared_ptr<const compiled::Compiled> codeForParts(double left);
  // How many workgroups are to be timed; 0: it is known which is quicker, or does not matter.
  std::uint64_t toTry(const compiled::Compiled& code) const;
  // By the processor time that this thread takes for `run`, and that the interpreter took for as many workgroups.
  bool isQuicker(const compiled::Compiled& code, std::uint64_t workgroups, const std::function<void()>& run) const;
  void ended();

 private:
  using Clock = std::chrono::steady_clock;
  void measure();
  bool isBetweenWorkgroups() const;
  const CompiledSource& source_;
  const Part& part_;
  const Dispatch& dispatch_;
  const Program& program_;
  Tier tier_;
  bool possible_;
  std::uint64_t first_;
  Clock::time_point begin_ = Clock::now();
  // Since when the interpreter's time counts for comparisons: not while it touches everything first.
  std::uint64_t warm_;
  double warmOfThread_;
  double each_ = 0;  // seconds of this thread that the interpreter takes for a workgroup
  std::chrono::nanoseconds next_{};
};

class CompiledRun {
 public:
  // Nothing where the interpreter must run it: with this schedule, or with what is bound. All that it is given must outlive it.
  static std::optional<CompiledRun> of(const compiled::Compiled& code, const BoundDispatch& bound, const DispatchRun& dispatch);
  // Another one, where there is one.
  static CompiledRun another(const compiled::Compiled& code, const BoundDispatch& bound, const DispatchRun& dispatch);

  // Runs the workgroups from `begin` to before `end`, by their place in the schedule. False where the interpreter has to begin the job
  // again: a lane has perhaps reached the step limit, or a fault; or it was stopped (Environment::stop). Then the bytes of the resources
  // are not those of any run.
  bool run(std::uint64_t begin, std::uint64_t end);
  // One workgroup ahead of others: up to an atomic that tells their order (compiled/flow.h). Then goOn() runs the rest. `guards`: as in the
  // frame.
  enum class Went : std::uint8_t { kGaveUp, kEnded, kWaits };
  Went runAhead(std::uint64_t place, const std::uint8_t* guards);
  bool goOn(const std::uint8_t* guards);
  // Of a resource of the program; changed between two workgroups.
  compiled::Window& window(std::uint32_t declared) { return windows_[declared]; }

 private:
  // What a workgroup's batches have: it is used again for the next workgroup.
  struct Workgroup;
  struct Destroy {
    void operator()(Workgroup* workgroup) const;
  };
  CompiledRun() = default;
  void begin(std::uint64_t place, const std::uint8_t* guards, bool ahead);
  Went runOne();
  Went runTogether(std::uint32_t first, std::uint32_t last);
  // Of a program whose lanes run alone (lanes.h): a batch's, until all wait at a barrier or have ended.
  void setLone(std::uint32_t batch);
  bool runLanes(std::uint32_t batch);
  std::uint32_t runLane(std::uint32_t batch, std::uint32_t lane);
  bool meet(std::uint32_t batch);
  bool openBarrier();

  const compiled::Compiled* code_ = nullptr;
  DispatchRun dispatch_;
  std::vector<compiled::Window> windows_;
  std::vector<compiled::ImageWindow> images_;
  std::vector<std::uint8_t> unguarded_;  // guards that let all accesses pass
  std::unique_ptr<Workgroup, Destroy> workgroup_;
  std::vector<Instr> codeOfLane_;  // the program's, for one group of lanes; where lanes run alone
};

}  // namespace lanewise
