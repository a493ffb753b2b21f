#include "model/mend.h"

#include <fmt/ranges.h>

#include <algorithm>

#include "model/ir/operation_info.h"
#include "model/mend_edges.h"
#include "model/patch/atomic_update.h"
#include "model/patch/local_names.h"
#include "model/patch/word_parts.h"
#include "model/spirv/parse.h"
#include "model/state/workgroup.h"
#include "model/uniform_flow.h"

namespace lanewise {
namespace {

using spv::Op;
using Edit = OrderEdit;
using Edits = std::vector<Edit>;

// A schedule, and what the job as it is shows under it.
struct MendTrial {
  ModelOptions options;
  const std::set<std::string>* known = nullptr;
};

class Mender {
 public:
  Mender(MendRuns& runs, const RunFinding& race, const ModelOptions& options)
      : runs_(runs),
        job_(runs.job()),
        race_(race),
        module_(std::move(*spirv::parse(moduleOf().name, moduleOf().words))),
        words_(spirv::sourceWords(module_)) {
    for (Schedule schedule : {options.schedule, *parseSchedule("in-order"), *parseSchedule("reverse")}) {
      schedule.progress = options.schedule.progress;
      if (!trials_.empty() && schedule == options.schedule) continue;
      ModelOptions own = options;
      own.schedule = schedule;
      const auto& known = runs.found(own, module_, {});
      if (!known) continue;
      seen_ = seen_ || known->contains(mendKey(race));
      trials_.push_back({std::move(own), &*known});
    }
  }

  // What the changes were that were tried: "barrier, fence".
  std::string tried() const {
    constexpr const char* kNames[] = {"barrier",  "subgroupBarrier", "fence",         "scope", "semantics",
                                      "coherent", "atomic",          "atomic access", "words"};
    std::string text;
    for (const Edit::Kind kind : tried_) text += (text.empty() ? "" : ", ") + std::string(kNames[static_cast<std::size_t>(kind)]);
    return text;
  }

  // What has to be one atomic, and cannot be as it is written; after mend().
  std::string together() const {
    if (entry_ == nullptr || (!isOfComparedSet(module_, first_) && !isOfComparedSet(module_, second_))) return "";
    return fmt::format(
        "the comparison and the stores behind it belong together: keep what they store in one word that one atomic changes, as "
        "{}Min(best, value << 8 | index) does (64 bits take {}), or let one invocation compare",
        words_.atomic, supportText(module_, kWideIntegers));
  }

  // What else may mend a load and a store that nothing orders, after mend(). The intention decides.
  std::string advice() const {
    if (race_.twoStores || entry_ == nullptr) return "";
    if (isMixed() || isFlag()) return ": let both be atomics, or use two dispatches";
    if (isUpdate())
      return isNarrow(first_) || isNarrow(second_)
                 ? fmt::format(
                       ": an update has to be atomic, and of 8 or 16 bits no atomic is: change the 32-bit word that they are a part "
                       "of, by {0}And() and {0}Or()",
                       words_.atomic)
                 : ": an update has to be one atomic; else store to memory that nobody loads";
    // Workgroup memory does not outlive a dispatch.
    if (tried_.contains(Edit::Kind::kSubgroupBarrier))
      return fmt::format(": let all invocations of the workgroup come to a {} between the two",
                         words_.barrierOf(static_cast<std::uint32_t>(spv::MemorySemanticsMask::WorkgroupMemory)));
    return ": store to memory that nobody loads, or use two dispatches";
  }

  std::string mend() {
    if (!seen_) return "";
    if (race_.missing == MissingOrder::kOfDispatches) return dispatches();
    first_ = indexAt(race_.otherAt.word);
    second_ = indexAt(race_.at.word);
    entry_ = module_.computeEntry(job_.dispatches[race_.dispatch].entryPoint);
    if (entry_ == nullptr || first_ == module_.instructions.size() || second_ == module_.instructions.size()) return "";
    findUpdate();
    const auto program = model().program(job_.dispatches[race_.dispatch], subgroupSize(), ir::Flavour::kFaithful);
    if (!program) return "";
    const SaidOrders said = saidOrders(**program);
    const RacingPair pair{module_, said, words_, race_, first_, second_};
    const Edits updates = atomics();
    using Try = std::string (Mender::*)(const RacingPair&);
    const auto first = [&](std::initializer_list<Try> tries) {
      for (const Try t : tries)
        if (std::string text = (this->*t)(pair); !text.empty()) return text;
      return std::string();
    };
    switch (race_.missing) {
      case MissingOrder::kOfOneStore:
        return first({&Mender::byAtomic, &Mender::byWords});
      case MissingOrder::kOfMemory:
        return first({&Mender::byEdges, &Mender::byAtomic, &Mender::byWords, &Mender::byBarrier, &Mender::byAtomicAccess});
      case MissingOrder::kInWorkgroup:
        if (ir::isAtomic(inst(first_).op) && ir::isAtomic(inst(second_).op)) return first({&Mender::byEdges, &Mender::byBarrier});
        if (isMixed() && sameLine(race_.at, race_.otherAt))
          return first({&Mender::byEdges, &Mender::byAtomicAccess, &Mender::byBarrier, &Mender::bySubgroupBarrier});
        return updates.empty()
                   ? first({&Mender::byWords, &Mender::byBarrier, &Mender::byEdges, &Mender::bySubgroupBarrier, &Mender::byAtomicAccess})
                   : first({&Mender::byEdges, &Mender::byAtomic, &Mender::byBarrier, &Mender::bySubgroupBarrier, &Mender::byAtomicAccess});
      default:
        return first({&Mender::byEdges, &Mender::byAtomic, &Mender::byWords, &Mender::byAtomicAccess});
    }
  }

