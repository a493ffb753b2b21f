#include "tools/arbitrate/arbitrate.h"

#include <fmt/format.h>

#include <set>

#include "model/check/race_text.h"
#include "model/operations/table.h"
#include "tools/arbitrate/capsule.h"
#include "tools/arbitrate/profile_variations.h"
#include "tools/arbitrate/slice.h"
#include "tools/arbitrate/suspects.h"

namespace lanewise {
namespace {

// The side on which a case is shrunk: the model if it is wrong (it is fast and repeatable), else the first side that is wrong.
std::optional<std::size_t> sideToShrink(const CaseResult& c, std::span<const Side> sides) {
  std::optional<std::size_t> found;
  for (std::size_t s = 0; s < c.sides.size(); ++s)
    if (c.sides[s].verdict == Verdict::kMismatch && (!found || (sides[s].parallel && !sides[*found].parallel))) found = s;
  return found;
}

bool isModel(const Side& s) {
  return s.info.isModel;
}

// The witness does as the model that is wrong, else as the run's first model.
ModelOptions witness(const CaseResult& c, std::span<const Side> sides) {
  const std::size_t wrong = *sideToShrink(c, sides);
  if (isModel(sides[wrong])) return {.profile = sides[wrong].device->profile(), .schedule = sides[wrong].schedule};
  const auto model = std::find_if(sides.begin(), sides.end(), isModel);
  return {.profile = model == sides.end() ? Profile() : model->device->profile(), .schedule = {}};
}

class Arbiter {
 public:
  Arbiter(const SweepResult& result, std::size_t index, std::span<const Side> sides, const Inputs& inputs,
          const ArbitrationOptions& options)
      : result_(result),
        sides_(sides.begin(), sides.end()),
        inputs_(inputs),
        options_(options),
        way_(witness(result.cases[index], sides)),
        model_(way_) {
    found_.caseIndex = index;
    if (std::none_of(sides.begin(), sides.end(), isModel))
      sides_.push_back({{"model", "the simulated GPU, for comparison", model_.profile().subgroupSize, true}, &model_, true});
  }

  Arbitration run() {
    shrinkCase();
    runSmallest();
    if (const Error* unjudged = whyUnjudged()) {
      found_.reasons.push_back("the smallest case could not be judged: " + unjudged->text());
      found_.rulings.push_back("undecided: nothing says any more what is right");
      return std::move(found_);
    }
    if (small_.cases.empty() || small_.evidence.empty()) {
      found_.reasons.push_back("the failure did not occur when the case ran again: the device gives different results");
      found_.rulings.push_back(
          "undecided: the failure did not occur again; running it many times decides: `lanewise check` does, under many schedules");
      return std::move(found_);
    }
    findWriter();
    findings_ = Model({way_.profile, way_.schedule, true}).run(job_).findings;
    suspect();
    rule();
    sayWhereTheyPart();
    observe();
    if (options_.capsules != nullptr) writeCapsule();
    found_.small = std::make_shared<const SweepResult>(std::move(small_));
    return std::move(found_);
  }

 private:
  // What went wrong in the smallest case besides its results; nullptr: nothing.
  const Error* whyUnjudged() const {
    if (small_.cases.empty() || !small_.evidence.empty()) return nullptr;
    if (smallest().trouble) return &*smallest().trouble;
    for (const SideResult& side : smallest().sides)
      if (side.error) return &*side.error;
    return nullptr;
  }
  const CaseResult& original() const { return result_.cases[found_.caseIndex]; }
  const CaseResult& smallest() const { return small_.cases[0]; }

  // Of the kernel's cases that fail in the same way on this side, the one with the fewest texels: shrinking from there is shortest.
  const Case& startOn(std::size_t s) const {
    const CaseResult* start = &original();
    const auto texels = [](const CaseResult& c) { return std::uint64_t{c.what.size.width} * c.what.size.height; };
    for (const CaseResult& c : result_.cases)
      if (c.what.kernel == start->what.kernel && s < c.sides.size() && failureKind(c.sides[s]) == failureKind(original().sides[s]) &&
          texels(c) < texels(*start) && agreementOf(result_, c) == agreementOf(result_, original()))
        start = &c;
    return start->what;
  }

