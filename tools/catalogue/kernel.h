// A built-in kernel, described once: its module, its parameters, its plan (Case -> Job), its oracle (Case -> expected outputs) and its
// contract. The command line, the sweeps, the tests and the benchmarks read only this description.
//
// To add a kernel: a row in its family's file (box_blur.cpp, ...). To add a family: a file with a function of rows, named in catalogue.cpp.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "golden/image/compare.h"
#include "golden/image/image.h"
#include "golden/oracles/exact_number.h"
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

// A parameter of a kernel besides its size, input and subgroup size: a number in a range, or one of several names (its value is the index).
struct Parameter {
  std::string name;  // as in a case's name, e.g. "radius"
  std::uint32_t lowest = 0, highest = 0;
  std::uint32_t fallback = 0;
  std::vector<std::string> choices;
  std::string needs{};  // a capability that a device needs for values above the lowest (Profile::capabilities); may be empty

  std::string text(std::uint32_t value) const;
  // An Error (bad input) says what is allowed.
  Expected<std::uint32_t> parse(std::string_view text) const;
};

struct Kernel;

// The kernel of a case. One that is described in a file is held by its cases too; the others live as long as the program.
class KernelRef {
 public:
  KernelRef(const Kernel* kernel = nullptr);          // NOLINT(google-explicit-constructor): it is a pointer that may also hold
  operator const Kernel*() const { return kernel_; }  // NOLINT(google-explicit-constructor)
  const Kernel* operator->() const { return kernel_; }
  const Kernel& operator*() const { return *kernel_; }
  friend bool operator==(const KernelRef& a, const KernelRef& b) { return a.kernel_ == b.kernel_; }
  friend bool operator==(const KernelRef& a, const Kernel* b) { return a.kernel_ == b; }

 private:
  const Kernel* kernel_ = nullptr;
  std::shared_ptr<const Kernel> held_;
};

// One point of a kernel's space. Its name is "family/contract/algorithm @ WxH radius=1 edge=clamp format=rgba8ui input=noise:1", with the
// parameters in the kernel's order (docs/contracts.md, 13). A subgroup size other than the device's own is added at the end.
struct Case {
  KernelRef kernel;
  Size size;
  std::vector<std::uint32_t> values;  // one for each of kernel->parameters
  std::string input;                  // an input's name (golden/image/inputs.h), or pictureInput(FILE)
  std::uint32_t subgroupSize = 0;     // 0: the device's own
  // Of a quick set that nothing narrows; and of those, what a compiler on the CPU takes seconds for. No part of the name.
  bool quick = false, slow = false;

  // The file of a picture; empty if the input is a generated one.
  std::string picture() const;
  // The value of a parameter; 0 if the kernel does not have it.
  std::uint32_t value(std::string_view parameter) const;
  std::string name() const;
  // Everything on which the expected bytes depend: family and contract, size, parameters, input. Algorithms of one contract share their
  // goldens.
  std::string goldenKey() const;
  friend bool operator==(const Case& a, const Case& b) {
    return std::tie(a.kernel, a.size, a.values, a.input, a.subgroupSize) == std::tie(b.kernel, b.size, b.values, b.input, b.subgroupSize);
  }
};

// The parameters that the program itself knows by name: they have options of their own, or say the format of the input.
inline constexpr const char* kRadiusParameter = "radius";
inline constexpr const char* kEdgeParameter = "edge";
inline constexpr const char* kFormatParameter = "format";
// Those that only their kernels know.
inline constexpr const char* kReductionParameter = "reduction";
inline constexpr const char* kLevelsParameter = "levels";
inline constexpr const char* kBetweenParameter = "between";
inline constexpr const char* kSourceParameter = "source";
inline constexpr const char* kRectParameter = "rect";
inline constexpr const char* kLayersParameter = "layers";
inline constexpr const char* kToWidthParameter = "to-width";
inline constexpr const char* kToHeightParameter = "to-height";
// The input of a case that names none; it fits every size.
inline constexpr const char* kPlainInput = "noise:1";

// The input that is a picture's file: "picture:FILE". A case's name is words, so a space in it becomes %20, and a percent sign %25.
std::string pictureInput(std::string_view file);

// A part of a set of cases: all sizes x all values x all subgroup sizes. The inputs are assigned in turn or, with everyInput, also
// combined.
struct CaseBlock {
  std::vector<Size> sizes;
  std::vector<std::vector<std::uint32_t>> values;  // for each parameter, the values it takes
  std::vector<std::string> inputs;
  std::vector<std::uint32_t> subgroupSizes = {0};
  bool everyInput = false;
  bool forTheModel = false;  // in the quick set Case::slow; ignored in the user's and the full set
};

