#include "model/check/rules_checker.h"

#include <fmt/ranges.h>

#include <algorithm>

#include "model/check/place_text.h"
#include "model/ir/operation_info.h"
#include "model/ir/path_text.h"
#include "model/spirv/source_words.h"
#include "model/state/lane_masks.h"
#include "model/state/workgroup.h"

namespace lanewise {
namespace {

constexpr auto kMaximallyReconverges = static_cast<spv::ExecutionMode>(6023);

// Whether the views of two bindings of one resource have a level in common.
bool shareLevels(const Binding& a, const Binding& b) {
  const auto ends = [](const Binding& x) { return x.levelCount == 0 ? ~0u : x.baseLevel + x.levelCount; };
  return a.baseLevel < ends(b) && b.baseLevel < ends(a);
}

}  // namespace

RulesObserver::RulesObserver(const Job& job) : job_(job), users_(job.resources.size()) {
  for (const Dispatch& d : job.dispatches)
    for (std::size_t i = 0; i < d.bindings.size(); ++i) {
      arrays_ = arrays_ || d.bindings[i].element != 0;
      const std::size_t resource = resourceNamed(job.resources, d.bindings[i].resource);
      if (resource == job.resources.size()) continue;
      const bool twice = std::any_of(d.bindings.begin(), d.bindings.begin() + static_cast<std::ptrdiff_t>(i), [&](const Binding& b) {
        return b.resource == d.bindings[i].resource && (b.set != d.bindings[i].set || b.binding != d.bindings[i].binding) &&
               shareLevels(b, d.bindings[i]);
      });
      const std::uint32_t unit = placeBytes(job.resources[resource]);
      if (twice && !users_[resource]) users_[resource].emplace(unit, placeBitsOf(job.resources[resource].bytes().size(), unit));
    }
}

std::uint32_t RulesObserver::watches() const {
  const bool accesses = arrays_ || std::ranges::any_of(users_, [](const auto& u) { return u.has_value(); });
  const std::uint32_t always = watch::kDispatch | watch::kStrand | watch::kOperation | watch::kFault;
  return accesses ? always | watch::kAccess : always;
}

RunFinding* RulesObserver::found(FindingKind kind, const Batch& batch, std::uint32_t pc, std::uint32_t lane) {
  const Program& program = *batch.env->program;
  const auto [it, fresh] = known_.try_emplace({kind, batch.env->dispatch, placeInSource(program, pc)}, findings_.size());
  if (!fresh) {
    ++findings_[it->second].count;
    return nullptr;
  }
  findings_.push_back(findingAt(kind, *batch.env, pc, program.invocationOf({batch.index, lane})));
  return &findings_.back();
}

Answer RulesObserver::moment(const Moment& moment) {
  std::visit(Cases{[this](const DispatchBegins& e) {
                     if (job_.dispatches[e.env.dispatch].barrierBefore)
                       for (auto& users : users_)
                         if (users) users->clear();
                   },
                   [this](const StrandSplits& e) { split(e); }, [this](const SubgroupOperates& e) { operates(e); },
                   [this](const Faulted& e) { fault(e); }, [](const auto&) {}},
             moment);
  return Answer::kGoOn;
}

RulesObserver::Colours& RulesObserver::coloursOf(const Batch& batch) {
  Colours& c = colours_[{batch.env->slot, batch.index}];
  const std::uint64_t place = (std::uint64_t{batch.env->dispatch} << 40) + batch.env->place + 1;
  if (c.place != place) {
    c = {};
    c.place = place;
  }
  return c;
}

// It has an operation of subgroups, and does not say that lanes always meet again.
bool RulesObserver::asksWhoMeets(const Program& program) {
  const auto [known, fresh] = asks_.try_emplace(&program, false);
  if (!fresh) return known->second;
  known->second = !program.separateLanes && std::ranges::any_of(program.info, [](const auto& i) { return i.op == ir::kSubgroup; }) &&
                  std::ranges::none_of(program.module.executionModes, [](const auto& m) { return m.mode == kMaximallyReconverges; });
  return known->second;
}

void RulesObserver::split(const StrandSplits& at) {
  const Batch& b = at.batch;
  if (!asksWhoMeets(*b.env->program)) return;
  Colours& c = coloursOf(b);
  LaneMask all;
  for (const Strand& part : at.parts) all = all | part.lanes;
  forSubgroups(b, [&](std::uint32_t, const LaneMask& subgroup) {
    const LaneMask own = all & subgroup;
    if (!own.any()) return;
    const auto inside = std::ranges::count_if(at.parts, [&](const Strand& p) { return (p.lanes & subgroup).any(); });
    const bool whole = own == (b.live & subgroup);
    if (inside < 2 && !whole) return;
    for (const Strand& part : at.parts) {
      const LaneMask lanes = part.lanes & subgroup;
      if (!lanes.any()) continue;
      if (inside < 2) {
        forLanes(lanes, [&](std::uint32_t lane) { c.of[lane] = 0; });
        continue;
      }
      std::vector<std::pair<std::uint32_t, std::uint32_t>> fresh;  // of this part: by colour the new one; all had one if `whole`
      const std::uint32_t only = whole ? c.next++ : 0;
      forLanes(lanes, [&](std::uint32_t lane) {
        c.partedAt[lane] = at.pc;
        if (whole) {
          c.of[lane] = only;
          return;
        }
        auto known = std::ranges::find(fresh, c.of[lane], &std::pair<std::uint32_t, std::uint32_t>::first);
        if (known == fresh.end()) known = fresh.insert(known, {c.of[lane], c.next++});
        c.of[lane] = known->second;
      });
    }
  });
}

void RulesObserver::operates(const SubgroupOperates& at) {
  const Batch& b = at.batch;
  const Program& program = *b.env->program;
  const ir::Facts& facts = ir::factsOf(program.instructionOf(at.pc).op);
  if (b.env->subgroupSize < 4 && facts.across == ir::Across::kQuad)
    if (RunFinding* f = found(FindingKind::kSmallQuads, b, at.pc, lowestLane(at.lanes)))
      f->place = fmt::format("in a subgroup of {}", b.env->subgroupSize);
  if (facts.makes == ir::Makes::kOfOwn || !asksWhoMeets(program)) return;
  Colours& c = coloursOf(b);
  forSubgroups(b, [&](std::uint32_t, const LaneMask& subgroup) {
    const LaneMask own = at.lanes & subgroup;
    if (!own.any() || own == (b.live & subgroup)) return;
    const std::uint32_t first = lowestLane(own);
    for (std::uint32_t lane = first; lane < b.width; ++lane) {
      if (!own.test(lane) || c.of[lane] == c.of[first]) continue;
      RunFinding* f = found(FindingKind::kReconvergence, b, at.pc, lane);
      if (!f) return;
      f->otherAt = program.placeBefore(c.partedAt[lane]);
      f->other = fmt::format(
          "it parted from {} at {} and met it again while others of the subgroup were elsewhere: a device need not let them meet",
          fmt::join(globalInvocation(program, b.env->groups, linearOf(b.env->group, b.env->groups), program.invocationOf({b.index, first})),
                    ","),
          f->otherAt.text());
      f->mend = "move the operation to where all of the subgroup come, or declare maximal reconvergence";
      return;
    }
  });
}

void RulesObserver::fault(const Faulted& at) {
  if (at.batch.fault != Fault::kDivergentBarrier) return;
  const Batch& b = at.batch;
  const Program& program = *b.env->program;
  RunFinding* f = found(FindingKind::kDivergentBarrier, b, at.pc, lowestLane(at.lanes));
  if (!f) return;
  if (b.waiting.empty()) {
    f->other = b.lone.empty() ? "others of the workgroup are at another barrier" : "others of the workgroup are not with it";
    return;
  }
  const Strand& other = b.waiting.back();
  const std::uint32_t local = program.invocationOf({b.index, lowestLane(other.lanes)});
  f->otherAt = program.placeBehind(other.pc);
  const bool isBehind = f->otherAt.empty();
  if (isBehind) f->otherAt = program.placeBefore(other.pc);
  f->other = fmt::format("invocation {} is not with it, but {} {}",
                         fmt::join(globalInvocation(program, b.env->groups, linearOf(b.env->group, b.env->groups), local), ","),
                         isBehind ? "behind" : "at", f->otherAt.text());
}

Answer RulesObserver::access(const AccessEvent& event) {
  if (event.place != Place::kBuffer && event.place != Place::kImage) return Answer::kGoOn;
  if (arrays_) nonUniform(event);
  aliases(event);
  return Answer::kGoOn;
}

void RulesObserver::nonUniform(const AccessEvent& event) {
  const Batch& b = event.batch;
  const Program& program = *b.env->program;
  const auto descriptorOf = [](const LaneRun& r) { return std::pair(r.resource, r.element); };
  if (program.orders[program.info[event.pc].order].has(ir::Order::kNonUniform)) return;
  if (std::ranges::all_of(event.runs, [&](const LaneRun& r) { return descriptorOf(r) == descriptorOf(event.runs[0]); })) return;
  std::array<std::pair<std::uint32_t, std::uint32_t>, kMaxLanes> descriptor{};
  LaneMask seen;
  for (const LaneRun& run : event.runs)
    for (std::uint32_t i = 0; i < run.count; ++i) {
      descriptor[run.lane + i] = descriptorOf(run);
      seen.set(run.lane + i);
    }
  forSubgroups(b, [&](std::uint32_t, const LaneMask& subgroup) {
    const LaneMask own = seen & subgroup;
    if (!own.any()) return;
    const std::uint32_t first = lowestLane(own);
    for (std::uint32_t lane = first; lane < b.width; ++lane) {
      if (!own.test(lane) || descriptor[lane] == descriptor[first]) continue;
      RunFinding* f = found(FindingKind::kNonUniform, b, event.pc, lane);
      if (!f) return;
      f->object.variable = variableText(program, event.variable);
      f->other = "lanes of one subgroup use different descriptors, and the index is not NonUniform";
      f->mend = fmt::format("write {} around the index", spirv::sourceWords(program.module).nonUniform);
      return;
    }
  });
}

void RulesObserver::aliases(const AccessEvent& event) {
  const Program& program = *event.batch.env->program;
  const auto isAliased = [&](std::uint32_t variable) { return program.module.decoration(variable, spv::Decoration::Aliased) != nullptr; };
  const std::uint32_t variable = event.variable;
  if (variable == 0 || isAliased(variable)) return;
  const bool wrote = writes(event.kind);
  const User own{variable, event.pc, wrote};
  // False if another variable has used it.
  const auto takes = [&](User& user) {
    if (user.variable == 0 || (user.variable == variable && wrote && !user.wrote)) user = own;
    return user.variable == variable;
  };
  for (const LaneRun& run : event.runs) {
    if (!users_[run.resource]) continue;
    auto& users = *users_[run.resource];
    const bool ofPlaces = users.isOfPlaces(run);
    for (std::uint32_t i = 0; i < run.count; ++i) {
      if (ofPlaces)
        i = users.places(
            i, run.count, run.size, [&](std::uint32_t k) { return run.offsetOf(k); }, takes);
      if (i == run.count) break;
      const std::uint64_t offset = run.offsetOf(i);
      users.rows(offset, run.size, [&](const auto& row) {
        for (std::uint64_t k = 0; k < row.count; ++k) {
          User& user = row.cells[row.first + k];
          if (takes(user)) continue;
          if ((wrote || user.wrote) && !isAliased(user.variable)) {
            RunFinding* f = found(FindingKind::kAliased, event.batch, event.pc, run.lane + i);
            if (!f) continue;
            f->object = placeName(job_, event, accessedBy(run), offset, run.size);
            f->otherAt = program.instructionPlace(user.pc);
            f->other = fmt::format("another variable names the same memory at {}, and neither is Aliased", f->otherAt.text());
          }
          if (wrote && !user.wrote) user = own;
        }
      });
    }
  }
}

}  // namespace lanewise
