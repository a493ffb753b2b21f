// One run beside another answer: the first store that matters of those that made bytes wrong, and where two runs part.
#include <algorithm>

#include "model/debug/advice.h"
#include "model/debug/session.h"
#include "model/state/lane_masks.h"
#include "model/state/workgroup.h"

namespace lanewise::debug {
namespace {

// For each of some bytes of resources, the number of the last access that stored it, counted over the run.
class LastStoreSeeker final : public Seeker {
 public:
  LastStoreSeeker(const Job& job, std::span<const ByteRange> bytes) : job_(job), ranges_(job.resources.size()) {
    for (const ByteRange& b : bytes) ranges_[b.resource].push_back({b.begin, b.end, 0});
    for (std::vector<Range>& all : ranges_) {
      std::ranges::sort(all, {}, &Range::begin);
      for (Range& r : all) {
        r.first = last_.size();
        last_.resize(last_.size() + (r.end - r.begin));
      }
    }
  }
  std::uint32_t watches() const override { return watch::kAccess | watch::kBlit; }
  bool needsInstructions() const override { return false; }
  std::vector<std::uint32_t> storesTo() const override {
    std::vector<std::uint32_t> out;
    for (std::uint32_t i = 0; i < ranges_.size(); ++i)
      if (!ranges_[i].empty()) out.push_back(i);
    return out;
  }
  std::optional<Hit> access(const AccessEvent& event) override {
    const bool isResource = event.place == Place::kBuffer || event.place == Place::kImage || event.place == Place::kPhysical;
    if (!isResource || !writes(event.kind)) return {};
    ++count_;
    forEachLane(event, [&](std::uint32_t, const LaneRun& run, std::uint64_t offset) { note(run.resource, offset, run.size); });
    return {};
  }
  std::optional<Hit> moment(const Moment& moment) override {
    const auto* blit = std::get_if<BlitTexel>(&moment);
    if (!blit) return {};
    ++count_;
    const auto i = resourceNamed(job_.resources, blit->blit.resource);
    const auto* image = i < job_.resources.size() ? std::get_if<ImageData>(&job_.resources[i].data) : nullptr;
    if (image) note(static_cast<std::uint32_t>(i), blit->written, formatInfo(image->format)->texelBytes);
    return {};
  }
  // The byte whose last store comes first; nothing: nobody stored any.
  std::optional<ByteRange> first() const {
    std::optional<ByteRange> found;
    std::uint64_t least = ~std::uint64_t{0};
    for (std::uint32_t resource = 0; resource < ranges_.size(); ++resource)
      for (const Range& r : ranges_[resource])
        for (std::uint64_t at = r.begin; at < r.end; ++at)
          if (const std::uint64_t n = last_[r.first + (at - r.begin)]; n != 0 && n < least) {
            least = n;
            found = ByteRange{resource, at, endOf(resource, r, at)};
          }
    return found;
  }

