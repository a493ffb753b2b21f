// A kernel as a text program: what a difference is kept as.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstring>
#include <spirv-tools/libspirv.hpp>

#include "tests/random/kernel.h"

namespace lanewise::random {
namespace {

std::string values(const std::vector<std::byte>& bytes) {
  std::vector<std::uint32_t> words(bytes.size() / 4);
  std::memcpy(words.data(), bytes.data(), words.size() * 4);
  std::string out;
  for (std::size_t i = 0, n = 0; i < words.size(); i += n) {
    for (n = 1; i + n < words.size() && words[i + n] == words[i];) ++n;
    out += n > 2 ? fmt::format(" {}*{}", n, words[i]) : fmt::format(" {}", words[i]);
    if (n == 2) n = 1;
  }
  return out;
}

// Bindings 0, 1 and 2, in this order (job.cpp).
std::string head(const Job& job, const RunResult& expected) {
  std::string out;
  for (std::size_t i = 0; i < job.resources.size(); ++i) out += fmt::format("; buffer {} u32:{}\n", i, values(job.resources[i].bytes()));
  out += fmt::format("; push u32:{}\n; groups {} 1 1\n", values(job.dispatches[0].push), job.dispatches[0].groups.x);
  if (job.subgroupSize) out += fmt::format("; subgroup-size {}\n", job.subgroupSize);
  for (std::size_t i = 0; i < expected.outputs.size(); ++i)
    out += fmt::format("; expect {} u32:{}\n", i + 1, values(expected.outputs[i].bytes()));
  return out;
}

}  // namespace

std::string textProgram(const Kernel& kernel, const Job& job, const RunResult& expected, const std::string& prose) {
  std::string module = assembly(kernel);
  if (job.dispatches[0].module->name.find("after -O") != std::string::npos)
    spvtools::SpirvTools(SPV_ENV_VULKAN_1_3).Disassemble(job.dispatches[0].module->words, &module, SPV_BINARY_TO_TEXT_OPTION_NO_HEADER);
  return fmt::format("; -- {}\n", prose) + head(job, expected) + module;
}

}  // namespace lanewise::random
