// All kernels, the modules they run, and the sets of cases that come from their descriptions.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tools/catalogue/kernel.h"

namespace lanewise {

// Every kernel, by name. Built on the first call, never changed; safe from any thread.
std::span<const Kernel> kernels();
// nullptr if there is none of that name.
const Kernel* findKernel(std::string_view name);
// The module built from shaders/ for this kernel, the same object on every call.
std::shared_ptr<const ShaderModule> kernelModule(const Kernel& kernel);

// '*' stands for any characters, '/' too; anything else for itself.
bool matchesPattern(std::string_view pattern, std::string_view text);
// The kernels that one of the patterns matches; without patterns all but the broken ones. An Error (bad input) where a pattern matches
// none.
Expected<std::vector<const Kernel*>> selectKernels(std::span<const std::string> patterns);

// "box-blur/double/naive @ 33x65 radius=7": parameters in any order, those left out at their fallback, input=noise:1 by default.
Expected<Case> parseCase(std::string_view text);

// What replaces the axes of a kernel's block 0. Naming any of them leaves the other blocks out.
struct Overrides {
  std::vector<Size> sizes;
  std::vector<std::pair<std::string, std::vector<std::string>>> values;  // parameter name -> texts; only for kernels that have it
  std::vector<std::string> inputs;                                       // crossed, not dealt out
  std::vector<std::uint32_t> subgroupSizes;                              // does not leave blocks out: replaces in all
  bool narrows() const { return !sizes.empty() || !values.empty() || !inputs.empty(); }
};

// The kernel's quick set, or what the overrides make of it, in a fixed order. An Error (bad input) where a value is outside the domain.
Expected<std::vector<Case>> casesOf(const Kernel& kernel, const Overrides& overrides = {});

// The golden keys of the quick sets of all kernels: each once, sorted, with a case that it belongs to.
std::vector<std::pair<std::string, Case>> quickGoldenKeys();

}  // namespace lanewise
