#include "model/mend.h"

#include <fmt/ranges.h>

#include <algorithm>

#include "model/patch/order_edit.h"
#include "model/spirv/parse.h"
#include "model/spirv/uniform_flow.h"

namespace lanewise {
namespace {

using spv::Op;
using Edit = OrderEdit;
using Edits = std::vector<Edit>;
using MemoryMask = spv::MemorySemanticsMask;

constexpr std::uint32_t maskBit(MemoryMask mask) {
  return static_cast<std::uint32_t>(mask);
}
constexpr std::uint32_t kBufferBit = maskBit(MemoryMask::UniformMemory), kSharedBit = maskBit(MemoryMask::WorkgroupMemory),
                        kImageBit = maskBit(MemoryMask::ImageMemory);

// What tells findings apart, in whichever order a run meets the two of a race.
std::string mendKey(const RunFinding& f) {
  const auto [first, second] = std::minmax({f.at.text(), f.otherAt.text()});
  const bool isRace = f.missing != MissingOrder::kNone;
  return fmt::format("{} {} {} {}", isRace ? "race" : findingName(f.kind), first, second, f.object.variable);
}

// A schedule, and what the job as it is shows under it.
struct MendTrial {
  std::unique_ptr<Model> model;
  std::set<std::string> known;
};

class Mender {
 public:
  Mender(const Job& job, const RunFinding& race, const ModelOptions& options)
      : job_(job), race_(race), module_(std::move(*spirv::parse(moduleOf().name, moduleOf().words))) {
    for (const Schedule& schedule : {options.schedule, *parseSchedule("in-order"), *parseSchedule("reverse")}) {
      if (!trials_.empty() && schedule == options.schedule) continue;
      ModelOptions own = options;
      own.schedule = schedule;
      own.findings = true;
      own.isValid = nullptr;
      MendTrial trial{makeModel(own), {}};
      RunResult run = trial.model->run(job);
      if (run.error) continue;
      for (const RunFinding& f : run.findings) trial.known.insert(mendKey(f));
      seen_ = seen_ || trial.known.contains(mendKey(race));
      trials_.push_back(std::move(trial));
    }
  }

  std::string mend() {
    if (!seen_) return "";
    if (race_.missing == MissingOrder::kOfDispatches) return dispatches();
    const auto at = [this](std::uint32_t word) {
      return static_cast<std::size_t>(std::ranges::find(module_.instructions, word, &spirv::Instruction::offset) -
                                      module_.instructions.begin());
    };
    first_ = at(race_.otherAt.word);
    second_ = at(race_.at.word);
    entry_ = module_.computeEntry(job_.dispatches[race_.dispatch].entryPoint);
    if (entry_ == nullptr || first_ == module_.instructions.size() || second_ == module_.instructions.size()) return "";
    return race_.missing == MissingOrder::kInWorkgroup ? inWorkgroup() : acrossGroups();
  }

 private:
  const ShaderModule& moduleOf() const { return *job_.dispatches[race_.dispatch].module; }
  const spirv::Instruction& inst(std::size_t i) const { return module_.instructions[i]; }
  std::string placeOf(std::size_t i) const { return module_.placeOf(inst(i), inst(i).source).text(); }

  // Whether the race is gone, and nothing new is there.
  bool holds(const Job& job) const {
    return std::ranges::all_of(trials_, [&](const MendTrial& t) {
      const RunResult run = t.model->run(job);
      return !run.error && std::ranges::all_of(run.findings, [&](const RunFinding& f) {
        return mendKey(f) != mendKey(race_) && t.known.contains(mendKey(f));
      });
    });
  }
  bool mends(const Edits& edits) const {
    if (edits.empty()) return false;
    Job job = job_;
    const auto module = std::make_shared<const ShaderModule>(withOrder(module_, edits));
    for (Dispatch& d : job.dispatches)
      if (d.module == job_.dispatches[race_.dispatch].module) d.module = module;
    return holds(job);
  }

  std::string dispatches() const {
    Job job = job_;
    job.dispatches[race_.dispatch].barrierBefore = true;
    return holds(job) ? fmt::format("put a barrier before dispatch {}", race_.dispatch) : "";
  }

  // The bits of semantics for what an access goes to, and the variable.
  std::uint32_t variableOf(std::size_t i) const {
    const spirv::Instruction* at = &inst(i);
    if (at->op == Op::OpImageRead || at->op == Op::OpImageWrite) at = module_.definition(at->operand(0));
    while (at != nullptr && at->op != Op::OpVariable) at = module_.definition(at->operand(0));
    return at ? at->result : 0;
  }
  std::uint32_t classOf(std::size_t i) const {
    const Op op = inst(i).op;
    if (op == Op::OpImageRead || op == Op::OpImageWrite || op == Op::OpImageSparseRead) return kImageBit;
    const spirv::Instruction* pointer = module_.definition(inst(i).operand(0));
    if (pointer && pointer->op == Op::OpImageTexelPointer) return kImageBit;
    const spirv::Instruction* variable = module_.definition(variableOf(i));
    return variable && static_cast<spv::StorageClass>(variable->operand(0)) == spv::StorageClass::Workgroup ? kSharedBit : kBufferBit;
  }
  Edits coherent() const {
    Edits out;
    for (const std::uint32_t variable : {variableOf(first_), variableOf(second_)})
      if (const Edit e{Edit::Kind::kCoherent, variable, 0};
          variable != 0 && !module_.decoration(variable, spv::Decoration::Coherent) && !std::ranges::count(out, e))
        out.push_back(e);
    return classOf(second_) == kSharedBit || !isGlsl450() ? Edits() : out;
  }
  bool isGlsl450() const { return std::ranges::count(module_.capabilities, spv::Capability::VulkanMemoryModel) == 0; }

