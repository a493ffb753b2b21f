#include "model/exec/parallel_code.h"

#include <tbb/task_arena.h>

#include <algorithm>
#include <new>

#include "model/base/cache_line.h"
#include "model/base/parallel_for.h"
#include "model/exec/ahead.h"
#include "model/exec/own_sums.h"

namespace lanewise {
namespace {

// More than a loop of one part should make where parts could wait for each other: whoever makes more runs in order.
constexpr std::uint64_t kMostMarkedSteps = std::uint64_t{1} << 24;
// Nanoseconds of work that are worth a part, and one of its chunks.
constexpr double kLeastOfPart = 25e3, kLeastOfChunk = 10e3;
constexpr std::uint64_t kMarkedChunks = 5;  // of a thread at most, where they mark

// A buffer that parts mark, as the program declares it.
struct Marked {
  std::uint32_t declared = 0;
  std::size_t buffer = 0;   // among those that are marked
  std::uint64_t first = 0;  // word
};
struct MarkedBuffers {
  std::vector<std::uint32_t> resources;  // of the job
  std::vector<Marked> all;
};

// Nothing where code does not mark all that has to be claimed, or must not.
std::optional<MarkedBuffers> markedBuffers(const BoundDispatch& bound, const Sharing& sharing, const ParallelRule& rule,
                                           const compiled::Compiled& code) {
  MarkedBuffers out;
  for (const Sharing::Stored& s : sharing.stored) {
    if (s.own) continue;
    if (!code.marks || !rule.mayMeet || s.unit < 4) return {};
    out.resources.push_back(s.resource);
  }
  const std::vector<ir::ResourceUse>& uses = bound.program->uses.all;
  for (std::uint32_t r = 0; r < bound.descriptors.size() && !out.resources.empty(); ++r) {
    const DescriptorRange range = bound.descriptors[r];
    for (std::uint32_t i = range.first; i < range.first + range.count; ++i) {
      const auto isMarked = [&](std::uint32_t resource) { return std::ranges::find(out.resources, resource); };
      if (bound.images[i].data && isMarked(bound.images[i].resource) != out.resources.end()) return {};
      const BufferView& view = bound.buffers[i];
      const auto at = view.data ? isMarked(view.resource) : out.resources.end();
      if (at == out.resources.end() || uses[r].how == 0) continue;
      if ((uses[r].how & ir::ResourceUse::kStores) == 0 || range.count > 1 || view.offset % 4 != 0) return {};
      out.all.push_back({r, static_cast<std::size_t>(at - out.resources.begin()), view.offset / 4});
    }
  }
  return out;
}

// Where chunks of the workgroups from `from` to before `end` begin, and behind them `end`: as many as that, of one size; or ever smaller
// ones of at least so many workgroups, for threads that take one after another and shall end together.
using Chunks = std::vector<std::uint64_t>;
Chunks equalChunks(std::uint64_t from, std::uint64_t end, std::uint64_t count) {
  Chunks begins;
  for (std::uint64_t i = 0; i <= count; ++i) begins.push_back(from + (end - from) * i / count);
  return begins;
}
Chunks smallerChunks(std::uint64_t from, std::uint64_t end, std::uint64_t threads, std::uint64_t least) {
  constexpr std::uint64_t kShare = 3;  // of what is left, for each thread
  Chunks begins{from};
  for (; from < end; begins.push_back(from)) from += std::min(std::max((end - from) / (kShare * threads), least), end - from);
  return begins;
}

// Threads take one chunk after another. A chunk is a part: it has marks of its own, in the pages that it had in the last dispatch.
class CodeRun {
 public:
  CodeRun(const BoundDispatch& bound, const DispatchRun& dispatch, const Sharing& sharing, const MarkedBuffers& marked,
          std::span<const std::span<std::byte>> summed, const Marks& marks, const compiled::Compiled& code, const Chunks& chunks)
      : bound_(bound),
        dispatch_(dispatch),
        sharing_(sharing),
        marked_(marked),
        summed_(summed),
        marks_(marks),
        code_(code),
        chunks_(chunks) {
    if (!marked.all.empty()) dispatch_.environment.maxSteps = std::min(dispatch_.environment.maxSteps, kMostMarkedSteps);
  }

  // False where code gave up.
  bool run(std::uint32_t threads) {
    sums_.resize(summed_.empty() ? 0 : threads);
    parallelFor(
        threads,
        [&](std::uint32_t i) {
          try {
            if (!runThread(i)) failed_ = true;
          } catch (const std::bad_alloc&) {  // the run in order needs less
            failed_ = true;
          }
        },
        tbb::simple_partitioner());
    return !failed_;
  }
  void joinSums() const {
    for (const std::optional<OwnSums>& sums : sums_)
      if (sums) sums->joinTo(sharing_, summed_);
  }

