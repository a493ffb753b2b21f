#include "model/debug/seek.h"

#include "model/exec/print.h"
#include "model/ir/operation_info.h"
#include "model/state/lane_masks.h"
#include "model/state/lane_value.h"

namespace lanewise::debug {

std::uint32_t laneOf(const LaneMask& mask, std::optional<std::uint32_t> rather) {
  return rather && mask.test(*rather) ? *rather : lowestLane(mask);
}

Hit hitAt(const Batch& batch, std::uint32_t pc, const LaneMask& lanes, std::optional<std::uint32_t> rather) {
  Hit hit;
  hit.group = batch.env->group;
  hit.slot = batch.env->slot;
  hit.batch = batch.index;
  hit.lane = laneOf(lanes, rather);
  hit.pc = pc;
  hit.lanes = lanes;
  return hit;
}

StepSeeker::StepSeeker(const Places& places, const Who& who, Unit unit, std::optional<std::uint32_t> from, bool forward)
    : places_(places), who_(who), unit_(unit), from_(from), forward_(forward) {}

void StepSeeker::begin(bool fromStart) {
  if (first_) open_ = std::move(first_);
  first_.reset();
  last_ = forward_ ? from_ : std::nullopt;
  fresh_ = fromStart;
}

// A line at the beginning of the later stretch begins there if this stretch ends in another line.
std::optional<Hit> StepSeeker::end() {
  if (!open_ || (!last_ && !fresh_)) return {};
  std::optional<Hit> out = std::move(open_);
  open_.reset();
  if (last_ && places_.sameLine(*last_, out->pc)) return {};
  return out;
}

// A step of this unit skips deeper calls, and instructions without a line.
bool StepSeeker::isSeen(std::uint32_t pc) const {
  if (!places_.begins(pc)) return false;
  const bool isLine = unit_ == Unit::kLineIn || unit_ == Unit::kLineOver;
  if (isLine && places_.hasLines() && !places_.hasLine(pc)) return false;
  if (unit_ == Unit::kLineIn || unit_ == Unit::kInstruction || !from_) return true;
  return unit_ == Unit::kOut ? places_.depth(pc) < places_.depth(*from_) : places_.depth(pc) <= places_.depth(*from_);
}

std::optional<Hit> StepSeeker::before(const InstructionEvent& event) {
  if (!who_.isIn(event.batch) || !event.lanes.test(who_.lane) || !isSeen(event.pc)) return {};
  const bool byLine = places_.hasLines() && (unit_ == Unit::kLineIn || unit_ == Unit::kLineOver);
  const bool isNew = !last_ || !byLine || !places_.sameLine(*last_, event.pc);
  const bool mayBegin = !last_ && !fresh_ && byLine && !forward_;  // the stretch begins in the middle of a run
  last_ = event.pc;
  if (!isNew) return {};
  Hit hit = hitAt(event.batch, event.pc, event.lanes, who_.lane);
  hit.reason = kStepped;
  hit.time = now;
  if (!mayBegin) return hit;
  first_ = std::move(hit);
  return {};
}

std::optional<Hit> StepSeeker::moment(const Moment& moment) {
  const auto* over = std::get_if<LanesReturn>(&moment);
  if (!forward_ || !over || !who_.isIn(over->batch) || !over->lanes.test(who_.lane)) return {};
  Hit hit = hitAt(over->batch, over->pc, over->lanes, who_.lane);
  hit.reason = kReturns;
  return hit;
}

StopSeeker::StopSeeker(std::vector<Stopper> stoppers, std::optional<Who> focus, std::optional<Time> skipped)
    : stoppers_(std::move(stoppers)), focus_(focus), skipped_(skipped) {
  for (const Stopper& s : stoppers_) {
    seeksNans_ = seeksNans_ || s.event == Event::kNan || s.event == Event::kNanStore;
    if (s.event == Event::kNan) watches_ |= watch::kAfter;
    if (s.event == Event::kDivergence) watches_ |= watch::kStrand;
    if (s.event == Event::kPrint) watches_ |= watch::kPrint;
    if (!s.region) continue;
    watches_ |= s.region->place == Place::kLaneMemory ? std::uint32_t{watch::kLaneMemory} : watch::kAccess | watch::kBlit;
    watches_ |= watch::kValues;
  }
}

std::optional<StoredBytes> StopSeeker::everyStoreTo() const {
  if (stoppers_.size() != 1 || storesTo().size() != 1 || skipped_) return {};
  const Stopper& s = stoppers_[0];
  if (s.onChange || !s.becomes.empty()) return {};
  return StoredBytes{s.region->resource, s.region->begin, s.region->end};
}

std::vector<std::uint32_t> StopSeeker::storesTo() const {
  std::vector<std::uint32_t> out;
  for (const Stopper& s : stoppers_) {
    const bool isResource = s.region && (s.region->place == Place::kBuffer || s.region->place == Place::kImage);
    if (!isResource || !s.onWrite || s.onRead || s.condition || s.log || s.only || s.counts) return {};
    out.push_back(s.region->resource);
  }
  return out;
}

// Reduces the lanes to those that the stopper is for.
std::optional<Hit> StopSeeker::filtered(const Stopper& s, const Batch& batch, std::uint32_t pc, LaneMask lanes) const {
  if (s.only) {
    if (!s.only->isIn(batch) || !lanes.test(s.only->lane)) return {};
    lanes = oneLane(s.only->lane);
  }
  if (s.condition) {
    LaneMask met;
    forLanes(lanes, [&](std::uint32_t lane) {
      if (s.condition({batch.env, &batch, lane}, pc)) met.set(lane);
    });
    lanes = met;
  }
  if (!lanes.any()) return {};
  if (s.log) {
    forLanes(lanes, [&](std::uint32_t lane) { s.log({batch.env, &batch, lane}, pc); });
    return {};
  }
  Hit hit = hitAt(batch, pc, lanes, focus_ && focus_->isIn(batch) ? std::optional(focus_->lane) : std::nullopt);
  hit.reason = s.number;
  return hit;
}

namespace {

bool isNanLane(const Batch& batch, const DescribedOperand& operand, std::uint32_t lane) {
  const std::uint64_t bits = bitsOf(batch, operand, lane);
  if (operand.type == Scalar::kF64) return (bits & ~(std::uint64_t{1} << 63)) > 0x7ff0000000000000;
  return operand.type == Scalar::kF16 ? (bits & 0x7fff) > 0x7c00 : (bits & 0x7fffffff) > 0x7f800000;
}

LaneMask nansIn(std::span<const DescribedOperand> operands, const InstructionEvent& event) {
  LaneMask out;
  for (const DescribedOperand& o : operands) {
    if (!isFloat(o.type)) continue;
    forLanes(event.lanes, [&](std::uint32_t lane) {
      if (isNanLane(event.batch, o, lane)) out.set(lane);
    });
  }
  return out;
}

bool storesForOthers(ir::Code op) {
  return op == ir::kStore || op == ir::kAtomic || op == ir::kImageWrite || op == ir::kImageAtomic;
}

}  // namespace

// The first of those that are for this event.
std::optional<Hit> StopSeeker::of(Event event, const Batch& batch, std::uint32_t pc, const LaneMask& lanes) {
  for (const Stopper& s : stoppers_) {
    if (s.event != event) continue;
    std::optional<Hit> hit = filtered(s, batch, pc, lanes);
    if (hit && (!s.counts || s.counts())) return hit;
  }
  return {};
}

std::optional<Hit> StopSeeker::before(const InstructionEvent& event) {
  nans_ = seeksNans_ ? nansIn(event.arguments, event) : LaneMask{};
  if (now == skipped_) return {};
  for (const Stopper& s : stoppers_) {
    const auto at = s.at.find(event.batch.env->program);
    if (at == s.at.end() || !at->second.contains(event.pc)) continue;
    std::optional<Hit> hit = filtered(s, event.batch, event.pc, event.lanes);
    if (hit && (!s.counts || s.counts())) return hit;
  }
  return nans_.any() && storesForOthers(event.info.op) ? of(Event::kNanStore, event.batch, event.pc, nans_) : std::nullopt;
}

// Of a subgroup's operation any lane's operand counts.
std::optional<Hit> StopSeeker::after(const InstructionEvent& event) {
  const bool isOfSubgroup = event.info.op == ir::kSubgroup;
  if (!seeksNans_ || now == skipped_ || (!ir::computes(event.info.op) && !(isOfSubgroup && !nans_.any()))) return {};
  const LaneMask fresh = without(nansIn(event.results, event), nans_);
  return fresh.any() ? of(Event::kNan, event.batch, event.pc, fresh) : std::nullopt;
}

namespace {

bool isIn(const Region& region, const AccessEvent& event) {
  if (region.place == Place::kWorkgroup || region.place == Place::kLaneMemory) {
    const bool same =
        region.place == event.place && event.batch.env->dispatch == region.who.dispatch && event.batch.env->group == region.who.group;
    return same && (region.place == Place::kWorkgroup || event.batch.index == region.who.batch);
  }
  return event.place == Place::kBuffer || event.place == Place::kImage || event.place == Place::kPhysical;
}

// What makes a called function's variables undefined again: no store of the module.
bool isCallsOwn(const Program& program, std::uint32_t pc) {
  return program.isRecord(pc) && program.code[pc].as<kind::LaneMemory>().firstWord < program.recordWords;
}

}  // namespace

// If several lanes touch the region, the hit is of the last one, because it decides the bytes afterwards. The hit lists the others too.
std::optional<Hit> StopSeeker::accessOf(const Stopper& s, const AccessEvent& event) const {
  const Region& region = *s.region;
  const bool wanted = (s.onRead && reads(event.kind)) || (s.onWrite && writes(event.kind));
  if (!wanted || !isIn(region, event) || isCallsOwn(*event.batch.env->program, event.pc)) return {};
  const bool byResource = region.place == Place::kBuffer || region.place == Place::kImage;
  std::optional<Hit> found;
  LaneMask lanes;
  std::size_t value = 0;
  forEachLane(event, [&](std::uint32_t lane, const LaneRun& run, std::uint64_t offset) {
    const std::size_t at = std::exchange(value, value + run.size);
    if ((byResource && run.resource != region.resource) || offset >= region.end || offset + run.size <= region.begin) return;
    if (region.place == Place::kLaneMemory && lane != region.who.lane) return;
    std::vector<std::byte> before, after;
    // The bytes of the region that the lane touches.
    const std::uint64_t first = std::max(offset, region.begin), last = std::min(offset + run.size, region.end);
    const auto cut = [&](std::span<const std::byte> all) {
      if (all.size() < at + run.size) return std::vector<std::byte>{};
      const std::span<const std::byte> own = all.subspan(at + (first - offset), last - first);
      return std::vector<std::byte>(own.begin(), own.end());
    };
    before = cut(event.before);
    after = cut(event.after);
    if (s.onChange && before == after) return;
    if (!s.becomes.empty() && after != s.becomes) return;
    std::optional<Hit> hit = filtered(s, event.batch, event.pc, oneLane(lane));
    if (!hit) return;
    lanes.set(lane);
    found = std::move(hit);
    found->before = std::move(before);
    found->after = std::move(after);
    found->isAccess = true;
    found->writes = writes(event.kind);
    found->place = event.place;
    found->resource = run.resource;
    found->byte = first;
  });
  if (found) found->lanes = lanes;
  return found;
}

std::optional<Hit> StopSeeker::access(const AccessEvent& event) {
  for (const Stopper& s : stoppers_)
    if (s.region)
      if (std::optional<Hit> hit = accessOf(s, event); hit && (!s.counts || s.counts())) return hit;
  return {};
}

std::optional<Hit> StopSeeker::blitted(const BlitTexel& blit) {
  for (const Stopper& s : stoppers_) {
    const bool any = s.region && s.onWrite && !s.condition && !s.only && !s.onChange && s.becomes.empty();
    if (!any || s.region->name != blit.blit.resource || blit.written < s.region->begin || blit.written >= s.region->end) continue;
    Hit hit;
    hit.reason = s.number;
    hit.pc = kBlitted;
    return hit;
  }
  return {};
}

std::optional<Hit> StopSeeker::moment(const Moment& moment) {
  if (const auto* blit = std::get_if<BlitTexel>(&moment)) return blitted(*blit);
  if (now == skipped_) return {};
  if (const auto* splits = std::get_if<StrandSplits>(&moment)) {
    const auto isElsewhere = [&](const Strand& part) { return part.pc != splits->parts[0].pc; };
    if (!std::ranges::any_of(splits->parts, isElsewhere)) return {};  // lanes that met go on alone
    LaneMask all;
    for (const Strand& part : splits->parts) all = all | part.lanes;
    std::optional<Hit> hit = of(Event::kDivergence, splits->batch, splits->pc, all);
    if (hit) hit->parts.assign(splits->parts.begin(), splits->parts.end());
    return hit;
  }
  const auto* print = std::get_if<PrintReached>(&moment);
  for (const Stopper& s : stoppers_) {
    if (!print || s.event != Event::kPrint) continue;
    LaneMask lanes;
    forLanes(print->lanes, [&](std::uint32_t lane) {
      if (s.begins.empty() || printedText(*print, lane).starts_with(s.begins)) lanes.set(lane);
    });
    std::optional<Hit> hit = lanes.any() ? filtered(s, print->batch, print->pc, lanes) : std::nullopt;
    if (hit && (!s.counts || s.counts())) return hit;
  }
  return {};
}

}  // namespace lanewise::debug
