#include "model/exec/parallel.h"

#include <tbb/global_control.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <new>
#include <numeric>

#include "model/base/parallel_for.h"
#include "model/exec/own_sums.h"
#include "model/state/claims.h"

namespace lanewise {
namespace {

// The bytes of the stored resources, as they were.
class Kept {
 public:
  explicit Kept(Scratch& memory) : memory_(memory) {}
  void keep(std::span<std::byte> bytes) {
    all_.push_back({bytes, Scratch::Block(memory_, bytes.size())});
    copy(all_.back().old.bytes().data(), bytes.data(), bytes.size());
  }
  void putBack() {
    for (const One& one : all_) copy(one.bytes.data(), one.old.bytes().data(), one.bytes.size());
  }

 private:
  struct One {
    std::span<std::byte> bytes;
    Scratch::Block old;
  };
  static void copy(std::byte* to, const std::byte* from, std::size_t bytes) {
    constexpr std::size_t kPiece = std::size_t{1} << 20;
    parallelFor((bytes + kPiece - 1) / kPiece,
                [=](std::size_t i) { std::memcpy(to + i * kPiece, from + i * kPiece, std::min(kPiece, bytes - i * kPiece)); });
  }
  Scratch& memory_;
  std::vector<One> all_;
};

bool isStopped(const std::atomic<bool>* stop) {
  return stop && stop->load(std::memory_order_relaxed);
}

constexpr std::uint32_t kCold = 2;  // runs that start threads and touch memory first

// Whether a dispatch of so many workgroups should run in parts. What was slower is tried again, ever more seldom: what was seen may have
// been a busy host. Where parts are much quicker, nobody asks what the order takes.
bool isWorthwhile(Program::SideBySide::Pace& pace, std::uint64_t groups) {
  constexpr double kGain = 0.95, kMuch = 0.6;
  constexpr std::uint32_t kSeldom = 8;
  if (pace.inOrder == 0) return !pace.isDoubtful;
  if (pace.inParts == 0) return true;
  const bool areQuicker = pace.inParts < kGain * pace.inOrder;
  if (groups != pace.groups || pace.inParts < kMuch * pace.inOrder) return areQuicker;
  const std::uint32_t asked = ++pace.lost;
  return areQuicker != (asked == kCold || (asked >= kSeldom && std::has_single_bit(asked)));
}

constexpr int kQuicker = 4;  // code, which is set up sooner

}  // namespace

ParallelWatch::ParallelWatch(const ParallelRule& rule, const Part& part, const DispatchRun& dispatch, bool watched, bool byCode)
    : rule_(rule),
      part_(part),
      pace_(byCode ? dispatch.program->sideBySide.byCode : dispatch.program->sideBySide.byInterpreter),
      possible_(rule.allowed && !watched && part.residents.size() == 1 && !dispatch.schedule.switches() && part.end - part.next > 1 &&
                !dispatch.program->sideBySide.orderShows &&
                (rule.parts != 0 || (threadsForParts() > 1 && isWorthwhile(pace_, part.end - part.next)))),
      first_(part.next),
      next_(rule.inOrder) {}

std::optional<std::chrono::nanoseconds> ParallelWatch::left(bool byCode) {
  const int share = byCode ? kQuicker : 1;
  if (!possible_ || part_.running != 0 || part_.end - part_.next < 2) return {};
  const std::chrono::nanoseconds spent = Clock::now() - begin_;
  const bool isKnown = rule_.parts == 0 && pace_.inParts != 0 && pace_.groups == part_.end - first_;
  if (!isKnown && (part_.next == first_ || spent < next_ / share)) return {};
  asked_ = true;
  if (isKnown)
    estimate_ = pace_.inOrder != 0 ? pace_.inOrder : pace_.estimate;
  else
    estimate_ = static_cast<double>(spent.count()) / static_cast<double>(part_.next - first_);
  constexpr double kMost = 9e18;  // nanoseconds that a count holds: 285 years
  const std::chrono::nanoseconds left(static_cast<std::int64_t>(std::min(estimate_ * static_cast<double>(part_.end - part_.next), kMost)));
  if (left < rule_.least / share) {  // so far: the first workgroups may have had less to do
    next_ = 2 * share * spent;
    return {};
  }
  possible_ = false;
  return left;
}

void ParallelWatch::ended(bool inParts) const {
  constexpr double kClearly = 0.6;
  constexpr double kForgets = 1.1;  // the least time, where it is not reached any more
  const std::uint64_t groups = part_.end - first_;
  if (rule_.parts != 0 || groups == 0 || groups < pace_.groups) return;
  if (groups > pace_.groups) {
    pace_.groups = groups;
    pace_.inOrder = pace_.inParts = 0;
    pace_.isDoubtful = false;
    pace_.lost = 0;
  }
  const double each = static_cast<double>(std::chrono::nanoseconds(Clock::now() - begin_).count()) / static_cast<double>(groups);
  if (!inParts) {
    pace_.inOrder = pace_.inOrder == 0 ? each : std::min(each, kForgets * pace_.inOrder);
    return;
  }
  if (each > kClearly * estimate_) pace_.isDoubtful = true;
  if (pace_.lost < kCold) {
    ++pace_.lost;
    if (pace_.inOrder == 0 && each <= estimate_) return;
  }
  // What was slower before may have been cold. Its time varies more than that in order, so its least alone would promise too much.
  pace_.inParts = pace_.inParts == 0 ? each : std::min(each, (pace_.inParts + each) / 2);
  pace_.estimate = estimate_;
}

namespace {

class ParallelRun {
 public:
  ParallelRun(const BoundDispatch& bound, const DispatchRun& dispatch, const Sharing& sharing, std::vector<std::span<std::byte>> summed,
              const Part& rest, std::uint32_t parts, const ParallelRule& rule, const std::atomic<bool>* stop)
      : bound_(bound),
        sharing_(sharing),
        summed_(std::move(summed)),
        dispatch_(dispatch),
        rule_(rule),
        stop_(stop),
        claims_(bound.resources, *rule.memory),
        all_(parts) {
    if (!sharing.code.empty()) dispatch_.code = &sharing.code;
    dispatch_.environment.claims = &claims_;
    dispatch_.environment.watches = watch::kAccess;
    dispatch_.environment.maxSteps = std::min(dispatch_.environment.maxSteps, kMostSideBySide);
    for (std::uint32_t i = 0; i < parts; ++i) {
      all_[i].part.next = rest.next + (rest.end - rest.next) * i / parts;
      all_[i].part.end = rest.next + (rest.end - rest.next) * (i + 1) / parts;
    }
  }

