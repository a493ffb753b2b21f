// The checksum of a picture, for what the blurs do not use (subgroups, workgroup memory, barriers, atomics).
#include "golden/oracles/checksum.h"

#include "tools/catalogue/families.h"

namespace lanewise {
namespace {

constexpr std::uint32_t kLocalSize = 96;
// With more texels than this many workgroups have invocations, the invocations stride over the texels; otherwise each takes at most one.
constexpr std::uint32_t kMostGroups = 1024;

Job planChecksum(const Case& c, std::shared_ptr<const ShaderModule> module, const golden::Image& input) {
  Job job;
  Resource total;
  total.name = "total";
  total.data = BufferData{std::vector<std::byte>(8)};
  total.output = true;
  job.resources = {inputPicture("source", input), std::move(total)};
  Dispatch sum;
  sum.module = std::move(module);
  sum.groups = {std::min(groupsFor(c.size.width * c.size.height, kLocalSize), kMostGroups), 1, 1};
  sum.push = pushWords({c.size.width, c.size.height});
  sum.bindings.resize(2);
  sum.bindings[0].resource = "source";
  sum.bindings[1].binding = 1;
  sum.bindings[1].resource = "total";
  job.dispatches = {std::move(sum)};
  job.subgroupSize = c.subgroupSize;
  return job;
}

Expected<std::vector<golden::Image>> expectSum(const Case&, const golden::Image& input) {
  return std::vector<golden::Image>{golden::byteSumImage(input)};
}

std::vector<CaseBlock> quick() {
  CaseBlock spread;
  spread.sizes = {
      {1, 1},                        // one lane of one subgroup
      {3, 1},     {31, 1}, {1, 33},  // a subgroup not full, one lane less and one more than 32
      {5, 19},    {12, 8}, {97, 1},  // one texel less than a group of 96, a whole group, one more
      {64, 65},                      // many groups, the last partly filled
      {317, 331},                    // more texels than 1024 groups have invocations: a second turn, for some
  };
  spread.values = {{0}};
  spread.inputs = {"noise:1", "constant:255", "extremes:1", "ramp"};
  spread.subgroupSizes = {0, 1, 2, 4, 8, 16, 32, 64, 128};
  spread.everyInput = true;
  // The least picture of 255s whose sum passes 2^32: the carry into the high word.
  CaseBlock carry;
  carry.sizes = {{2053, 2052}};
  carry.values = {{0}};
  carry.inputs = {"constant:255"};
  return {spread, carry};
}

}  // namespace

std::vector<Kernel> checksumKernels() {
  Kernel k;
  k.name = "checksum/sum/shuffle";
  k.module = "checksum_shuffle";
  k.summary = "subgroup shuffles, workgroup memory, two global atomics with a carry";
  k.promise = "the sum of all bytes as 64 bits; exact, the same for every subgroup size";
  k.contract.name = "checksum/sum";
  // A total may be 0xA7A7...: a sum is never "not written", it starts at zero.
  k.contract.poison.reset();
  k.oracle = "checksum-" + std::to_string(golden::kChecksumVersion);
  k.parameters = {{kFormatParameter, 0, 0, 0, {"rgba8ui"}}};
  k.plan = planChecksum;
  k.expect = expectSum;
  k.quick = quick();
  return {k};
}

}  // namespace lanewise
