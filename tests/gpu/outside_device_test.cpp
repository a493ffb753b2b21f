// Accesses outside of buffers and images on devices: the bytes of the model with the profile of that device, which are not the strict ones.
#include "model/contract/profiles.h"
#include "model/model.h"
#include "tests/gpu/fixture.h"
#include "tests/text/program_job.h"

namespace lanewise::text {
namespace {

class OutsideDevice : public testing::TestWithParam<const char*> {};

TEST_P(OutsideDevice, GivesWhatItsProfileSays) {
  const std::string name = GetParam();
  if (deviceNamed(name) == nullptr) GTEST_SKIP() << "there is no such device here";
  const std::unique_ptr<WorkerDevice> device = openForTest(name);
  ASSERT_NE(device, nullptr);
  const Job job = programJob("outside.comp");
  const RunResult got = device->run(job);
  ASSERT_FALSE(got.error) << got.error->text();
  const auto agrees = [&](const Profile& profile) {
    const RunResult want = Model({.profile = profile, .schedule = {}}).run(job);
    EXPECT_FALSE(want.error) << want.error->text();
    bool same = want.outputs.size() == got.outputs.size();
    for (std::size_t i = 0; same && i < got.outputs.size(); ++i) same = got.outputs[i].bytes() == want.outputs[i].bytes();
    return same;
  };
  Profile profile = *profileByName(name.substr(0, name.find('-')));
  profile.subgroupSize = device->profile().subgroupSize;
  EXPECT_TRUE(agrees(profile));
  EXPECT_FALSE(agrees(Profile{})) << "the test could not tell";
  const OutsideImage reported = device->profile().outsideImage;
  EXPECT_TRUE(reported == OutsideImage::kZero || reported == profile.outsideImage);
}

INSTANTIATE_TEST_SUITE_P(Devices, OutsideDevice, testing::Values("lavapipe-4", "lavapipe-8", "lavapipe-16", "swiftshader", "nvidia"),
                         deviceTestName);

}  // namespace
}  // namespace lanewise::text