  void shrinkCase() {
    const std::size_t s = *sideToShrink(original(), sides_);
    ShrinkOptions shrinking;
    shrinking.most = options_.smallerCases;
    shrinking.module = options_.module;
    shrinking.stop = options_.stop;
    const Shrunk shrunk = shrink(startOn(s), sides_[s], inputs_, shrinking);
    what_ = shrunk.what;
    found_.smallest = what_.name();
    found_.shrinking = fmt::format("{} smaller cases tried on {}; {}", shrunk.tried, sides_[s].info.name,
                                   shrunk.finished ? "none of them fails" : "no more were tried: a smaller one may fail");
  }

  void runSmallest() {
    SweepOptions sweep;
    sweep.module = options_.module;
    sweep.evidenceCases = 1;
    SweepPlan plan;
    plan.cases = {what_};
    plan.identity.cases = 1;
    small_ = runSweep(std::move(plan), sides_, inputs_, sweep);
    for (std::size_t s = 0; s < sides_.size(); ++s)
      if (smallest().sides[s].verdict == Verdict::kMismatch && found_.texel.empty()) {
        wrong_ = s;
        found_.texel = texelText(smallest().sides[s]);
      }
    if (small_.evidence.empty()) return;
    const auto module = options_.module ? options_.module : kernelModule(*what_.kernel);
    job_ = what_.kernel->plan(what_, module, small_.evidence[0].input);
    if (!options_.patch) return;
    if (Expected<Job> patched = options_.patch(job_)) job_ = std::move(*patched);
  }

  // The bytes of the first wrong component in the job's resource.
  std::optional<SliceTarget> target() const {
    const SideResult& side = smallest().sides[wrong_];
    std::size_t output = 0;
    for (std::uint32_t r = 0; r < job_.resources.size(); ++r) {
      if (!job_.resources[r].output || output++ != side.output) continue;
      const golden::Image& image = small_.evidence[0].expected[side.output];
      const golden::TexelDiff& t = *side.diff->first;
      return SliceTarget{r, image.offset(t.level, t.x, t.y, t.channel), static_cast<std::uint32_t>(golden::componentBytes(image.component)),
                         t.channel};
    }
    return {};
  }

  void findWriter() {
    const std::optional<SliceTarget> at = target();
    if (!at) return;
    const Resource& wrong = job_.resources[at->resource];
    if (!options_.module && !options_.patch)
      found_.opens = debugCommand(what_, debugWayOf(way_.profile, way_.schedule),
                                  {"end", fmt::format("writer {} {}", wrong.name, placeIn(wrong, at->offset))});
    const Expected<Slice> slice = sliceOf(model_, job_, *at);
    if (!slice) {
      found_.reasons.push_back("no slice: " + slice.error().text());
      return;
    }
    found_.sliceSummary = slice->summary();
    if (!slice->stored) return;
    const SliceStep& store = slice->steps.back();
    found_.stored = fmt::format("dispatch {}, invocation ({}, {}, {}), {}, {} {}", store.dispatch, store.invocation.x, store.invocation.y,
                                store.invocation.z, store.place.empty() ? "unknown line" : store.place, store.operation, store.memory);
    for (const SliceStep& step : slice->steps) {
      found_.slice.push_back(stepText(step));
      addOpen(step, "");
    }
    for (const SliceStep& step : slice->decisions) addOpen(step, " (a branch depended on it)");
    for (const SliceStep& step : slice->strays) addOpen(step, "");
  }

  void addOpen(const SliceStep& step, const char* how) {
    if (const std::string open = openIn(step); !open.empty())
      open_.insert(fmt::format("{} at {}{}: {}", step.operation, step.place.empty() ? "?" : step.place, how, open));
  }

  // Where two runs of the model give other bytes, the line at which they part says more than the one that stored them.
  void sayWhereTheyPart() {
    const bool byOrder = way_.schedule != Schedule();
    const bool bySize = what_.subgroupSize == 0 && way_.profile.subgroupSize != Profile().subgroupSize;
    if (options_.module || options_.patch) return;
    const auto say = [&](const Case& plain, const std::string& other) {
      found_.reasons.push_back("to see the line where it parts from the plain model: " + debugCommand(plain, {}, {"against " + other}));
    };
    if (what_.kernel->invariants && byOrder != bySize)
      say(what_, byOrder ? "schedule " + way_.schedule.token() : fmt::format("subgroup-size {}", way_.profile.subgroupSize));
    if (what_.subgroupSize == 0 || !isModel(sides_[wrong_]) || way_.schedule != Schedule() || way_.profile.name != Profile().name) return;
    Case plain = what_;
    plain.subgroupSize = 0;
    if (runCase(plain, sides_[wrong_], inputs_, nullptr).verdict == Verdict::kOk)
      say(plain, fmt::format("subgroup-size {}", what_.subgroupSize));
  }