  std::string inWorkgroup() {
    const spirv::UniformFlow flow(module_, *entry_);
    const std::uint32_t classes = classOf(second_) | classOf(first_);
    std::vector<std::size_t> places;
    const auto add = [&](const std::vector<std::size_t>& more) {
      for (const std::size_t p : more)
        if (!std::ranges::count(places, p)) places.push_back(p);
    };
    add(flow.before(second_));
    add(flow.after(first_));
    add(flow.before(first_));
    add(flow.after(second_));
    // Between what one line loads and what it stores.
    const std::size_t store = inst(second_).op == Op::OpStore || inst(second_).op == Op::OpImageWrite ? second_ : first_;
    const bool oneLine = race_.at.text() == race_.otherAt.text() && first_ != second_ && flow.isUniform(store);
    if (oneLine) add({store});
    std::vector<Edits> tries;
    for (const std::size_t p : places) tries.push_back({Edit{Edit::Kind::kBarrier, inst(p).offset, classes}});
    for (std::size_t a = 0; a < places.size(); ++a)
      for (std::size_t b = 0; b < a; ++b) tries.push_back({tries[b][0], tries[a][0]});
    for (Edits edits : tries) {
      const std::size_t barriers = edits.size();
      std::ranges::copy(coherent(), std::back_inserter(edits));
      if (!mends(edits)) continue;
      if (edits.size() > barriers && mends(Edits(edits.begin(), edits.begin() + static_cast<std::ptrdiff_t>(barriers))))
        edits.resize(barriers);
      return textOf(edits, oneLine ? inst(store).offset : 0, classes);
    }
    return "";
  }

  static const char* fenceFor(std::uint32_t classes) {
    return classes == kBufferBit ? "memoryBarrierBuffer()" : classes == kImageBit ? "memoryBarrierImage()" : "memoryBarrier()";
  }

  std::string textOf(const Edits& edits, std::uint32_t between, std::uint32_t classes) const {
    const std::uint32_t others = classes & ~kSharedBit;
    const std::string barrier = others == 0 ? "barrier()" : fmt::format("{0}; barrier(); {0}", fenceFor(others));
    std::vector<std::string> out;
    for (const Edit& e : edits) {
      const auto at = static_cast<std::size_t>(std::ranges::find(module_.instructions, e.word, &spirv::Instruction::offset) -
                                               module_.instructions.begin());
      if (e.kind == Edit::Kind::kCoherent)
        out.push_back(fmt::format("declare '{}' coherent", nameOf(e.word)));
      else if (e.word == between)
        out.push_back(fmt::format("let {} keep what it loads in a variable, and put {} between that and the store", placeOf(at), barrier));
      else
        out.push_back(fmt::format("put {} before {}", barrier, placeOf(at)));
    }
    return fmt::format("{}", fmt::join(out, ", and "));
  }
  // Of a block without a name the name that findings use.
  std::string nameOf(std::uint32_t variable) const {
    const auto name = module_.names.find(variable);
    return name != module_.names.end() && !name->second.empty() ? name->second : race_.object.variable;
  }

  // --- between workgroups

  // The instructions of synchronisation that the entry point may execute.
  std::vector<std::size_t> synchronising() const {
    std::vector<std::size_t> out;
    for (std::size_t i = 0; i < module_.instructions.size(); ++i)
      if (orderOperands(inst(i).op)) out.push_back(i);
    return out;
  }

  // Changes by how much they change: the first group is tried first to be left out.
  std::vector<Edits> changes() const {
    Edits aroundBarriers, after, before, classes, scopes;
    const std::uint32_t own = classOf(second_) | classOf(first_);
    constexpr std::uint32_t kDevice = static_cast<std::uint32_t>(spv::Scope::Device),
                            kFamily = static_cast<std::uint32_t>(spv::Scope::QueueFamily);
    for (const std::size_t i : synchronising()) {
      const OrderOperands at = *orderOperands(inst(i).op);
      const std::uint32_t next = inst(i + 1).offset, here = inst(i).offset;
      if (inst(i).op == Op::OpControlBarrier) {
        aroundBarriers.push_back({Edit::Kind::kFence, here, kBufferBit | kSharedBit | kImageBit});
        aroundBarriers.push_back({Edit::Kind::kFence, next, kBufferBit | kSharedBit | kImageBit});
        continue;
      }
      const std::uint32_t scope = constantValue(module_, inst(i).operand(at.scope)).value_or(kDevice);
      if (scope != kDevice && scope != kFamily && scope != 0) scopes.push_back({Edit::Kind::kScope, here, 0});
      if (inst(i).op == Op::OpMemoryBarrier) {
        classes.push_back({Edit::Kind::kClasses, here, kBufferBit | kSharedBit | kImageBit});
        continue;
      }
      if (classOf(i) == kSharedBit) continue;
      after.push_back({Edit::Kind::kFence, next, own | classOf(i)});
      before.push_back({Edit::Kind::kFence, here, own | classOf(i)});
    }
    return {aroundBarriers, after, before, classes, coherent(), scopes};
  }