 private:
  const ShaderModule& moduleOf() const { return *job_.dispatches[race_.dispatch].module; }
  std::uint32_t subgroupSize() const { return job_.subgroupSize != 0 ? job_.subgroupSize : model().profile().subgroupSize; }
  Model& model() const { return runs_.model(trials_[0].options); }
  const spirv::Instruction& inst(std::size_t i) const { return module_.instructions[i]; }
  std::size_t indexAt(std::uint32_t word) const {
    return static_cast<std::size_t>(std::ranges::find(module_.instructions, word, &spirv::Instruction::offset) -
                                    module_.instructions.begin());
  }

  // Several invocations update a place, and lose all updates but one, wherever a barrier stands between their loads and stores: the race of
  // the stores has to go too.
  void findUpdate() {
    const std::size_t store = isStore(first_) ? first_ : second_, load = store == first_ ? second_ : first_;
    if (load == store || !isUpdateOf(module_, load, store)) return;
    RunFinding stores = race_;
    stores.at = stores.otherAt = store == first_ ? race_.otherAt : race_.at;
    ofStores_ = mendKey(stores);
  }

  // Whether the race is gone, and nothing new is there.
  bool holds(const JobChange& change) const {
    return std::ranges::all_of(trials_, [&](const MendTrial& t) {
      const auto& found = runs_.found(t.options, module_, change);
      return found && std::ranges::all_of(*found, [&](const std::string& key) {
               return key != mendKey(race_) && key != ofStores_ && t.known->contains(key);
             });
    });
  }
  bool mends(Edits edits) {
    if (edits.empty()) return false;
    for (const Edit& e : edits) tried_.insert(e.kind);
    std::ranges::sort(edits);
    const auto module = [](const Dispatch& d) { return d.module; };
    const auto first = std::ranges::find(job_.dispatches, job_.dispatches[race_.dispatch].module, module);
    return holds({.dispatch = static_cast<std::uint32_t>(first - job_.dispatches.begin()), .edits = std::move(edits)});
  }

  std::string dispatches() const {
    const bool mends = holds({.dispatch = race_.dispatch, .barrier = true, .edits = {}});
    return mends ? fmt::format("{}: put a barrier before dispatch {}", race_.mend, race_.dispatch) : "";
  }

  std::string byBarrier(const RacingPair& pair) {
    const UniformFlow flow(module_, *entry_);
    const std::uint32_t classes = pair.classes();
    std::vector<std::size_t> places;
    const auto add = [&](const std::vector<std::size_t>& more) {
      for (const std::size_t p : more)
        if (!std::ranges::count(places, p)) places.push_back(p);
    };
    add(flow.before(second_));
    add(flow.after(first_));
    add(flow.before(first_));
    add(flow.after(second_));
    // Between the two of one line.
    const std::size_t later = std::max(first_, second_);
    const bool oneLine = sameLine(race_.at, race_.otherAt) && first_ != second_ && flow.isUniform(later);
    if (oneLine) add({later});
    std::vector<Edits> tries;
    for (const std::size_t p : places) tries.push_back({Edit{Edit::Kind::kBarrier, inst(p).offset, classes}});
    for (std::size_t a = 0; a < places.size(); ++a)
      for (std::size_t b = 0; b < a; ++b) tries.push_back({tries[b][0], tries[a][0]});
    for (Edits edits : tries) {
      const std::size_t barriers = edits.size();
      std::ranges::copy(pair.coherent(), std::back_inserter(edits));
      if (!mends(edits)) continue;
      if (edits.size() > barriers && mends(Edits(edits.begin(), edits.begin() + static_cast<std::ptrdiff_t>(barriers))))
        edits.resize(barriers);
      return race_.mend + ": " + barrierText(pair, edits);
    }
    return "";
  }

