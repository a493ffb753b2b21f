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

// Where an instruction gave a scalar.
struct GivenAt {
  const Batch& batch;
  std::uint32_t pc = 0, lane = 0;
  Scalar type{};
};

// Takes each scalar that an instruction gave an invocation or stored for it.
class ResultObserver : public Observer {
 public:
  explicit ResultObserver(const Job& job) : job_(job) {}
  std::uint32_t watches() const override { return watch::kAfter | watch::kAccess; }
  Answer afterInstruction(const InstructionEvent& event) override {
    const Program& program = *event.batch.env->program;
    if (event.info.origin == 0 || program.isRecord(event.pc) || !isUsed(program, event.pc)) return Answer::kGoOn;
    for (const DescribedOperand& result : event.results) {
      if (result.slot.offset == 0) continue;
      for (std::uint32_t lane = 0; lane < event.batch.width; ++lane)
        if (event.lanes.test(lane) && !take(bitsOf(event.batch, result, lane), {event.batch, event.pc, lane, result.type}))
          return Answer::kStop;
    }
    return Answer::kGoOn;
  }
  // What it stores is in its registers: in memory another lane may have stored over it.
  Answer access(const AccessEvent& event) override {
    const Program& program = *event.batch.env->program;
    if (event.kind != AccessKind::kWrite || event.place == Place::kLaneMemory || program.info[event.pc].origin == 0) return Answer::kGoOn;
    const auto* image = std::get_if<kind::Image>(&program.code[event.pc].what);
    const auto values = program.argumentsOf(event.pc).subspan(image ? image->values : 2, image ? program.componentsStored(event.pc) : 1);
    bool goesOn = true;
    forEachLane(event, [&](std::uint32_t lane, const LaneRun&, std::uint64_t) {
      for (const DescribedOperand& value : values)
        goesOn = goesOn && take(bitsOf(event.batch, value, lane), {event.batch, event.pc, lane, value.type});
    });
    return goesOn ? Answer::kGoOn : Answer::kStop;
  }

 protected:
  // False: it has seen enough.
  virtual bool take(std::uint64_t invocation, const Result& result, const GivenAt& at) = 0;
  const Job& job_;

 private:
  bool take(std::uint64_t bits, const GivenAt& at) {
    const Environment& env = *at.batch.env;
    const Program& program = *env.program;
    const std::uint64_t group = linearOf(env.group, env.groups), dispatch = std::uint64_t{env.dispatch} << 48;
    const std::uint64_t invocation = dispatch + group * program.invocations + program.invocationOf({at.batch.index, at.lane});
    return take(invocation, {program.origins[program.info[at.pc].origin].instruction, bits}, at);
  }
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
  bool take(std::uint64_t invocation, const Result& result, const GivenAt&) override {
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
  bool take(std::uint64_t invocation, const Result& result, const GivenAt& given) override {
    const auto own = first_.find(invocation);
    const std::size_t at = next_[invocation]++;
    const Result* was = own != first_.end() && at < own->second.size() ? &own->second[at] : nullptr;
    if (was && *was == result) return true;
    const Environment& env = *given.batch.env;
    const Program& program = *env.program;
    const auto id =
        globalInvocation(program, env.groups, linearOf(env.group, env.groups), program.invocationOf({given.batch.index, given.lane}));
    const std::string values = was && was->instruction == result.instruction
                                   ? fmt::format("{} {} and {}", program.resultsOf(given.pc).empty() ? "stores" : "gives",
                                                 scalarText(given.type, false, was->bits), scalarText(given.type, false, result.bits))
                                   : "was not executed there";
    const InstructionPlace place = program.instructionPlace(given.pc);
    parting_ = {place, fmt::format("they part at {}: {} {}, invocation {}", place.text(), program.moduleOpOf(given.pc), values,
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
