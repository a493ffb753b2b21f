// What the plans of the pyramids with two pipelines are made of.
#pragma once

#include "tools/catalogue/pyramid_dispatches.h"

namespace lanewise {

// Values of the parameter "reduction".
enum PyramidReduction : std::uint32_t { kMean, kMin, kMax, kPremultiplied };

// "levels": full, or a chain cut short to 1 to 4; and how many a case has, the base among them.
Parameter energyLevelsParameter();
std::uint32_t energyLevels(const Case& c);

// An image of `levels` levels whose level 0 is the base; the others are poison, and it is wanted back.
Resource pyramidImage(std::string name, Format format, const golden::Image& base, std::uint32_t levels);

// The exact pyramid's job with its resources "pyramid" and "curve", and, where it is asked for, the multiplication by alpha; one dispatch
// of it; and the whole job. `mostGroups` of an axis of a dispatch.
Job energyFrame(const Case& c, const golden::Image& input);
Dispatch energyDispatch(const Case& c, std::shared_ptr<const ShaderModule> module, const PyramidStep& step, const PyramidRules& rules,
                        std::uint32_t mostGroups = 65535);
Job energyJob(const Case& c, std::shared_ptr<const ShaderModule> general, const golden::Image& input, const PyramidRules& rules,
              std::uint32_t mostGroups = 65535);

// A row of the exact contract, without its quick set.
Kernel energyKernel(const char* algorithm, const char* module, const char* summary,
                    Job (*plan)(const Case&, std::shared_ptr<const ShaderModule>, const golden::Image&));

// The float forms (pyramid_float.cpp) and the known-bad ones (pyramid_broken.cpp).
std::vector<Kernel> floatPyramidKernels();
std::vector<Kernel> brokenPyramidKernels();

}  // namespace lanewise
