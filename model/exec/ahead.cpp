#include "model/exec/ahead.h"

#include <emmintrin.h>

#include <algorithm>
#include <atomic>
#include <new>
#include <thread>

#include "model/base/cache_line.h"
#include "model/base/parallel_for.h"
#include "model/exec/own_check.h"
#include "model/exec/own_sums.h"
#include "model/exec/ranges.h"
#include "model/ir/tells_order.h"

namespace lanewise {
namespace {

using ir::ResourceUse;

// An instruction that accesses what somebody stores to.
struct AheadAccess {
  std::uint32_t pc = 0;
  std::uint32_t offset = 0;
  bool tellsOrder = false;
  OwnCheck::Accessed accessed;
};
// All that access bytes of a resource of the job.
struct AheadGroup {
  PlaceRange range;
  std::vector<AheadAccess> all;
};

class AheadAnalysis {
 public:
  AheadAnalysis(const BoundDispatch& bound, const Program& program) : bound_(bound), p_(program), tellsOrder_(tellsOrder(program)) {}

  std::optional<Ahead> run() {
    if (p_.uses.elsewhere || !findRanges() || !findGroups()) return {};
    std::vector<bool> fixed(ranges_.size());
    for (std::size_t r = 0; r < fixed.size(); ++r) fixed[r] = !written_[r];
    const OwnCheck check(bound_, p_, fixed);
    out_.guards.resize(p_.code.size());
    for (const AheadGroup& g : groups_) allow(g, check, out_.guards);
    return std::move(out_);
  }

 private:
  bool isSum(std::size_t r) const { return p_.uses.all[r].how == ResourceUse::kSums; }

  // False where somebody loads what others store to by another name, or sums go into what others access.
  bool findRanges() {
    const std::vector<ResourceUse>& uses = p_.uses.all;
    const auto stores = [](ir::Code op) { return op == ir::kStore || op == ir::kAtomic || op == ir::kImageWrite; };
    written_.assign(uses.size(), false);
    for (std::uint32_t pc = 0; pc < p_.code.size(); ++pc) {
      if (p_.info[pc].op == ir::kImageAtomic) return false;
      if (const auto r = p_.resourceOf(pc); r && stores(p_.info[pc].op)) written_[*r] = true;
    }
    std::optional<AccessedRanges> accessed = accessedRanges(bound_, stores);
    if (!accessed) return false;
    ranges_ = std::move(accessed->all);
    for (std::size_t r = 0; r < uses.size(); ++r)
      if (!written_[r] && std::ranges::any_of(ranges_[r], &PlaceRange::claimed)) return false;
    for (std::size_t r = 0; r < uses.size(); ++r) {
      if (!isSum(r)) continue;
      for (std::size_t other = 0; other < uses.size(); ++other)
        if (other != r && uses[other].how != 0 && meet(ranges_[r], ranges_[other])) return false;
      for (const PlaceRange& range : ranges_[r]) {
        if (range.begin % uses[r].sumBytes != 0) return false;
        if (std::ranges::find(out_.sharing.summed, range.resource, &Sharing::Summed::resource) != out_.sharing.summed.end()) return false;
        out_.sharing.summed.push_back({range.resource, {{uses[r].sum, uses[r].sumBytes}}});
      }
    }
    // A part's own sums are of the whole resource.
    for (std::size_t r = 0; r < uses.size(); ++r)
      for (const PlaceRange& range : ranges_[r])
        if (!isSum(r) && uses[r].how != 0 &&
            std::ranges::find(out_.sharing.summed, range.resource, &Sharing::Summed::resource) != out_.sharing.summed.end())
          return false;
    return true;
  }

  bool findGroups() {
    for (std::uint32_t pc = 0; pc < p_.code.size(); ++pc) {
      const ir::Code op = p_.info[pc].op;
      const auto r = p_.resourceOf(pc);
      if (!r || !written_[*r] || isSum(*r)) continue;
      const ir::Access* access = p_.accessOf(pc);
      AheadAccess seen{pc, access ? access->offset : 0, tellsOrder_[pc], {}};
      if (access || op == ir::kImageWrite || op == ir::kImageRead) seen.accessed = OwnCheck::accessedBy(p_, pc);
      for (const PlaceRange& range : ranges_[*r]) {
        if (!range.claimed || !mayAccess(p_, pc, range)) continue;
        if (range.dimensions < 2) seen.accessed.places[1] = {};
        groupOf(groups_, range).all.push_back(seen);
      }
    }
    return std::ranges::all_of(groups_, [&](const AheadGroup& g) { return isApart(groups_, g); });
  }

  // Places of a workgroup's own, as many as are so together, where no atomic that tells the order accesses anything.
  static void allow(const AheadGroup& g, const OwnCheck& check, std::vector<std::uint8_t>& guards) {
    std::uint64_t free = 0;  // from this offset on no such atomic accesses anything
    for (const AheadAccess& s : g.all) {
      if (!s.tellsOrder) continue;
      const auto place = s.accessed.places[0].size() == 1 ? check.fixedPlace(s.accessed.places[0][0]) : std::nullopt;
      free = std::max(free, place ? *place + s.accessed.bytes : ~std::uint64_t{0});
    }
    std::vector<OwnCheck::Accessed> allowed;
    for (const AheadAccess& s : g.all) {
      if (s.tellsOrder) continue;
      allowed.push_back(s.accessed);
      if (s.offset >= free && check.isOwn(allowed)) continue;
      allowed.pop_back();
      guards[s.pc] = 1;
    }
  }

