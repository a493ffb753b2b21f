#include "model/exec/compiled_run.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "model/base/cache_line.h"
#include "model/exec/image_window.h"
#include "model/exec/start.h"
#include "model/state/lane_masks.h"
#include "model/state/workgroup.h"

namespace lanewise {
namespace {

using compiled::Frame;

// Whoever makes more may wait for ever, which the interpreter proves (wait_watch.h).
constexpr std::uint64_t kMostCompiledSteps = std::uint64_t{1} << 28;

constinit const std::atomic<bool> kNobodyStops = false;

void setMask(Batch* batch, std::uint64_t low, std::uint64_t high) {
  const LaneMask mask{{low, high}};
  if (!(batch->mask == mask)) batch->setMask(mask);
}

// What the program's resources are bound to: bytes of resources of the job, of an image those of the levels that are accessed.
struct Bound {
  std::uint32_t declared = 0, resource = 0;
  std::uint64_t begin = 0, end = 0;
  bool meets(const Bound& other) const {
    return declared != other.declared && resource == other.resource && begin < other.end && other.begin < end;
  }
};

std::vector<Bound> boundTo(const BoundDispatch& bound) {
  std::vector<Bound> out;
  const ir::ResourceUses& uses = bound.program->uses;
  for (std::uint32_t r = 0; r < bound.descriptors.size(); ++r)
    for (std::uint32_t i = 0; i < bound.descriptors[r].count; ++i) {
      const std::uint32_t at = bound.descriptors[r].first + i;
      if (const BufferView& b = bound.buffers[at]; b.data) out.push_back({r, b.resource, b.offset, b.offset + b.size});
      const ImageView& image = bound.images[at];
      const std::uint32_t levels = uses.elsewhere || uses.all[r].levels ? image.levels : 1;
      for (std::uint32_t l = 0; image.data && l < levels; ++l) {
        const ImageLevel& level = image.chain ? image.chain[l] : image;
        const std::uint64_t bytes = std::uint64_t{level.extent.x} * level.extent.y * level.extent.z * image.format->texelBytes;
        out.push_back({r, image.resource, level.offset, level.offset + bytes});
      }
    }
  return out;
}

std::vector<std::uint8_t> storedTo(const Program& program) {
  std::vector<std::uint8_t> stored(program.resources.size());
  for (std::uint32_t pc = 0; pc < program.code.size(); ++pc) {
    const ir::Code op = program.info[pc].op;
    const ir::Access* access = program.accessOf(pc);
    if (access && access->space == ir::Space::kBuffer && op != ir::kLoad && op != ir::kArrayLength) stored[access->resource] = 1;
    const ir::ImageAccess* image = program.imageAccessOf(pc);
    if (image && (op == ir::kImageWrite || op == ir::kImageAtomic)) stored[image->resource] = 1;
  }
  return stored;
}

// Two resources of the program are the same bytes, and one is stored to: the compiler took them to be apart.
bool overlap(const BoundDispatch& bound, const Program& program) {
  const std::vector<Bound> all = boundTo(bound);
  const std::vector<std::uint8_t> stored = storedTo(program);
  constexpr std::size_t kMost = 4096;
  if (all.size() > kMost) return true;
  return std::ranges::any_of(
      all, [&](const Bound& a) { return stored[a.declared] && std::ranges::any_of(all, [&](const Bound& b) { return a.meets(b); }); });
}

bool sameResources(const Program& a, const Program& b) {
  return std::ranges::equal(a.resources, b.resources, {}, &ir::ResourceDeclaration::variable, &ir::ResourceDeclaration::variable);
}

bool canRun(const compiled::Compiled& code, const BoundDispatch& bound) {
  const LaidProgram& program = *code.program;
  if (!sameResources(program, *bound.program)) return false;
  if (program.together > program.width && overlap(bound, program)) return false;
  return std::ranges::all_of(bound.descriptors, [&](const DescriptorRange& range) {
    return range.count == 0 || bound.buffers[range.first].size <= compiled::kMostBytes;
  });
}

}  // namespace

// In lines of the cache of its own, as are its memory and what is written at each barrier: threads would take turns with a line of two.
struct alignas(kCacheLine) CompiledRun::Workgroup {
  enum class State : std::uint8_t { kReady, kWaits, kFinished };
  struct alignas(kCacheLine) OwnFrame final : Frame {
    State state = State::kReady;
  };
  Environment environment;
  AlignedBytes memory;
  std::vector<Batch> batches;
  std::vector<AlignedBytes> saved;
  std::vector<OwnFrame> frames;
  // The batch that waits for the workgroup's turn, while the one that was furthest behind and those after it went on.
  struct Waiting {
    std::uint32_t batch, behind;
  };
  std::optional<Waiting> waiting;
  // A lane that runs alone: as in its frame. Whether it waits or has ended is in Batch::lone.
  struct Lane {
    std::uint32_t resume = 0;
    std::int64_t stepsLeft = 0, stepsBehind = 0;
  };
  std::vector<Lane> lanes;  // by batch and lane
  Batch lone;               // what handlers see of one
  bool fresh = true;
};
void CompiledRun::Destroy::operator()(Workgroup* workgroup) const {
  delete workgroup;
}

std::optional<CompiledRun> CompiledRun::of(const compiled::Compiled& code, const BoundDispatch& bound, const DispatchRun& dispatch) {
  if (!canRun(code, bound)) return {};
  return another(code, bound, dispatch);
}

CompiledRun CompiledRun::another(const compiled::Compiled& code, const BoundDispatch& bound, const DispatchRun& dispatch) {
  const LaidProgram& program = *code.program;
  CompiledRun out;
  out.code_ = &code;
  out.dispatch_ = dispatch;
  out.dispatch_.program = code.program;
  for (const DescriptorRange& range : bound.descriptors) {
    const BufferView view = range.count > 0 ? dispatch.environment.buffers[range.first] : BufferView{};
    compiled::Window& window = out.windows_.emplace_back();
    if (view.data) window.data = view.data, window.size = view.size;
    const ImageView image = range.count > 0 ? dispatch.environment.images[range.first] : ImageView{};
    out.images_.push_back(compiled::windowOf(image, *dispatch.environment.profile));
  }
  out.workgroup_.reset(new Workgroup);
  Workgroup& w = *out.workgroup_;
  w.environment = dispatch.environment;
  w.environment.program = &program;
  w.memory = AlignedBytes(wholeCacheLines(program.workgroupBytes));
  w.batches.resize(program.batches);
  for (Batch& b : w.batches) b.everyGroup = true;
  w.saved.resize(program.batches);
  w.frames.resize(program.batches);
  out.unguarded_.resize(program.code.size());
  if (!program.separateLanes) return out;
  w.lanes.resize(std::size_t{program.batches} * program.width);
  out.codeOfLane_ = program.code;
  for (Instr& i : out.codeOfLane_)
    if (!std::holds_alternative<kind::LaneMemory>(i.what)) i.groups = 1;
  return out;
}

// The workgroup at `place` takes the place of the last one.
void CompiledRun::begin(std::uint64_t place, const std::uint8_t* guards, bool ahead) {
  const LaidProgram& program = *code_->program;
  Workgroup& w = *workgroup_;
  Environment& env = w.environment;
  env.place = place;
  env.group = workgroupAt(dispatch_.schedule.at(place, dispatch_.workgroups), env.groups);
  env.workgroupMemory = w.memory.data();
  std::fill_n(w.memory.data(), w.memory.size(), kPoisonByte);
  for (const auto& [offset, size] : program.workgroupZero) std::memset(w.memory.data() + offset, 0, size);
  const auto most = static_cast<std::int64_t>(std::min(env.maxSteps, program.separateLanes ? kMostSideBySide : kMostCompiledSteps));
  const std::int64_t stepsLeft = std::min(most, compiled::kStepsBetweenLooks);
  for (std::uint32_t i = 0; i < w.batches.size(); ++i) {
    Batch& b = w.batches[i];
    prepareBatch(b, program, env, i, w.fresh);
    Frame& f = w.frames[i];
    if (w.fresh) {
      w.saved[i] = AlignedBytes(std::size_t{code_->savedBytes} * (program.separateLanes ? program.width : 1));
      b.env = &env;
      b.base = program.code.data();
      b.regs = b.registers.data();
      b.singleStep = true;
      f.registers = b.regs;
      f.saved = w.saved[i].data();
      f.lanes = b.laneMemory.data();
      f.buffers = windows_.data();
      f.images = images_.data();
      f.workgroup = w.memory.data();
      f.push = env.push;
      f.pushBytes = env.pushBytes;
      f.batch = &b;
      f.code = program.code.data();
      f.setMask = &setMask;
      f.stop = env.stop ? env.stop : &kNobodyStops;
      if (program.separateLanes) setLone(i);
    }
    f.stepsLeft = stepsLeft;
    f.stepsBehind = most - stepsLeft;
    f.live[0] = b.live.word[0];
    f.live[1] = b.live.word[1];
    f.guards = guards;
    f.ahead = ahead ? 1 : 0;
    f.resume = 0;
    // In another order of lanes all may be nobody's.
    w.frames[i].state = b.live.any() ? Workgroup::State::kReady : Workgroup::State::kFinished;
    if (program.separateLanes)
      std::fill_n(w.lanes.begin() + i * program.width, program.width, Workgroup::Lane{0, f.stepsLeft, f.stepsBehind});
  }
  w.fresh = false;
}

// Handlers see a lane that runs alone as the first one of a batch that has no others.
void CompiledRun::setLone(std::uint32_t batch) {
  Workgroup& w = *workgroup_;
  Frame& f = w.frames[batch];
  f.whole = f.batch;
  f.wholeRegisters = f.registers;
  if (batch == 0) {
    prepareBatch(w.lone, *code_->program, w.environment, 0, true);
    w.lone.env = &w.environment;
    w.lone.base = codeOfLane_.data();
    w.lone.width = kGroup;
    w.lone.singleStep = true;
    w.lone.live = oneLane(0);
    w.lone.setMask(w.lone.live);
  }
  f.batch = &w.lone;
  f.registers = w.lone.regs;
  f.code = codeOfLane_.data();
}

// The batches that the interpreter would execute as one, until all wait at a barrier or have ended. Those furthest behind go on, each once:
// one that goes round a loop must not be ahead of those that stopped where it did.
CompiledRun::Went CompiledRun::runTogether(std::uint32_t first, std::uint32_t last) {
  Workgroup& w = *workgroup_;
  using State = Workgroup::State;
  const compiled::Entry entry = code_->entry();
  while (true) {
    std::uint32_t behind = ~std::uint32_t{0}, next = first;
    for (std::uint32_t i = first; i < last; ++i)
      if (w.frames[i].state == State::kReady) behind = std::min(behind, w.frames[i].resume);
    const std::optional<Workgroup::Waiting> was = std::exchange(w.waiting, {});
    if (was) behind = was->behind, next = was->batch;
    if (behind == ~std::uint32_t{0}) return Went::kEnded;
    for (std::uint32_t i = next; i < last; ++i) {
      Frame& f = w.frames[i];
      if (w.frames[i].state != State::kReady || (f.resume != behind && !(was && i == was->batch))) continue;
      const std::uint32_t stop = entry(&f);
      if (stop == compiled::kGivenUp) return Went::kGaveUp;
      f.resume = stop;
      if (stop == compiled::kFinished) {
        w.frames[i].state = State::kFinished;
      } else if (code_->stops[stop - 1] == compiled::StopKind::kBarrier) {
        w.frames[i].state = State::kWaits;
      } else if (code_->stops[stop - 1] == compiled::StopKind::kTellsOrder) {
        w.waiting = {i, behind};
        return Went::kWaits;
      }
    }
  }
}

// Goes on with a lane until it meets others or ends; what its code returned.
std::uint32_t CompiledRun::runLane(std::uint32_t batch, std::uint32_t lane) {
  Workgroup& w = *workgroup_;
  Batch& b = w.batches[batch];
  Frame& f = w.frames[batch];
  Workgroup::Lane& own = w.lanes[batch * b.width + lane];
  f.lane = lane;
  f.saved = w.saved[batch].data() + std::size_t{lane} * code_->savedBytes;
  f.resume = own.resume;
  f.stepsLeft = own.stepsLeft;
  f.stepsBehind = own.stepsBehind;
  const std::uint32_t stop = code_->entry()(&f);
  own = {stop, f.stepsLeft, f.stepsBehind};
  b.lone[lane].status = stop == compiled::kFinished ? LoneLane::Status::kAbsent : LoneLane::Status::kWaiting;
  if (stop == compiled::kFinished) b.live = without(b.live, oneLane(lane));
  return stop;
}

bool CompiledRun::runLanes(std::uint32_t batch) {
  Workgroup& w = *workgroup_;
  Batch& b = w.batches[batch];
  while (w.frames[batch].state == Workgroup::State::kReady) {
    for (std::uint32_t i = 0; i < b.width; ++i) {
      const auto lane = static_cast<std::uint32_t>(dispatch_.schedule.at(i, b.width));
      if (b.lone[lane].status == LoneLane::Status::kReady && runLane(batch, lane) == compiled::kGivenUp) return false;
    }
    if (!meet(batch)) return false;
  }
  return true;
}

// Every lane waits: those furthest behind meet.
bool CompiledRun::meet(std::uint32_t batch) {
  Workgroup& w = *workgroup_;
  Batch& b = w.batches[batch];
  Frame& f = w.frames[batch];
  using State = Workgroup::State;
  const Workgroup::Lane* const own = &w.lanes[batch * b.width];
  std::uint32_t stop = compiled::kGivenUp;
  forLanes(b.live, [&](std::uint32_t lane) { stop = std::min(stop, own[lane].resume); });
  if (stop == compiled::kGivenUp) {
    w.frames[batch].state = State::kFinished;
    return true;
  }
  LaneMask lanes;
  forLanes(b.live, [&](std::uint32_t lane) {
    if (own[lane].resume == stop) lanes.set(lane);
  });
  const auto goOn = [&] { forLanes(lanes, [&](std::uint32_t lane) { static_cast<void>(runLane(batch, lane)); }); };
  switch (code_->stops[stop - 1]) {
    case compiled::StopKind::kBarrier:
      if (!(lanes == b.live)) return false;
      f.resume = stop;
      w.frames[batch].state = State::kWaits;
      break;
    case compiled::StopKind::kTogether: {
      goOn();  // their arguments
      const Instr* const operation = &code_->program->code[f.place];
      b.setMask(lanes);
      operation->run(operation, b);
      goOn();  // what they got
      break;
    }
    default:
      break;
  }
  forLanes(lanes, [&](std::uint32_t lane) { b.lone[lane].status = LoneLane::Status::kReady; });
  return true;
}

// False where batches wait at different ones.
bool CompiledRun::openBarrier() {
  Workgroup& w = *workgroup_;
  const Frame* waiting = nullptr;
  for (std::uint32_t i = 0; i < w.frames.size(); ++i) {
    if (w.frames[i].state != Workgroup::State::kWaits) continue;
    if (waiting && waiting->resume != w.frames[i].resume) return false;
    waiting = &w.frames[i];
    w.frames[i].state = Workgroup::State::kReady;
  }
  return true;
}

CompiledRun::Went CompiledRun::runOne() {
  const LaidProgram& program = *code_->program;
  Workgroup& w = *workgroup_;
  const std::uint32_t count = program.batches, together = program.together / program.width;
  while (true) {
    for (std::uint32_t i = 0; program.separateLanes && i < count; ++i)
      if (!runLanes(static_cast<std::uint32_t>(dispatch_.schedule.at(i, count)))) return Went::kGaveUp;
    for (std::uint32_t first = w.waiting ? w.waiting->batch / together * together : 0; !program.separateLanes && first < count;
         first += together)
      if (const Went went = runTogether(first, std::min(first + together, count)); went != Went::kEnded) return went;
    if (std::ranges::find(w.frames, Workgroup::State::kWaits, &Workgroup::OwnFrame::state) == w.frames.end()) return Went::kEnded;
    if (!openBarrier()) return Went::kGaveUp;
  }
}

bool CompiledRun::run(std::uint64_t from, std::uint64_t end) {
  for (std::uint64_t place = from; place < end; ++place) {
    if (workgroup_->environment.isStopped()) return false;
    begin(place, unguarded_.data(), false);
    if (runOne() != Went::kEnded) return false;
  }
  return true;
}

CompiledRun::Went CompiledRun::runAhead(std::uint64_t place, const std::uint8_t* guards) {
  if (workgroup_->environment.isStopped()) return Went::kGaveUp;
  begin(place, guards, true);
  return runOne();
}

bool CompiledRun::goOn(const std::uint8_t* guards) {
  for (Frame& f : workgroup_->frames) f.guards = guards, f.ahead = 0;
  return runOne() == Went::kEnded;
}

}  // namespace lanewise