// How the model has to run for a defect to show: a profile and a schedule by their texts (empty: the default), and observed or not.
struct DefectWay {
  std::string profile{}, schedule{};
  bool findings = false;
  friend auto operator<=>(const DefectWay&, const DefectWay&) = default;  // NOLINT(modernize-use-nullptr): as Size's
};

// What a known-bad kernel must show, at the smallest point where it does: the data of tests/tools/catalogue/known_bad_test.cpp.
struct Defect {
  enum class Shows : std::uint8_t {
    kWrongTexel,  // the bytes are wrong: `text` is the first of them, as a report prints it
    kFinding,     // the observed model has a finding with `text` in its text; without it nobody would see this defect
    kError,       // the run ends with an error with `text` in its text: a named finding, a step limit, a time limit
  };
  std::string id{};     // in the list of known defects, e.g. "B2"
  std::string point{};  // the part of a case after the kernel's name: "2x1 radius=1 input=list:255,0"
  Shows shows = Shows::kWrongTexel;
  std::string text{};
  std::string nearMiss{};             // a point where the result is right; may be empty
  std::string profile{}, schedule{};  // of the model that shows it, by name and token; empty: the default

  DefectWay way() const { return {profile, schedule, shows == Shows::kFinding}; }
};

// What a case reads: generated, or a picture.
struct InputShape {
  std::uint32_t channels = 4;
  golden::Component component = golden::Component::kU8;
  golden::Extent extent{};
};

struct Kernel {
  std::string name;     // family/contract/algorithm
  std::string module;   // in shaders/, without .comp; empty: it has none
  std::string summary;  // what an invocation does, in one line
  std::string promise;  // the contract, in one line
  golden::Contract contract;
  std::string oracle;  // oracle and version, as the golden store's provenance names it
  std::vector<Parameter> parameters;
  std::string needs;                       // a SPIR-V capability that not every device has, by name; may be empty
  std::uint32_t workgroupInvocations = 0;  // of its workgroups, if they are more than every device supports
  // lavapipe compiles these kernels for seconds, and again for sizes with a side that is a power of two. In the quick set cases with such a
  // side are Case::slow.
  bool slowToCompile = false;
  // The subgroup sizes at which its algorithm is right. At others it does not run.
  std::uint32_t leastSubgroup = 1, greatestSubgroup = 128;
  // The devices that compile it for minutes: there it is not in the quick set.
  std::vector<std::string> minutesOn{};
  std::uint32_t subTexelBits = 0;  // of a filter's weights, which its bounds assume
  std::uint32_t largestSide = 16384;
  bool line = false;  // its sizes have the height 1

  // The input has the case's size, in the format of the parameter "format" (inputOf). The expected outputs have the order and the bytes of
  // the Job's outputs. Pure functions; safe from any thread.
  std::function<Job(const Case&, std::shared_ptr<const ShaderModule>, const golden::Image& input)> plan;
  std::function<Expected<std::vector<golden::Image>>(const Case&, const golden::Image& input)> expect;
  // Instead of expect, for a form in floats: the range of each component, proved in golden/. Such a form has no goldens.
  std::function<Expected<std::vector<golden::Bounds>>(const Case&, const golden::Image& input)> bounds;

  // What its outputs say, as numbers; none: they say nothing but themselves.
  std::vector<golden::ExactNumber> (*numbers)(const Case&, std::span<const golden::Image> outputs) = nullptr;

  // Block 0 has the axes that the command line may replace, and runs on devices of any subgroup size. The others are for single questions.
  std::vector<CaseBlock> quick;
  std::vector<Size> largeSizes;  // for the exhaustive set, besides those of all kernels: at this kernel's limits
  std::vector<Defect> defects;   // of a broken kernel

  // Of a kernel that is described in a file (tools/described).
  std::weak_ptr<const Kernel> self;              // who holds it; empty for the others
  std::shared_ptr<const ShaderModule> own;       // its module
  bool invariants = false;                       // nothing says what its results are, only that they are the same in every run
  bool recorded = false;                         // they are as a person approved them: nobody proved them
  std::function<bool(const Case&)> has;          // whether it has such a case; empty: it has all
  std::function<Status(const Case&)> fits;       // why it has no such case, or what is wrong in a formula
  std::function<InputShape(const Case&)> shape;  // of its input; empty: as its "format" says

  // Known to be wrong: left out unless it is named.
  bool broken() const { return !defects.empty(); }
  // Its results are the contract's bytes, which have goldens; otherwise they lie within bounds.
  bool exact() const { return bounds == nullptr; }
  // The current provenance of this kernel's goldens.
  golden::Provenance provenance() const;
};

}  // namespace lanewise