  const BoundDispatch& bound_;
  const Program& p_;
  std::vector<bool> tellsOrder_, written_;  // by instruction; by resource of the program
  std::vector<std::vector<PlaceRange>> ranges_;
  std::vector<AheadGroup> groups_;
  Ahead out_;
};

class AheadRun {
 public:
  AheadRun(const BoundDispatch& bound, const DispatchRun& dispatch, const Ahead& ahead, std::span<const std::span<std::byte>> summed,
           const compiled::Compiled& code, std::uint64_t from, std::uint64_t end)
      : bound_(bound),
        dispatch_(dispatch),
        ahead_(ahead),
        summed_(summed),
        code_(code),
        from_(from),
        end_(end),
        none_(ahead.guards.size()) {}

  bool run(std::uint32_t threads) {
    sums_.resize(summed_.empty() ? 0 : threads);
    parallelFor(
        threads,
        [this](std::uint32_t i) {
          try {
            if (!runThread(i)) failed_ = true;
          } catch (const std::bad_alloc&) {  // the run in order needs less
            failed_ = true;
          }
        },
        tbb::simple_partitioner());
    if (failed_) return false;
    for (const std::optional<OwnSums>& sums : sums_)
      if (sums) sums->joinTo(ahead_.sharing, summed_);
    return true;
  }

 private:
  using Went = CompiledRun::Went;
  // Workgroups that follow each other and run ahead together, in `runs` from its place on.
  struct Chunk {
    std::uint64_t number = 0, first = 0, end = 0;
    Went went[kAheadTogether] = {};
  };

  // Chunks are taken in their order, so who has the lowest one never waits.
  bool runThread(std::uint32_t number) {
    DispatchRun own = dispatch_;
    if (!summed_.empty()) own.environment.buffers = sums_[number].emplace(bound_, ahead_.sharing, summed_).buffers.data();
    std::vector<CompiledRun> runs;
    runs.reserve(kMostAhead);
    Chunk chunks[kChunksAhead];
    bool isMore = true;
    for (std::uint64_t begun = 0, ended = 0; !failed_.load(std::memory_order_relaxed);) {
      const bool mustWait = !isMore || begun - ended == kChunksAhead;
      if (begun == ended && mustWait) return true;
      const std::size_t lowest = ended % kChunksAhead, free = begun % kChunksAhead;
      if (begun != ended && (isTurnOf(chunks[lowest].number) || (mustWait && waitFor(chunks[lowest].number)))) {
        if (!goOn(chunks[lowest], &runs[lowest * kAheadTogether])) return false;
        ++ended;
      } else if (!mustWait) {
        Chunk& next = chunks[free];
        next.number = taken_.fetch_add(1, std::memory_order_relaxed);
        next.first = from_ + next.number * kAheadTogether;
        next.end = std::min(next.first + kAheadTogether, end_);
        isMore = next.first < end_;
        while (isMore && runs.size() < (free + 1) * kAheadTogether) runs.push_back(CompiledRun::another(code_, bound_, own));
        if (isMore && !runAhead(next, &runs[free * kAheadTogether])) return false;
        begun += isMore ? 1 : 0;
      }
    }
    return true;
  }

  bool runAhead(Chunk& chunk, CompiledRun* runs) {
    for (std::uint64_t i = 0; i < chunk.end - chunk.first; ++i) {
      chunk.went[i] = runs[i].runAhead(chunk.first + i, ahead_.guards.data());
      if (chunk.went[i] == Went::kGaveUp) return false;
    }
    return true;
  }
  bool goOn(const Chunk& chunk, CompiledRun* runs) {
    for (std::uint64_t i = 0; i < chunk.end - chunk.first; ++i) {
      const bool isLast = chunk.first + i + 1 == end_;
      if (chunk.went[i] == Went::kWaits && !runs[i].goOn(isLast ? none_.data() : ahead_.guards.data())) return false;
    }
    turn_.store(chunk.number + 1, std::memory_order_release);
    return true;
  }

  bool isTurnOf(std::uint64_t chunk) const { return turn_.load(std::memory_order_acquire) == chunk; }
  bool waitFor(std::uint64_t chunk) const {
    constexpr int kSpins = 4000;  // then others may need the core
    for (int spins = 0; !isTurnOf(chunk); ++spins) {
      if (failed_.load(std::memory_order_relaxed)) return false;
      if (spins < kSpins)
        _mm_pause();
      else
        std::this_thread::yield();
    }
    return true;
  }

  const BoundDispatch& bound_;
  const DispatchRun& dispatch_;
  const Ahead& ahead_;
  std::span<const std::span<std::byte>> summed_;
  const compiled::Compiled& code_;
  const std::uint64_t from_, end_;
  const std::vector<std::uint8_t> none_;      // guards that let all accesses pass
  std::vector<std::optional<OwnSums>> sums_;  // by thread
  std::atomic<bool> failed_ = false;
  alignas(kCacheLine) std::atomic<std::uint64_t> taken_ = 0;
  alignas(kCacheLine) std::atomic<std::uint64_t> turn_ = 0;
};

}  // namespace

std::optional<Ahead> aheadOf(const BoundDispatch& bound, const compiled::Compiled& code) {
  if (std::ranges::find(code.stops, compiled::StopKind::kTellsOrder) == code.stops.end()) return {};
  return AheadAnalysis(bound, *code.program).run();
}

bool runAhead(const BoundDispatch& bound, const DispatchRun& dispatch, const Ahead& ahead, std::span<const std::span<std::byte>> summed,
              const compiled::Compiled& code, std::uint64_t from, std::uint64_t end, std::uint32_t threads) {
  AheadRun run(bound, dispatch, ahead, summed, code, from, end);
  return run.run(threads);
}

}  // namespace lanewise
