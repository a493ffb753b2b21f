// The known-bad box blurs: published defects, each as a small kernel of its own, judged by the exact contract that it breaks.
#include <fmt/format.h>

#include "tools/catalogue/box_blur_parts.h"

namespace lanewise {
namespace {

using golden::BoxForm;

constexpr BlurForm kByTexel{BoxForm::kDouble, BlurSums::kU32, BlurWalk::kTexel, 0};
constexpr BlurForm kByLine{BoxForm::kDouble, BlurSums::kU32, BlurWalk::kLine, 0};
constexpr BlurForm kHalfSums{BoxForm::kDouble, BlurSums::kF16, BlurWalk::kLine, 0};
constexpr BlurForm kFiltered{BoxForm::kDouble, BlurSums::kU32, BlurWalk::kTexel, 0, true};
constexpr BlurForm kFloatSums{BoxForm::kSingle, BlurSums::kF32, BlurWalk::kLine, 0};

// Cases of one radius, clamped: the quick set of a defect that shows there.
CaseBlock cases(std::vector<Size> sizes, std::uint32_t radius, std::vector<std::string> inputs) {
  CaseBlock b;
  b.sizes = std::move(sizes);
  b.values = {{radius}, {0}, {0}};
  b.inputs = std::move(inputs);
  b.everyInput = true;
  return b;
}

template <BlurForm kForm>
Kernel broken(const char* name, std::string module, const char* summary, Defect defect, std::vector<CaseBlock> quick) {
  Kernel k = blurRow<kForm>();
  k.name = fmt::format("broken/{}", name);
  k.module = std::move(module);
  k.summary = summary;
  k.promise = "none: known to be wrong";
  k.bounds = nullptr;
  k.expect = [](const Case& c, const golden::Image& input) { return blurExpected(c, input, kForm); };
  k.quick = std::move(quick);
  // Between the passes: codes for the double contract, floats for the single one.
  if (choosesBetween(kForm))
    for (CaseBlock& b : k.quick) b.values.push_back({kForm.contract == BoxForm::kDouble ? 0u : 2u});
  k.defects = {std::move(defect)};
  return k;
}

// The step limit is small: an endless loop need not run for long.
Job planEndless(const Case& c, std::shared_ptr<const ShaderModule> module, const golden::Image& input) {
  Job job = blurJob(c, std::move(module), input, kByTexel);
  job.limits.maxSteps = 1'000'000;
  job.limits.timeoutSeconds = 2;
  return job;
}

// The pass over columns reads the source as well.
Job planWindow(const Case& c, std::shared_ptr<const ShaderModule> module, const golden::Image& input) {
  Job job = blurJob(c, std::move(module), input, kByLine);
  for (Dispatch& d : job.dispatches) {
    d.bindings.push_back(job.dispatches[0].bindings[0]);
    d.bindings.back().binding = 2;
  }
  return job;
}

// Nearest samples of normalized coordinates.
Job planNearest(const Case& c, std::shared_ptr<const ShaderModule> module, const golden::Image& input) {
  Job job = blurJob(c, std::move(module), input, kFiltered);
  for (Dispatch& d : job.dispatches) d.bindings[0].sampler = {};
  return job;
}

void addWrongSamples(std::vector<Kernel>& all) {
  all.push_back(broken<kFiltered>("box-blur-centres", "broken/box_blur_centres",
                                  "linear samples at texel centres, two texels apart: every second texel is left out (B3)",
                                  {.id = "B3",
                                   .point = "2x1 radius=1 input=list:255,0",
                                   .text = "texel 0: 170 expected, 191 got (channel r)",
                                   .nearMiss = "9x5 radius=1 input=constant:77"},
                                  {cases({{2, 1}, {9, 5}}, 1, {"noise:1"})}));
  all.push_back(broken<kFiltered>("box-blur-edges", "broken/box_blur_edges", "nearest samples at the edges between texels (B11)",
                                  {.id = "B11",
                                   .point = "22x1 radius=0 input=noise:1",
                                   .text = "texel 13: 83 expected, 228 got (channel r)",
                                   .nearMiss = "21x1 radius=0 input=noise:1"},
                                  {cases({{22, 1}}, 0, {"noise:1"})}));
  all.back().plan = planNearest;
}

void addWrongTaps(std::vector<Kernel>& all) {
  all.push_back(broken<kByTexel>("box-blur-wrap", "broken/box_blur_wrap",
                                 "positions left of the picture wrap and are clamped to the opposite edge (B1)",
                                 {.id = "B1",
                                  .point = "2x1 radius=1 input=list:255,0",
                                  .text = "texel 0: 170 expected, 85 got (channel r)",
                                  .nearMiss = "2x1 radius=0"},
                                 {cases({{2, 1}, {1, 2}, {9, 5}}, 1, {"noise:1"})}));
  all.push_back(broken<kByLine>("box-blur-remainder-x4", "broken/box_blur_remainder_x4",
                                "accumulated, four texels a turn; the remainder's window moves by the wrong offsets (B2)",
                                {.id = "B2",
                                 .point = "2x1 radius=1 input=list:255,0",
                                 .text = "texel 1: 85 expected, 170 got (channel r)",
                                 .nearMiss = "5x1 radius=1 input=noise:1"},
                                {}));
  // The smallest failing case, and sizes of every remainder by 4: 0 and 1 pass, 2 and 3 fail.
  CaseBlock remainders = cases({{4, 1}, {5, 1}, {6, 1}, {7, 1}, {8, 1}, {1, 6}}, 1, {"noise:1"});
  remainders.values[0] = {1, 2};
  all.back().quick = {cases({{2, 1}}, 1, {"list:255,0"}), remainders};
  all.push_back(broken<kByTexel>("box-blur-count-divisor", "broken/box_blur_count_divisor",
                                 "pairs of taps, divided by the number of samples: the last tap weighs double (B4)",
                                 {.id = "B4",
                                  .point = "2x1 radius=1 input=list:255,0",
                                  .text = "texel 0: 170 expected, 128 got (channel r)",
                                  .nearMiss = "2x1 radius=0 input=noise:1"},
                                 {cases({{2, 1}, {9, 5}}, 1, {"noise:1", "constant:255"})}));
  all.push_back(broken<kByTexel>("box-blur-shift", "broken/box_blur_shift", "the picture moves by (r, r) (B5)",
                                 {.id = "B5",
                                  .point = "1x2 radius=1 input=list:255,0",
                                  .text = "texel (0, 0): 170 expected, 255 got (channel r)",
                                  .nearMiss = "3x2 radius=0 input=noise:1"},
                                 {cases({{1, 2}, {9, 5}}, 1, {"noise:1", "constant:255"})}));
}

void addWrongLoops(std::vector<Kernel>& all) {
  all.push_back(broken<kByTexel>("box-blur-endless", "broken/box_blur_endless", "a loop that asks about y and moves x (B6)",
                                 {.id = "B6",
                                  .point = "1x1 radius=1",
                                  .shows = Defect::Shows::kError,
                                  .text = "broken/box_blur_endless.comp:17: endless loop",
                                  .nearMiss = ""},
                                 {cases({{1, 1}}, 1, {"noise:1"})}));
  all.back().plan = planEndless;
  all.push_back(broken<kByLine>(
      "box-blur-window", "broken/box_blur_window", "accumulated: a window of 2r texels; the columns begin with the source's sums (B7)",
      {.id = "B7", .point = "1x1 radius=1 input=constant:255", .text = "texel 0: 255 expected, 170 got (channel r)", .nearMiss = ""},
      {cases({{1, 1}, {9, 5}}, 1, {"noise:1", "constant:255"})}));
  all.back().plan = planWindow;
  all.push_back(broken<kByLine>("box-blur-radius-zero", "broken/box_blur_radius_zero",
                                "accumulated: radius 0 counts the first texel twice (B8)",
                                {.id = "B8",
                                 .point = "1x1 radius=0 input=constant:49",
                                 .text = "texel 0: 49 expected, 196 got (channel r)",
                                 .nearMiss = "9x5 radius=1 input=noise:1"},
                                {cases({{1, 1}, {3, 2}}, 0, {"constant:49"})}));
}

// The f16 and f32 forms with one sum over the whole line, compared with the exact result.
void addWrongSums(std::vector<Kernel>& all) {
  all.push_back(broken<kHalfSums>("box-blur-half-sums", "box_blur_accumulated_x1_f16", "accumulated in half floats over whole lines (B9)",
                                  {.id = "B9",
                                   .point = "2x1 radius=1 between=rgba8 input=list:129,175",
                                   .text = "texel 1: 160 expected, 159 got (channel r)",
                                   .nearMiss = "1x1 radius=1 between=rgba8 input=constant:255"},
                                  {cases({{2, 1}, {64, 64}}, 1, {"noise:1"})}));
  all.back().needs = "Float16";
  all.push_back(broken<kFloatSums>("box-blur-float-sums", "box_blur_accumulated_x1_f32",
                                   "accumulated in floats with a float picture between the passes: off the single rounding by one (B10)",
                                   {.id = "B10",
                                    .point = "3x2 radius=43 between=rgba32f input=noise:15",
                                    .text = "texel (0, 0): 131 expected, 132 got (channel g)",
                                    .nearMiss = "9x5 radius=1 input=noise:1"},
                                   {cases({{3, 2}}, 43, {"noise:15"}), cases({{64, 64}}, 63, {"noise:1"})}));
}

}  // namespace

std::vector<Kernel> brokenBoxBlurKernels() {
  std::vector<Kernel> all;
  addWrongTaps(all);
  addWrongSamples(all);
  addWrongLoops(all);
  addWrongSums(all);
  return all;
}

}  // namespace lanewise