 private:
  bool runThread(std::uint32_t number) {
    std::optional<CompiledRun> run;
    for (std::uint64_t chunk; (chunk = taken_.fetch_add(1, std::memory_order_relaxed)) + 1 < chunks_.size();) {
      if (!run) run = begin(number);
      for (const Marked& m : marked_.all) {
        marks_.put(static_cast<std::uint32_t>(chunk), m.buffer, run->window(m.declared));
        run->window(m.declared).first = m.first;
      }
      for (std::uint64_t place = chunks_[chunk]; place < chunks_[chunk + 1]; ++place)
        if (failed_.load(std::memory_order_relaxed) || !run->run(place, place + 1)) return false;  // what one fails at, all do in vain
    }
    return true;
  }
  CompiledRun begin(std::uint32_t number) {
    DispatchRun own = dispatch_;
    if (!summed_.empty()) own.environment.buffers = sums_[number].emplace(bound_, sharing_, summed_).buffers.data();
    return CompiledRun::another(code_, bound_, own);
  }

  const BoundDispatch& bound_;
  DispatchRun dispatch_;
  const Sharing& sharing_;
  const MarkedBuffers& marked_;
  std::span<const std::span<std::byte>> summed_;
  const Marks& marks_;
  const compiled::Compiled& code_;
  const Chunks& chunks_;
  std::vector<std::optional<OwnSums>> sums_;  // by thread
  std::atomic<bool> failed_ = false;
  alignas(kCacheLine) std::atomic<std::uint64_t> taken_ = 0;
};

}  // namespace

bool partsTakeCode(const BoundDispatch& bound, const ParallelRule& rule, const compiled::Compiled& code) {
  const std::optional<Sharing> sharing = sharingOf(bound);
  return sharing ? markedBuffers(bound, *sharing, rule, code).has_value() : aheadOf(bound, &code).has_value();
}

InParts runCodeInParallel(const BoundDispatch& bound, const DispatchRun& dispatch, const Part& rest, const ParallelRule& rule,
                          const ParallelLimits& limits, const BytesOf& bytesOf, const compiled::Compiled& code) {
  const Program& program = *dispatch.program;
  if (dispatch.environment.profile->outsideBuffer != OutsideBuffer::kZero) return InParts::kNo;
  const std::optional<Sharing> sharing = sharingOf(bound);
  if (!sharing) return runAhead(bound, dispatch, rest, rule, limits, bytesOf, &code);
  const std::optional<MarkedBuffers> marked = markedBuffers(bound, *sharing, rule, code);
  if (!marked) return InParts::kNo;
  std::uint64_t sums = 0, marksOfOne = 0;  // bytes
  std::vector<std::uint64_t> sizes;
  for (const std::uint32_t resource : marked->resources) marksOfOne += Marks::bytesFor(sizes.emplace_back(bytesOf(resource).size()));
  std::vector<std::span<std::byte>> summed;
  for (const Sharing::Summed& s : sharing->summed) sums += summed.emplace_back(bytesOf(s.resource)).size();
  const auto inOrder = static_cast<double>(limits.inOrder.count());
  const std::uint64_t groups = rest.end - rest.next;
  const std::uint64_t wanted =
      rule.parts != 0 ? rule.parts : std::min<std::uint64_t>(threadsForParts(), static_cast<std::uint64_t>(inOrder / kLeastOfPart));
  const std::uint64_t ofThread = stateBytes(program) + sums + marksOfOne * (rule.parts != 0 ? 1 : kMarkedChunks);
  const auto threads = static_cast<std::uint32_t>(std::min({wanted, groups, limits.memory / ofThread}));
  if (threads < 2 || (rule.parts == 0 && costOfSums(threads * sums) > 0.25 * inOrder)) return InParts::kNo;
  const std::uint64_t least = marksOfOne != 0 ? (groups - 1) / (kMarkedChunks * threads) + 1 : 1;
  const Chunks chunks =
      rule.parts != 0 ? equalChunks(rest.next, rest.end, threads)
                      : smallerChunks(rest.next, rest.end, threads,
                                      std::max(least, static_cast<std::uint64_t>(kLeastOfChunk / inOrder * static_cast<double>(groups))));
  bool began = false, ended = false, met = false;
  try {
    const Marks marks(sizes, static_cast<std::uint32_t>(chunks.size() - 1), *rule.zeros);
    CodeRun run(bound, dispatch, *sharing, *marked, summed, marks, code, chunks);
    began = true;
    tbb::this_task_arena::isolate([&] {
      ended = run.run(threads);
      met = ended && marks.meet();
    });
    if (ended && !met) run.joinSums();
  } catch (const std::bad_alloc&) {
    if (!began) return InParts::kNo;
    ended = met = true;  // parts have stored, and nobody knows whether they met; in order it needs less
  }
  if (limits.stop && limits.stop->load(std::memory_order_relaxed)) return InParts::kGaveUp;
  if (!ended && marked->all.empty()) return InParts::kGaveUp;
  if (!ended || met) {
    program.sideBySide.orderShows = true;
    return InParts::kMet;
  }
  return InParts::kDone;
}

}  // namespace lanewise
