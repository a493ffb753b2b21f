// A built-in kernel, described once: its module, its parameters, its plan (Case -> Job), its oracle (Case -> expected outputs) and its
// contract. The command line, the sweeps, the tests and the benchmarks read this description and nothing else.
//
// To add a kernel: a row in its family's file (box_blur.cpp, ...); to add a family: a file with a function of rows, named in catalogue.cpp.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "golden/image/compare.h"
#include "golden/image/image.h"
#include "golden/store/store.h"
#include "model/base/outcome.h"
#include "model/contract/device.h"

namespace lanewise {

struct Size {
  std::uint32_t width = 1, height = 1;
  friend auto operator<=>(const Size&, const Size&) = default;  // NOLINT(modernize-use-nullptr): in what the compiler writes
};

// "33x65".
std::string sizeText(Size size);
// The reverse, for 1 <= width, height <= 65535; an Error (bad input) otherwise.
Expected<Size> parseSize(std::string_view text);
// A power of two from 1 to 128.
Expected<std::uint32_t> parseSubgroupSize(std::string_view text);

// A knob of a kernel beside its size, input and subgroup size: a number in a range, or one of several names (its value is the index).
struct Parameter {
  std::string name;  // as in a case's name, e.g. "radius"
  std::uint32_t lowest = 0, highest = 0;
  std::uint32_t fallback = 0;
  std::vector<std::string> choices;
  std::string needs{};  // what a device must list for values above the lowest (Profile::capabilities); may be empty

  std::string text(std::uint32_t value) const;
  // An Error (bad input) says what is allowed.
  Expected<std::uint32_t> parse(std::string_view text) const;
};

struct Kernel;

// One point of a kernel's space. Its name is "family/contract/algorithm @ WxH radius=1 edge=clamp format=rgba8ui input=noise:1", the
// parameters in the kernel's order (docs/contracts.md 13); a subgroup size other than the device's own is added last.
struct Case {
  const Kernel* kernel = nullptr;
  Size size;
  std::vector<std::uint32_t> values;  // one for each of kernel->parameters
  std::string input;                  // an input's name (golden/image/inputs.h), or "picture:FILE"
  std::uint32_t subgroupSize = 0;     // 0: the device's own

  // The value of a parameter that the kernel has; 0 for one that it has not.
  std::uint32_t value(std::string_view parameter) const;
  std::string name() const;
  // What the expected bytes depend on: family and contract, size, parameters, input. Algorithms of one contract share their goldens.
  std::string goldenKey() const;
  friend bool operator==(const Case&, const Case&) = default;
};

// A part of a set of cases: all sizes x all values x all subgroup sizes, the inputs dealt out in turn or, with everyInput, crossed too.
struct CaseBlock {
  std::vector<Size> sizes;
  std::vector<std::vector<std::uint32_t>> values;  // for each parameter, the values it takes
  std::vector<std::string> inputs;
  std::vector<std::uint32_t> subgroupSizes = {0};
  bool everyInput = false;
  bool forTheModel = false;  // the quick set has it at subgroups of 32 alone; sets that the user or the full set make take no notice
};

// What a known-bad kernel must show, at the smallest point where it does: the data of tests/tools/catalogue/known_bad_test.cpp.
struct Defect {
  enum class Shows : std::uint8_t {
    kWrongTexel,  // the bytes are wrong: `text` is the first of them, as a report prints it
    kFinding,     // the observed model finds something whose text has `text` in it; the bytes are right
    kError,       // the run ends with an error whose text has `text` in it: a named finding, a step limit, a time limit
  };
  std::string id{};     // in the list of known defects, e.g. "B2"
  std::string point{};  // what follows the kernel's name in a case: "2x1 radius=1 input=list:255,0"
  Shows shows = Shows::kWrongTexel;
  std::string text{};
  std::string nearMiss{};             // a point where the result is right; may be empty
  std::string profile{}, schedule{};  // of the model that shows it, as profileByName and parseSchedule take them; empty: the default
};

struct Kernel {
  std::string name;     // family/contract/algorithm
  std::string module;   // in shaders/, without .comp; empty: no dispatch has one
  std::string summary;  // one line: what an invocation does
  std::string promise;  // one line: what the contract says
  golden::Contract contract;
  std::string oracle;  // oracle and version, as the golden store's provenance names it
  std::vector<Parameter> parameters;
  std::string needs;                       // a SPIR-V capability that not every device takes, by name; may be empty
  std::uint32_t workgroupInvocations = 0;  // of its workgroups, where they are more than every device takes
  // lavapipe compiles for seconds, again for each answer to: is a picture's width a power of two, is its height? Of the quick set
  // it runs the sizes where neither is; the others ask for subgroups of 32, which the model and GPUs have and it has not.
  bool slowToCompile = false;
  std::uint32_t subTexelBits = 0;  // of a filter's weights, which its bounds take for granted
  std::uint32_t largestSide = 16384;

  // The input has the case's size, in the format that the parameter "format" names (inputOf). The expected outputs have the order and the
  // bytes of the Job's outputs. Pure functions; safe from any thread.
  Job (*plan)(const Case&, std::shared_ptr<const ShaderModule>, const golden::Image& input) = nullptr;
  Expected<std::vector<golden::Image>> (*expect)(const Case&, const golden::Image& input) = nullptr;
  // Instead of expect, for a form in floats: the range that each component may lie in, proved in golden/. Such a form has no goldens.
  Expected<std::vector<golden::Bounds>> (*bounds)(const Case&, const golden::Image& input) = nullptr;

  // Block 0 spans the axes that the command line may replace; the others are there for single questions.
  std::vector<CaseBlock> quick;
  std::vector<Size> largeSizes;  // of the exhaustive set, besides those of all kernels: where this one's limits bite
  std::vector<Defect> defects;   // of a broken kernel: at least one

  // Known to be wrong: left out unless it is named.
  bool broken() const { return name.starts_with("broken/"); }
  // Its results are the contract's bytes, which have goldens; else they lie within bounds.
  bool exact() const { return bounds == nullptr; }
  // The provenance of this kernel's goldens as of now.
  golden::Provenance provenance() const;
};

}  // namespace lanewise