  static std::string stepText(const SliceStep& s) {
    return fmt::format("d{} ({},{},{}) {} {} {}{}{}", s.dispatch, s.invocation.x, s.invocation.y, s.invocation.z,
                       s.place.empty() ? "-" : s.place, s.operation, s.values, s.memory.empty() ? "" : " ", s.memory);
  }

  // The kernel's cases that fail, or pass, on the side that is wrong, the smallest first.
  std::vector<Case> casesThat(Verdict verdict) const {
    std::vector<Case> out;
    for (const CaseResult& c : result_.cases)
      if (c.what.kernel == what_.kernel && wrong_ < c.sides.size() && c.sides[wrong_].verdict == verdict && !(c.what == what_))
        out.push_back(c.what);
    std::ranges::stable_sort(out, {}, [](const Case& c) { return std::uint64_t{c.size.width} * c.size.height; });
    return out;
  }

  // The order of invocations decides: no value is to blame, and a change of one may hide it.
  bool isByOrder() const {
    if (hasFinding(finding::kByOrder)) return true;
    return way_.schedule != Schedule() && givesOther({.profile = way_.profile, .schedule = {}});
  }

  // Where the model itself is wrong.
  void suspect() {
    if (!isModel(sides_[wrong_]) || !modelFails() || isByOrder()) return;
    const auto make = [&](const Case& c) -> Expected<JudgedJob> {
      const Expected<golden::Image> input = inputs_.make(c);
      if (!input) return input.error();
      Expected<Expectation> expected = expectationOf(c, *input);
      if (!expected) return expected.error();
      const auto module = options_.module ? options_.module : kernelModule(*c.kernel);
      Expected<Job> job = c.kernel->plan(c, module, *input);
      if (options_.patch) job = options_.patch(*job);
      if (!job) return job.error();
      return JudgedJob{std::move(*job), std::move(*expected)};
    };
    Expected<Expectation> expected = expectationOf(what_, small_.evidence[0].input);
    if (!expected) return;
    Model model(way_);
    const Suspects found = suspectsOf({.model = model,
                                       .smallest = {job_, std::move(*expected)},
                                       .failing = casesThat(Verdict::kMismatch),
                                       .passing = casesThat(Verdict::kOk),
                                       .make = make,
                                       .stop = options_.stop});
    found_.suspects = found.lines;
    mends_ = found.mendsAll;
  }

  // The witness gives the wrong bytes: the side does nothing besides.
  bool modelFails() const { return gives(way_, job_, small_.evidence[0].got[wrong_]); }

  void rule() {
    const Agreement agreement = agreementOf(small_, smallest());
    const bool isModels = agreement == Agreement::kModel, isOfModel = isModels || agreement == Agreement::kModelAlone;
    if (agreement == Agreement::kDevices) {
      forEachWrong([&](std::size_t s) { ruleDevice(s); });
    } else if (const std::string* device = isModels ? rightWithSizeOf() : nullptr) {
      found_.rulings.push_back(
          fmt::format("kernel wrong: its result depends on the subgroup size; with that of {} the model's is the golden's too", *device));
    } else if (const std::string depends = isOfModel && modelFails() ? dependence(isModels) : ""; !depends.empty()) {
      found_.rulings.push_back(depends);
    } else if (agreement == Agreement::kModelAlone) {
      ruleModelAlone();
    } else {
      found_.rulings.push_back(isModels ? "model wrong: the devices and the golden agree" : arbitration(small_, smallest()));
    }
    if (agreement == Agreement::kDevicesAlone || agreement == Agreement::kAllDiffer)
      forEachWrong(
          [&](std::size_t s) { found_.reasons.push_back(fmt::format("{}: {}", sides_[s].info.name, texelText(smallest().sides[s]))); });
    for (const std::string& open : open_) found_.reasons.push_back("left open by Vulkan, " + open);
    if (open_.empty() && !found_.slice.empty()) found_.reasons.push_back("nothing on the slice is left open by Vulkan");
  }

  template <class Visit>
  void forEachWrong(const Visit& visit) const {
    for (std::size_t s = 0; s < sides_.size(); ++s)
      if (smallest().sides[s].verdict == Verdict::kMismatch) visit(s);
  }