  // What relies on that a subgroup executes together, where a barrier of the workgroup cannot stand.
  std::string bySubgroupBarrier(const RacingPair& pair) {
    if (pair.classes() != static_cast<std::uint32_t>(spv::MemorySemanticsMask::WorkgroupMemory)) return "";
    for (const std::vector<std::size_t>& places : {std::vector{second_}, {first_}, {first_, second_}}) {
      Edits edits;
      for (const std::size_t at : places) edits.push_back({Edit::Kind::kSubgroupBarrier, inst(at).offset, pair.classes()});
      if (!mends(edits)) continue;
      std::vector<std::string> out;
      for (const std::size_t at : places)
        out.push_back(sameLine(race_.at, race_.otherAt) && isStore(at) ? keptText(words_.subgroupBarrier, pair.placeOf(at))
                                                                       : fmt::format("put {} {}", words_.subgroupBarrier, sideOf(at)));
      const std::string where = job_.subgroupSize == 0 ? fmt::format(", where subgroups have {} invocations", subgroupSize()) : "";
      return fmt::format("the two are in one subgroup, which need not execute together: {}{}", fmt::join(out, ", and "), where);
    }
    return "";
  }

  static std::string keptText(const std::string& barrier, const std::string& place) {
    return fmt::format("let {} keep what it loads in a variable, and put {} between that and the store", place, barrier);
  }

  std::string barrierText(const RacingPair& pair, const Edits& edits) const {
    const std::string barrier = words_.barrierOf(pair.classes());
    const auto [earlier, later] = std::minmax(first_, second_);
    std::vector<std::string> out;
    for (const Edit& e : edits) {
      const std::size_t at = indexAt(e.word);
      const bool isBetween = sameLine(race_.at, race_.otherAt) && earlier < at && at <= later;
      if (e.kind == Edit::Kind::kCoherent)
        out.push_back(fmt::format("declare '{}' {}", pair.nameOf(e.word), words_.coherent));
      else if (isBetween && pair.race.twoStores)
        out.push_back(fmt::format("put {} between the two stores of {}", barrier, pair.placeOf(later)));
      else if (isBetween && isStore(later))
        out.push_back(keptText(barrier, pair.placeOf(later)));
      else if (isBetween)
        out.push_back(fmt::format("put {} between what {} stores and what it loads then", barrier, pair.placeOf(later)));
      else
        out.push_back(fmt::format("put {} {}", barrier, sideOf(at)));
    }
    return fmt::format("{}", fmt::join(out, ", and "));
  }

  // Whether what one of the two stores is a constant: no update, but a flag.
  bool storesConstant() const {
    const auto stores = [this](std::size_t i) {
      const spirv::Instruction* value = inst(i).op == Op::OpStore ? module_.definition(inst(i).operand(1)) : nullptr;
      return value && value->op == Op::OpConstant;
    };
    return stores(first_) || stores(second_);
  }

  // Of an integer that it loads from memory or stores there; else 0.
  std::uint32_t integerBits(std::size_t i) const {
    if (inst(i).op != Op::OpStore && inst(i).op != Op::OpLoad) return 0;
    const spirv::Instruction* value = inst(i).op == Op::OpStore ? module_.definition(inst(i).operand(1)) : &inst(i);
    const spirv::Instruction* type = value ? module_.definition(value->type) : nullptr;
    return type && type->op == Op::OpTypeInt ? type->operand(0) : 0;
  }
  bool isNarrow(std::size_t i) const { return integerBits(i) != 0 && integerBits(i) < 32; }

  bool isStore(std::size_t i) const { return inst(i).op == Op::OpStore || inst(i).op == Op::OpImageWrite; }

  static bool isOneLine(const spirv::SourceLine& a, const spirv::SourceLine& b) { return a.line == b.line && a.file == b.file; }

  // The merge instruction of the choice or the loop that ends right before the line of an instruction; nullptr: none does.
  const spirv::Instruction* endedBefore(std::size_t i) const {
    const spirv::SourceLine line = inst(i).source;
    const auto isOfLine = [&](const spirv::Instruction& x) {
      return isOneLine(x.source, line) || x.op == Op::OpLine || x.op == Op::OpPhi || spirv::isNonSemantic(module_.setOf(x));
    };
    while (inst(i).op != Op::OpLabel && (isOfLine(inst(i - 1)) || inst(i - 1).op == Op::OpLabel)) --i;
    const auto merge = std::ranges::find_if(module_.instructions, [&](const spirv::Instruction& x) {
      return (x.op == Op::OpSelectionMerge || x.op == Op::OpLoopMerge) && inst(i).op == Op::OpLabel && x.operand(0) == inst(i).result;
    });
    return merge == module_.instructions.end() ? nullptr : &*merge;
  }

