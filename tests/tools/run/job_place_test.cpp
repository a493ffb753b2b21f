// Where a byte of a job's resource lies, by the names and types of its module.
#include "tools/run/job_place.h"

#include <gtest/gtest.h>

#include "tests/text/program_job.h"

namespace lanewise {
namespace {

// A value that differs is named and typed as the source does it.
TEST(JobPlace, NamesAByteAndReadsItsValueByTheTypesOfTheModule) {
  const Job job = text::programJob("race_values.comp");
  const auto told = [&](std::size_t resource, std::uint64_t byte, std::vector<int> values) {
    std::vector<std::byte> bytes;
    for (const int v : values) bytes.push_back(static_cast<std::byte>(v));
    const JobPlace place = placeOf(job, job.resources[resource], byte);
    return place.name + " = " + place.value(bytes);
  };
  EXPECT_EQ(told(0, 2, {0xfe, 0xff, 0xff, 0xff}), "i = -2");
  EXPECT_EQ(told(1, 0, {0x00, 0xbe, 0, 0}), "h = -1.5");
  EXPECT_EQ(told(2, 1, {0xfd, 0xff, 0, 0}), "s = -3");
  EXPECT_EQ(told(3, 0, {0xfe, 0xff, 0xff, 0xff}), "u = 4294967294");
  EXPECT_EQ(told(4, 3, {0xff, 1, 0x7f, 0x80}), "bytes[0,0] = (-1, 1, 127, -128)");
  EXPECT_EQ(told(6, 1, {0xff, 0xff, 0xff, 0xff}), "words[0] = -1");
  EXPECT_EQ(told(7, 0, {0, 0, 0, 0xbf}), "f = -0.5");
  const Job paths = text::programJob("access_paths.comp");
  EXPECT_EQ(placeOf(paths, paths.resources[0], 16 + 48 + 4).name, "data.list[1].position.y");
  EXPECT_EQ(placeOf(paths, paths.resources[0], 16 + 16).name, "data.list[0].spin[0].x");
  EXPECT_EQ(placeOf(paths, paths.resources[3], 12).name, "many[1].x[3]");
  EXPECT_EQ(placeOf(paths, paths.resources[0], 8).name, "byte 8 of '" + paths.resources[0].name + "'") << "between members";
}

}  // namespace
}  // namespace lanewise
