#include "model/check/index_teller.h"

#include <fmt/format.h>

#include <algorithm>

#include "model/check/place_text.h"
#include "model/ir/path_text.h"
#include "model/state/lane_masks.h"
#include "model/state/workgroup.h"

namespace lanewise {
namespace {

bool lacksIndex(const RunFinding& f) {
  return f.kind == FindingKind::kBufferOutOfRange && (f.place.empty() || f.object.part.find("[%") != std::string::npos);
}

}  // namespace

IndexTeller::IndexTeller(const Job& job, std::vector<RunFinding>& findings) : job_(job) {
  for (RunFinding& f : findings)
    if (lacksIndex(f)) lacking_.push_back(&f);
}

bool IndexTeller::isAsked(const Program& program, std::uint32_t dispatch, std::uint32_t pc) {
  const auto [it, fresh] = asked_.try_emplace({dispatch, pc}, false);
  if (fresh)
    it->second = std::ranges::any_of(
        lacking_, [&](const RunFinding* f) { return f->dispatch == dispatch && sameLine(f->at, program.instructionPlace(pc)); });
  return it->second;
}

Answer IndexTeller::moment(const Moment& moment) {
  const auto* at = std::get_if<IndexOutside>(&moment);
  if (!at || at->count != 0 || !isAsked(*at->batch.env->program, at->batch.env->dispatch, at->pc)) return Answer::kGoOn;
  batch_ = &at->batch;
  instruction_ = &at->batch.env->program->instructionOf(at->pc);
  indices_.clear();
  forLanes(at->lanes, [&](std::uint32_t lane) { indices_[lane] = indicesOf(*at, lane); });
  return Answer::kGoOn;
}

Answer IndexTeller::access(const AccessEvent& event) {
  for (const Outside& outside : event.outside)
    if (isAsked(*event.batch.env->program, event.batch.env->dispatch, event.pc)) tell(event, outside);
  return isDone() || ++seen_ == kMostSeen ? Answer::kStop : Answer::kGoOn;
}

void IndexTeller::tell(const AccessEvent& event, const Outside& outside) {
  const Environment& env = *event.batch.env;
  const Program& program = *env.program;
  const auto own = indices_.find(outside.lane);
  if (batch_ != &event.batch || instruction_ != &program.instructionOf(event.pc) || own == indices_.end()) return;
  const RunFinding here = findingAt(FindingKind::kBufferOutOfRange, env, event.pc, program.invocationOf({event.batch.index, outside.lane}));
  const auto f = std::ranges::find_if(lacking_, [&](const RunFinding* one) {
    return one->dispatch == here.dispatch && one->invocation == here.invocation && sameLine(one->at, here.at) &&
           one->instruction == here.instruction;
  });
  if (f == lacking_.end()) return;
  std::vector<std::int64_t> values;
  for (const std::optional<std::int64_t>& index : own->second) {
    if (!index) return;
    values.push_back(*index);
  }
  (*f)->object = indexedName(program, program.info[event.pc].path, values);
  if ((*f)->place.empty()) {
    const std::int64_t first = firstByte(event, outside.element, values);
    (*f)->place = fmt::format("bytes {} to {} of {}", first, first + outside.size - 1, job_.resources[outside.resource].bytes().size());
  }
  lacking_.erase(f);
}

}  // namespace lanewise
