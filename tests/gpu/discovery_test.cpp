// Finding devices and saying why there is none.
#include <filesystem>

#include "tests/gpu/fixture.h"

namespace lanewise {
namespace {

// Sets an environment variable for one test.
class ScopedVariable {
 public:
  ScopedVariable(const char* name, const char* value) : name_(name) {
    if (const char* old = std::getenv(name)) old_ = old;
    setenv(name, value, 1);
  }
  ~ScopedVariable() {
    if (old_) {
      setenv(name_, old_->c_str(), 1);
    } else {
      unsetenv(name_);
    }
  }

 private:
  const char* name_;
  std::optional<std::string> old_;
};

std::vector<std::string> names(const std::vector<DeviceEntry>& entries) {
  std::vector<std::string> out;
  for (const DeviceEntry& e : entries) out.push_back(e.name);
  return out;
}

TEST(GpuDiscovery, LavapipeComesInThreeWidths) {
  EXPECT_THAT(names(allDevices()), testing::IsSupersetOf({"lavapipe", "lavapipe-4", "lavapipe-8", "lavapipe-16"}));
  for (const DeviceEntry& e : allDevices()) {
    EXPECT_EQ(e.profile.name, e.name);
    EXPECT_FALSE(e.profile.description.empty());
    EXPECT_THAT(e.profile.capabilities, testing::Contains("Shader"));
  }
}

TEST(GpuDiscovery, FloatControlsAreTheDevices) {
  // lavapipe 22.3.6 takes RoundingModeRTE but not RTZ or DenormPreserve for 32-bit floats.
  const DeviceEntry* lavapipe = deviceNamed("lavapipe");
  ASSERT_TRUE(lavapipe);
  EXPECT_TRUE(lavapipe->profile.float32.signedZeroInfNanPreserve);
  EXPECT_TRUE(lavapipe->profile.float32.roundingModeRTE);
  EXPECT_FALSE(lavapipe->profile.float32.roundingModeRTZ);
  EXPECT_FALSE(lavapipe->profile.float32.denormPreserve);
}

TEST(GpuDiscovery, NamesChooseAndUnknownOnesListWhatThereIs) {
  const auto chosen = selectDevices(allDevices(), {"lavapipe-16", "lavapipe-4", "lavapipe-16"});
  ASSERT_TRUE(chosen);
  EXPECT_THAT(names(*chosen), testing::ElementsAre("lavapipe-16", "lavapipe-4"));
  const auto all = selectDevices(allDevices(), {"all"});
  ASSERT_TRUE(all);
  EXPECT_THAT(names(*all), testing::Not(testing::Contains("lavapipe")));
  EXPECT_THAT(names(*all), testing::IsSupersetOf({"lavapipe-4", "lavapipe-8", "lavapipe-16"}));
  const auto unknown = selectDevices(allDevices(), {"lavapipe-5"});
  ASSERT_FALSE(unknown);
  EXPECT_EQ(unknown.error().outcome, Outcome::kDeviceTrouble);
  EXPECT_THAT(unknown.error().text(), testing::HasSubstr("no Vulkan device named 'lavapipe-5'; there are: lavapipe, lavapipe-4"));
}

TEST(GpuDiscovery, NoLoader) {
  const auto none = discoverDevices({.loader = "libvulkan-that-is-not-there.so.1"});
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().outcome, Outcome::kDeviceTrouble);
  EXPECT_THAT(none.error().text(),
              testing::HasSubstr("no Vulkan loader: libvulkan-that-is-not-there.so.1: cannot open shared object file"));
}

TEST(GpuDiscovery, ALoaderWithoutDevices) {
  const ScopedVariable drivers("VK_DRIVER_FILES", "/nonexistent/driver.json");
  const auto none = discoverDevices();
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().outcome, Outcome::kDeviceTrouble);
  EXPECT_THAT(none.error().text(), testing::HasSubstr("the Vulkan loader is there but finds no device"));
}

TEST(GpuDiscovery, AUsersChoiceOfDriversIsKept) {
  // Debian 12 names the file by the processor.
  std::string file = "/usr/share/vulkan/icd.d/lvp_icd.x86_64.json";
  if (!std::filesystem::exists(file)) file = "/usr/share/vulkan/icd.d/lvp_icd.json";
  const ScopedVariable drivers("VK_DRIVER_FILES", file.c_str());
  const auto found = discoverDevices();
  ASSERT_TRUE(found) << found.error().text();
  EXPECT_THAT(names(*found), testing::ElementsAre("lavapipe", "lavapipe-4", "lavapipe-8", "lavapipe-16"));
}

TEST(GpuDiscovery, ADeviceThatIsGoneIsReported) {
  const DeviceEntry* lavapipe = deviceNamed("lavapipe");
  ASSERT_TRUE(lavapipe);
  DeviceEntry gone = *lavapipe;
  gone.index = 7;
  const auto opened = openDevice(gone);
  ASSERT_FALSE(opened);
  EXPECT_THAT(opened.error().text(), testing::HasSubstr("device 7 of the loader is no longer llvmpipe"));
}

TEST(GpuDiscovery, AWidthThatTheDriverDoesNotTakeIsReported) {
  const DeviceEntry* lavapipe = deviceNamed("lavapipe-4");
  ASSERT_TRUE(lavapipe);
  DeviceEntry wrong = *lavapipe;
  wrong.profile.subgroupSize = 32;
  const auto opened = openDevice(wrong);
  ASSERT_FALSE(opened);
  EXPECT_THAT(opened.error().text(), testing::HasSubstr("subgroups of 4 lanes, 32 were expected"));
}

}  // namespace
}  // namespace lanewise
