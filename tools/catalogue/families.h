// The rows of each family of kernels: one function per file. catalogue.cpp collects them.
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
// The broken kernels. They are listed beside the right ones, whose contracts they claim.
void addBrokenSinglePass(std::vector<Kernel>& all);
std::vector<Kernel> pyramidKernels();

// The device that compiles some kernels for minutes (Kernel::minutesOn).
inline constexpr const char* kCompilesForMinutes = "swiftshader";

// A block for the model, GPUs and compilers that are quick. An older lavapipe need not compile a module again for each of its cases, which
// takes it a second.
inline CaseBlock forTheModel(CaseBlock b) {
  b.forTheModel = true;
  return b;
}

// The image of a picture, bytes copied, as a resource that a kernel reads.
Resource inputPicture(std::string name, const golden::Image& picture);
// The codes of a picture as halves or floats, code / unit each, correctly rounded.
golden::Image codesAsFloats(const golden::Image& codes, golden::Component component, double unit);
// Values of 32 bits one after another, for push constants.
std::vector<std::byte> pushWords(std::initializer_list<std::uint32_t> words);
// The number of workgroups that cover n invocations.
constexpr std::uint32_t groupsFor(std::uint32_t n, std::uint32_t localSize) {
  return n / localSize + (n % localSize != 0 ? 1 : 0);
}

}  // namespace lanewise
