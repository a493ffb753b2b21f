#include "model/check/access_checker.h"

#include <fmt/format.h>

#include "model/check/layout.h"
#include "model/operations/table.h"
#include "model/state/control.h"

namespace lanewise {
namespace {

constexpr std::uint32_t kAtomic = 0xffffffffu;  // in the place of a writer's dispatch

std::uint64_t linearOf(const Extent3& at, const Extent3& size) {
  return (std::uint64_t{at.z} * size.y + at.y) * size.x + at.x;
}

// The module's instruction of a program's one, where a finding is told.
std::uint32_t instructionOf(const Program& program, std::uint32_t pc) {
  return program.origins[program.info[pc].origin].instruction;
}

std::string lineOf(const Program& program, std::uint32_t pc) {
  const std::string line = program.lineOf(pc);
  if (!line.empty()) return line;
  return fmt::format("{}, word {}", program.module.name, program.module.instructions[instructionOf(program, pc)].offset);
}

std::uint32_t firstOf(const LaneMask& lanes, std::uint32_t width) {
  std::uint32_t lane = 0;
  while (lane + 1 < width && !lanes.test(lane)) ++lane;
  return lane;
}

}  // namespace

FindingsObserver::FindingsObserver(const Job& job) : job_(job), shadows_(job.resources.size()) {
  for (std::size_t i = 0; i < job.resources.size(); ++i) {
    const Resource& r = job.resources[i];
    if (const auto* image = std::get_if<ImageData>(&r.data))
      if (const FormatInfo* format = formatInfo(image->format)) shadows_[i].unit = format->texelBytes;
    if (r.output) shadows_[i].writers.resize(r.bytes().size() / shadows_[i].unit);
    if (r.undefined) shadows_[i].written.resize(r.bytes().size());
  }
}

bool FindingsObserver::beforeInstruction(const Batch& batch, std::uint32_t pc) {
  const Environment& env = *batch.env;
  if (env.dispatch != dispatch_ || !(env.group == group_)) enterWorkgroup(batch);
  const InstrInfo& info = env.program->info[pc];
  if (info.op == ir::kControlBarrier && env.program->observed[pc].imm != static_cast<std::uint32_t>(spv::Scope::Subgroup))
    arrive(batch, pc);
  if (info.op == control::kReturn) leave(batch, pc);
  return true;
}

void FindingsObserver::arrive(const Batch& batch, std::uint32_t pc) {
  const std::size_t barrier = phases_[batch.index]++;
  if (barrier == barriers_.size()) {
    barriers_.push_back({invocationOf(batch, firstOf(batch.mask, batch.width)), pc});
    missed_.push_back(0);
  }
  if (!returned_.empty() && returned_.begin()->first <= barrier) barrierMissed(*batch.env, barrier, returned_.begin()->second);
}

void FindingsObserver::leave(const Batch& batch, std::uint32_t pc) {
  const Stand self{invocationOf(batch, firstOf(batch.mask, batch.width)), pc};
  returned_.try_emplace(phases_[batch.index], self);
  if (phases_[batch.index] < barriers_.size()) barrierMissed(*batch.env, phases_[batch.index], self);
}

void FindingsObserver::barrierMissed(const Environment& env, std::size_t barrier, Stand returned) {
  if (std::exchange(missed_[barrier], std::uint8_t{1})) return;
  bool first = false;
  RunFinding& f = found(FindingKind::kBarrierMissed, env, barriers_[barrier], first);
  if (!first) return;
  const auto at = globalOf(*env.program, env.groups, returned.invocation);
  f.other = fmt::format("invocation {},{},{} returned before it at {}", at[0], at[1], at[2], lineOf(*env.program, returned.pc));
}

void FindingsObserver::afterInstruction(const Batch& batch, std::uint32_t pc, LaneMask lanes) {
  if (batch.fault != Fault::kStepLimit) return;
  const std::uint32_t lane = firstOf(lanes, batch.width);
  bool first = false;
  RunFinding& f = found(FindingKind::kStepLimit, batch, pc, lane, first);
  f.line = batch.env->program->loopLineOf(pc);
  f.instruction.clear();
  f.place = fmt::format("{} instructions in this loop", job_.limits.maxSteps);
}

void FindingsObserver::enterWorkgroup(const Batch& batch) {
  const Environment& env = *batch.env;
  dispatch_ = env.dispatch;
  group_ = env.group;
  programs_[dispatch_] = env.program;
  workgroupWritten_.assign(env.program->workgroupBytes, 0);
  for (const auto& [offset, size] : env.program->workgroupZero) std::fill_n(workgroupWritten_.begin() + offset, size, std::uint8_t{1});
  phases_.assign(env.program->batches, 0);
  barriers_.clear();
  missed_.clear();
  returned_.clear();
}

std::uint64_t FindingsObserver::invocationOf(const Batch& batch, std::uint32_t lane) const {
  const Program& program = *batch.env->program;
  return linearOf(group_, batch.env->groups) * program.invocations + program.invocationOf({batch.index, lane});
}

std::array<std::uint32_t, 3> FindingsObserver::globalOf(const Program& program, const Extent3& groups, std::uint64_t invocation) const {
  const std::uint64_t group = invocation / program.invocations;
  const auto local = static_cast<std::uint32_t>(invocation % program.invocations);
  const std::uint32_t *size = program.localSize, x = size[0], y = size[1];
  return {static_cast<std::uint32_t>(group % groups.x) * x + local % x,
          static_cast<std::uint32_t>(group / groups.x % groups.y) * y + local / x % y,
          static_cast<std::uint32_t>(group / groups.x / groups.y) * size[2] + local / x / y};
}

RunFinding& FindingsObserver::found(FindingKind kind, const Batch& batch, std::uint32_t pc, std::uint32_t lane, bool& first) {
  return found(kind, *batch.env, {invocationOf(batch, lane), pc}, first);
}

RunFinding& FindingsObserver::found(FindingKind kind, const Environment& env, Stand at, bool& first) {
  const Program& program = *env.program;
  const spirv::Instruction& inst = program.module.instructions[instructionOf(program, at.pc)];
  // One finding a source line; where the line is unknown, one an instruction.
  const std::uint32_t line = inst.source.line ? inst.source.file << 20 ^ inst.source.line : 0x80000000u | inst.offset;
  const auto [it, fresh] = known_.try_emplace({kind, dispatch_, line}, findings_.size());
  first = fresh;
  if (!fresh) {
    ++findings_[it->second].count;
    return findings_[it->second];
  }
  RunFinding f;
  f.kind = kind;
  f.dispatch = dispatch_;
  f.workgroup = {group_.x, group_.y, group_.z};
  f.invocation = globalOf(program, env.groups, at.invocation);
  f.line = lineOf(program, at.pc);
  f.instruction = spirv::opName(inst.op);
  findings_.push_back(std::move(f));
  return findings_.back();
}

std::string FindingsObserver::nameOf(const Batch& batch, const MemoryEvent& event) const {
  const bool wild = event.place == Place::kPhysical && !event.inRange;  // an address of nothing
  const bool resource = event.place != Place::kWorkgroup && event.place != Place::kPush && event.miss != Miss::kDescriptor && !wild;
  if (resource && event.resource < job_.resources.size()) return job_.resources[event.resource].name;
  return batch.env->program->module.nameOf(event.variable);
}

// "byte 12", or of an image "texel 3,4 of level 0".
std::string FindingsObserver::placeIn(std::uint32_t resource, std::uint64_t offset) const {
  const auto* image = std::get_if<ImageData>(&job_.resources[resource].data);
  if (!image) return fmt::format("byte {}", offset);
  std::uint32_t level = 0;
  while (level + 1 < image->levels && offset >= image->levelOffset(level + 1)) ++level;
  const std::uint64_t texel = (offset - image->levelOffset(level)) / shadows_[resource].unit;
  const Extent3 e = image->levelExtent(level);
  const std::uint64_t slice = texel / e.x / e.y;
  return fmt::format("texel {},{}{} of level {}", texel % e.x, texel / e.x % e.y, slice ? fmt::format(",{}", slice) : std::string(), level);
}

void FindingsObserver::outOfRange(const Batch& batch, std::uint32_t pc, const MemoryEvent& event) {
  if (event.place == Place::kWorkgroup) return;  // the index that led there has been told
  const FindingKind kind = event.miss == Miss::kDescriptor ? FindingKind::kNoDescriptor
                           : event.place != Place::kImage  ? FindingKind::kBufferOutOfRange
                           : event.miss == Miss::kLevel    ? FindingKind::kLevelOutOfRange
                                                           : FindingKind::kTexelOutOfRange;
  bool first = false;
  RunFinding& f = found(kind, batch, pc, event.lane, first);
  if (!first) return;
  f.object = nameOf(batch, event);
  if (kind == FindingKind::kNoDescriptor) {
    f.place = fmt::format("element {}", event.element);
  } else if (kind == FindingKind::kLevelOutOfRange) {
    f.place = fmt::format("level {}", event.texel[3]);
  } else if (event.place == Place::kImage) {
    f.place = fmt::format("texel {},{},{}", event.texel[0], event.texel[1], event.texel[2]);
    f.place += fmt::format(" of {}x{}x{}", event.extent.x, event.extent.y, event.extent.z);
  } else {
    const bool resource = event.place == Place::kBuffer;
    f.place = event.size == 0 ? "" : fmt::format("bytes {} to {}", event.offset, event.offset + event.size - 1);
    if (resource) f.place += fmt::format(" of {}", job_.resources[event.resource].bytes().size());
  }
}

void FindingsObserver::read(const Batch& batch, std::uint32_t pc, const MemoryEvent& event, std::vector<std::uint8_t>& written) {
  const auto from = written.begin() + static_cast<std::ptrdiff_t>(event.offset);
  const auto hole = std::find(from, from + event.size, std::uint8_t{0});
  if (hole == from + event.size) return;
  bool first = false;
  RunFinding& f = found(FindingKind::kUninitialised, batch, pc, event.lane, first);
  if (!first) return;
  f.object = nameOf(batch, event);
  f.place =
      event.place == Place::kWorkgroup ? fmt::format("byte {} of workgroup memory", event.offset) : placeIn(event.resource, event.offset);
}

void FindingsObserver::write(const Batch& batch, std::uint32_t pc, const MemoryEvent& event) {
  Shadow& shadow = shadows_[event.resource];
  if (!shadow.written.empty()) std::fill_n(shadow.written.begin() + static_cast<std::ptrdiff_t>(event.offset), event.size, std::uint8_t{1});
  if (shadow.writers.empty()) return;
  const Writer self{invocationOf(batch, event.lane), pc, isAtomic(event.kind) ? kAtomic : dispatch_ + 1, phases_[batch.index]};
  const std::uint64_t invocations = batch.env->program->invocations;
  bool told = false;  // once for an access, however many units it has
  for (std::uint64_t u = event.offset / shadow.unit; u * shadow.unit < event.offset + event.size && u < shadow.writers.size(); ++u) {
    const Writer before = std::exchange(shadow.writers[u], self);
    const bool ordered = before.invocation / invocations == self.invocation / invocations && before.phase != self.phase;
    if (before.dispatch != self.dispatch || self.dispatch == kAtomic || before.invocation == self.invocation || ordered || told) continue;
    told = true;
    bool first = false;
    RunFinding& f = found(FindingKind::kWrittenTwice, batch, pc, event.lane, first);
    if (!first) continue;
    const auto at = globalOf(*batch.env->program, batch.env->groups, before.invocation);
    f.object = nameOf(batch, event);
    f.place = placeIn(event.resource, u * shadow.unit);
    f.other = fmt::format("before it invocation {},{},{} at {}", at[0], at[1], at[2], lineOf(*batch.env->program, before.pc));
  }
}

void FindingsObserver::access(const Batch& batch, std::uint32_t pc, const MemoryEvent& event) {
  if (!event.inRange) return outOfRange(batch, pc, event);
  const bool store = writes(event.kind);
  if (event.place == Place::kWorkgroup) {
    if (reads(event.kind)) read(batch, pc, event, workgroupWritten_);
    if (store) std::fill_n(workgroupWritten_.begin() + static_cast<std::ptrdiff_t>(event.offset), event.size, std::uint8_t{1});
    return;
  }
  if (event.place == Place::kPush || event.place == Place::kLaneMemory || event.resource >= shadows_.size()) return;
  if (reads(event.kind) && !shadows_[event.resource].written.empty()) read(batch, pc, event, shadows_[event.resource].written);
  if (store) write(batch, pc, event);
}

void FindingsObserver::index(const Batch& batch, std::uint32_t pc, const IndexEvent& event) {
  bool first = false;
  RunFinding& f = found(FindingKind::kArrayOutOfRange, batch, pc, event.lane, first);
  if (!first) return;
  f.object = batch.env->program->module.nameOf(event.variable);
  f.place = fmt::format("index {} of {}", static_cast<std::int32_t>(event.index), event.count);
}

void FindingsObserver::blitTexel(const Blit& blit, std::uint64_t written, std::span<const std::uint64_t> read) {
  const auto resource = static_cast<std::uint32_t>(resourceNamed(job_.resources, blit.resource));
  Shadow& shadow = shadows_[resource];
  if (!shadow.writers.empty()) shadow.writers[written / shadow.unit] = {};
  if (shadow.written.empty()) return;
  std::fill_n(shadow.written.begin() + static_cast<std::ptrdiff_t>(written), shadow.unit, std::uint8_t{1});
  const auto hole = std::ranges::find_if(read, [&](std::uint64_t at) { return shadow.written[at] == 0; });
  if (hole == read.end()) return;
  // One finding a blit; its number stands where that of an instruction does.
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
  f.object = blit.resource;
  f.place = fmt::format("{}, for level {}", placeIn(resource, *hole), blit.to);
  findings_.push_back(std::move(f));
}

// Which bytes of a resource some block that it is bound to names: padding is nobody's. Without a block, all.
std::vector<std::uint8_t> FindingsObserver::meant(std::uint32_t resource) const {
  const std::size_t size = job_.resources[resource].bytes().size();
  std::vector<std::uint8_t> named(size, 0);
  bool any = false;
  for (const auto& [number, program] : programs_)
    for (const Binding& b : job_.dispatches[number].bindings)
      for (const ir::ResourceDeclaration& r : program->resources)
        if (b.resource == job_.resources[resource].name && b.set == r.set && b.binding == r.binding && r.type &&
            r.type->kind == Type::Kind::kStruct) {
          markScalars(*r.type, named);
          any = true;
        }
  return any ? named : std::vector<std::uint8_t>(size, 1);
}

void FindingsObserver::neverWritten(std::uint32_t resource) {
  const Shadow& shadow = shadows_[resource];
  const std::vector<std::uint8_t> named = meant(resource);
  std::uint64_t count = 0, at = 0;
  for (std::uint64_t i = shadow.written.size(); i-- > 0;) {
    if (shadow.written[i] || !named[i]) continue;
    at = i;
    ++count;
  }
  if (count == 0) return;
  RunFinding f;
  f.kind = FindingKind::kNeverWritten;
  f.dispatch = static_cast<std::uint32_t>(std::max<std::size_t>(job_.dispatches.size(), 1)) - 1;
  f.object = job_.resources[resource].name;
  const bool image = shadow.unit != 1 || std::holds_alternative<ImageData>(job_.resources[resource].data);
  f.place = fmt::format("{} {} of {}, first {}", count / shadow.unit, image ? "texels" : "bytes", shadow.written.size() / shadow.unit,
                        placeIn(resource, at));
  findings_.push_back(std::move(f));
}

std::vector<RunFinding> FindingsObserver::finish(bool complete) {
  for (std::uint32_t i = 0; complete && i < shadows_.size(); ++i)
    if (!shadows_[i].writers.empty() && !shadows_[i].written.empty()) neverWritten(i);
  return std::move(findings_);
}

}  // namespace lanewise
