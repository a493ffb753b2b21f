// Who wrote what until now: workgroup memory, which bytes of resources were written at all, and all stores to one place.
//
// All of it by running again: a workgroup's memory from where the workgroup began, a resource's from the start of the run, and only where
// bytes are asked for that are poison.
#include <algorithm>

#include "model/debug/advice.h"
#include "model/debug/session.h"
#include "model/state/workgroup.h"

namespace lanewise::debug {
namespace {

// The last store to each byte of one workgroup's memory.
class GroupSeeker final : public Seeker {
 public:
  explicit GroupSeeker(const Who& who) : who_(who) {}
  std::uint32_t watches() const override { return watch::kAccess; }
  std::optional<Hit> access(const AccessEvent& event) override {
    const Environment& env = *event.batch.env;
    if (event.place != Place::kWorkgroup || !writes(event.kind) || env.dispatch != who_.dispatch || env.group != who_.group) return {};
    const Program& p = *env.program;
    forEachLane(event, [&](std::uint32_t lane, const LaneRun& run, std::uint64_t offset) {
      const LastStore store{now, globalInvocation(p.localSize, env.group, p.invocationOf({event.batch.index, lane})), event.pc};
      all.rows(offset, run.size, [&](const auto& row) { std::fill_n(&row.cells[row.first], row.count, store); });
    });
    return {};
  }
  LastStores all;

 private:
  Who who_;
};

}  // namespace

// Which bytes of the resources that start undefined were written. Session::Written, which others know of, has one.
class WrittenResources final : public Seeker {
 public:
  explicit WrittenResources(const Job& job) : job_(job) {
    for (const Resource& r : job.resources) written_.emplace_back(placeBytes(r));
  }
  std::uint32_t watches() const override { return watch::kAccess | watch::kBlit; }
  bool needsInstructions() const override { return false; }
  std::vector<std::uint32_t> storesTo() const override {
    std::vector<std::uint32_t> out;
    for (std::uint32_t i = 0; i < written_.size(); ++i)
      if (job_.resources[i].undefined) out.push_back(i);
    return out;
  }
  std::optional<Hit> access(const AccessEvent& event) override {
    const bool isResource = event.place == Place::kBuffer || event.place == Place::kImage || event.place == Place::kPhysical;
    if (isResource && writes(event.kind))
      forEachLane(event, [&](std::uint32_t, const LaneRun& run, std::uint64_t offset) { mark(run.resource, offset, run.size); });
    return {};
  }
  std::optional<Hit> moment(const Moment& moment) override {
    const auto* blit = std::get_if<BlitTexel>(&moment);
    if (!blit) return {};
    const auto i = resourceNamed(job_.resources, blit->blit.resource);
    const auto* image = i < job_.resources.size() ? std::get_if<ImageData>(&job_.resources[i].data) : nullptr;
    if (image) mark(static_cast<std::uint32_t>(i), blit->written, formatInfo(image->format)->texelBytes);
    return {};
  }
  bool isWritten(std::uint32_t resource, std::uint64_t begin, std::uint64_t end) const {
    bool any = end > job_.resources[resource].bytes().size();
    for (std::uint64_t i = begin; i < end && !any; ++i) any = written_[resource].at(i) != 0;
    return any;
  }

 private:
  void mark(std::uint32_t resource, std::uint64_t begin, std::uint64_t bytes) {
    if (job_.resources[resource].undefined)
      written_[resource].rows(begin, bytes, [](const auto& row) { std::fill_n(&row.cells[row.first], row.count, 1); });
  }
  const Job& job_;
  std::vector<PagedShadow<std::vector<std::uint8_t>>> written_;  // by resource
};

// What is known of now: asked for when it is needed.
class Session::Written final : public WrittenBytes {
 public:
  explicit Written(Session& session) : s_(session) {}

  bool isWritten(Place place, std::uint32_t resource, Extent3 group, std::uint64_t begin, std::uint64_t end) const override {
    if (place == Place::kWorkgroup) {
      const LastStores* stores = ofGroup(group);
      for (std::uint64_t i = begin; stores && i < end; ++i)
        if (stores->at(i).pc != kBlitted) return true;
      return !stores;
    }
    if (resource >= s_.job_.resources.size() || !s_.job_.resources[resource].undefined) return true;
    if (!resources_ && !isGivenUp_) {
      resources_.emplace(s_.job_);
      isGivenUp_ = s_.line_.upToNow(*resources_, {}).has_value();
      if (s_.line_.interrupted()) {
        resources_.reset();  // the next one asks again
        return true;
      }
    }
    return isGivenUp_ || resources_->isWritten(resource, begin, end);
  }

