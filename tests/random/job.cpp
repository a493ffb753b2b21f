// A random kernel with the inputs of its seed, assembled and validated.
#include <fmt/format.h>

#include <spirv-tools/libspirv.hpp>

#include "tests/random/kernel.h"

namespace lanewise::random {
namespace {

Resource words(const char* name, std::vector<std::uint32_t> values, bool output) {
  BufferData data;
  data.bytes.resize(values.size() * 4);
  std::memcpy(data.bytes.data(), values.data(), data.bytes.size());
  return {name, std::move(data), false, output};
}

}  // namespace

std::uint32_t outputWords(const Kernel& kernel) {
  if (kernel.sparse) {
    const Uses uses = usesOf(kernel.body);
    std::uint32_t words = uses.array ? kElements : 0;
    for (const Width w : {Width::kU8, Width::kU16, Width::kU32, Width::kU64})
      words += static_cast<std::uint32_t>(std::popcount(uses.variables[static_cast<std::size_t>(w)])) * (w == Width::kU64 ? 2 : 1);
    return words;
  }
  return kElements + kVariables * (1 + (kernel.narrow ? 2 : 0) + (kernel.wide ? 2 : 0));
}

Job jobOf(const Kernel& kernel, std::string* problem) {
  ShaderModule module{"random " + std::to_string(kernel.seed), {}};
  spvtools::SpirvTools tools(SPV_ENV_VULKAN_1_1_SPIRV_1_4);
  tools.SetMessageConsumer([&](spv_message_level_t, const char*, const spv_position_t& at, const char* message) {
    *problem += fmt::format("line {}: {}\n", at.line + 1, message);
  });
  const std::string text = assembly(kernel);
  if (!tools.Assemble(text, &module.words) || !tools.Validate(module.words)) {
    *problem += text;
    return {};
  }
  Job job;
  std::vector<std::uint32_t> input(kInputs);
  std::uint32_t x = static_cast<std::uint32_t>(kernel.seed * 2654435761u) | 1;
  for (std::uint32_t& w : input) {
    x = x * 1664525u + 1013904223u;
    w = x ^ x >> 13;
  }
  job.resources = {words("input", input, false),
                   words("output", std::vector<std::uint32_t>(kernel.groups * kernel.localSize * outputWords(kernel), 0xa7a7a7a7u), true),
                   words("sums", {0, 0, 0, 0, ~0u, 0x7fffffffu, 0, ~0u}, true)};
  Dispatch d;
  d.module = std::make_shared<const ShaderModule>(std::move(module));
  d.groups = {kernel.groups, 1, 1};
  d.bindings = {{0, 0, 0, "input"}, {0, 1, 0, "output"}, {0, 2, 0, "sums"}};
  d.push.resize(kPushWords * 4);
  std::memcpy(d.push.data(), input.data(), d.push.size());
  job.dispatches = {std::move(d)};
  return job;
}

}  // namespace lanewise::random
