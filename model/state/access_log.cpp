#include "model/state/access_log.h"

#include <bit>
#include <optional>

#include "model/ir/operation_info.h"

namespace lanewise {

bool compares(spv::Op op) {
  return ir::factsOf(op).atomic == ir::AtomicUse::kCompares;
}

AccessKind atomicKind(spv::Op op) {
  switch (ir::factsOf(op).atomic) {
    case ir::AtomicUse::kLoads:
      return AccessKind::kAtomicRead;
    case ir::AtomicUse::kStores:
      return AccessKind::kAtomicWrite;
    default:
      return AccessKind::kAtomic;
  }
}

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
  listed_ = 0;
  before_.clear();
  after_.clear();
  claims_ = batch.env->claims;
  granted_ = true;
}

void AccessLog::add(const LaneRun& run, HostBytes at) {
  if (claims_ != nullptr) {
    granted_ = claims_->take(batch_->env->part, {run.resource, run.size, run.count, at.data, at.step, writes(kind_)}) && granted_;
    return;
  }
  if (values_) {
    copy(run, at, before_);
    if (writes(kind_)) sources_.emplace_back(run, at);
  }
  append(run);
}

void AccessLog::append(const LaneRun& run) {
  if (!runs_.empty()) {
    LaneRun& last = runs_.back();
    const bool neighbours = !last.list && last.lane + last.count == run.lane && last.resource == run.resource &&
                            last.element == run.element && last.size == run.size;
    const std::uint64_t apart = run.offset - last.offsetOf(last.count - 1);
    const std::uint64_t stride = last.count > 1 ? last.stride : run.count > 1 ? run.stride : apart;
    // Two single lanes are neighbours only if they are at the same place or adjacent.
    const bool alone = last.count == 1 && run.count == 1 && apart != 0 && apart != run.size;
    if (neighbours && !alone && apart == stride && (run.count == 1 || run.stride == stride)) {
      last.stride = static_cast<std::uint32_t>(stride);
      last.count += run.count;
      return;
    }
  }
  runs_.push_back(run);
}

namespace {

// The distance of `count` places if it is the same between all of them, else empty.
std::optional<std::uint32_t> strideOf(const std::uint64_t* places, std::uint32_t count) {
  if (count == 1) return 0;
  const std::uint64_t stride = places[1] - places[0];
  std::uint64_t apart = stride >> 32;
  for (std::uint32_t i = 1; i < count; ++i) apart |= (places[i] - places[i - 1]) ^ stride;
  return apart == 0 ? std::optional(static_cast<std::uint32_t>(stride)) : std::nullopt;
}

}  // namespace

void AccessLog::add(std::uint32_t first, std::uint32_t lanes, std::uint32_t resource, std::uint32_t element, std::uint32_t size,
                    const std::uint64_t* places, const std::byte* data, const std::uint64_t* hosts) {
  if (claims_ != nullptr) {
    for (std::uint32_t left = lanes; left != 0; left &= left - 1) {
      const auto k = static_cast<std::uint32_t>(std::countr_zero(left));
      granted_ = claims_->take(batch_->env->part, {resource, size, 1, data + hosts[k], 0, writes(kind_)}) && granted_;
    }
    return;
  }
  for (std::uint32_t left = values_ ? lanes : 0; left != 0; left &= left - 1) {
    const auto k = static_cast<std::uint32_t>(std::countr_zero(left));
    before_.insert(before_.end(), data + hosts[k], data + hosts[k] + size);
    if (writes(kind_)) sources_.emplace_back(LaneRun{first + k, 1, resource, size}, HostBytes{data + hosts[k]});
  }
  while (lanes != 0) {
    const auto k = static_cast<std::uint32_t>(std::countr_zero(lanes)), count = static_cast<std::uint32_t>(std::countr_one(lanes >> k));
    lanes &= ~(((1u << count) - 1) << k);
    if (count == 1 && k != 0) {  // alone: the one before is none of this group, or no neighbour
      runs_.push_back({first + k, 1, resource, size, 0, places[k], nullptr, element});
      continue;
    }
    const bool rows = count == kGroup && !strideOf(places, count) && strideOf(places, 8) && strideOf(places + 8, 8);
    const std::uint32_t step = rows ? 8 : count;
    for (std::uint32_t i = k; i < k + count; i += step) append({first + i, step, resource, size, 0, 0, nullptr, element}, places + i);
  }
}

