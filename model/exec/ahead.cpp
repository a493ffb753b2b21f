#include "model/exec/ahead.h"

#include <emmintrin.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <atomic>
#include <deque>
#include <new>
#include <thread>

#include "model/base/cache_line.h"
#include "model/base/parallel_for.h"
#include "model/exec/own_check.h"
#include "model/exec/own_sums.h"
#include "model/exec/ranges.h"
#include "model/ir/tells_order.h"
#include "model/ir/together.h"
#include "model/state/control.h"

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
  AheadAnalysis(const BoundDispatch& bound, const Program& program) : bound_(bound), p_(program) {}

  std::optional<Ahead> run() {
    out_.tellsOrder = tellsOrder(p_);
    if (std::ranges::find(out_.tellsOrder, true) == out_.tellsOrder.end()) return {};
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
      AheadAccess seen{pc, access ? access->offset : 0, out_.tellsOrder[pc], {}};
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
  std::vector<bool> written_;  // by resource of the program
  std::vector<std::vector<PlaceRange>> ranges_;
  std::vector<AheadGroup> groups_;
  Ahead out_;
};

constexpr std::uint32_t kMostThreads = 64;  // where tests say how many
constexpr int kSpins = 4000;                // of who waits; then others may need the core

// What both ways of running ahead have in common. `Way`: has runThread(), and eachSums() for those of its threads' sums that there are.
template <class Way>
class AheadRun {
 public:
  AheadRun(const BoundDispatch& bound, const DispatchRun& dispatch, const Ahead& ahead, std::span<const std::span<std::byte>> summed,
           std::uint64_t from, std::uint64_t end)
      : bound_(bound), dispatch_(dispatch), ahead_(ahead), summed_(summed), from_(from), end_(end) {}

  // False where the order could show, or the code gave up: then the bytes are not those of any run.
  bool run(std::uint32_t threads) {
    Way& way = static_cast<Way&>(*this);
    parallelFor(
        threads,
        [&](std::uint32_t i) {
          try {
            if (!way.runThread(i)) failed_ = true;
          } catch (const std::bad_alloc&) {  // the run in order needs less
            failed_ = true;
          }
        },
        tbb::simple_partitioner());
    if (failed_) return false;
    way.eachSums([this](const OwnSums& sums) { sums.joinTo(ahead_.sharing, summed_); });
    return true;
  }

 protected:
  using Went = CompiledRun::Went;
  void useOwn(std::optional<OwnSums>& sums, DispatchRun& run) const {
    if (!summed_.empty()) run.environment.buffers = sums.emplace(bound_, ahead_.sharing, summed_).buffers.data();
  }

  const BoundDispatch& bound_;
  const DispatchRun& dispatch_;
  const Ahead& ahead_;
  std::span<const std::span<std::byte>> summed_;
  const std::uint64_t from_, end_;
  std::atomic<bool> failed_ = false;
  alignas(kCacheLine) std::atomic<std::uint64_t> taken_ = 0;
};

// By compiled code: each thread ends what it has run ahead, as its frames are in that core's cache.
class CodeAhead final : public AheadRun<CodeAhead> {
 public:
  // Workgroups of a thread that run ahead: so many together, and so many times while the lowest wait.
  static constexpr std::uint32_t kTogether = 4, kChunksAhead = 2, kMostAhead = kTogether * kChunksAhead;
  CodeAhead(const BoundDispatch& bound, const DispatchRun& dispatch, const Ahead& ahead, std::span<const std::span<std::byte>> summed,
            const compiled::Compiled& code, std::uint64_t from, std::uint64_t end, std::uint32_t threads)
      : AheadRun(bound, dispatch, ahead, summed, from, end), code_(code), none_(ahead.guards.size()), sums_(threads) {}
  void eachSums(const auto& join) const {
    for (const std::optional<OwnSums>& sums : sums_)
      if (sums) join(*sums);
  }

  // Chunks are taken in their order, so who has the lowest one never waits.
  bool runThread(std::uint32_t number) {
    DispatchRun own = dispatch_;
    useOwn(sums_[number], own);
    std::vector<CompiledRun> runs;
    runs.reserve(kMostAhead);
    Chunk chunks[kChunksAhead];
    bool isMore = true;
    for (std::uint64_t begun = 0, ended = 0; !failed_.load(std::memory_order_relaxed);) {
      const bool mustWait = !isMore || begun - ended == kChunksAhead;
      if (begun == ended && mustWait) return true;
      const std::size_t lowest = ended % kChunksAhead, free = begun % kChunksAhead;
      if (begun != ended && (isTurnOf(chunks[lowest].number) || (mustWait && waitFor(chunks[lowest].number)))) {
        if (!goOn(chunks[lowest], &runs[lowest * kTogether])) return false;
        ++ended;
      } else if (!mustWait) {
        Chunk& next = chunks[free];
        next.number = taken_.fetch_add(1, std::memory_order_relaxed);
        next.first = from_ + next.number * kTogether;
        next.end = std::min(next.first + kTogether, end_);
        isMore = next.first < end_;
        while (isMore && runs.size() < (free + 1) * kTogether) runs.push_back(CompiledRun::another(code_, bound_, own));
        if (isMore && !runAhead(next, &runs[free * kTogether])) return false;
        begun += isMore ? 1 : 0;
      }
    }
    return true;
  }

