#include "model/check/undefined_tracker.h"

#include <algorithm>
#include <bit>

#include "model/check/place_text.h"
#include "model/ir/operation_info.h"
#include "model/scalar/shuffle.h"
#include "model/state/lane_masks.h"
#include "model/state/lane_value.h"
#include "model/state/subgroup_results.h"
#include "model/state/workgroup.h"

namespace lanewise::undefined {
namespace {

constexpr std::size_t kMost = 16;  // operands of one that computes

}  // namespace

Tracker::Tracker(const Job& job) : job_(job) {
  watched_.resize(job.dispatches.size());
  for (const Resource& r : job.resources) resources_.emplace_back(placeBytes(r), r.bytes().size(), r.undefined);
}

Tracker::Step Tracker::stepOf(const Program& program, std::uint32_t pc) {
  using Does = Step::Does;
  const InstrKind& what = program.code[pc].what;
  const ir::Code op = program.info[pc].op;
  const auto step = [](Does does, std::uint32_t values) { return Step{does, static_cast<std::uint8_t>(values)}; };
  const std::uint32_t place = program.placeArguments(pc);
  if (std::holds_alternative<kind::Memory>(what) || std::holds_alternative<kind::Atomic>(what)) return step(Does::kAccesses, place);
  if (std::holds_alternative<kind::LaneMemory>(what)) return step(Does::kLocals, place);
  if (const auto* image = std::get_if<kind::Image>(&what)) {
    const bool reads = ir::factsOf(op).switchPoint != kNoSwitch || op == ir::kImageSample;
    return reads ? step(Does::kAccesses, image->values == 0 ? 0xff : image->values) : Step{Does::kForgets, 0xff};
  }
  if (std::holds_alternative<kind::Branch>(what) || std::holds_alternative<kind::Switch>(what)) return {Does::kBranches, 0xff};
  if (std::holds_alternative<kind::Subgroup>(what) || std::holds_alternative<kind::Ballot>(what)) return {Does::kCrosses, 0xff};
  if (op == control::kMove || op == control::kMoveUniform) return {Does::kMoves, 0xff};
  if (ir::computes(op)) return {Does::kComputes, 0xff};
  return {program.info[pc].results != 0 ? Does::kForgets : Does::kNothing, 0xff};
}

const Tracker::Watched& Tracker::watched(const Environment& env) {
  Watched& w = watched_[env.dispatch];
  if (w.program == nullptr) {
    w.program = env.program;
    for (std::uint32_t pc = 0; pc < env.program->info.size(); ++pc) w.steps.push_back(stepOf(*env.program, pc));
    w.unwritten.assign(env.program->laneWords, 0);
    for (const ir::LocalVariable& local : env.program->locals) {
      if (!local.inLaneMemory || local.isRecord) continue;
      const Mark mark = markOf(Source::Kind::kVariable, {env.dispatch, 0, {}, {}}, local.variable);
      const std::size_t count = std::min(local.leaves.size() * local.leafWords, w.unwritten.size() - local.firstWord);
      std::fill_n(w.unwritten.begin() + local.firstWord, count, mark);
    }
  }
  return w;
}

// --- What begins ------------------------------------------------------------------------------------------------------------------------

Answer Tracker::moment(const Moment& moment) {
  if (const auto* begins = std::get_if<WorkgroupBegins>(&moment)) beginWorkgroup(begins->env);
  if (const auto* none = std::get_if<OperandsUndefined>(&moment);
      none && none->batch.env->program->info[none->pc].op == ir::kCheckOperands) {
    without_ = &none->batch;
    withoutResult_ = none->lanes;
  }
  if (const auto* made = std::get_if<BlitTexel>(&moment)) {
    const std::size_t resource = resourceNamed(job_.resources, made->blit.resource);
    resources_[resource].set(made->written, placeBytes(job_.resources[resource]), 0);
  }
  return Answer::kGoOn;
}

void Tracker::beginWorkgroup(const Environment& env) {
  const Watched& w = watched(env);
  if (env.slot >= groups_.size()) groups_.resize(env.slot + 1);
  Group& g = groups_[env.slot];
  const Program& p = *env.program;
  g.memory = MarkedMemory(4, p.workgroupBytes, true);
  for (const auto& [offset, size] : p.workgroupZero) g.memory.set(offset, size, 0);
  g.batches.resize(p.batches);
  for (Lanes& l : g.batches) beginBatch(env, w, l);
}

void Tracker::beginBatch(const Environment& env, const Watched& watched, Lanes& l) {
  const Program& p = *env.program;
  l.cells.resize(p.registerBytes / 4);
  l.marked.assign(p.registerBytes / 64 + 1, {});
  for (const UndefinedSlot& u : p.undefined) {
    const ir::Origin& origin = p.origins[u.origin];
    const bool variable = origin.unwritten != 0;
    const Mark mark = markOf(variable ? Source::Kind::kVariable : Source::Kind::kUndef, {env.dispatch, 0, {}, {}},
                             variable ? origin.unwritten : u.origin);
    const std::uint32_t count = u.slot.step == 0 ? 1 : p.width;
    std::fill_n(l.cells.begin() + u.slot.offset / 4, count, Cell{mark, ir::allBytes(u.type)});
    l.marked[u.slot.offset / 64] = firstLanes(count);
  }
  l.stored.resize(std::size_t{p.laneWords} * p.width);
  l.words.clear();
  for (const Mark mark : watched.unwritten) l.words.push_back({mark == 0 ? LaneMask{} : firstLanes(p.width), {}, {mark, 0xff}});
}

// --- Registers --------------------------------------------------------------------------------------------------------------------------

void Tracker::set(Lanes& l, const DescribedOperand& o, std::uint32_t lane, Cell cell) {
  if (o.slot.offset == 0) return;
  const std::uint32_t at = o.slot.step == 0 ? 0 : lane;
  LaneMask& marked = l.marked[o.slot.offset / 64];
  if (!cell) {
    marked = without(marked, oneLane(at));
    return;
  }
  marked.set(at);
  l.cells[o.slot.offset / 4 + at] = cell;
}

// Each lane's of `cells`.
void Tracker::setLanes(Lanes& l, const DescribedOperand& o, const LaneMask& lanes, const Cell* cells) {
  if (o.slot.offset == 0) return;
  if (o.slot.step == 0) return forLanes(lanes, [&](std::uint32_t lane) { set(l, o, lane, cells[lane]); });
  Cell* const row = l.cells.data() + o.slot.offset / 4;
  LaneMask some;
  forLanes(lanes, [&](std::uint32_t lane) {
    row[lane] = cells[lane];
    some.word[lane / 64] |= std::uint64_t{cells[lane].bytes != 0 ? 1u : 0u} << lane % 64;
  });
  LaneMask& marked = l.marked[o.slot.offset / 64];
  marked = without(marked, lanes) | some;
}

// Those of the lanes for which an operand has a cell.
LaneMask Tracker::markedOf(const Lanes& l, std::span<const DescribedOperand> operands, const LaneMask& lanes) {
  LaneMask all;
  for (const DescribedOperand& o : operands)
    if (const LaneMask& marked = l.marked[o.slot.offset / 64]; marked.any()) all = all | (o.slot.step == 0 ? lanes : marked & lanes);
  return all;
}

// The results are defined in these lanes.
void Tracker::clear(Lanes& l, const InstructionEvent& e) {
  for (const DescribedOperand& r : e.results) {
    LaneMask& marked = l.marked[r.slot.offset / 64];
    if (marked.any() && r.slot.offset != 0) marked = r.slot.step == 0 ? LaneMask{} : without(marked, e.lanes);
  }
}

Tracker::Cell Tracker::computed(const InstructionEvent& e, const Lanes& l, std::uint32_t lane) const {
  Scalar types[kMost];
  std::uint64_t bits[kMost];
  ir::ByteMask masks[kMost];
  const std::size_t count = std::min(e.arguments.size(), kMost);
  Mark mark = 0;
  for (std::size_t i = count; i-- > 0;) {
    const Cell cell = get(l, e.arguments[i], lane);
    masks[i] = cell.bytes;
    if (cell) mark = cell.mark;
  }
  if (mark == 0) return {};
  for (std::size_t i = 0; i < count; ++i) {
    types[i] = e.arguments[i].type;
    bits[i] = bitsOf(e.batch, e.arguments[i], lane);
  }
  const ir::Spread spread = ir::factsOf(e.info.op).spread;
  if (spread == ir::Spread::kOfChosen && masks[0] == 0) mark = get(l, e.arguments[bits[0] != 0 ? 1 : 2], lane).mark;
  return {mark, ir::undefinedBytes(spread, e.results[0].type, {{types, count}, {bits, count}, {masks, count}})};
}

// The result is defined, but in some of these lanes: use(lane) gives their cells. They may be those of arguments.
template <class Use>
void Tracker::setResult(const InstructionEvent& e, Lanes& l, const LaneMask& lanes, const Use& use) {
  if (!lanes.any()) return clear(l, e);
  std::array<Cell, kMaxLanes> cells;
  forLanes(lanes, [&](std::uint32_t lane) { cells[lane] = use(lane); });
  clear(l, e);
  setLanes(l, e.results[0], lanes, cells.data());
}

void Tracker::compute(const InstructionEvent& e, Lanes& l) {
  const bool hasNone = without_ == &e.batch;
  without_ = nullptr;
  LaneMask lanes = markedOf(l, e.arguments, e.lanes);
  if (hasNone) lanes = lanes | (withoutResult_ & e.lanes);
  const DescribedOperand& result = e.results[0];
  if (result.slot.step == 0 && lanes.any()) lanes = oneLane(lowestLane(lanes));
  setResult(e, l, lanes, [&](std::uint32_t lane) -> Cell {
    const Cell cell = computed(e, l, lane);
    if (cell || !hasNone || !withoutResult_.test(lane)) return cell;
    return {markOf(Source::Kind::kNoResult, whereOf(e.batch, e.pc, lane)), ir::allBytes(result.type)};
  });
}

Answer Tracker::beforeInstruction(const InstructionEvent& e) {
  using Does = Step::Does;
  Lanes& l = lanesOf(e.batch);
  const Step& step = watched_[e.batch.env->dispatch].steps[e.pc];
  switch (step.does) {
    case Does::kNothing:
      break;
    case Does::kComputes:
      compute(e, l);
      break;
    case Does::kMoves:
      setResult(e, l, markedOf(l, e.arguments, e.results[0].slot.step == 0 ? oneLane(0) : e.lanes),
                [&](std::uint32_t lane) { return get(l, e.arguments[0], lane); });
      break;
    case Does::kBranches:
      reach(Sink::kBranch, e, l, e.arguments);
      break;
    case Does::kAccesses:
      reach(Sink::kAddress, e, l, e.arguments.first(std::min<std::size_t>(step.values, e.arguments.size())));
      break;
    case Does::kLocals:
      reach(Sink::kAddress, e, l, e.arguments.first(step.values));
      locals(e, l);
      break;
    case Does::kCrosses:
      cross(e, l);
      break;
    case Does::kForgets:
      clear(l, e);
      break;
  }
  return Answer::kGoOn;
}

// --- Subgroups --------------------------------------------------------------------------------------------------------------------------

void Tracker::cross(const InstructionEvent& e, Lanes& l) {
  const ir::Facts& facts = ir::factsOf(e.batch.env->program->codeOf(e.pc));
  const ir::Makes makes = facts.makes;
  if (makes == ir::Makes::kOfOne) return shuffle(e, l, facts.source);
  const LaneMask none = lanesWithoutResult(e.batch, e.pc, e.lanes);
  if (!none.any() && !markedOf(l, e.arguments, e.lanes).any()) return clear(l, e);
  if (makes != ir::Makes::kOfOwn) return reduce(e, l, makes == ir::Makes::kOfFirst);
  const Mark noResult = none.any() ? markOf(Source::Kind::kNoResult, whereOf(e.batch, e.pc, lowestLane(none))) : Mark{0};
  forLanes(e.lanes, [&](std::uint32_t lane) {
    Mark mark = none.test(lane) ? noResult : 0;
    for (const DescribedOperand& a : e.arguments)
      if (const Cell cell = get(l, a, lane)) mark = cell.mark;
    for (const DescribedOperand& r : e.results) set(l, r, lane, {mark, mark == 0 ? ir::ByteMask{0} : ir::allBytes(r.type)});
  });
}

void Tracker::shuffle(const InstructionEvent& e, Lanes& l, ir::Source which) {
  const std::uint32_t size = e.batch.env->subgroupSize;
  const std::uint32_t cluster = e.arguments.size() > 2 ? static_cast<std::uint32_t>(bitsOf(e.batch, e.arguments[2], 0)) : size;
  const DescribedOperand& result = e.results[0];
  const bool anyValue = markedOf(l, e.arguments.first(1), e.lanes).any(), anyIndex = markedOf(l, e.arguments.subspan(1, 1), e.lanes).any();
  std::array<std::uint32_t, kMaxLanes> from;
  LaneMask without;  // lanes that read one that is not active
  const bool oneIndex = e.arguments[1].slot.step == 0;
  const auto only = static_cast<std::uint32_t>(bitsOf(e.batch, e.arguments[1], 0));
  scalar::withSource(which, size, cluster, [&](auto source) {
    forLanes(e.lanes, [&](std::uint32_t lane) {
      const std::uint32_t base = lane & ~(size - 1);
      const std::uint32_t in = source(lane - base, oneIndex ? only : static_cast<std::uint32_t>(bitsOf(e.batch, e.arguments[1], lane)));
      from[lane] = base + in;
      if ((in >= size || !e.lanes.test(base + in)) && !(anyIndex && get(l, e.arguments[1], lane))) without.set(lane);
    });
  });
  const LaneMask none = lanesWithoutResult(e.batch, e.pc, e.lanes);
  const Mark noResult = none.any() ? markOf(Source::Kind::kNoResult, whereOf(e.batch, e.pc, lowestLane(none))) : Mark{0};
  const Mark inactive = without.any() ? markOf(Source::Kind::kInactiveLane, whereOf(e.batch, e.pc, lowestLane(without))) : Mark{0};
  setResult(e, l, anyValue || anyIndex ? e.lanes : without | none, [&](std::uint32_t lane) -> Cell {
    if (const Cell index = get(l, e.arguments[1], lane)) return {index.mark, ir::allBytes(result.type)};
    if (none.test(lane)) return {noResult, ir::allBytes(result.type)};
    if (without.test(lane)) return {inactive, ir::allBytes(result.type)};
    return get(l, e.arguments[0], from[lane]);
  });
}

// Votes, ballots, reductions and scans: of all active lanes of a subgroup or a cluster; of a scan the lanes up to its own.
void Tracker::reduce(const InstructionEvent& e, Lanes& l, bool ofFirst) {
  const auto* subgroup = std::get_if<kind::Subgroup>(&e.batch.env->program->code[e.pc].what);
  const spv::GroupOperation group = subgroup ? subgroup->group : spv::GroupOperation::Reduce;
  const bool inclusive = group == spv::GroupOperation::InclusiveScan, exclusive = group == spv::GroupOperation::ExclusiveScan;
  std::uint32_t size = e.batch.env->subgroupSize;
  if (group == spv::GroupOperation::ClusteredReduce && e.arguments.size() > 1)
    size = std::clamp(std::bit_floor(static_cast<std::uint32_t>(bitsOf(e.batch, e.arguments[1], 0))), 1u, size);
  for (std::uint32_t base = 0; base < e.batch.width; base += size) {
    Mark mark = 0;
    bool first = true;
    for (std::uint32_t lane = base; lane < std::min(base + size, e.batch.width); ++lane) {
      if (!e.lanes.test(lane)) continue;
      const Cell own = get(l, e.arguments[0], lane);
      const Mark before = mark;
      const bool counts = !ofFirst || first;
      if (own && mark == 0 && counts) mark = own.mark;
      first = false;
      const Mark scanned = inclusive ? mark : before;
      if (inclusive || exclusive) set(l, e.results[0], lane, {scanned, scanned == 0 ? ir::ByteMask{0} : ir::allBytes(e.results[0].type)});
    }
    for (std::uint32_t lane = base; !inclusive && !exclusive && lane < std::min(base + size, e.batch.width); ++lane)
      if (e.lanes.test(lane))
        for (const DescribedOperand& r : e.results) set(l, r, lane, {mark, mark == 0 ? ir::ByteMask{0} : ir::allBytes(r.type)});
  }
}

// --- Where it goes ----------------------------------------------------------------------------------------------------------------------

void Tracker::reach(Sink sink, const InstructionEvent& e, const Lanes& l, std::span<const DescribedOperand> arguments) {
  forLanes(markedOf(l, arguments, e.lanes), [&](std::uint32_t lane) {
    for (const DescribedOperand& a : arguments)
      if (const Cell cell = get(l, a, lane)) tell(sink, cell.mark, whereOf(e.batch, e.pc, lane));
  });
}

Tracker::Where Tracker::whereOf(const Batch& b, std::uint32_t pc, std::uint32_t lane) const {
  const Environment& env = *b.env;
  const Program& p = *env.program;
  const Extent3 id = globalInvocation(p.localSize, env.group, p.invocationOf({b.index, lane}));
  return {env.dispatch, pc, {env.group.x, env.group.y, env.group.z}, {id.x, id.y, id.z}};
}

Mark Tracker::markOf(Source::Kind kind, const Where& at, std::uint32_t value) {
  const bool hasPlace = kind != Source::Kind::kVariable && kind != Source::Kind::kUndef;
  const std::uint32_t place = hasPlace ? placeInSource(*watched_[at.dispatch].program, at.pc) : value;
  const auto [known, fresh] =
      known_.try_emplace({static_cast<std::uint32_t>(kind), at.dispatch, place, 0}, static_cast<Mark>(ways_.size()));
  if (fresh) {
    ways_.push_back({static_cast<std::uint32_t>(sources_.size()), {}, false});
    sources_.push_back({kind, at, value});
  }
  return known->second;
}

// The same source, as this store has put it somewhere.
Mark Tracker::markStored(Mark mark, const Where& at) {
  const std::uint32_t source = ways_[mark].source;
  const auto [known, fresh] = stored_.try_emplace({source, at.dispatch, at.pc}, static_cast<Mark>(ways_.size()));
  if (fresh) ways_.push_back({source, at, true});
  return known->second;
}

void Tracker::tell(Sink sink, Mark mark, const Where& at, PlaceName object) {
  Reached& r = reached_[ways_[mark].source];
  if (r.count++ == 0) r = {sink, at, std::move(object), 1};
}

}  // namespace lanewise::undefined
