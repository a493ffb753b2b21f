#include "model/check/race_segment.h"

#include <algorithm>
#include <set>

namespace lanewise::race {
namespace {

// The resources that a program may write: by name, or all of them if it stores through addresses or pointer values.
void markWritten(const Job& job, const Dispatch& dispatch, const Program& program, std::vector<std::uint8_t>& readOnly) {
  std::set<std::uint32_t> variables;
  for (std::uint32_t pc = 0; pc < program.info.size(); ++pc) {
    const ir::Code op = program.info[pc].op;
    const auto* image = std::get_if<kind::Image>(&program.code[pc].what);
    if (image && image->values != 0) variables.insert(program.imageAccesses[image->access].variable);
    if (op != ir::kStore && op != ir::kAtomic) continue;
    const ir::Access& access = *program.accessOf(pc);
    if (access.space == ir::Space::kPhysical || access.space == ir::Space::kVariable) return readOnly.assign(readOnly.size(), 0);
    variables.insert(access.variable);
  }
  for (const ir::ResourceDeclaration& r : program.resources)
    for (const Binding& b : dispatch.bindings)
      if (variables.contains(r.variable) && b.set == r.set && b.binding == r.binding)
        if (const std::size_t at = resourceNamed(job.resources, b.resource); at < readOnly.size()) readOnly[at] = 0;
}

}  // namespace

Segment::Segment(const Job& job) : job_(job), dispatches_(job.dispatches.size()) {}

bool Segment::begin(const Environment& env) {
  bool barrier = nextDispatch_ == 0;
  for (std::uint32_t d = nextDispatch_; d <= env.dispatch; ++d) barrier = barrier || job_.dispatches[d].barrierBefore;
  for (const Blit& blit : job_.blits) barrier = barrier || (blit.before >= nextDispatch_ && blit.before <= env.dispatch);
  nextDispatch_ = env.dispatch + 1;
  // With several dispatches, the writes of the next one are not known in the first.
  const bool last = nextDispatch_ == job_.dispatches.size() || job_.dispatches[nextDispatch_].barrierBefore;
  Begun& begun = dispatches_[env.dispatch];
  begun.program = env.program;
  begun.means.assign(env.program->info.size(), {});
  readOnly_.assign(job_.resources.size(), barrier && last ? 1 : 0);
  if (barrier && last) markWritten(job_, job_.dispatches[env.dispatch], *env.program, readOnly_);
  if (barrier) nextGroup_ = 0;
  begun.firstGroup = nextGroup_;
  nextGroup_ += workgroupsIn(env.groups);
  return barrier;
}

const Means& Segment::means(const AccessEvent& event) {
  const Environment& env = *event.batch.env;
  Means& means = dispatches_[env.dispatch].means[event.pc];
  if (means.order == nullptr) means = meansOf(*env.program, event.pc, event.place, event.variable);
  return means;
}

bool Segment::cannotRace(const AccessEvent& event) const {
  if (event.place == Place::kPush || event.runs.empty()) return true;
  return event.place != Place::kWorkgroup &&
         std::ranges::all_of(event.runs, [this](const LaneRun& run) { return isReadOnly(run.resource); });
}

}  // namespace lanewise::race