 private:
  // Workgroups that follow each other and run ahead together, in `runs` from its place on.
  struct Chunk {
    std::uint64_t number = 0, first = 0, end = 0;
    Went went[kTogether] = {};
  };
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
    for (int spins = 0; !isTurnOf(chunk); ++spins) {
      if (failed_.load(std::memory_order_relaxed)) return false;
      if (spins < kSpins)
        _mm_pause();
      else
        std::this_thread::yield();
    }
    return true;
  }

  const compiled::Compiled& code_;
  const std::vector<std::uint8_t> none_;      // guards that let all accesses pass
  std::vector<std::optional<OwnSums>> sums_;  // by thread
  alignas(kCacheLine) std::atomic<std::uint64_t> turn_ = 0;
};

// One workgroup after another, by the interpreter.
class InterpretedRun {
 public:
  using Went = CompiledRun::Went;
  InterpretedRun(const DispatchRun& dispatch, const Ahead& ahead) : ahead_(ahead), dispatch_(dispatch) {
    Environment& env = dispatch_.environment;
    env.part = 1;  // of several
    env.maxSteps = std::min(env.maxSteps, kMostSideBySide);
    dispatch_.code = &ahead.first;
    part_.residents.resize(1);
    runner_.emplace(part_, dispatch_, nobody_);
  }
  Went runAhead(std::uint64_t place) {
    part_.next = place;
    part_.end = place + 1;
    return run();
  }
  bool goOn(bool isLast) {
    for (Batch& b : part_.residents[0].batches) b.base = isLast ? dispatch_.program->code.data() : ahead_.then.data();
    return run() == Went::kEnded;
  }

 private:
  Went run() {
    while (!part_.finished()) {
      runner_->fillSlots();
      if (runner_->takeTurn() || dispatch_.environment.isStopped()) return Went::kGaveUp;
      if (runner_->wasRefused()) return ahead_.tellsOrder[part_.residents[0].batches[part_.turn->batch].pc] ? Went::kWaits : Went::kGaveUp;
    }
    return Went::kEnded;
  }

  const Ahead& ahead_;
  DispatchRun dispatch_;
  Part part_;
  Observers nobody_{{}};
  std::optional<PartRunner> runner_;
};

// By the interpreter: whoever has time ends a workgroup, as its thread may be long in another one.
class InterpretedAhead final : public AheadRun<InterpretedAhead> {
 public:
  static constexpr std::uint32_t kStates = 4;  // of workgroups, for each thread: those that have begun and not ended
  InterpretedAhead(const BoundDispatch& bound, const DispatchRun& dispatch, const Ahead& ahead,
                   std::span<const std::span<std::byte>> summed, std::uint64_t from, std::uint64_t end, std::uint32_t threads)
      : AheadRun(bound, dispatch, ahead, summed, from, end), states_(threads), stopped_(std::size_t{threads} * kStates) {}
  void eachSums(const auto& join) const {
    for (const std::deque<State>& states : states_)
      for (const State& s : states)
        if (s.sums) join(*s.sums);
  }

  // Workgroups are taken in their order, so somebody runs the lowest one.
  bool runThread(std::uint32_t thread) {
    std::deque<State>& states = states_[thread];
    while (!failed_) {
      State* const state = freeOf(states);
      if (!state) return false;
      const std::uint64_t number = taken_.fetch_add(1, std::memory_order_relaxed);
      if (from_ + number >= end_) return true;
      const Went went = state->run->runAhead(from_ + number);
      if (went == Went::kGaveUp) return false;
      state->waits = went == Went::kWaits;
      state->inUse = true;
      stopped_[number % stopped_.size()] = state;
      if (!endThoseDue()) return false;
    }
    return true;
  }

 private:
  // Of a workgroup.
  struct State {
    std::optional<OwnSums> sums;
    std::optional<InterpretedRun> run;
    bool waits = false;
    alignas(kCacheLine) std::atomic<bool> inUse = false;
  };