  // False where the order shows: then the bytes are as they were, unless parts may meet.
  bool run(const BytesOf& bytesOf) {
    Kept kept(*rule_.memory);
    for (const Sharing::Stored& s : sharing_.stored) {
      const std::span<std::byte> bytes = bytesOf(s.resource);
      if (!rule_.mayMeet) kept.keep(bytes);
      if (!s.own) claims_.track(s.resource, bytes, s.unit, !s.loaded);
    }
    std::vector<std::uint32_t> open(all_.size());
    std::iota(open.begin(), open.end(), 0u);
    for (std::uint32_t round = 1; !open.empty() && !inOrder_; ++round) {
      parallelFor(
          open.size(), [&](std::size_t i) { runPart(open[i]); }, tbb::simple_partitioner());
      std::erase_if(open, [this](std::uint32_t number) { return all_[number].part.finished(); });
      for (std::uint32_t number : open) inOrder_ = !claims_.share(number + 1) || inOrder_;
      if (round == kMostRounds) claims_.shareAll();
    }
    if (inOrder_)
      kept.putBack();
    else
      for (const One& one : all_)
        if (one.sums) one.sums->joinTo(sharing_, summed_);
    return !inOrder_;
  }

 private:
  struct One {
    Part part;
    std::optional<OwnSums> sums;
  };
  // Rounds in which parts stop at taken blocks.
  static constexpr std::uint32_t kMostRounds = 4;

