#include "model/state/access_log.h"

namespace lanewise {

void AccessLog::begin(const Batch& batch, std::uint32_t pc, Place place, AccessKind kind, std::uint32_t variable, bool values) {
  batch_ = &batch;
  pc_ = pc;
  variable_ = variable;
  place_ = place;
  kind_ = kind;
  values_ = values;
  left_ = false;
  lanes_ = batch.mask;
  runs_.clear();
  sources_.clear();
  outside_.clear();
  before_.clear();
  after_.clear();
}

void AccessLog::add(const LaneRun& run, HostBytes at) {
  if (values_) {
    copy(run, at, before_);
    sources_.emplace_back(run, at);
  }
  if (!runs_.empty()) {
    LaneRun& last = runs_.back();
    const bool neighbours = last.lane + last.count == run.lane && last.resource == run.resource && last.size == run.size;
    const std::uint64_t apart = run.offset - last.offsetOf(last.count - 1);
    const std::uint32_t stride = last.count > 1 ? last.stride : static_cast<std::uint32_t>(apart);
    if (neighbours && (apart == 0 || apart == run.size) && apart == stride && (run.count == 1 || run.stride == stride)) {
      last.stride = stride;
      last.count += run.count;
      return;
    }
  }
  runs_.push_back(run);
}

void AccessLog::left(const std::byte* data, std::size_t bytes) {
  left_ = true;
  if (values_) after_.insert(after_.end(), data, data + bytes);
}

void AccessLog::copy(const LaneRun& run, const HostBytes& at, std::vector<std::byte>& to) {
  if (at.word == 4 && (run.count == 1 || at.step == run.size)) {  // side by side
    to.insert(to.end(), at.data, at.data + run.count * std::size_t{run.size});
    return;
  }
  for (std::uint32_t i = 0; i < run.count; ++i)
    for (std::uint32_t done = 0; done < run.size; done += 4) {
      const std::byte* word = at.data + i * at.step + done / 4 * at.word;
      to.insert(to.end(), word, word + std::min(4u, run.size - done));
    }
}

AccessEvent AccessLog::finish() {
  if (values_ && !left_)
    for (const auto& [run, at] : sources_) copy(run, at, after_);
  return {*batch_, pc_, place_, kind_, variable_, lanes_, runs_, outside_, before_, after_};
}

}  // namespace lanewise
