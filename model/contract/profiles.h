// The shipped profiles: two for the specification, three for devices as they were measured.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "model/contract/profile.h"

namespace lanewise {

// "strict": the default. What the specification says; where it leaves a choice, round to nearest, denormals kept, the formula as written.
// "adverse": the other side of those choices: what the specification allows and few devices do. A kernel that is right in both depends on
// none of them.
// "lavapipe": Mesa 22.3.6 (LLVM 15, 256-bit vectors, a host with AVX-512; what hosts without differ in: docs/device-deviations.md).
// "swiftshader": SwiftShader of Debian's Chromium 156, which flushes denormals and has no 16- or 64-bit floats.
// "nvidia": an H200 with driver 580.159.04, for modules without float-control execution modes and with `precise` arithmetic.
//
// Promise: each field is a measured value; tests/gpu/scalar_device_test.cpp and tests/gpu/texel_device_test.cpp compare every operation and
// format with the device where there is one. outside_device_test.cpp what lies outside of buffers and images. Gaps, what no field
// describes: docs/device-deviations.md. The choices do not depend on the modes a module declares: those override rounding and denormals
// when it is decoded.

// The names, in this order.
std::vector<std::string_view> profileNames();
// Empty for an unknown name.
std::optional<Profile> profileByName(std::string_view name);

}  // namespace lanewise