// Neighbouring lanes, each with its own location.
void AccessLog::append(LaneRun run, const std::uint64_t* places) {
  run.offset = places[0];
  if (const auto stride = strideOf(places, run.count)) {
    run.stride = *stride;
    return append(run);
  }
  if (listed_ + run.count > places_.size()) {
    for (std::uint32_t i = 0; i < run.count; ++i) append({run.lane + i, 1, run.resource, run.size, 0, places[i], nullptr, run.element});
    return;
  }
  std::uint64_t* const list = &places_[listed_];
  std::copy(places, places + run.count, list);
  listed_ += run.count;
  run.list = list;
  if (!runs_.empty()) {
    LaneRun& last = runs_.back();
    const bool goesOn = last.list && last.list + last.count == list && last.lane + last.count == run.lane;
    if (goesOn && last.resource == run.resource && last.element == run.element && last.size == run.size) {
      last.count += run.count;
      return;
    }
  }
  runs_.push_back(run);
}

const AccessShape* AccessLog::shape(std::uint32_t size, std::uint32_t width) const {
  if (claims_ != nullptr || values_ || batch_->env->program != program_ || pc_ >= shapes_.size()) return nullptr;
  const AccessShape* const known = shapes_[pc_].get();
  return known && known->credit > 0 && known->size == size && known->width == width ? known : nullptr;
}

void AccessLog::addMoved(std::uint32_t resource, std::uint32_t element, std::uint64_t base) {
  AccessShape& shape = *shapes_[pc_];
  shape.credit = std::min(shape.credit + 1, 64);
  runs_ = shape.runs;
  for (LaneRun& run : runs_) {
    run.resource = resource;
    run.element = element;
    run.offset += base;
  }
}

AccessShape* AccessLog::keep(std::uint32_t size, std::uint32_t width, std::uint64_t base) {
  if (claims_ != nullptr || values_ || listed_ != 0 || !outside_.empty()) return nullptr;
  if (const Program* const now = batch_->env->program; now != program_) {
    program_ = now;
    shapes_.clear();
    shapes_.resize(now->info.size());
  }
  std::unique_ptr<AccessShape>& shape = shapes_[pc_];
  if (!shape) shape = std::make_unique<AccessShape>();
  if (shape->credit <= 0 || --shape->credit <= 0) return nullptr;
  shape->size = size;
  shape->width = width;
  shape->runs = runs_;
  for (LaneRun& run : shape->runs) run.offset -= base;
  return shape.get();
}

void AccessLog::left(const std::byte* data, std::size_t bytes) {
  left_ = true;
  if (values_) after_.insert(after_.end(), data, data + bytes);
}

void AccessLog::copy(const LaneRun& run, const HostBytes& at, std::vector<std::byte>& to) {
  const std::size_t end = to.size();
  to.resize(end + run.count * std::size_t{run.size});
  std::byte* out = to.data() + end;
  if (at.word == 4 && (run.count == 1 || at.step == run.size)) {  // adjacent
    std::memcpy(out, at.data, run.count * std::size_t{run.size});
    return;
  }
  for (std::uint32_t i = 0; i < run.count; ++i)
    for (std::uint32_t done = 0; done < run.size; done += 4) {
      const std::size_t bytes = std::min(4u, run.size - done);
      std::memcpy(out, at.data + i * at.step + done / 4 * at.word, bytes);
      out += bytes;
    }
}

void AccessLog::undo() const {
  const std::byte* end = before_.data() + before_.size();
  // The last first: an atomic's lanes may go to one place.
  for (auto source = sources_.rbegin(); source != sources_.rend(); ++source) {
    const auto& [run, at] = *source;
    const std::byte* from = end -= run.count * std::size_t{run.size};
    for (std::uint32_t i = 0; i < run.count; ++i)
      for (std::uint32_t done = 0; done < run.size; done += 4) {
        const std::size_t bytes = std::min(4u, run.size - done);
        std::memcpy(const_cast<std::byte*>(at.data) + i * at.step + done / 4 * at.word, from, bytes);
        from += bytes;
      }
  }
}

AccessEvent AccessLog::finish() {
  if (values_ && !left_ && writes(kind_))
    for (const auto& [run, at] : sources_) copy(run, at, after_);
  return {*batch_, pc_, place_, kind_, variable_, lanes_, runs_, outside_, before_, writes(kind_) ? after_ : before_};
}

}  // namespace lanewise
