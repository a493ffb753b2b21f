#include "model/check/access_checker.h"

#include <fmt/format.h>

#include <algorithm>

#include "model/check/layout.h"
#include "model/check/place_text.h"
#include "model/check/unread_exchange.h"
#include "model/ir/operation_info.h"
#include "model/ir/path_text.h"
#include "model/state/control.h"
#include "model/state/lane_masks.h"
#include "model/state/lane_value.h"
#include "model/state/workgroup.h"

namespace lanewise {
namespace {

constexpr std::uint64_t kMostBytes = 0x7fffffff;  // an offset beyond it may be one below 0

// The units of findings: bytes, and texels for an image.
std::uint32_t unitOf(const Resource& resource) {
  return std::holds_alternative<ImageData>(resource.data) ? placeBytes(resource) : 1;
}

template <class Shadow>
bool isWritten(Shadow& shadow, std::uint64_t byte, std::uint64_t size) {
  bool all = true;
  shadow.rows(byte, size, [&](const auto& row) { all = all && std::memchr(row.cells.data() + row.first, 0, row.count) == nullptr; });
  return all;
}

template <class Shadow>
void write(Shadow& shadow, std::uint64_t byte, std::uint64_t size) {
  shadow.rows(byte, size, [](const auto& row) { std::memset(row.cells.data() + row.first, 1, row.count); });
}

// Lanes that are equally far apart, each at a place. False where one reads what nobody wrote, or has no cell of its own yet.
template <class Shadow>
bool allEasy(Shadow& shadow, const LaneRun& run, bool stores) {
  return shadow.strides(run, [&](std::uint8_t* cells, std::size_t step, std::uint32_t count) {
    std::uint8_t all = 1;
    for (std::uint32_t k = 0; k < count; ++k, cells += step)
      if (stores)
        *cells = 1;
      else
        all &= *cells;
    return all != 0;
  });
}

// What an index out of range of a lane goes into, with it and those in front of it.
PlaceName indexedName(const Program& program, const IndexOutside& at, std::uint32_t lane) {
  const std::uint32_t path = program.info[at.pc].path;
  if (path == 0) return {variableText(program, at.variable), ""};
  std::vector<std::int64_t> indices;
  for (const std::optional<std::int64_t>& index : indicesOf(at, lane)) indices.push_back(index.value_or(-1));
  return indexedName(program, path, indices);
}

// The first lane from i on that reads unwritten memory, or has no cell of its own yet. The lanes before it have been handled. The run is of
// places.
template <class Shadow>
std::uint32_t easyLanes(Shadow& shadow, const LaneRun& run, std::uint32_t i, bool loads, bool stores) {
  const auto byList = [list = run.list](std::uint32_t k) { return list[k]; };
  const auto byStride = [first = run.offset, stride = std::uint64_t{run.stride}](std::uint32_t k) { return first + k * stride; };
  const auto lanes = [&](const auto& byteOf) {
    const auto see = [&](const auto& use) { return shadow.places(i, run.count, run.size, byteOf, use); };
    if (!stores) return see([](const std::uint8_t& cell) { return cell != 0; });
    if (!loads) return see([](std::uint8_t& cell) { return (cell = 1) != 0; });
    return see([](std::uint8_t& cell) { return std::exchange(cell, cell != 0 ? 1 : 0) != 0; });
  };
  return run.list ? lanes(byList) : lanes(byStride);
}

}  // namespace

FindingsObserver::FindingsObserver(const Job& job) : job_(job) {
  for (const Resource& r : job.resources) {
    std::optional<Shadow>& own = written_.emplace_back();
    if (r.undefined) own.emplace(placeBytes(r), placeBitsOf(r.bytes().size(), placeBytes(r)));
  }
}

Answer FindingsObserver::moment(const Moment& moment) {
  std::visit(Cases{[this](const WorkgroupBegins& e) { enterWorkgroup(e.env); }, [this](const BarrierReached& e) { arrive(e); },
                   [this](const LanesReturn& e) { leave(e); }, [this](const Faulted& e) { stepLimit(e); },
                   [this](const IndexOutside& e) { index(e); }, [this](const BlitTexel& e) { blitTexel(e); }, [](const auto&) {}},
             moment);
  return Answer::kGoOn;
}

FindingsObserver::Group& FindingsObserver::groupOf(const Environment& env) {
  if (env.slot >= groups_.size()) groups_.resize(env.slot + 1);
  return groups_[env.slot];
}

void FindingsObserver::arrive(const BarrierReached& at) {
  if (at.scope == spv::Scope::Subgroup) return;
  Group& g = groupOf(*at.batch.env);
  const std::size_t barrier = g.phases[at.batch.index]++;
  if (barrier == g.barriers.size()) {
    g.barriers.push_back({invocationOf(at.batch, lowestLane(at.lanes)), at.pc});
    g.missed.push_back(0);
    g.isFull = g.isFull || isWritten(g.written, 0, (at.batch.env->program->workgroupBytes + 3) & ~3u);
  }
  if (!g.returned.empty() && g.returned.begin()->first <= barrier) barrierMissed(*at.batch.env, g, barrier, g.returned.begin()->second);
}

void FindingsObserver::leave(const LanesReturn& at) {
  Group& g = groupOf(*at.batch.env);
  const std::uint32_t phase = g.phases[at.batch.index];
  const Stand self{invocationOf(at.batch, lowestLane(at.lanes)), at.pc};
  g.returned.try_emplace(phase, self);
  if (phase < g.barriers.size()) barrierMissed(*at.batch.env, g, phase, self);
}

void FindingsObserver::barrierMissed(const Environment& env, Group& group, std::size_t barrier, Stand returned) {
  if (std::exchange(group.missed[barrier], std::uint8_t{1})) return;
  bool first = false;
  RunFinding& f = found(FindingKind::kBarrierMissed, env, group.barriers[barrier], first);
  if (!first) return;
  const auto at = globalOf(*env.program, env.groups, returned.invocation);
  f.otherAt = env.program->instructionPlace(returned.pc);
  f.other = fmt::format("invocation {},{},{} returned before it at {}", at[0], at[1], at[2], f.otherAt.text());
}

void FindingsObserver::stepLimit(const Faulted& at) {
  if (at.batch.fault != Fault::kStepLimit) return;
  bool first = false;
  RunFinding& f = found(FindingKind::kStepLimit, at.batch, at.pc, lowestLane(at.lanes), first);
  const Program& program = *at.batch.env->program;
  if (const spirv::SourceLine loop = program.loopLineOf(at.pc); loop.line != 0)
    f.at = program.module.placeOf(program.instructionOf(at.pc), loop);
  f.instruction.clear();
  f.place = fmt::format("more than {} step{} of one invocation", job_.limits.maxSteps, job_.limits.maxSteps == 1 ? "" : "s");
}

void FindingsObserver::enterWorkgroup(const Environment& env) {
  Watched& watched = watched_[env.dispatch];
  if (std::exchange(watched.program, env.program) == nullptr)
    for (std::uint32_t pc = 0; pc < env.program->info.size(); ++pc)
      if (const ir::Access* access = env.program->accessOf(pc); access && access->space == ir::Space::kWorkgroup)
        if (const std::optional<MemoryRange> extent = leavable(*env.program, pc)) watched.leavable.emplace(pc, *extent);
  Group& g = groupOf(env);
  g.watched = &watched;
  g.barriers.clear();
  g.missed.clear();
  g.returned.clear();
  g.written = Shadow(4, placeBitsOf(env.program->workgroupBytes, 4));
  g.isFull = false;
  for (const auto& [offset, size] : env.program->workgroupZero) write(g.written, offset, size);
  g.phases.assign(env.program->batches, 0);
}

std::uint64_t FindingsObserver::invocationOf(const Batch& batch, std::uint32_t lane) const {
  const Program& program = *batch.env->program;
  return linearOf(batch.env->group, batch.env->groups) * program.invocations + program.invocationOf({batch.index, lane});
}

std::array<std::uint32_t, 3> FindingsObserver::globalOf(const Program& program, const Extent3& groups, std::uint64_t invocation) const {
  return globalInvocation(program, groups, invocation / program.invocations, static_cast<std::uint32_t>(invocation % program.invocations));
}

RunFinding& FindingsObserver::found(FindingKind kind, const Batch& batch, std::uint32_t pc, std::uint32_t lane, bool& first) {
  return found(kind, *batch.env, {invocationOf(batch, lane), pc}, first);
}

RunFinding& FindingsObserver::found(FindingKind kind, const Environment& env, Stand at, bool& first) {
  const Program& program = *env.program;
  // One finding per source line, or per instruction if the line is unknown.
  const auto [it, fresh] = known_.try_emplace({kind, env.dispatch, placeInSource(program, at.pc)}, findings_.size());
  first = fresh;
  if (!fresh) {
    ++findings_[it->second].count;
    return findings_[it->second];
  }
  findings_.push_back(findingAt(kind, env, at.pc, static_cast<std::uint32_t>(at.invocation % program.invocations)));
  return findings_.back();
}

void FindingsObserver::outOfRange(const AccessEvent& event, const Outside& at) {
  if (event.place == Place::kWorkgroup) return outsideVariable(event, at.lane, at.offset, at.size);
  const FindingKind kind = at.miss == Miss::kDescriptor   ? FindingKind::kNoDescriptor
                           : event.place != Place::kImage ? FindingKind::kBufferOutOfRange
                           : at.miss == Miss::kLevel      ? FindingKind::kLevelOutOfRange
                                                          : FindingKind::kTexelOutOfRange;
  if (kind == FindingKind::kBufferOutOfRange && isTold(event, at)) return;
  bool first = false;
  RunFinding& f = found(kind, event.batch, event.pc, at.lane, first);
  if (!first) return;
  const Program& program = *event.batch.env->program;
  f.object.variable = variableText(program, at.variable);
  if (kind == FindingKind::kNoDescriptor) {
    f.place = fmt::format("element {}", at.element);
  } else if (kind == FindingKind::kLevelOutOfRange) {
    f.place = fmt::format("level {}", at.texel[3]);
  } else if (event.place == Place::kImage) {
    const ir::ImageAccess* image = program.imageAccessOf(event.pc);
    f.object = imageName(event, at.element);
    f.object.part += fmt::format("[{}]", fmt::join(at.texel, at.texel + std::clamp<std::uint32_t>(image->coordinates, 1, 3), ","));
    f.place = at.miss == Miss::kSample ? fmt::format("sample {} of {}", at.texel[3], at.extent.x)
                                       : fmt::format("outside of {}x{}x{}", at.extent.x, at.extent.y, at.extent.z);
  } else {
    f.object = placeName(job_, event, {at.resource, at.element}, at.offset, at.size);
    // Addresses have 32 bits, and one that needs more stays at their end: a negative index does. IndexTeller tells which.
    const bool isFar = event.place == Place::kBuffer && at.offset > kMostBytes;
    if (isFar) f.object.part.clear();
    const auto byte =
        std::int64_t{event.place == Place::kPhysical ? static_cast<std::int32_t>(at.offset) : static_cast<std::int64_t>(at.offset)};
    f.place = at.size == 0 || isFar ? "" : fmt::format("bytes {} to {}", byte, byte + at.size - 1);
    if (event.place == Place::kBuffer && !isFar) f.place += fmt::format(" of {}", job_.resources[at.resource].bytes().size());
  }
}

bool FindingsObserver::Told::isAt(const Batch& of, std::uint32_t pc) const {
  return instruction == &of.env->program->instructionOf(pc) && place == of.env->place && batch == of.index;
}

// Whether it leaves its buffer by an index that has been told, and not by others as well.
bool FindingsObserver::isTold(const AccessEvent& event, const Outside& outside) const {
  const auto lane = told_.isAt(event.batch, event.pc) ? told_.bytes.find(outside.lane) : told_.bytes.end();
  if (lane == told_.bytes.end()) return false;
  // Addresses have 32 bits.
  const std::uint64_t without = static_cast<std::uint32_t>(outside.offset - lane->second.value_or(0));
  return !lane->second || without + outside.size <= job_.resources[outside.resource].bytes().size();
}

// The index that led there has already been reported.
void FindingsObserver::outsideVariable(const AccessEvent& event, std::uint32_t lane, std::uint64_t offset, std::uint32_t size) {
  const Program& program = *event.batch.env->program;
  const Watched& watched = *groupOf(*event.batch.env).watched;
  if (watched.indexed.contains(event.variable)) return;
  bool first = false;
  RunFinding& f = found(FindingKind::kWorkgroupOutOfRange, event.batch, event.pc, lane, first);
  if (!first) return;
  const auto known = watched.leavable.find(event.pc);
  const MemoryRange extent = known != watched.leavable.end() ? known->second : MemoryRange{0, program.workgroupBytes};
  // Addresses have 32 bits: an address below 0 is at their end.
  const auto byte = std::int64_t{static_cast<std::int32_t>(static_cast<std::uint32_t>(offset))} - static_cast<std::int64_t>(extent.first);
  f.object = placeName(job_, event, {}, offset, size);
  f.place = fmt::format("bytes {} to {} of {}", byte, byte + size - 1, extent.size);
}

void FindingsObserver::misaligned(const AccessEvent& event, std::uint32_t alignment) {
  forEachLane(event, [&](std::uint32_t lane, const LaneRun& run, std::uint64_t offset) {
    if (offset % alignment == 0) return;
    bool first = false;
    RunFinding& f = found(FindingKind::kMisaligned, event.batch, event.pc, lane, first);
    if (!first) return;
    f.object = placeName(job_, event, accessedBy(run), offset, run.size);
    f.place = fmt::format("byte {}, no multiple of {}", offset, alignment);
  });
}

void FindingsObserver::unwritten(const AccessEvent& event, const LaneRun& run, std::uint32_t lane, std::uint64_t offset) {
  bool first = false;
  RunFinding& f = found(FindingKind::kUninitialised, event.batch, event.pc, lane, first);
  if (!first) return;
  f.object = placeName(job_, event, accessedBy(run), offset, run.size);
  if (event.place == Place::kImage) f.place = levelText(job_.resources[run.resource], offset);
}

// `written`: of the memory that it accesses.
void FindingsObserver::inRange(const AccessEvent& event, const LaneRun& run, Shadow& written) {
  if (run.count >= 4 && run.isWhole() && (!reads(event.kind) || isWritten(written, run.offset, run.bytes()))) {
    if (writes(event.kind)) write(written, run.offset, run.bytes());
    return;
  }
  // Lane after lane, because an atomic's lane reads what the previous one wrote.
  const LaneRun own = run;
  const bool loads = reads(event.kind) && !isUnreadExchange(event), stores = writes(event.kind), ofPlaces = written.isOfPlaces(run);
  if (ofPlaces && !run.list && loads != stores && allEasy(written, run, stores)) return;
  for (std::uint32_t i = 0; i < own.count; ++i) {
    if (ofPlaces) i = easyLanes(written, own, i, loads, stores);
    if (i == own.count) return;
    const std::uint64_t offset = own.offsetOf(i);
    if (loads && !isWritten(written, offset, own.size)) unwritten(event, run, own.lane + i, offset);
    if (stores) write(written, offset, own.size);
  }
}

Answer FindingsObserver::access(const AccessEvent& event) {
  for (const Outside& at : event.outside) outOfRange(event, at);
  const Program& program = *event.batch.env->program;
  if (told_.instruction && program.endsStep(event.pc)) told_ = {};
  if (const std::uint32_t alignment = program.orders[program.info[event.pc].order].alignment; alignment > 1) misaligned(event, alignment);
  if (event.place == Place::kPush) return Answer::kGoOn;
  if (event.place == Place::kWorkgroup)
    if (const auto& all = groupOf(*event.batch.env).watched->leavable; !all.empty())
      if (const auto at = all.find(event.pc); at != all.end())
        forEachLane(event, [&](std::uint32_t lane, const LaneRun& run, std::uint64_t offset) {
          if (offset < at->second.first || offset + run.size > at->second.first + at->second.size)
            outsideVariable(event, lane, offset, run.size);
        });
  if (event.place == Place::kWorkgroup) {
    Group& g = groupOf(*event.batch.env);
    for (const LaneRun& run : event.runs)
      if (!g.isFull) inRange(event, run, g.written);
    return Answer::kGoOn;
  }
  for (const LaneRun& run : event.runs)
    if (written_[run.resource]) inRange(event, run, *written_[run.resource]);
  return Answer::kGoOn;
}

void FindingsObserver::index(const IndexOutside& at) {
  if (at.count == 0) return;  // for who asks for every index
  const Program& program = *at.batch.env->program;
  const ir::Facts& facts = ir::factsOf(program.instructionOf(at.pc).op);
  const bool isOffset = facts.sampling || facts.imageOperands != 0;
  if (!isOffset) {
    watched_[at.batch.env->dispatch].indexed.insert(at.variable);
    if (!told_.isAt(at.batch, at.pc)) told_ = {at.batch.env->place, at.batch.index, &program.instructionOf(at.pc)};
    const std::uint32_t path = program.info[at.pc].path;
    forLanes(at.lanes, [&](std::uint32_t lane) {
      std::optional<std::uint32_t>& bytes = told_.bytes.try_emplace(lane, 0).first->second;
      if (bytes && path != 0)
        *bytes += program.paths[path].stride * static_cast<std::uint32_t>(bitsOf(at.batch, at.index, false, lane));
      else
        bytes.reset();
    });
  }
  forLanes(at.lanes, [&](std::uint32_t lane) {
    bool first = false;
    RunFinding& f = found(isOffset ? FindingKind::kOffsetOutOfRange : FindingKind::kArrayOutOfRange, at.batch, at.pc, lane, first);
    if (!first) return;
    f.object = indexedName(program, at, lane);
    const auto bits = static_cast<std::uint32_t>(bitsOf(at.batch, at.index, false, lane));
    const std::int64_t index =
        isOffset ? static_cast<std::int32_t>(bits) : indicesOf(at, lane).back().value_or(static_cast<std::int32_t>(bits));
    const auto half = static_cast<std::int32_t>(at.count / 2);
    f.place = isOffset ? fmt::format("{}, and every device takes {} to {}", index - half, -half, half - 1)
                       : fmt::format("index {} of {}", index, at.count);
  });
}

void FindingsObserver::blitTexel(const BlitTexel& made) {
  const Blit& blit = made.blit;
  const auto resource = static_cast<std::uint32_t>(resourceNamed(job_.resources, blit.resource));
  if (!written_[resource]) return;
  Shadow& written = *written_[resource];
  const std::uint32_t texel = unitOf(job_.resources[resource]);
  write(written, made.written, texel);
  const auto hole = std::ranges::find_if(made.read, [&](std::uint64_t at) { return !isWritten(written, at, texel); });
  if (hole == made.read.end()) return;
  // One finding per blit. The blit's number is in the place of an instruction's.
  const auto number = static_cast<std::uint32_t>(std::ranges::find(job_.blits, blit) - job_.blits.begin());
  const auto [it, fresh] = known_.try_emplace({FindingKind::kUninitialised, blit.before, 0xffffffffu - number}, findings_.size());
  if (!fresh) {
    ++findings_[it->second].count;
    return;
  }
  RunFinding f;
  f.kind = FindingKind::kUninitialised;
  f.dispatch = blit.before;
  f.instruction = "vkCmdBlitImage";
  f.object.variable = blit.resource;
  f.place = fmt::format("{}, for level {}", texelText(job_.resources[resource], *hole), blit.to);
  findings_.push_back(std::move(f));
}

std::vector<std::uint8_t> FindingsObserver::meant(std::uint32_t resource) const {
  std::vector<ProgramOfDispatch> all;
  for (const auto& [number, watched] : watched_) all.emplace_back(watched.program, &job_.dispatches[number]);
  return namedBytesOf(job_.resources[resource], all);
}

// A byte of a resource, by its name in a program that writes it.
std::string FindingsObserver::nameOfByte(std::uint32_t resource, std::uint64_t byte) const {
  for (const auto& [number, watched] : watched_)
    if (const std::string name = placeName(*watched.program, job_.dispatches[number], job_.resources[resource].name, byte).text();
        !name.empty())
      return name;
  return texelText(job_.resources[resource], byte);
}

void FindingsObserver::neverWritten(std::uint32_t resource) {
  Shadow& written = *written_[resource];
  const Resource& r = job_.resources[resource];
  const std::uint64_t size = r.bytes().size();
  if (isWritten(written, 0, size)) return;
  std::vector<std::uint8_t> missing = meant(resource);
  written.rows(0, size, [&](const auto& row) {
    for (std::uint64_t i = 0; i < row.count; ++i)
      if (row.cells[row.first + i] != 0) std::memset(missing.data() + row.byte + i * row.unit, 0, row.unit);
  });
  const auto count = static_cast<std::uint64_t>(std::ranges::count(missing, 1));
  if (count == 0) return;
  const auto at = static_cast<std::uint64_t>(std::ranges::find(missing, 1) - missing.begin());
  RunFinding f;
  f.kind = FindingKind::kNeverWritten;
  f.dispatch = static_cast<std::uint32_t>(std::max<std::size_t>(job_.dispatches.size(), 1)) - 1;
  f.object.variable = r.name;
  const std::uint32_t unit = unitOf(r);
  f.place = fmt::format("{} {} of {}, first {}", count / unit, std::holds_alternative<ImageData>(r.data) ? "texels" : "bytes", size / unit,
                        nameOfByte(resource, at));
  // Where too few ran, no line of the module is to blame.
  if (watched_.size() == 1) {
    const Extent3 groups = job_.dispatches[watched_.begin()->first].groups;
    const std::uint32_t* local = watched_.begin()->second.program->localSize;
    f.place += fmt::format("; {}x{}x{} workgroups of {}x{}x{} ran", groups.x, groups.y, groups.z, local[0], local[1], local[2]);
  }
  findings_.push_back(std::move(f));
}

std::vector<RunFinding> FindingsObserver::finish(bool complete) {
  for (std::uint32_t i = 0; complete && i < written_.size(); ++i)
    if (job_.resources[i].output && written_[i]) neverWritten(i);
  return std::move(findings_);
}

}  // namespace lanewise