  // nullptr: that was stopped.
  const LastStores* ofGroup(Extent3 group) const {
    const Who who{s_.dispatch(), group, 0, 0};
    const auto [known, isNew] = groups_.try_emplace({group.x, group.y, group.z});
    if (isNew && !s_.atEnd()) {
      GroupSeeker seeker(who);
      if (!s_.line_.upToNow(seeker, s_.beginOf(who)) && !s_.line_.interrupted()) known->second = std::move(seeker.all);
      if (s_.line_.interrupted()) {
        groups_.erase(known);
        return nullptr;
      }
    }
    return known->second ? &*known->second : nullptr;
  }

 private:
  Session& s_;
  mutable std::optional<WrittenResources> resources_;
  mutable bool isGivenUp_ = false;
  mutable std::map<std::array<std::uint32_t, 3>, std::optional<LastStores>> groups_;
};

Session::Session(const Job& job, Timeline line) : job_(job), line_(std::move(line)) {}
Session::~Session() = default;

// What was valid only before the run went on.
void Session::forget() {
  environments_.clear();
  written_.reset();
}

const WrittenBytes* Session::written() {
  if (!written_) written_ = std::make_unique<Written>(*this);
  return written_.get();
}

Expected<LastStores> Session::workgroupStores() {
  if (standing().state == Standing::State::kNotOpen || atEnd())
    return Error{Outcome::kUnsupported, "the workgroup has not begun, or is over", "", textOf(Advice::kAnInvocation)};
  written();
  const auto* all = written_->ofGroup(placeOfInvocation(program().localSize, focus_).group);
  if (!all) return Error{Outcome::kInterrupted, "the search for writers was stopped", "", ""};
  return *all;
}

Extent3 Session::invocationOf(const Hit& hit) {
  const Program& p = line_.execution().programOf(hit.time.dispatch);
  return globalInvocation(p.localSize, hit.group, p.invocationOf({hit.batch, hit.lane}));
}

bool Session::isFresh(const Hit& hit, std::optional<std::span<const Hit>> before) {
  if (hit.place == Place::kWorkgroup) return isPoison(hit.before);
  const bool isShared = hit.place == Place::kBuffer || hit.place == Place::kImage || hit.place == Place::kPhysical;
  if (isShared && (!job_.resources[hit.resource].undefined || !isPoison(hit.before))) return false;
  const auto meets = [&](const Hit& h) { return h.byte < hit.byte + hit.before.size() && hit.byte < h.byte + h.after.size(); };
  if (before) return std::ranges::none_of(*before, meets);
  if (isShared) return hit.isFirst || !written()->isWritten(Place::kBuffer, hit.resource, {}, hit.byte, hit.byte + hit.before.size());
  if (hit.place != Place::kLaneMemory || hit.slot >= residents().size() || hit.batch >= residents()[hit.slot].batches.size()) return false;
  const Batch& batch = residents()[hit.slot].batches[hit.batch];
  const std::vector<ir::LocalVariable>& locals = program().locals;
  const std::uint64_t word = hit.byte / sizeof(std::uint32_t);
  for (const ir::LocalVariable& local : locals) {
    const std::uint64_t leaf = (word - local.firstWord) / local.leafWords;
    if (!local.inLaneMemory || local.notes == 0 || word < local.firstWord || leaf >= local.leaves.size()) continue;
    std::uint32_t note = 0;
    std::memcpy(&note, batch.laneMemory.data() + ((locals[local.notes].firstWord + leaf) * batch.width + hit.lane) * sizeof note,
                sizeof note);
    return note == ir::kNotWritten;
  }
  return false;
}

Expected<std::vector<Hit>> Session::history(const Region& region) {
  std::vector<Stopper> one(1);
  one[0].region = region;
  one[0].onWrite = true;
  if (region.place == Place::kBuffer || region.place == Place::kImage) one[0].region->name = job_.resources[region.resource].name;
  StopSeeker seeker(std::move(one), {});
  Expected<std::vector<Hit>> hits = line_.every(seeker);
  if (hits && line_.interrupted()) return Error{Outcome::kInterrupted, "the search for stores was stopped", "", ""};
  return hits;
}

}  // namespace lanewise::debug
