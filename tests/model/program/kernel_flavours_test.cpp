// Both flavours of every built-in kernel, the known-bad ones too: the same bytes, errors and counts of steps, in order and interleaved. One
// small case of each; LANEWISE_FLAVOUR_CASES=all takes the whole quick set, as the nightly test does.
#include <cstdlib>

#include "tests/model/program/both_flavours.h"
#include "tools/catalogue/catalogue.h"

namespace lanewise {
namespace {

std::vector<Case> casesFor(const Kernel& kernel) {
  std::vector<Case> cases;
  for (const Defect& d : kernel.defects)
    if (const auto c = parsePoint(kernel, d.point); c.ok()) cases.push_back(*c);
  if (!cases.empty()) return cases;
  const Expected<std::vector<Case>> quick = casesOf(kernel);
  EXPECT_TRUE(quick.ok()) << kernel.name;
  if (!quick.ok() || std::getenv("LANEWISE_FLAVOUR_CASES")) return quick.ok() ? *quick : cases;
  // Of those that have more than a workgroup's worth of texels the smallest.
  const auto area = [](const Case& c) { return std::uint64_t{c.size.width} * c.size.height; };
  const auto cost = [&](const Case& c) { return area(c) < 256 ? std::uint64_t{1} << 40 : area(c); };
  return {std::ranges::min(*quick, {}, cost)};
}

class KernelFlavours : public testing::TestWithParam<std::string> {};

TEST_P(KernelFlavours, GiveTheSame) {
  for (const Case& c : casesFor(*findKernel(GetParam()))) {
    const Expected<golden::Image> input = inputOf(c);
    ASSERT_TRUE(input.ok()) << input.error().text();
    Job job = c.kernel->plan(c, kernelModule(*c.kernel), *input);
    job.limits.maxSteps = std::min<std::uint64_t>(job.limits.maxSteps, 1 << 22);
    for (const char* token : {"in-order", "interleave:seed:3@4"})
      EXPECT_EQ(differenceOfFlavours({.profile = {}, .schedule = *parseSchedule(token), .isValid = &isBuiltModule}, job), "")
          << c.name() << ", " << token;
  }
}

std::vector<std::string> names() {
  std::vector<std::string> out;
  for (const Kernel& k : kernels()) out.push_back(k.name);
  return out;
}

INSTANTIATE_TEST_SUITE_P(Kernels, KernelFlavours, testing::ValuesIn(names()), [](const auto& instance) {
  std::string name = instance.param;
  std::ranges::replace_if(
      name, [](char c) { return !std::isalnum(static_cast<unsigned char>(c)); }, '_');
  return name;
});

}  // namespace
}  // namespace lanewise