  // The model and the golden agree; this device differs.
  void ruleDevice(std::size_t s) {
    const std::string& name = sides_[s].info.name;
    const std::uint64_t units = smallest().sides[s].diff->maximum;
    if (open_.empty())
      return found_.rulings.push_back(
          fmt::format("{} wrong: the model and the golden agree, and Vulkan leaves nothing open in what the texel was computed from or its "
                      "branches depended on",
                      name));
    std::string fits;  // fits the smallest case; many profiles may
    for (const ProfileVariation& variation : profileVariations()) {
      if (!modelGives(variation.profile, job_, small_.evidence[0].got[s])) continue;
      const std::optional<bool> whole = givesWhole(variation.profile, s);
      if (whole.value_or(true))
        return found_.rulings.push_back(
            fmt::format("{}'s choice: Vulkan leaves it open, and the model gives the same bytes with {}; {} units apart{}", name,
                        variation.name, units, whole ? "" : "; of the smallest case: the one that failed was not compared"));
      if (fits.empty()) fits = fmt::format("; {} gives the smallest case, not the one that failed", variation.name);
    }
    found_.rulings.push_back(fmt::format(
        "{} wrong, or a choice that no profile has: {} of the operations on the slice are left open by Vulkan; {} units apart{}", name,
        open_.size(), units, fits));
  }

  // Whether the original failing case gives the same as a side. Empty if its images were not kept.
  std::optional<bool> givesWhole(const Profile& profile, std::size_t s) const {
    const auto kept =
        std::find_if(result_.evidence.begin(), result_.evidence.end(), [&](const Evidence& e) { return e.caseIndex == found_.caseIndex; });
    if (kept == result_.evidence.end() || s >= kept->got.size() || kept->got[s].empty()) return std::nullopt;
    const auto module = options_.module ? options_.module : kernelModule(*original().what.kernel);
    Expected<Job> job = original().what.kernel->plan(original().what, module, kept->input);
    if (options_.patch) job = options_.patch(*job);
    if (!job) return std::nullopt;
    return modelGives(profile, *job, kept->got[s]);
  }

  bool modelGives(const Profile& profile, const Job& job, const std::vector<golden::Image>& images) const {
    ModelOptions options{.profile = profile, .schedule = {}};
    options.profile.subgroupSize = model_.profile().subgroupSize;
    return gives(options, job, images);
  }

  static bool gives(const ModelOptions& options, const Job& job, const std::vector<golden::Image>& images) {
    const RunResult run = Model(options).run(job);
    if (run.error || run.outputs.size() != images.size()) return false;
    for (std::size_t i = 0; i < images.size(); ++i)
      if (run.outputs[i].bytes() != images[i].bytes) return false;
    return true;
  }

  // The name of a right device with whose subgroup size the model is right too; nullptr if there is none.
  const std::string* rightWithSizeOf() const {
    ModelOptions way = way_;
    for (std::size_t s = 0; s < sides_.size() && modelFails(); ++s) {
      way.profile.subgroupSize = sides_[s].info.subgroupSize;
      if (smallest().sides[s].verdict == Verdict::kOk && gives(way, job_, small_.evidence[0].expected)) return &sides_[s].info.name;
    }
    return nullptr;
  }

  // The findings of the observed model, also those that did not lead to the texel.
  void observe() {
    constexpr std::size_t kMost = 8;
    for (std::size_t i = 0; i < findings_.size() && i < kMost; ++i) found_.reasons.push_back("found: " + findings_[i].text());
    if (findings_.size() > kMost) found_.reasons.push_back(fmt::format("found: {} more", findings_.size() - kMost));
  }

  // How the model's own result depends on its choices, where `devicesAreRight` also on those with which it is right. Empty if it does not.
  std::string dependence(bool devicesAreRight) const {
    for (const char* token : {"in-order", "reverse", "seed:1", "lanes", "lanes-reverse"})
      if (givesOther({way_.profile, *parseSchedule(token)}))
        return fmt::format("kernel wrong: with the schedule {} the model gives other bytes", token);
    if (way_.profile.name != Profile().name && givesOther({.profile = {}, .schedule = way_.schedule}))
      return fmt::format("kernel wrong: it takes for granted what Vulkan leaves open; profile {} gives other bytes than strict",
                         way_.profile.name);
    if (!devicesAreRight || open_.empty()) return {};
    for (const ProfileVariation& variation : profileVariations())
      if (modelGives(variation.profile, job_, small_.evidence[0].expected))
        return fmt::format("kernel wrong: it takes for granted what Vulkan leaves open; with {} the model's is the golden's too",
                           variation.name);
    return {};
  }

