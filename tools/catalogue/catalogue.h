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
// Any module built from shaders/, for a plan that needs more than its kernel's; nullptr if there is none of that name.
std::shared_ptr<const ShaderModule> moduleNamed(std::string_view name);

// Whether this object is one of these modules, which were all validated when they were built.
bool isBuiltModule(const ShaderModule& module);

// The type that a case reads, by its "format" parameter: r32f, rgba16f and rgba32f are floats; every other format, or none, is RGBA of 8
// bits. A described kernel says it itself.
InputShape inputShape(const Case& c);
// The generated picture that a case names.
Expected<golden::Image> inputOf(const Case& c);

// Why a kernel is not right at a subgroup size; empty if it is.
std::string wrongSubgroup(const Kernel& kernel, std::uint32_t size);
// Why a device of this profile cannot run the case: its subgroup size, or the kernel's needs. Empty if it can.
std::string cannotRun(const Case& c, const Profile& profile);

// The expectation for a run's outputs: exact images, or the ends of ranges.
struct Expectation {
  golden::Contract contract;
  std::vector<golden::Image> images;     // the exact outputs, or the least values
  std::vector<golden::Image> high;       // the greatest values; empty where the images are exact
  std::vector<golden::Image> centres{};  // golden::Bounds::centre of each, where the contract limits means
};
Expected<Expectation> expectationOf(const Case& c, const golden::Image& input);
// The first output that differs, with its number; with the contract's tolerance if the expectation is exact.
struct OutputDiff {
  std::size_t output = 0;
  golden::Diff diff;
};
Expected<std::optional<OutputDiff>> firstDifference(const Expectation& expected, const std::vector<golden::Image>& got);
// A run's outputs in the shapes of the expected images (their bytes are moved out of the run), and the first that is wrong. An Error
// (internal) if their shapes differ.
struct Judged {
  std::vector<golden::Image> got;
  std::optional<OutputDiff> wrong;
  std::string text() const;  // texelText of what is wrong; empty if nothing is
};
Expected<Judged> judge(const Expectation& expected, RunResult& run);
// "texel 1: 85 expected, 170 got (channel r)"; of a form in floats "252 to 255 expected". `channels` are the output's channelLetters.
std::string texelText(const golden::Diff& diff, golden::Extent extent, std::string_view channels);

// '*' stands for any characters, '/' too; anything else for itself.
bool matchesPattern(std::string_view pattern, std::string_view text);
// The kernels that match one of the patterns; without patterns all but the broken ones. An Error (bad input) if a pattern matches none.
Expected<std::vector<const Kernel*>> selectKernels(std::span<const std::string> patterns);

// The parts of a case's name: "mine.toml @ 33x65 radius=7". Without " @ " all of it is the kernel.
struct CaseName {
  std::string_view kernel;
  std::optional<std::string_view> point;
};
CaseName splitCaseName(std::string_view name);
// "box-blur/double/naive @ 33x65 radius=7": parameters in any order, those left out at their fallback, input=noise:1 by default.
Expected<Case> parseCase(std::string_view text);
// The same without the kernel's name and the '@'.
Expected<Case> parsePoint(const Kernel& kernel, std::string_view text);

// Values for a parameter, and the option that they come from, for errors.
struct NamedValues {
  std::string parameter;
  std::vector<std::string> texts;  // as Parameter::parse takes them
  std::string option{};
};

// Replaces the axes of a kernel's block 0. If any is named, the other blocks are left out.
struct Overrides {
  std::vector<Size> sizes;
  std::vector<NamedValues> values;           // only for kernels that have the parameter
  std::vector<std::string> inputs;           // crossed, not dealt out
  std::vector<std::uint32_t> subgroupSizes;  // does not leave out other blocks: replaces in all
  bool narrows() const { return !sizes.empty() || !values.empty() || !inputs.empty(); }
};

// The kernel's quick set, changed by the overrides, in a fixed order. An Error (bad input) if a value is outside the domain. A picture that
// the kernel does not take is left to the run, which says so.
Expected<std::vector<Case>> casesOf(const Kernel& kernel, const Overrides& overrides = {});

// An Error (bad input): the case's size is beyond the kernel's largest, or its input does not fit the size.
Status outsideDomain(const Case& c);
// Replaces a block's axes by those that the overrides name.
Status replaceAxes(const Kernel& kernel, const Overrides& overrides, CaseBlock& block);

// The golden keys of the quick sets of all kernels, each once, sorted, with a case that has it.
std::vector<std::pair<std::string, Case>> quickGoldenKeys();

}  // namespace lanewise