 private:
  struct Range {
    std::uint64_t begin = 0, end = 0, first = 0;
  };
  // Of the bytes of one texel or word from there on that the same access stored.
  std::uint64_t endOf(std::uint32_t resource, const Range& r, std::uint64_t at) const {
    const auto* image = std::get_if<ImageData>(&job_.resources[resource].data);
    const std::uint64_t unit = image ? formatInfo(image->format)->texelBytes : 4;
    std::uint64_t end = at + 1;
    while (end < r.end && end % unit != 0 && last_[r.first + (end - r.begin)] == last_[r.first + (at - r.begin)]) ++end;
    return end;
  }
  void note(std::uint32_t resource, std::uint64_t begin, std::uint64_t bytes) {
    const std::vector<Range>& all = ranges_[resource];
    auto r = std::ranges::upper_bound(all, begin, {}, &Range::end);
    for (; r != all.end() && r->begin < begin + bytes; ++r)
      for (std::uint64_t at = std::max(begin, r->begin); at < std::min(begin + bytes, r->end); ++at)
        last_[r->first + (at - r->begin)] = count_;
  }
  const Job& job_;
  std::vector<std::vector<Range>> ranges_;  // by resource
  std::vector<std::uint64_t> last_;
  std::uint64_t count_ = 0;
};

// What an invocation does to memory that others share, as one number for each access: the instruction of the module, and the bytes.
struct Deed {
  std::uint64_t invocation = 0;  // counted over all dispatches
  std::uint64_t hash = 0;
};
class Deeds {
 public:
  struct Bytes {  // of the event, and where they are
    std::size_t first = 0, count = 0;
    std::uint32_t resource = 0;
    std::uint64_t offset = 0;
  };
  // Where each dispatch's invocations begin in the count.
  explicit Deeds(const Job& job, Execution& execution) {
    for (std::uint32_t d = 0; d < job.dispatches.size(); ++d) {
      const Program& p = execution.programOf(d);
      const Extent3 groups = job.dispatches[d].groups;
      first_.push_back(count_);
      count_ += workgroupsIn(groups) * p.invocations;
    }
  }
  std::uint64_t count() const { return count_; }
  // Calls use(deed, lane, bytes) for each lane of each access to shared memory.
  template <class Use>
  void each(const AccessEvent& event, const Use& use) const {
    if (event.place == Place::kLaneMemory || event.place == Place::kPush) return;
    const Environment& env = *event.batch.env;
    const Program& p = *env.program;
    const std::uint64_t begin = first_[env.dispatch] + linearOf(env.group, env.groups) * p.invocations;
    const std::uint64_t what = mixed(p.instructionOf(event.pc).offset, reads(event.kind) ? 1 : 2);
    std::size_t at = 0;
    forEachLane(event, [&](std::uint32_t lane, const LaneRun& run, std::uint64_t offset) {
      std::uint64_t hash = mixed(mixed(what, run.resource), offset);
      const std::span<const std::byte> values = reads(event.kind) ? event.before : event.after;
      for (std::size_t i = 0; i < run.size && at + i < values.size(); ++i) hash = mixed(hash, static_cast<std::uint64_t>(values[at + i]));
      use(Deed{begin + p.invocationOf({event.batch.index, lane}), hash}, lane, Bytes{at, run.size, run.resource, offset});
      at += run.size;
    });
  }
  static std::uint64_t mixed(std::uint64_t hash, std::uint64_t value) {
    hash = (hash ^ value) * 0x9e3779b97f4a7c15u;
    return hash ^ hash >> 29;
  }

 private:
  std::vector<std::uint64_t> first_;
  std::uint64_t count_ = 0;
};

Hit deedAt(const AccessEvent& event, std::uint32_t lane, Deeds::Bytes bytes) {
  Hit hit = hitAt(event.batch, event.pc, oneLane(lane));
  hit.isAccess = true;
  hit.writes = writes(event.kind);
  hit.place = event.place == Place::kPhysical ? Place::kBuffer : event.place;
  hit.resource = bytes.resource;
  hit.byte = bytes.offset;
  const auto cut = [&](std::span<const std::byte> all) {
    const std::span<const std::byte> part = bytes.first + bytes.count <= all.size() ? all.subspan(bytes.first, bytes.count) : all.first(0);
    return std::vector<std::byte>(part.begin(), part.end());
  };
  hit.before = cut(event.before);
  hit.after = cut(event.after);
  return hit;
}

// All deeds of each invocation as one number.
class SumSeeker final : public Seeker {
 public:
  explicit SumSeeker(const Deeds& deeds) : deeds_(deeds), sums_(deeds.count()) {}
  std::uint32_t watches() const override { return watch::kAccess | watch::kValues; }
  bool needsInstructions() const override { return false; }
  std::optional<Hit> access(const AccessEvent& event) override {
    deeds_.each(event,
                [&](const Deed& d, std::uint32_t, Deeds::Bytes) { sums_[d.invocation] = Deeds::mixed(sums_[d.invocation], d.hash); });
    return {};
  }
  const std::vector<std::uint64_t>& sums() const { return sums_; }

