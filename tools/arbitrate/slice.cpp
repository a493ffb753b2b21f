#include "tools/arbitrate/slice.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>

#include "model/check/last_writers.h"
#include "model/ir/branches.h"
#include "model/state/lane_masks.h"
#include "model/state/lane_value.h"
#include "model/state/workgroup.h"
#include "tools/arbitrate/value_text.h"

namespace lanewise {
namespace {

using Id = std::uint32_t;  // of an executed step, from 1; 0 is none

constexpr std::uint32_t kBlit = ~0u;  // instead of an instruction

struct Ran {
  std::uint32_t dispatch = 0, pc = 0, index = 0;  // index: of the invocation in its workgroup
  Extent3 group;                                  // for a blit the texel that it wrote
  std::vector<Id> makers;                         // the steps that made the arguments, in their order; 0 for a constant or an input
  std::vector<Id> reads;                          // the writers of what it read, and the other lanes of a subgroup operation
  std::vector<std::uint64_t> arguments;           // their bits
  bool outside = false, strays = false;           // an access out of range; a write out of range of a buffer
  bool unwritten = false;                         // a read of memory that nobody has written
  std::string values, memory;
};

// A selection uses its condition and what that chooses.
bool isUsed(ir::Code op, std::span<const std::uint64_t> arguments, std::size_t i) {
  return ir::factsOf(op).spread != ir::Spread::kOfChosen || i == 0 || i == (arguments[0] != 0 ? 1 : 2);
}

// What nobody has written there is undefined.
bool startsUndefined(const Job& job, const AccessEvent& event, const LaneRun& run, std::uint64_t offset) {
  if (event.place == Place::kLaneMemory) return true;
  if (event.place == Place::kWorkgroup)
    return std::ranges::none_of(event.batch.env->program->workgroupZero,
                                [=](const auto& zero) { return offset >= zero.first && offset < zero.first + zero.second; });
  return event.place != Place::kPush && job.resources[run.resource].undefined;
}

class Recorder final : public Observer {
 public:
  // `writers` comes before it in the list of observers. `resource`: of the target.
  Recorder(const Job& job, const LastWriters& writers, std::uint32_t resource, std::uint64_t most)
      : job_(job), writers_(writers), resource_(resource), most_(most) {
    ran_.emplace_back();
  }

  std::uint32_t watches() const override {
    return watch::kWorkgroup | watch::kBefore | watch::kAfter | watch::kAccess | watch::kLaneMemory | watch::kBlit;
  }

  Answer beforeInstruction(const InstructionEvent& event) override {
    const Batch& batch = event.batch;
    makers_ = &registers_[batch.env->slot][batch.index];
    std::vector<Id> all;
    if (event.info.op == ir::kSubgroup) forLanes(event.lanes, [&](std::uint32_t lane) { addMakers(event, lane, all); });
    forLanes(event.lanes, [&](std::uint32_t lane) {
      Ran step;
      step.dispatch = batch.env->dispatch;
      step.pc = event.pc;
      step.index = invocationIndex(batch, lane);
      step.group = batch.env->group;
      step.reads = all;
      for (const DescribedOperand& argument : event.arguments) step.arguments.push_back(valueBits(batch, argument, lane));
      for (std::size_t i = 0; i < event.arguments.size(); ++i)
        step.makers.push_back(isUsed(event.info.op, step.arguments, i) ? maker(event.arguments[i], lane) : 0);
      step.values = valuesText(batch, event.arguments, lane);
      idOf_[lane] = static_cast<Id>(ran_.size());
      ran_.push_back(std::move(step));
    });
    return ran_.size() < most_ ? Answer::kGoOn : Answer::kStop;
  }

  Answer access(const AccessEvent& event) override {
    forEachLane(event, [&](std::uint32_t lane, const LaneRun& run, std::uint64_t offset) {
      Ran& step = ran_[idOf_[lane]];
      addText(step, memoryText(job_, event, run, offset));
      if (event.kind == AccessKind::kRead || event.kind == AccessKind::kAtomicRead)
        for (std::uint32_t i = 0; i < run.size; ++i) {
          const std::optional<Writer> writer = writers_.of(event, run, lane, offset + i);
          addOnce(step.reads, idOf(writer));
          step.unwritten = step.unwritten || (!writer && startsUndefined(job_, event, run, offset + i));
        }
      if (writes(event.kind)) stored_[keyOf(writers_.storing(), lane)] = idOf_[lane];
      const bool shared = event.place == Place::kBuffer || event.place == Place::kImage;
      if (writes(event.kind) && shared && run.resource == resource_) storing_.emplace(step.dispatch, step.pc);
    });
    if (event.kind == AccessKind::kAtomic)
      for (const LastWriters::Displaced& d : writers_.displaced()) addOnce(ran_[idOf_[d.lane]].reads, idOf(d.before));
    for (const Outside& at : event.outside) {
      Ran& step = ran_[idOf_[at.lane]];
      addText(step, memoryText(job_, event, at));
      step.outside = true;
      step.strays = step.strays || (event.place == Place::kBuffer && writes(event.kind));
    }
    return Answer::kGoOn;
  }