  // Without a device, and where the model gives the same in every way.
  void ruleModelAlone() {
    if (mends_ && open_.empty())
      found_.rulings.push_back(fmt::format("kernel wrong, as far as the model alone can tell, at {}", found_.suspects.front()));
    else if (open_.empty())
      found_.rulings.push_back(
          "kernel wrong, as far as the model alone can tell: no device ran, but Vulkan leaves nothing open in what the texel was computed "
          "from");
    else if (hasFinding(finding::kOutside))
      found_.rulings.push_back(
          "kernel wrong, as far as the model alone can tell: it reaches outside of a resource or an array, where no device has to do the "
          "same");
    else
      found_.rulings.push_back(
          "undecided: the model alone ran, and Vulkan leaves something open in what the texel was computed from; a device decides "
          "(--devices), or a profile with another choice (--profile)");
  }

  bool hasFinding(finding::Says what) const {
    return std::ranges::any_of(findings_, [what](const RunFinding& f) { return says(f.kind, what); });
  }

  // Whether another model gives other bytes than the smallest case's wrong ones.
  bool givesOther(const ModelOptions& options) const {
    const std::vector<golden::Image>& got = small_.evidence[0].got[wrong_];
    const RunResult run = Model(options).run(job_);
    for (std::size_t i = 0; !run.error && i < got.size(); ++i)
      if (run.outputs[i].bytes() != got[i].bytes) return true;
    return false;
  }

  void writeCapsule() {
    Capsule c;
    c.tool = LANEWISE_VERSION;
    c.what = found_.smallest;
    c.ruling = fmt::format("{}", fmt::join(found_.rulings, "; "));
    c.schedule = sides_[wrong_].schedule.token();
    c.profile = model_.profile();
    c.job = job_;
    std::set<const ShaderModule*> seen;
    for (const Dispatch& d : job_.dispatches)
      if (seen.insert(d.module.get()).second) c.modules.push_back(d.module);
    Expected<Expectation> expected = expectationOf(what_, small_.evidence[0].input);
    if (!expected) return;
    c.expected = std::move(*expected);
    for (std::size_t s = 0; s < sides_.size(); ++s) {
      const SideResult& side = smallest().sides[s];
      if (side.verdict == Verdict::kNotRun || side.verdict == Verdict::kNotApplicable) continue;
      const bool right = side.verdict == Verdict::kOk;
      c.answers.push_back({sides_[s].info.name, sides_[s].info.description, side.error ? side.error->text() : "",
                           right ? c.expected.images : small_.evidence[0].got[s]});
    }
    std::string name = what_.kernel->name;
    std::replace(name.begin(), name.end(), '/', '-');
    found_.capsule = fmt::format("{}-{:08x}.capsule", name, caseHash(what_) & 0xffffffffu);
    const std::vector<std::byte> bytes = encodeCapsule(c);
    (*options_.capsules)[found_.capsule].assign(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  }

  const SweepResult& result_;
  std::vector<Side> sides_;
  const Inputs& inputs_;
  const ArbitrationOptions& options_;
  const ModelOptions way_;
  Model model_;
  Case what_;
  SweepResult small_;      // the smallest case on all sides
  std::size_t wrong_ = 0;  // the first side that is wrong there
  Job job_;
  bool mends_ = false;          // the first suspect mends all failing cases that were tried
  std::set<std::string> open_;  // what Vulkan leaves open on the slice
  Arbitration found_;
  std::vector<RunFinding> findings_;  // of the observed model, in the smallest case
};

}  // namespace

void arbitrate(SweepResult& result, std::span<const Side> sides, const Inputs& inputs, const ArbitrationOptions& options) {
  std::set<const Kernel*> done;
  for (std::size_t i = 0; i < result.cases.size() && result.arbitrations.size() < options.cases; ++i) {
    const CaseResult& c = result.cases[i];
    if (done.contains(c.what.kernel) || !sideToShrink(c, sides)) continue;
    const auto isStopped = [&] { return options.stop != nullptr && *options.stop; };
    done.insert(c.what.kernel);
    std::optional<Arbitration> found;
    if (!isStopped()) found = Arbiter(result, i, sides, inputs, options).run();
    if (isStopped()) {  // what was stopped in its midst says nothing
      result.notes.push_back(fmt::format("interrupted: '{}' and what fails after it were not looked into", c.what.name()));
      return;
    }
    result.arbitrations.push_back(std::move(*found));
  }
}

}  // namespace lanewise