  // The first instruction with a line of those that one leads to with nothing done; without any, itself.
  const spirv::Instruction& lineAt(std::size_t i) const {
    const auto leadsOn = [&](std::size_t at) {
      const Op op = inst(at).op;
      return op == Op::OpLabel || op == Op::OpLoopMerge || op == Op::OpPhi || op == Op::OpLine ||
             spirv::isNonSemantic(module_.setOf(inst(at))) ||
             (op == Op::OpBranch && inst(at + 1).op == Op::OpLabel && inst(at).operand(0) == inst(at + 1).result);
    };
    std::size_t at = i;
    while (inst(at).source.line == 0 && leadsOn(at)) ++at;
    return inst(at).source.line == 0 ? inst(i) : inst(at);
  }

  // Where in the source stands what is put before an instruction: "before scan.comp:19". That is the line of the instruction or of the loop
  // that begins there, or else its word. Behind a choice or a loop compilers may write no line: "after the if at scan.comp:17".
  std::string sideOf(std::size_t i) const {
    const auto place = [this](const spirv::Instruction& x) { return module_.placeOf(x, x.source).text(); };
    const spirv::Instruction& next = lineAt(i);
    if (const spirv::Instruction* merge = endedBefore(i)) {
      const std::size_t at = indexAt(merge->offset);
      const spirv::Instruction& ended = lineAt(at);
      const bool isOfNext = next.source.line != 0 && !isOneLine(next.source, ended.source);
      const char* const what = merge->op == Op::OpLoopMerge ? "loop" : inst(at + 1).op == Op::OpSwitch ? "switch" : "if";
      if (ended.source.line != 0 && !isOfNext) return fmt::format("after the {} at {}", what, place(ended));
    }
    return "before " + place(next);
  }

  // The fewest of what the module lacks; of several places that would do, the nearest to the atomic that hands on.
  std::string byEdges(const RacingPair& pair) {
    std::vector<Edits> groups = edgesOf(pair);
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
    // Those of so many edits of a group, from one on, that are needed: without half of them first.
    const auto needed = [&](const auto& self, Edits& group, std::size_t from, std::size_t count) -> std::size_t {
      const Edits was = group;
      const auto begin = group.begin() + static_cast<std::ptrdiff_t>(from);
      group.erase(begin, begin + static_cast<std::ptrdiff_t>(count));
      if (count == 0 || mends(all())) return 0;
      group = was;
      if (count == 1) return 1;
      const std::size_t kept = self(self, group, from, count / 2);
      return kept + self(self, group, from + kept, count - count / 2);
    };
    for (Edits& group : groups) needed(needed, group, 0, group.size());
    // What a fence at a barrier is needed for; within the workgroup that is plain.
    if (race_.missing == MissingOrder::kAcrossGroups)
      for (Edit& e : groups.front())
        for (const auto order : {spv::MemorySemanticsMask::Release, spv::MemorySemanticsMask::Acquire, spv::MemorySemanticsMask::MaskNone})
          if (e.semantics = static_cast<std::uint32_t>(order); e.semantics == 0 || mends(all())) break;
    const std::string text = edgesText(pair, all());
    return race_.missing == MissingOrder::kOfMemory ? race_.mend + ": " + text : text;
  }

  // The updates of memory that load and store, of the two.
  Edits atomics() const {
    Edits out;
    for (const std::size_t i : {first_, second_})
      if (const std::optional<AtomicUpdate> update = atomicUpdateAt(module_, i))
        if (const Edit e{Edit::Kind::kAtomic, inst(update->store).offset, 0}; !std::ranges::count(out, e)) out.push_back(e);
    return out;
  }
  std::string byAtomic(const RacingPair& pair) {
    const Edits edits = atomics();
    if (!mends(edits)) return "";
    std::vector<std::string> out;
    for (const Edit& e : edits) {
      const std::size_t at = indexAt(e.word);
      const std::string text = atomicText(module_, *atomicUpdateAt(module_, at), pair.placeOf(at));
      if (!std::ranges::count(out, text)) out.push_back(text);
    }
    return fmt::format("{}", fmt::join(out, "; "));
  }