  // Until it ends or is refused an access.
  void runPart(std::uint32_t number) {
    try {
      runOne(all_[number], number);
    } catch (const std::bad_alloc&) {  // the run in order needs less
      inOrder_ = true;
    }
  }
  void runOne(One& one, std::uint32_t number) {
    DispatchRun own = dispatch_;
    own.environment.part = number + 1;
    if (!summed_.empty()) {
      if (!one.sums) one.sums.emplace(bound_, sharing_, summed_);
      own.environment.buffers = one.sums->buffers.data();
    }
    one.part.residents.resize(1);
    Observers nobody({});
    PartRunner runner(one.part, own, nobody);
    while (!one.part.finished() && !inOrder_) {
      runner.fillSlots();
      if (runner.takeTurn() || isStopped(stop_)) inOrder_ = true;
      if (runner.wasRefused()) return;
    }
    if (one.part.finished()) one.part.residents.clear();
  }

  const BoundDispatch& bound_;
  const Sharing& sharing_;
  std::vector<std::span<std::byte>> summed_;  // by Sharing::summed
  DispatchRun dispatch_;
  const ParallelRule& rule_;
  const std::atomic<bool>* stop_;
  Claims claims_;
  std::vector<One> all_;
  std::atomic<bool> inOrder_ = false;
};

}  // namespace

std::uint32_t threadsForParts() {
  const std::size_t allowed = tbb::global_control::active_value(tbb::global_control::max_allowed_parallelism);
  return static_cast<std::uint32_t>(std::min<std::size_t>(allowed, static_cast<std::size_t>(tbb::this_task_arena::max_concurrency())));
}

InParts runInParallel(const BoundDispatch& bound, const DispatchRun& dispatch, const Part& rest, const ParallelRule& rule,
                      const ParallelLimits& limits, const BytesOf& bytesOf) {
  const Program& program = *dispatch.program;
  // An access that a profile moves into the buffer is not claimed where it ends.
  if (dispatch.environment.profile->outsideBuffer != OutsideBuffer::kZero) return InParts::kNo;
  const std::optional<Sharing> sharing = sharingOf(bound);
  if (!sharing) return InParts::kNo;
  std::uint64_t once = 0, each = stateBytes(program);  // bytes
  for (const Sharing::Stored& s : sharing->stored) {
    const std::size_t bytes = bytesOf(s.resource).size();
    once += (rule.mayMeet ? 0 : bytes) + (s.own ? 0 : bytes / std::min(s.unit, 8u) + bytes / Claims::kBlock + 64);
  }
  std::vector<std::span<std::byte>> summed;
  for (const Sharing::Summed& s : sharing->summed) each += summed.emplace_back(bytesOf(s.resource)).size();
  if (limits.memory < once) return InParts::kNo;
  const std::uint64_t wanted = rule.parts != 0 ? rule.parts : std::uint64_t{4} * threadsForParts();
  const auto parts = static_cast<std::uint32_t>(
      std::min({wanted, rest.end - rest.next, std::uint64_t{ParallelRule::kMostParts}, (limits.memory - once) / each}));
  const double cost = static_cast<double>(once) / kBytesPerNanosecond + costOfSums(parts * each);
  if (parts < 2 || (rule.parts == 0 && cost > 0.25 * static_cast<double>(limits.inOrder.count()))) return InParts::kNo;
  bool done = false;
  try {
    ParallelRun run(bound, dispatch, *sharing, std::move(summed), rest, parts, rule, limits.stop);
    done = tbb::this_task_arena::isolate([&] { return run.run(bytesOf); });
  } catch (const std::bad_alloc&) {  // before any part began
    return InParts::kNo;
  }
  if (done) return InParts::kDone;
  const bool stopped = isStopped(limits.stop);
  if (!stopped) program.sideBySide.orderShows = true;
  return !rule.mayMeet ? InParts::kNo : stopped ? InParts::kGaveUp : InParts::kMet;
}

}  // namespace lanewise