  Answer afterInstruction(const InstructionEvent& event) override {
    bool first = true;
    forLanes(event.lanes, [&](std::uint32_t lane) {
      for (const DescribedOperand& result : event.results)
        if (result.slot.step != 0 || first) maker(result, lane) = idOf_[lane];  // one for all lanes: that of the first lane
      first = false;
      const std::string results = valuesText(event.batch, event.results, lane);
      if (!results.empty()) ran_[idOf_[lane]].values += " -> " + results;
    });
    return Answer::kGoOn;
  }

  Answer moment(const Moment& moment) override {
    if (const auto* made = std::get_if<BlitTexel>(&moment)) blitTexel(*made);
    if (const auto* begins = std::get_if<WorkgroupBegins>(&moment)) {
      const Environment& env = begins->env;
      if (env.slot >= registers_.size()) registers_.resize(env.slot + 1);
      registers_[env.slot].assign(env.program->batches, {});
    }
    return Answer::kGoOn;
  }

  const std::vector<Ran>& ran() const { return ran_; }
  // The instructions that stored something in the target's resource: dispatch and pc.
  const std::set<std::pair<std::uint32_t, std::uint32_t>>& storing() const { return storing_; }
  Id writerOf(SliceTarget t) const {
    Id latest = 0;
    for (std::uint32_t i = 0; i < t.size; ++i) latest = std::max(latest, idOf(writers_.ofResource(t.resource, t.offset + i)));
    return latest;
  }

 private:
  void blitTexel(const BlitTexel& made) {
    const Blit& blit = made.blit;
    const std::uint64_t resource = resourceNamed(job_.resources, blit.resource);
    const auto& image = std::get<ImageData>(job_.resources[resource].data);
    const std::uint32_t texel = formatInfo(image.format)->texelBytes;
    const std::uint64_t number = (made.written - image.levelOffset(blit.to)) / texel;
    const Extent3 e = image.levelExtent(blit.to);
    Ran step;
    step.dispatch = blit.before;
    step.pc = kBlit;
    step.group = {std::uint32_t(number % e.x), std::uint32_t(number / e.x % e.y), std::uint32_t(number / e.x / e.y)};
    step.memory = fmt::format("{} level {} to level {}", blit.resource, blit.from, blit.to);
    for (const std::uint64_t from : made.read)
      for (std::uint32_t i = 0; i < texel; ++i)
        addOnce(step.reads, idOf(writers_.ofResource(static_cast<std::uint32_t>(resource), from + i)));
    stored_[keyOf(writers_.storing(), 0)] = static_cast<Id>(ran_.size());
    ran_.push_back(std::move(step));
  }
  static std::uint64_t keyOf(std::uint64_t store, std::uint32_t lane) { return store * kMaxLanes + lane; }
  Id idOf(const std::optional<Writer>& writer) const {
    const auto found = writer ? stored_.find(keyOf(writer->store.number, writer->lane)) : stored_.end();
    return found == stored_.end() ? 0 : found->second;
  }
  static void addText(Ran& step, const std::string& text) { step.memory += (step.memory.empty() ? "" : ", ") + text; }
  static void addOnce(std::vector<Id>& list, Id id) {
    if (id != 0 && std::find(list.begin(), list.end(), id) == list.end()) list.push_back(id);
  }
  Id& maker(const DescribedOperand& operand, std::uint32_t lane) {
    return (*makers_)[static_cast<std::uint32_t>(laneByte(operand.slot, isWide(operand.type), operand.slot.step == 0 ? 0 : lane))];
  }
  void addMakers(const InstructionEvent& event, std::uint32_t lane, std::vector<Id>& into) {
    for (const DescribedOperand& argument : event.arguments) addOnce(into, maker(argument, lane));
  }

