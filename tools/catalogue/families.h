// The rows of each family of kernels: one function a file, gathered by catalogue.cpp.
#pragma once

#include <vector>

#include "tools/catalogue/kernel.h"

namespace lanewise {

std::vector<Kernel> boxBlurKernels();
std::vector<Kernel> checksumKernels();
std::vector<Kernel> depthKernels();
std::vector<Kernel> photoKernels();
std::vector<Kernel> spdKernels();
std::vector<Kernel> spdFloatKernels();
// Added to the right ones, whose contracts they claim.
void addBrokenSinglePass(std::vector<Kernel>& all);
std::vector<Kernel> pyramidKernels();

// A block for the model and GPUs whose subgroups have 32 lanes: others need not compile a module for each of its cases again, which takes
// lavapipe a second.
inline CaseBlock forTheModel(CaseBlock b) {
  b.forTheModel = true;
  return b;
}

// The image of a picture, bytes copied, as a resource that a kernel reads.
Resource inputPicture(std::string name, const golden::Image& picture);
// The codes of a picture as halves or floats, code / unit each, correctly rounded.
golden::Image codesAsFloats(const golden::Image& codes, golden::Component component, double unit);
// Values of 32 bits one after another, as push constants want them.
std::vector<std::byte> pushWords(std::initializer_list<std::uint32_t> words);
// Groups that cover n invocations.
constexpr std::uint32_t groupsFor(std::uint32_t n, std::uint32_t localSize) {
  return n / localSize + (n % localSize != 0 ? 1 : 0);
}

}  // namespace lanewise