  std::string acrossGroups() {
    std::vector<Edits> groups = changes();
    const auto all = [&] {
      Edits out;
      for (const Edits& g : groups)
        for (const Edit& e : g) out.push_back(e);
      return out;
    };
    if (!mends(all())) return "";
    for (Edits& group : groups) {
      const Edits kept = std::exchange(group, {});
      if (!kept.empty() && !mends(all())) group = kept;
    }
    for (Edits& group : groups)
      for (std::size_t i = group.size(); i-- > 0;) {
        const Edit e = group[i];
        group.erase(group.begin() + static_cast<std::ptrdiff_t>(i));
        if (!mends(all())) group.insert(group.begin() + static_cast<std::ptrdiff_t>(i), e);
      }
    std::vector<std::string> out;
    for (const Edit& e : all()) out.push_back(edgeText(e));
    std::ranges::reverse(out);
    return fmt::format("{}", fmt::join(out, "; "));
  }

  static std::string scopeName(std::uint32_t scope) {
    constexpr const char* kNames[] = {"CrossDevice", "Device", "Workgroup", "Subgroup", "Invocation", "QueueFamily"};
    return scope < std::size(kNames) ? kNames[scope] : std::to_string(scope);
  }
  // "the release at scan.comp:12"
  std::string roleOf(std::size_t i) const {
    const std::uint32_t mask = constantValue(module_, inst(i).operand(orderOperands(inst(i).op)->semantics)).value_or(0);
    const bool isFence = inst(i).op == Op::OpMemoryBarrier;
    const bool release = mask & maskBit(MemoryMask::Release), acquire = mask & maskBit(MemoryMask::Acquire);
    const std::string what = release ? "release" : acquire ? "acquire" : isFence ? "memory barrier" : spirv::opName(inst(i).op);
    return fmt::format("the {} at {}", what, placeOf(i));
  }

  // What is missing, in plain words, with what mends it.
  std::string edgeText(const Edit& e) const {
    const std::vector<std::size_t> all = synchronising();
    if (e.kind == Edit::Kind::kCoherent) return fmt::format("'{0}' is not coherent: declare it so", nameOf(e.word));
    for (const std::size_t i : all) {
      const bool here = inst(i).offset == e.word, next = inst(i + 1).offset == e.word;
      const OrderOperands at = *orderOperands(inst(i).op);
      if (here && e.kind == Edit::Kind::kScope)
        return fmt::format("{} is of {} scope: it has to be of Device or QueueFamily scope", roleOf(i),
                           scopeName(constantValue(module_, inst(i).operand(at.scope)).value_or(0)));
      if (here && e.kind == Edit::Kind::kClasses)
        return fmt::format("{} does not name both the atomic's memory and '{}': put memoryBarrier() there", roleOf(i),
                           race_.object.variable);
      if (e.kind != Edit::Kind::kFence || !(here || next)) continue;
      const bool isBarrier = inst(i).op == Op::OpControlBarrier;
      const char* fence = fenceFor(e.classes);
      if (isBarrier)
        return fmt::format("{} hands {} on: put {} {} it", roleOf(i), "nothing of other workgroups", fence, here ? "before" : "after");
      return here ? fmt::format("{} releases nothing: put {} before it", roleOf(i), fence)
                  : fmt::format("{} acquires nothing: put {} after it", roleOf(i), fence);
    }
    return "";
  }

  const Job& job_;
  const RunFinding& race_;
  spirv::Module module_;
  std::vector<MendTrial> trials_;
  bool seen_ = false;
  std::size_t first_ = 0, second_ = 0;  // instructions
  const spirv::EntryPoint* entry_ = nullptr;
};

bool isSmallJob(const Job& job) {
  std::uint64_t groups = 0;
  for (const Dispatch& d : job.dispatches) groups += std::uint64_t{d.groups.x} * d.groups.y * d.groups.z;
  return groups <= kMostGroups;
}

}  // namespace

std::string triedMend(const Job& job, const RunFinding& race, const ModelOptions& options) {
  const bool hasOrder = race.missing == MissingOrder::kInWorkgroup || race.missing == MissingOrder::kAcrossGroups ||
                        race.missing == MissingOrder::kOfDispatches;
  return hasOrder && isSmallJob(job) ? Mender(job, race, options).mend() : "";
}

}  // namespace lanewise
