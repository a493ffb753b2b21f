// The parts of the box blurs' rows. A form is data; its plan, its oracle and its bounds follow from it.
#pragma once

#include <string>
#include <vector>

#include "golden/oracles/box_blur.h"
#include "tools/catalogue/families.h"

namespace lanewise {

enum class BlurSums : std::uint8_t { kU32, kF32, kF16 };
// What an invocation makes: one texel of a pass, one texel in a single pass, a line or a segment of one, a part of the MPS pair (a line,
// then a sixteenth of a column's scan), a part of a tile's scan and then a segment of a column, or in a single pass two columns of a
// segment of rows.
enum class BlurWalk : std::uint8_t { kTexel, kOnePass, kLine, kMps, kScanSlide, kStrips };
constexpr bool isOnePass(BlurWalk walk) {
  return walk == BlurWalk::kOnePass || walk == BlurWalk::kStrips;
}

struct BlurForm {
  golden::BoxForm contract = golden::BoxForm::kDouble;  // of a form with a choice of "between", that decides
  BlurSums sums = BlurSums::kU32;
  BlurWalk walk = BlurWalk::kTexel;
  std::uint32_t segment = 0;  // texels of a line per invocation; 0: all
  bool filtered = false;      // texels are read through a sampler's linear filter, two at a time
};

// The values of "format".
enum class BlurFormat : std::uint32_t { kRgba8, kBgra8 };
// The values of "between": what two passes in floats store between them. With codes they round twice, as the double form does.
enum class BlurBetween : std::uint32_t { kRgba8, kRgba16f, kRgba32f };
// The values of "source": what the sampled picture holds, for filtered forms in floats.
constexpr bool choosesSource(const BlurForm& form) {
  return form.filtered && form.sums != BlurSums::kU32;
}
constexpr bool choosesBetween(const BlurForm& form) {
  return form.sums != BlurSums::kU32 && !isOnePass(form.walk);
}
golden::BoxForm blurContract(const Case& c, const BlurForm& form);

// floor(n / divisor) = n * factor >> (32 + shift) for n below 2^31 and a divisor from 2 to 2^31. Proof: with 2^shift < divisor <=
// 2^(shift+1), factor * divisor = 2^(32+shift) + e, 0 < e <= divisor, so n * factor / 2^(32+shift) exceeds n / divisor by n * e / (divisor
// * 2^(32+shift)) < 1 / divisor. (Granlund, Montgomery, "Division by Invariant Integers using Multiplication", 1994.)
struct Reciprocal {
  std::uint32_t factor = 0, shift = 0;
};
Reciprocal reciprocalOf(std::uint32_t divisor);

// One dispatch: the lines that it runs along, its workgroups and what it stores.
struct BlurPass {
  std::shared_ptr<const ShaderModule> module;
  const char* from = "source";
  const char* to = "blurred";
  bool vertical = false;
  Extent3 groups;
  std::uint32_t segment = 1;
  std::uint32_t divisor = 1;
  bool codes = false;
  std::vector<SpecConstant> local;  // the workgroup's size, if it is not the module's
};
Dispatch blurDispatch(const Case& c, const BlurForm& form, BlurPass pass);

// The pictures "source", "rows" (not in a single pass) and "blurred", and the dispatches.
Job blurJob(const Case& c, std::shared_ptr<const ShaderModule> module, const golden::Image& input, const BlurForm& form);

// The exact result of the form's contract, in the format's order of bytes; and what a form in floats may give.
Expected<std::vector<golden::Image>> blurExpected(const Case& c, const golden::Image& input, const BlurForm& form);
Expected<std::vector<golden::Bounds>> blurBounds(const Case& c, const golden::Image& input, const BlurForm& form);

// radius, edge, format, and "source" and "between" where they are a choice.
std::vector<Parameter> blurParameters(const BlurForm& form);

// The known-bad ones (box_blur_broken.cpp).
std::vector<Kernel> brokenBoxBlurKernels();

// The contract's name and promise.
void describeContract(Kernel& kernel, const BlurForm& form);

// A row without name, module, summary and quick set.
template <BlurForm kForm>
Kernel blurRow() {
  Kernel k;
  k.parameters = blurParameters(kForm);
  k.plan = [](const Case& c, std::shared_ptr<const ShaderModule> module, const golden::Image& input) {
    return blurJob(c, std::move(module), input, kForm);
  };
  if constexpr (kForm.sums == BlurSums::kU32)
    k.expect = [](const Case& c, const golden::Image& input) { return blurExpected(c, input, kForm); };
  else
    k.bounds = [](const Case& c, const golden::Image& input) { return blurBounds(c, input, kForm); };
  describeContract(k, kForm);
  k.oracle = "box-blur-" + std::to_string(golden::kBoxBlurVersion);
  return k;
}

}  // namespace lanewise
