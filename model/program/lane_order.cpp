// Decides which lanes execute together, and which invocation of the workgroup each lane is.
#include "model/program/decode.h"

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

void placeLanes(Program& program, const ProgramOptions& options, bool quads) {
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
  if (quads) program.laneOrder = quadOrder(program.localSize);
}

}  // namespace lanewise
