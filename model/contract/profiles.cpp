#include "model/contract/profiles.h"

#include "model/contract/choices.h"

namespace lanewise {
namespace {

void setLimits(Profile& p, std::uint32_t invocations, std::uint32_t sizeZ, std::uint32_t shared, std::uint32_t push) {
  p.maxWorkgroupInvocations = invocations;
  p.maxWorkgroupSize[0] = p.maxWorkgroupSize[1] = invocations;
  p.maxWorkgroupSize[2] = sizeZ;
  p.maxSharedMemory = shared;
  p.maxPushConstants = push;
}

// Signed zeros, infinities and NaNs can be preserved by all three; the rest as named.
FloatControls controls(bool denormPreserve, bool rte, bool rtz) {
  return {.denormPreserve = denormPreserve, .denormFlushToZero = false, .roundingModeRTE = rte, .roundingModeRTZ = rtz};
}

Profile adverse() {
  Profile p;
  for (std::uint32_t& count : p.maxWorkgroupCount) count = 65535;
  return p;
}

Profile lavapipe() {
  Profile p;
  p.description = "Mesa 22.3.6, LLVM 15, 256-bit vectors";
  p.apiVersion = "1.3.230";
  p.subgroupSize = p.minSubgroupSize = p.maxSubgroupSize = 8;
  setLimits(p, 1024, 1024, 32768, 128);
  for (std::uint32_t& count : p.maxWorkgroupCount) count = 65535;
  p.float16 = p.float32 = p.float64 = controls(false, true, false);
  p.subTexelBits = 0;
  return p;
}

Profile swiftshader() {
  Profile p;
  p.description = "SwiftShader of Chromium 156 (Subzero)";
  p.apiVersion = "1.3.0";
  p.subgroupSize = p.minSubgroupSize = p.maxSubgroupSize = 4;
  setLimits(p, 256, 64, 32768, 128);
  for (std::uint32_t& count : p.maxWorkgroupCount) count = 65535;
  p.float16 = p.float32 = p.float64 = controls(false, false, false);
  p.denormIndependence = p.roundingIndependence = Independence::kNone;
  p.subTexelBits = 0;
  return p;
}

Profile nvidia() {
  Profile p;
  p.description = "NVIDIA H200, driver 580.159.04";
  p.apiVersion = "1.4.312";
  p.subgroupSize = p.minSubgroupSize = p.maxSubgroupSize = 32;
  setLimits(p, 1024, 64, 49152, 256);
  p.maxWorkgroupCount[0] = 0x7fffffffu;
  p.maxWorkgroupCount[1] = p.maxWorkgroupCount[2] = 65535;
  p.float16 = controls(true, true, false);
  p.float32 = p.float64 = controls(false, true, true);
  return p;
}

Profile strict() {
  return {};
}

// What each profile has besides its choices, which are in the rows of choices.cpp.
struct Shipped {
  std::string_view name;
  Profile (*limits)();
  std::uint8_t Taken::*taken;  // nullptr: every choice's first value
};
constexpr Shipped kShipped[] = {{"strict", strict, nullptr},
                                {"adverse", adverse, &Taken::adverse},
                                {"lavapipe", lavapipe, &Taken::lavapipe},
                                {"swiftshader", swiftshader, &Taken::swiftshader},
                                {"nvidia", nvidia, &Taken::nvidia}};

}  // namespace

std::vector<std::string_view> profileNames() {
  std::vector<std::string_view> names;
  for (const Shipped& s : kShipped) names.push_back(s.name);
  return names;
}

std::optional<Profile> profileByName(std::string_view name) {
  for (const Shipped& s : kShipped) {
    if (s.name != name) continue;
    Profile p = s.limits();
    p.name = name;
    if (s.taken)
      for (const Choice& c : choices()) c.set(p, c.taken.*s.taken);
    return p;
  }
  return std::nullopt;
}

}  // namespace lanewise