  // Updates of parts of words: as parts, they have no atomics.
  std::string byWords(const RacingPair& pair) {
    const std::size_t store = isStore(second_) ? second_ : first_;
    const std::uint32_t variable = isStore(store) && isNarrow(store) ? variableOf(module_, inst(store).operand(0)) : 0;
    const std::optional<AtomicUpdate> update = variable != 0 ? partUpdateAt(module_, store) : std::nullopt;
    if (!update || !takesWords(module_, variable) || !mends({{Edit::Kind::kWords, variable}})) return "";
    return partText(module_, *update, pair.nameOf(variable), pair.placeOf(store));
  }

  bool isMixed() const { return ir::isAtomic(inst(first_).op) != ir::isAtomic(inst(second_).op); }
  bool isUpdate() const { return isOnePlace(module_, first_, second_) || isOnePlace(module_, second_, first_); }
  bool isFlag() const { return isUpdate() && storesConstant(); }

  // Whether an atomic leaves what it goes to as it is: another one's store is not lost to it.
  bool onlyLoads(std::size_t i) const {
    const spirv::Instruction* value = module_.definition(inst(i).operand(3));
    const bool adds = inst(i).op == Op::OpAtomicIAdd || inst(i).op == Op::OpAtomicOr;
    return inst(i).op == Op::OpAtomicLoad || (adds && value && value->op == Op::OpConstant && value->operand(0) == 0);
  }

  // What is no atomic yet, of a flag, or of what atomics change elsewhere.
  std::string byAtomicAccess(const RacingPair& pair) {
    if (!isMixed() && !(isFlag() && race_.missing != MissingOrder::kAcrossGroups)) return "";
    const bool hasWide = std::ranges::count(module_.capabilities, spv::Capability::Int64Atomics) != 0;
    Edits edits;
    std::vector<std::string> out;
    for (const std::size_t i : {first_, second_}) {
      if (ir::isAtomic(inst(i).op)) continue;
      const std::uint32_t bits = integerBits(i);
      if ((bits != 32 && (bits != 64 || !hasWide)) || (isMixed() && isStore(i) && !onlyLoads(i == first_ ? second_ : first_))) return "";
      edits.push_back({Edit::Kind::kAtomicAccess, inst(i).offset});
      out.push_back(fmt::format("the {} at {} has to be an atomic{}: {}", isStore(i) ? "store" : "load", pair.placeOf(i),
                                isMixed() ? " too" : "", isStore(i) ? words_.store : words_.load));
    }
    return mends(edits) ? fmt::format("{}", fmt::join(out, "; ")) : "";
  }

  MendRuns& runs_;
  const Job& job_;
  const RunFinding& race_;
  spirv::Module module_;
  const spirv::SourceWords& words_;
  std::vector<MendTrial> trials_;
  bool seen_ = false;
  std::string ofStores_;  // the key of the race of two stores of an update; empty: it is none
  std::set<Edit::Kind> tried_;
  std::size_t first_ = 0, second_ = 0;  // instructions
  const spirv::EntryPoint* entry_ = nullptr;
};

bool isSmallJob(const Job& job) {
  std::uint64_t groups = 0;
  for (const Dispatch& d : job.dispatches) groups += workgroupsIn(d.groups);
  return groups <= kMostGroups;
}

}  // namespace

std::string mendText(MendRuns& runs, const RunFinding& race, const ModelOptions& options) {
  const bool hasOrder = race.missing != MissingOrder::kNone && race.missing != MissingOrder::kOfOneReference;
  if (!hasOrder || !isSmallJob(runs.job())) return race.mend;
  Mender mender(runs, race, options);
  const std::string mend = mender.mend();
  if (!mend.empty()) return mend + " (tried: this mends it)";
  if (const std::string together = mender.together(); !together.empty())
    return race.missing == MissingOrder::kOfOneStore ? together : fmt::format("{}: {}", race.mend, together);
  if (race.missing == MissingOrder::kAcrossGroups) return race.mend + ": two dispatches do";
  const std::string tried = mender.tried();
  if (tried.empty()) return race.mend + mender.advice();
  return fmt::format("{}; nothing that was tried mends it ({}){}", race.mend, tried, mender.advice());
}

MendingModel::MendingModel(ModelOptions options) : options_(std::move(options)) {
  options_.findings = true;
  model_ = makeModel(options_);
}

RunResult MendingModel::run(const Job& job) {
  RunResult result = model_->run(job);
  MendRuns runs(job);
  std::size_t races = 0;
  for (RunFinding& f : result.findings)
    if (f.missing != MissingOrder::kNone && races++ < kMostMends) f.mend = mendText(runs, f, options_);
  return result;
}

}  // namespace lanewise