 private:
  const Deeds& deeds_;
  std::vector<std::uint64_t> sums_;
};

// The deeds of some invocations.
using DeedLists = std::map<std::uint64_t, std::vector<std::uint64_t>>;
constexpr std::size_t kMostDeeds = std::size_t{1} << 24;

class ListSeeker final : public Seeker {
 public:
  ListSeeker(const Deeds& deeds, DeedLists& lists) : deeds_(deeds), lists_(lists) {}
  std::uint32_t watches() const override { return watch::kAccess | watch::kValues; }
  bool needsInstructions() const override { return false; }
  std::optional<Hit> access(const AccessEvent& event) override {
    deeds_.each(event, [&](const Deed& d, std::uint32_t, Deeds::Bytes) {
      const auto list = lists_.find(d.invocation);
      if (list == lists_.end() || count_ == kMostDeeds) return;
      list->second.push_back(d.hash);
      ++count_;
    });
    return {};
  }
  bool isWhole() const { return count_ < kMostDeeds; }

 private:
  const Deeds& deeds_;
  DeedLists& lists_;
  std::size_t count_ = 0;
};

// The first deed, in the order of this run, that the lists do not have; or where an invocation ends before its list.
class PartingSeeker final : public Seeker {
 public:
  PartingSeeker(const Deeds& deeds, const DeedLists& lists) : deeds_(deeds), lists_(lists) {}
  std::uint32_t watches() const override { return watch::kAccess | watch::kValues; }
  std::optional<Hit> access(const AccessEvent& event) override {
    std::optional<Hit> hit;
    deeds_.each(event, [&](const Deed& d, std::uint32_t lane, Deeds::Bytes bytes) {
      const auto list = lists_.find(d.invocation);
      if (hit || list == lists_.end()) return;
      const std::size_t n = done_[d.invocation]++;
      if (n < list->second.size() && list->second[n] == d.hash) return;
      hit = deedAt(event, lane, bytes);
      ordinal = n;
    });
    return hit;
  }
  std::size_t ordinal = 0;  // of the invocation's deeds

 private:
  const Deeds& deeds_;
  const DeedLists& lists_;
  std::map<std::uint64_t, std::size_t> done_;
};

// The n-th deed of one invocation.
class NthDeedSeeker final : public Seeker {
 public:
  NthDeedSeeker(const Deeds& deeds, const Who& who, std::size_t n) : deeds_(deeds), who_(who), left_(n) {}
  std::uint32_t watches() const override { return watch::kAccess | watch::kValues; }
  std::optional<Hit> access(const AccessEvent& event) override {
    std::optional<Hit> hit;
    deeds_.each(event, [&](const Deed&, std::uint32_t lane, Deeds::Bytes bytes) {
      if (!who_.isIn(event.batch) || lane != who_.lane || hit || left_-- != 0) return;
      hit = deedAt(event, lane, bytes);
    });
    return hit;
  }