  const Job& job_;
  const LastWriters& writers_;
  const std::uint32_t resource_;
  const std::uint64_t most_;
  std::set<std::pair<std::uint32_t, std::uint32_t>> storing_;
  std::vector<Ran> ran_;
  Id idOf_[kMaxLanes] = {};  // of the current instruction, by lane
  using Registers = std::unordered_map<std::uint32_t, Id>;
  std::vector<std::vector<Registers>> registers_;  // by slot of a resident workgroup and by batch
  Registers* makers_ = nullptr;                    // of the current batch
  std::unordered_map<std::uint64_t, Id> stored_;   // the steps that stored
};

// For a step that stores a texel: the number of components, which are its last arguments, and the one that is asked for.
struct Component {
  std::size_t components = 0, index = 0;
};

bool isWanted(const Ran& ran, std::optional<Component> wanted, std::size_t argument) {
  if (!wanted) return true;
  const std::size_t first = ran.makers.size() - wanted->components;
  return argument < first || argument == first + wanted->index;
}

// The steps that made what this step used.
std::vector<Id> sourcesOf(const Ran& ran, std::optional<Component> wanted) {
  std::vector<Id> sources = ran.reads;
  for (std::size_t i = 0; i < ran.makers.size(); ++i)
    if (isWanted(ran, wanted, i)) sources.push_back(ran.makers[i]);
  return sources;
}

// Adds to `reached` the steps on which those of `open` depend.
template <class Wanted>
void follow(const std::vector<Ran>& ran, std::vector<Id> open, const Wanted& wanted, std::set<Id>& reached) {
  while (!open.empty()) {
    const Id id = open.back();
    open.pop_back();
    for (const Id from : sourcesOf(ran[id], wanted(id)))
      if (from != 0 && reached.insert(from).second) open.push_back(from);
  }
}

// The branches that the invocations of these steps took, each before its last step here.
std::vector<Id> branchesBefore(const std::vector<Ran>& ran, const std::set<Id>& steps,
                               const std::vector<std::shared_ptr<const Program>>& programs) {
  using Invocation = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t, std::uint32_t, std::uint32_t>;
  const auto of = [](const Ran& r) { return Invocation{r.dispatch, r.group.x, r.group.y, r.group.z, r.index}; };
  std::map<Invocation, Id> until;
  for (const Id id : steps) until[of(ran[id])] = id;  // steps are in ascending order
  std::vector<Id> branches;
  for (Id id = 1; id < ran.size(); ++id) {
    if (ran[id].pc == kBlit) continue;
    if (!isBranch(*programs[ran[id].dispatch], ran[id].pc)) continue;
    const auto at = until.find(of(ran[id]));
    if (at != until.end() && id < at->second) branches.push_back(id);
  }
  return branches;
}

// Whether floats of 16 or 32 bits are among the arguments and results of the instruction.
bool hasFloats(const Program& program, std::uint32_t pc) {
  return std::ranges::any_of(program.operandsOf(pc),
                             [](const DescribedOperand& o) { return o.type == Scalar::kF32 || o.type == Scalar::kF16; });
}

// "reads variable w, which nobody has written": of the first argument that is undefined.
std::string undefinedIn(const Ran& ran, const Program& program, std::optional<Component> wanted) {
  const InstrInfo& info = program.info[ran.pc];
  for (std::size_t i = 0; i < info.arguments; ++i) {
    if (!isUsed(info.op, ran.arguments, i) || !isWanted(ran, wanted, i)) continue;
    const std::uint32_t slot = program.argumentsOf(ran.pc)[i].slot.offset;
    const auto at = std::ranges::find(program.undefined, slot, [](const UndefinedSlot& u) { return u.slot.offset; });
    if (at == program.undefined.end()) continue;
    const ir::Origin& origin = program.origins[at->origin];
    if (origin.unwritten != 0) return fmt::format("reads variable {}, which nobody has written", program.module.nameOf(origin.unwritten));
    return fmt::format("reads an undefined value, of {}", spirv::opName(program.module.instructions[origin.instruction].op));
  }
  return ran.unwritten ? "reads memory that nobody has written" : "";
}

SliceStep described(const Ran& ran, const std::vector<std::shared_ptr<const Program>>& programs, std::optional<Component> wanted = {}) {
  SliceStep step;
  step.dispatch = ran.dispatch;
  step.values = ran.values;
  step.memory = ran.memory;
  if (ran.pc == kBlit) {
    step.invocation = ran.group;
    step.operation = "vkCmdBlitImage";
    step.code = ir::kImageSample;
    step.floats = true;
    return step;
  }
  const Program& program = *programs[ran.dispatch];
  step.invocation = globalInvocation(program.localSize, ran.group, ran.index);
  step.floats = hasFloats(program, ran.pc);
  step.place = program.lineOf(ran.pc);
  step.operation = program.opOf(ran.pc);
  step.code = program.codeOf(ran.pc);
  step.outside = ran.outside;
  step.keepsNan = program.keepsNan(ran.pc);
  step.undefined = undefinedIn(ran, program, wanted);
  const InstrInfo& info = program.info[ran.pc];
  step.result = info.type;
  step.arguments = ran.arguments;
  for (const DescribedOperand& o : program.argumentsOf(ran.pc)) step.types.push_back(o.type);
  return step;
}

}  // namespace

std::string openIn(const SliceStep& step) {
  if (!step.undefined.empty()) return step.undefined;
  if (step.outside) return ir::openOutside().allowed;
  if (!step.keepsNan && !ir::definedFor(step.code, step.result, step.types, step.arguments))
    return ir::undefinedText(ir::definednessOf(step.code));
  const ir::Openness* row = ir::openness(step.code);
  return row && (row->when != ir::When::kOnFloats || step.floats) ? row->allowed : "";
}

std::string Slice::summary() const {
  const std::string nobody = "no invocation stored this texel";
  if (!elsewhere.empty()) return fmt::format("{}; others of its resource are stored at {}", nobody, fmt::join(elsewhere, ", "));
  if (!branched.empty())
    return fmt::format("{}, nor another of its resource; invocations branched at {}", nobody, fmt::join(branched, ", "));
  if (!stored) return nobody;
  std::set<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t, std::uint32_t>> invocations;
  for (const SliceStep& s : steps) invocations.insert({s.dispatch, s.invocation.x, s.invocation.y, s.invocation.z});
  return fmt::format("{} instructions of {} invocation{} went into it, of {} that ran", steps.size(), invocations.size(),
                     invocations.size() == 1 ? "" : "s", executed);
}

namespace {

// Where the store would have been.
void nearMisses(const Recorder& recorder, const std::vector<std::shared_ptr<const Program>>& programs, Slice& slice) {
  const auto add = [&](std::set<std::string>& lines, std::uint32_t dispatch, std::uint32_t pc) {
    std::string line = programs[dispatch]->lineOf(pc);
    if (!line.empty()) lines.insert(std::move(line));
  };
  for (const auto& [dispatch, pc] : recorder.storing()) add(slice.elsewhere, dispatch, pc);
  if (!recorder.storing().empty()) return;
  for (const Ran& ran : std::span(recorder.ran()).subspan(1))
    if (ran.pc != kBlit && isBranch(*programs[ran.dispatch], ran.pc)) add(slice.branched, ran.dispatch, ran.pc);
}

}  // namespace

Expected<Slice> sliceOf(Model& model, const Job& job, SliceTarget target, std::uint64_t mostSteps) {
  Expected<Execution> execution = model.start(job);
  if (!execution) return execution.error();
  std::vector<std::shared_ptr<const Program>> programs;
  const std::uint32_t subgroup = job.subgroupSize != 0 ? job.subgroupSize : model.profile().subgroupSize;
  for (const Dispatch& dispatch : job.dispatches) {
    Expected<std::shared_ptr<const Program>> program = model.program(dispatch, subgroup);
    if (!program) return program.error();
    programs.push_back(*program);
  }
  LastWriters writers(job, true);
  Recorder recorder(job, writers, target.resource, mostSteps);
  Observer* const observers[] = {&writers, &recorder};
  if (Status bad = execution->run(observers)) return *bad;
  if (!execution->finished())
    return Error{Outcome::kUnsupported, fmt::format("more than {} instructions ran: too many to slice", mostSteps), "",
                 "take a smaller case"};
  const bool image = std::holds_alternative<ImageData>(job.resources[target.resource].data);
  const Id last = recorder.writerOf(target);
  Slice slice;
  slice.executed = recorder.ran().size() - 1;
  slice.stored = last != 0;
  if (last == 0) {
    nearMisses(recorder, programs, slice);
    return slice;
  }
  // For the store of a texel only the wrong component is followed. A component that the texel does not have comes from no argument.
  std::optional<Component> wanted;
  const Ran& store = recorder.ran()[last];
  if (image && store.pc != kBlit)
    if (const std::uint32_t components = programs[store.dispatch]->componentsStored(store.pc); components != 0)
      wanted = {components, target.component};
  const std::vector<Ran>& ran = recorder.ran();
  std::set<Id> reached = {last};
  follow(
      ran, {last}, [&](Id id) { return id == last ? wanted : std::nullopt; }, reached);
  for (const Id id : reached) slice.steps.push_back(described(ran[id], programs, id == last ? wanted : std::nullopt));
  const std::vector<Id> branches = branchesBefore(ran, reached, programs);
  std::set<Id> behind = reached;
  behind.insert(branches.begin(), branches.end());
  follow(
      ran, branches, [](Id) { return std::nullopt; }, behind);
  for (const Id id : behind) {
    if (reached.contains(id)) continue;
    SliceStep step = described(ran[id], programs);
    if (!openIn(step).empty()) slice.decisions.push_back(std::move(step));
  }
  std::set<std::pair<std::uint32_t, std::uint32_t>> told;
  for (const Ran& r : ran)
    if (r.strays && told.insert({r.dispatch, r.pc}).second) slice.strays.push_back(described(r, programs));
  return slice;
}

}  // namespace lanewise
