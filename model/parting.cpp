#include "model/parting.h"

#include <fmt/ranges.h>

#include <cstring>
#include <unordered_map>

#include "model/check/place_text.h"
#include "model/spirv/scalar_text.h"
#include "model/state/lane_value.h"
#include "model/state/workgroup.h"

namespace lanewise {
namespace {

// One scalar of a result, and the instruction of the module that gave it.
struct Result {
  std::uint32_t instruction = 0;
  std::uint64_t bits = 0;
  bool operator==(const Result&) const = default;
};
using Results = std::unordered_map<std::uint64_t, std::vector<Result>>;  // by invocation, over all dispatches

// Calls use(invocation, lane, result, type) for each scalar that an instruction gave.
class ResultObserver : public Observer {
 public:
  explicit ResultObserver(const Job& job) : job_(job) {}
  std::uint32_t watches() const override { return watch::kAfter; }
  Answer afterInstruction(const InstructionEvent& event) override {
    const Environment& env = *event.batch.env;
    const Program& program = *env.program;
    if (event.info.origin == 0 || program.isRecord(event.pc) || !isUsed(program, event.pc)) return Answer::kGoOn;
    const std::uint32_t instruction = program.origins[event.info.origin].instruction;
    const std::uint64_t group = linearOf(env.group, env.groups);
    for (const DescribedOperand& result : event.results) {
      if (result.slot.offset == 0) continue;
      for (std::uint32_t lane = 0; lane < event.batch.width; ++lane) {
        if (!event.lanes.test(lane)) continue;
        const std::uint64_t invocation =
            (std::uint64_t{env.dispatch} << 48) + group * program.invocations + program.invocationOf({event.batch.index, lane});
        if (!take(invocation, {instruction, bitsOf(event.batch, result, lane)}, event, lane, result.type)) return Answer::kStop;
      }
    }
    return Answer::kGoOn;
  }

 protected:
  // False: it has seen enough.
  virtual bool take(std::uint64_t invocation, const Result& result, const InstructionEvent& event, std::uint32_t lane, Scalar type) = 0;
  const Job& job_;

 private:
  bool isUsed(const Program& program, std::uint32_t pc) {
    std::vector<bool>& used = used_[&program];
    if (used.empty())
      for (std::uint32_t i = 0; i < program.info.size(); ++i) used.push_back(program.isResultUsed(i));
    return used[pc];
  }
  std::unordered_map<const Program*, std::vector<bool>> used_;  // by instruction
};

class Recorder final : public ResultObserver {
 public:
  using ResultObserver::ResultObserver;
  bool take(std::uint64_t invocation, const Result& result, const InstructionEvent&, std::uint32_t, Scalar) override {
    results_[invocation].push_back(result);
    return ++count_ <= kMostResults;
  }
  bool isWhole() const { return count_ <= kMostResults; }
  const Results& results() const { return results_; }

 private:
  Results results_;
  std::uint64_t count_ = 0;
};

class Comparer final : public ResultObserver {
 public:
  Comparer(const Job& job, const Results& first) : ResultObserver(job), first_(first) {}
  const std::optional<Parting>& parting() const { return parting_; }

 private:
  bool take(std::uint64_t invocation, const Result& result, const InstructionEvent& event, std::uint32_t lane, Scalar type) override {
    const auto own = first_.find(invocation);
    const std::size_t at = next_[invocation]++;
    const Result* was = own != first_.end() && at < own->second.size() ? &own->second[at] : nullptr;
    if (was && *was == result) return true;
    const Environment& env = *event.batch.env;
    const Program& program = *env.program;
    const auto id = globalInvocation(program, env.groups, linearOf(env.group, env.groups), program.invocationOf({event.batch.index, lane}));
    const std::string values =
        was && was->instruction == result.instruction
            ? fmt::format("gives {} and {}", scalarText(type, false, was->bits), scalarText(type, false, result.bits))
            : "was not executed there";
    const InstructionPlace place = program.instructionPlace(event.pc);
    parting_ = {place, fmt::format("they part at {}: {} {}, invocation {}", place.text(), program.moduleOpOf(event.pc), values,
                                   fmt::join(id, ","))};
    return false;
  }

  const Results& first_;
  std::unordered_map<std::uint64_t, std::size_t> next_;
  std::optional<Parting> parting_;
};

Status runWith(const RunOf& run, Observer& observer) {
  const std::unique_ptr<Model> model = makeModel(run.options);
  Expected<Execution> execution = model->start(run.job, ir::Flavour::kFaithful);
  return execution ? execution->run(observer) : Status(execution.error());
}

}  // namespace

std::optional<Parting> partingOf(const RunOf& first, const RunOf& second) {
  Recorder recorder(first.job);
  if (runWith(first, recorder) || !recorder.isWhole()) return {};
  Comparer comparer(second.job, recorder.results());
  static_cast<void>(runWith(second, comparer));
  return comparer.parting();
}

}  // namespace lanewise
