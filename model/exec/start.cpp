// Fills registers before a workgroup starts: constants, and the ids of invocations and of the workgroup.
#include "model/exec/start.h"

#include <utility>

#include "model/exec/lanes.h"
#include "model/ir/together.h"
#include "model/state/lane_masks.h"
#include "model/state/workgroup.h"

namespace lanewise {
namespace {

using Row = ir::InputRow;

// Nothing else is ever stored there, so what the first lane has all have.
void fillUniform(Batch& batch, Operand slot, std::uint32_t value) {
  auto* lanes = batch.slot<std::uint32_t>(slot.offset);
  if (lanes[0] == value) return;
  if (slot.step == 0)
    std::fill_n(lanes, kGroup, value);
  else
    std::fill_n(lanes, batch.width, value);
}

void fillConstants(Batch& batch, const Program& program) {
  for (const auto& [offset, wide, bits] : program.constants) {
    if (wide)
      std::fill_n(batch.slot<std::uint64_t>(offset), kGroup, bits);
    else
      std::fill_n(batch.slot<std::uint32_t>(offset), kGroup, static_cast<std::uint32_t>(bits));
  }
}

void fillInvocations(Batch& batch, const Program& program, std::uint32_t first) {
  const std::uint32_t ofGroup = workgroupsTogether(program) > 1 ? program.invocations : batch.width;
  // `value` takes a lane's invocation and its index among the workgroup's lanes.
  const auto fill = [&](Row row, auto value) {
    const auto& slot = program.inputs[static_cast<std::size_t>(row)];
    if (!slot) return;
    auto* lanes = batch.slot<std::uint32_t>(slot->offset);
    for (std::uint32_t lane = 0; lane < (slot->step == 0 ? kGroup : batch.width); ++lane) {
      const std::uint32_t from = slot->step == 0 ? 0 : lane % ofGroup;
      lanes[lane] = value(program.invocationOf({batch.index, from}), first + from);
    }
  };
  const auto& local = program.localSize;
  const std::uint32_t size = program.subgroupSize;
  fill(Row::kLocalIdX, [&](std::uint32_t i, std::uint32_t) { return localInvocation(local, i).x; });
  fill(Row::kLocalIdY, [&](std::uint32_t i, std::uint32_t) { return localInvocation(local, i).y; });
  fill(Row::kLocalIdZ, [&](std::uint32_t i, std::uint32_t) { return localInvocation(local, i).z; });
  fill(Row::kLocalIndex, [&](std::uint32_t i, std::uint32_t) { return i; });
  fill(Row::kSubgroupLane, [&](std::uint32_t, std::uint32_t lane) { return lane % size; });
  fill(Row::kSubgroupId, [&](std::uint32_t, std::uint32_t lane) { return lane / size; });
}

// The ids of the workgroup along x, or of those that the batch has.
void fillWorkgroupX(Batch& batch, const Program& program, Operand slot, std::uint32_t x, std::uint32_t together) {
  if (together == 1) return fillUniform(batch, slot, x);
  auto* lanes = batch.slot<std::uint32_t>(slot.offset);
  for (std::uint32_t i = 0; i < together; ++i) std::fill_n(lanes + i * program.invocations, program.invocations, x + i);
}

// How many of its lanes have an invocation, where they are in order.
std::uint32_t lanesOf(const Program& program, const Environment& env, std::uint32_t first, std::uint32_t together) {
  if (together > 1) return std::min(together, env.groups.x - env.group.x) * program.invocations;
  return first < program.invocations ? std::min(program.lanesPerBatch(), program.invocations - first) : 0;
}

// The lanes that have an invocation.
LaneMask liveLanes(const Program& program, std::uint32_t index) {
  LaneMask live;
  for (std::uint32_t lane = 0; lane < program.width; ++lane)
    if (program.invocationOf({index, lane}) < program.invocations) live.set(lane);
  return live;
}

}  // namespace

void prepareBatch(Batch& batch, const Program& program, const Environment& env, std::uint32_t index, bool fresh) {
  const std::uint32_t first = index * program.lanesPerBatch();
  if (fresh) batch.registers = AlignedBytes(program.registerBytes);
  batch.regs = batch.registers.data();  // the registers may have moved with a copy of the batch
  if (fresh) {
    batch.laneMemory = AlignedBytes(std::size_t{program.laneWords} * program.width * 4);
    batch.width = program.width;
    batch.index = index;
    fillConstants(batch, program);
    fillInvocations(batch, program, first);
  } else if (program.laneWords != 0) {
    std::memset(batch.laneMemory.data(), 0, batch.laneMemory.size());
  }
  const std::uint32_t together = workgroupsTogether(program);
  if (const auto& slot = program.inputs[static_cast<std::size_t>(Row::kWorkgroupIdX)])
    fillWorkgroupX(batch, program, *slot, env.group.x, together);
  const std::uint32_t ids[] = {env.group.y, env.group.z, env.groups.x, env.groups.y, env.groups.z};
  for (std::size_t i = 0; i < 5; ++i)
    if (const auto& slot = program.inputs[static_cast<std::size_t>(Row::kWorkgroupIdY) + i]) fillUniform(batch, *slot, ids[i]);
  const LaneMask live = program.laneOrder.empty() ? firstLanes(lanesOf(program, env, first, together)) : liveLanes(program, index);
  batch.live = live;
  if (fresh || !(batch.mask == live) || !batch.together) batch.setMask(live);
  batch.waiting.clear();
  batch.pc = 0;
  batch.status = Batch::Status::kReady;
  batch.fault = Fault::kNone;
  batch.steps = 0;
  batch.waits = 0;
  if (std::exchange(batch.mostOwnSteps, 0u) != 0) batch.ownSteps = {};
  if (program.separateLanes) startLanes(batch);
}

}  // namespace lanewise