 private:
  const Deeds& deeds_;
  Who who_;
  std::size_t left_;
};

Status haveSameInvocations(const Execution& a, const Job& ofA, const Execution& b, const Job& ofB) {
  if (ofA.dispatches.size() != ofB.dispatches.size())
    return Error{Outcome::kBadInput, "the two runs have different numbers of dispatches", "", ""};
  for (std::uint32_t d = 0; d < ofA.dispatches.size(); ++d)
    if (!(ofA.dispatches[d].groups == ofB.dispatches[d].groups) || !std::ranges::equal(a.programOf(d).localSize, b.programOf(d).localSize))
      return Error{Outcome::kBadInput, "the two runs have other invocations", "", textOf(Advice::kBeginAgain)};
  return {};
}

}  // namespace

Expected<Stop> Session::toFirstWriter(std::span<const ByteRange> bytes) {
  LastStoreSeeker seeker(job_, bytes);
  if (Status bad = line_.upToNow(seeker, {})) return *bad;
  if (line_.interrupted()) return settle(arrived(Why::kInterrupted));
  const std::optional<ByteRange> first = seeker.first();
  if (!first) return settle({Why::kNothing, 0, {}, {}});
  Region region;
  region.place = std::holds_alternative<ImageData>(job_.resources[first->resource].data) ? Place::kImage : Place::kBuffer;
  region.resource = first->resource;
  region.begin = first->begin;
  region.end = first->end;
  return toWriter(region);
}

Expected<std::optional<Departure>> Session::part(Session& other) {
  return partFrom(other, false);
}

// `isOther`: it is the other one of part(), because the first one does nothing that this one does not do too.
Expected<std::optional<Departure>> Session::partFrom(Session& other, bool isOther) {
  if (Status bad = haveSameInvocations(line_.execution(), job_, other.line_.execution(), other.job_)) return *bad;
  const Deeds deeds(job_, line_.execution());
  const Error stopped{Outcome::kInterrupted, "the comparison was stopped", "", ""};
  const auto whole = [&](Session& s, Seeker& seeker) -> Status {
    if (Status bad = s.line_.goToEnd()) return bad;
    if (s.line_.interrupted()) return stopped;
    if (Status bad = s.line_.upToNow(seeker, {})) return bad;
    return s.line_.interrupted() ? Status(stopped) : Status();
  };
  const bool wasAtEnd = atEnd();
  const Time was = time();
  SumSeeker own(deeds), its(deeds);
  if (Status bad = whole(*this, own)) return *bad;
  if (Status bad = whole(other, its)) return *bad;
  DeedLists lists;
  for (std::uint64_t i = 0; i < deeds.count(); ++i)
    if (own.sums()[i] != its.sums()[i]) lists[i];
  if (lists.empty()) {
    const auto isSame = [](const Resource& a, const Resource& b) { return a.bytes() == b.bytes(); };
    if (!std::ranges::equal(resources(), other.resources(), isSame)) {
      settle(ended());
      other.settle(other.ended());
      Departure byOrder;
      byOrder.isByOrder = true;
      return std::optional(byOrder);
    }
    if (Status bad = wasAtEnd ? Status{} : line_.goTo(was)) return *bad;
    settle(stop_);
    return std::optional<Departure>();
  }
  ListSeeker list(deeds, lists);
  if (Status bad = whole(other, list)) return *bad;
  PartingSeeker parting(deeds, lists);
  if (Status bad = line_.goTo({})) return *bad;
  Expected<std::optional<Hit>> hit = line_.forward(parting, {true, true});
  if (!hit) return hit.error();
  if (line_.interrupted()) return stopped;
  Departure out;
  out.isWhole = list.isWhole();
  if (!*hit && isOther) return Error{Outcome::kUnsupported, "so much differs that no place was found", "", ""};
  if (!*hit) {
    Expected<std::optional<Departure>> there = other.partFrom(*this, true);
    if (there && *there) std::swap((**there).ends, (**there).otherEnds);
    return there;
  }
  out.invocation = globalOf((**hit).group, (**hit).batch, (**hit).lane);
  const std::uint32_t dispatch = (**hit).time.dispatch;
  settle({Why::kArrived, 0, **hit, {}});
  const std::optional<Who> who = other.whoOf(out.invocation, dispatch);
  if (!who) return stopped;
  if (Status bad = other.line_.goTo(other.beginOf(*who))) return *bad;
  NthDeedSeeker nth(deeds, *who, parting.ordinal);
  Expected<std::optional<Hit>> there = other.line_.forward(nth, {true, true}, {dispatch + 1, 0, 0});
  if (!there) return there.error();
  out.otherEnds = !*there;
  other.focus_ = out.invocation;
  other.settle(*there ? Stop{Why::kArrived, 0, **there, {}} : other.arrived(Why::kArrived));
  return std::optional(out);
}

}  // namespace lanewise::debug
