// Decides which lanes execute together, and which invocation of the workgroup each lane is.
#include <algorithm>
#include <bit>

#include "model/base/host_level.h"
#include "model/ir/operation_info.h"
#include "model/ir/together.h"
#include "model/program/decode.h"
#include "model/program/passes.h"

namespace lanewise {
namespace {

// SubgroupMapping::kInterleaved: invocation i is in subgroup i mod n.
std::vector<std::uint32_t> interleavedOrder(std::uint32_t invocations, std::uint32_t subgroupSize) {
  const std::uint32_t subgroups = (invocations + subgroupSize - 1) / subgroupSize;
  std::vector<std::uint32_t> order;
  for (std::uint32_t at = 0; at < subgroups * subgroupSize; ++at)
    order.push_back(std::min(at % subgroupSize * subgroups + at / subgroupSize, invocations));
  return order;
}

// SubgroupMapping::kTiled: tile after tile, row after row in each. Where tiles do not fit, those at the edges are smaller, and a subgroup
// goes on in the next one.
std::vector<std::uint32_t> tiledOrder(const std::uint32_t (&size)[3], std::uint32_t subgroupSize) {
  const auto bits = static_cast<std::uint32_t>(std::countr_zero(subgroupSize));
  const std::uint32_t wide = 1u << (bits + 1) / 2, high = 1u << bits / 2;
  std::vector<std::uint32_t> order;
  for (std::uint32_t z = 0; z < size[2]; ++z)
    for (std::uint32_t top = 0; top < size[1]; top += high)
      for (std::uint32_t left = 0; left < size[0]; left += wide)
        for (std::uint32_t y = top; y < std::min(top + high, size[1]); ++y)
          for (std::uint32_t x = left; x < std::min(left + wide, size[0]); ++x) order.push_back((z * size[1] + y) * size[0] + x);
  return order;
}

// Quads of 2x2 invocations, one row of quads after another (SPV_NV_compute_shader_derivatives: x and y are even).
std::vector<std::uint32_t> quadOrder(const std::uint32_t (&size)[3]) {
  std::vector<std::uint32_t> order;
  for (std::uint32_t z = 0; z < size[2]; ++z)
    for (std::uint32_t y = 0; y + 1 < size[1]; y += 2)
      for (std::uint32_t x = 0; x + 1 < size[0]; x += 2)
        for (std::uint32_t i = 0; i < 4; ++i) order.push_back((z * size[1] + y + i / 2) * size[0] + x + i % 2);
  return order;
}

}  // namespace

void placeLanes(Program& program, const ProgramOptions& options, bool quads, bool together) {
  program.invocations = program.localSize[0] * program.localSize[1] * program.localSize[2];
  program.subgroupSize = options.subgroupSize;
  program.separateLanes = options.separateLanes;
  program.separateSubgroups = options.separateSubgroups;
  constexpr std::uint32_t kWidth = 128;
  const std::uint32_t least = std::max(kGroup, options.subgroupSize), most = std::max(kWidth, options.subgroupSize);
  const bool alone = options.separateLanes || options.separateSubgroups;
  program.width = alone ? least : std::clamp(std::bit_ceil(program.invocations), least, most);
  program.batches = (program.invocations + program.lanesPerBatch() - 1) / program.lanesPerBatch();
  if (options.profile.subgroupMapping == SubgroupMapping::kInterleaved)
    program.laneOrder = interleavedOrder(program.invocations, options.subgroupSize);
  if (options.profile.subgroupMapping == SubgroupMapping::kTiled) program.laneOrder = tiledOrder(program.localSize, options.subgroupSize);
  if (quads) program.laneOrder = quadOrder(program.localSize);
  const bool whole = std::has_single_bit(program.invocations) && program.invocations >= least;
  if (together && whole && !alone && program.laneOrder.empty())
    program.width = std::max(program.width, program.invocations * std::min(kWidth / program.invocations, kMostTogether));
}

bool ir::hasSubgroupOperations(const Function& f) {
  return std::ranges::any_of(f.nodes, [](const Node& n) { return n.op == kSubgroup; });
}

void ir::placeWorkgroupMemory(Function& f, std::uint32_t workgroups) {
  const auto isThere = [&](Value v) {
    const auto* memory = std::get_if<kind::Memory>(&f.nodes[v].what);
    const auto* atomic = std::get_if<kind::Atomic>(&f.nodes[v].what);
    return (memory || atomic) && f.accesses[memory ? memory->access : atomic->access].space == Space::kWorkgroup;
  };
  std::vector<Value> accesses;
  for (const std::uint32_t b : f.order) std::ranges::copy_if(f.blocks[b].nodes, std::back_inserter(accesses), isThere);
  if (accesses.empty()) return;
  // They are as many as a power of two, and the first of a batch is a multiple of it.
  const std::uint32_t entry = f.order.front();
  const auto isId = [&](Value v) { return f.nodes[v].what == NodeKind(kind::Input{InputRow::kWorkgroupIdX}); };
  const auto found = std::ranges::find_if(f.blocks[entry].nodes, isId);
  Value id = found == f.blocks[entry].nodes.end() ? kNoValue : *found;
  if (id == kNoValue) {
    id = f.add(kInput, Scalar::kI32, {}, 0);
    f.nodes[id].what = kind::Input{InputRow::kWorkgroupIdX};
    f.nodes[id].block = entry;
    f.blocks[entry].nodes.insert(f.blocks[entry].nodes.begin(), id);
  }
  const Value args[] = {id, f.constant(Scalar::kI32, workgroups - 1)};
  const Value number = f.add(core(spv::Op::OpBitwiseAnd), Scalar::kI32, args, f.nodes[accesses.front()].origin);
  f.nodes[number].block = entry;
  std::vector<Value>& nodes = f.blocks[entry].nodes;
  nodes.insert(std::ranges::find(nodes, id) + 1, number);
  for (const Value v : accesses) f.args(v)[1] = number;
}

void narrow(LaidProgram& program, const ir::Function& f) {
  constexpr std::size_t kSmall = 1500;
  const bool wide = hostLevel() == HostLevel::kV4 && f.nodes.size() < kSmall;
  program.together = program.width;
  program.width = std::min(program.width, std::max(wide ? 2 * kGroup : kGroup, ir::hasSubgroupOperations(f) ? program.subgroupSize : 0));
  const auto lanes = std::max(program.invocations, static_cast<std::uint32_t>(program.laneOrder.size()));
  program.batches = (lanes + program.lanesPerBatch() - 1) / program.lanesPerBatch();
}

}  // namespace lanewise