  // nullptr: the run has failed.
  State* freeOf(std::deque<State>& states) {
    for (int spins = 0; !failed_.load(std::memory_order_relaxed); ++spins) {
      const auto free = std::ranges::find_if(states, [](const State& s) { return !s.inUse; });
      if (free != states.end()) return &*free;
      if (states.size() < kStates) return &makeIn(states);
      if (!endThoseDue()) break;
      if (spins < kSpins)
        _mm_pause();
      else
        std::this_thread::yield();
    }
    return nullptr;
  }
  State& makeIn(std::deque<State>& states) {
    State& s = states.emplace_back();
    DispatchRun own = dispatch_;
    useOwn(s.sums, own);
    s.run.emplace(own, ahead_);
    return s;
  }

  // The lowest workgroup that has not ended, if it has run ahead.
  State* due() const { return stopped_[ended_ % stopped_.size()]; }
  // Whoever finds one due, while nobody else ends any, ends all that are. Who adds one looks after that, so none is left.
  bool endThoseDue() {
    while (due() && !failed_ && !isEnding_.exchange(true)) {
      while (State* const state = due()) {
        if (state->waits && !state->run->goOn(from_ + ended_ + 1 == end_)) return false;
        stopped_[ended_ % stopped_.size()] = nullptr;
        ++ended_;
        state->inUse = false;
      }
      isEnding_ = false;
    }
    return true;
  }

  std::vector<std::deque<State>> states_;     // by thread
  std::vector<std::atomic<State*>> stopped_;  // by number of a workgroup, modulo how many there can be: those that have run ahead
  alignas(kCacheLine) std::atomic<std::uint64_t> ended_ = 0;
  alignas(kCacheLine) std::atomic<bool> isEnding_ = false;
};

}  // namespace

std::optional<Ahead> aheadOf(const BoundDispatch& bound, const compiled::Compiled* code) {
  if (code && std::ranges::find(code->stops, compiled::StopKind::kTellsOrder) == code->stops.end()) return {};
  if (!code && (bound.program->separateLanes || workgroupsTogether(*bound.program) > 1)) return {};
  const Program& program = code ? *code->program : *bound.program;
  std::optional<Ahead> out = AheadAnalysis(bound, program).run();
  if (!out || code) return out;
  const Handler stop = [](const Instr* ip, Batch& b) { return refuse(b, ip); };
  out->first = program.code;
  for (std::size_t pc = 0; pc < program.code.size(); ++pc)
    if (out->guards[pc] != 0) out->first[pc].run = stop;
  out->then = out->first;
  for (std::size_t pc = 0; pc < program.code.size(); ++pc)
    if (out->tellsOrder[pc]) out->first[pc].run = stop;
  return out;
}

InParts runAhead(const BoundDispatch& bound, const DispatchRun& dispatch, const Part& rest, const ParallelRule& rule,
                 const ParallelLimits& limits, const BytesOf& bytesOf, const compiled::Compiled* code) {
  const bool may = rule.mayMeet && dispatch.environment.profile->outsideBuffer == OutsideBuffer::kZero;
  const std::optional<Ahead> ahead = may ? aheadOf(bound, code) : std::nullopt;
  if (!ahead) return InParts::kNo;
  std::uint64_t sums = 0;  // bytes
  std::vector<std::span<std::byte>> summed;
  for (const Sharing::Summed& s : ahead->sharing.summed) sums += summed.emplace_back(bytesOf(s.resource)).size();
  const std::uint64_t copies = code ? 1 : InterpretedAhead::kStates;  // of sums, for each thread
  const std::uint64_t ofThread = stateBytes(*dispatch.program) * (code ? CodeAhead::kMostAhead : InterpretedAhead::kStates) + copies * sums;
  const std::uint64_t wanted = rule.parts != 0 ? std::min(rule.parts, kMostThreads) : threadsForParts();
  const auto threads = static_cast<std::uint32_t>(std::min({wanted, rest.end - rest.next, limits.memory / ofThread}));
  if (threads < 2 || (rule.parts == 0 && costOfSums(copies * threads * sums) > 0.25 * static_cast<double>(limits.inOrder.count())))
    return InParts::kNo;
  const bool done = tbb::this_task_arena::isolate([&] {
    if (code) return CodeAhead(bound, dispatch, *ahead, summed, *code, rest.next, rest.end, threads).run(threads);
    return InterpretedAhead(bound, dispatch, *ahead, summed, rest.next, rest.end, threads).run(threads);
  });
  if (limits.stop && limits.stop->load(std::memory_order_relaxed)) return InParts::kGaveUp;
  if (!done) dispatch.program->sideBySide.orderShows = true;
  return done ? InParts::kDone : InParts::kMet;
}

}  // namespace lanewise
