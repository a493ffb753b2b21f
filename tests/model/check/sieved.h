// The sieve's promise, tried on a job: what RaceChecker tells when it looks everywhere, it tells when it looks at the sieve's places alone,
// and at all others it tells nothing.
#pragma once

#include <gmock/gmock.h>

#include "model/check/race_checker.h"
#include "model/check/race_sieve.h"
#include "model/check/race_text.h"
#include "model/model.h"

namespace lanewise {

// Calls use(place, resource, byte) for all places of the job.
template <class Use>
void forPlaces(const Job& job, std::uint32_t workgroupBytes, const Use& use) {
  for (std::uint32_t r = 0; r < job.resources.size(); ++r)
    for (std::uint64_t b = 0; b < job.resources[r].bytes().size(); b += placeBytes(job.resources[r])) use(Place::kBuffer, r, b);
  for (std::uint32_t b = 0; b < workgroupBytes; ++b) use(Place::kWorkgroup, 0, b);
}

// All places that are not in `places`.
inline race::Suspects outside(const Job& job, const race::Suspects& places, std::uint32_t workgroupBytes) {
  race::Suspects out(job);
  forPlaces(job, workgroupBytes, [&](Place place, std::uint32_t resource, std::uint64_t byte) {
    if (!places.has(place, resource, byte)) out.add(place, resource, byte);
  });
  return out;
}

inline std::vector<std::string> textsOf(const Job& job, const race::RaceChecker& checker) {
  std::vector<std::string> out;
  for (const race::Race& r : checker.races()) out.push_back(race::findingOf(job, checker.segment(), r).text());
  return out;
}

struct SievedRun {
  bool races = false, suspects = false;
};

inline SievedRun expectSieved(const Job& job, const std::string& schedule, std::uint32_t workgroupBytes) {
  SCOPED_TRACE(schedule);
  Model model({.profile = {}, .schedule = *parseSchedule(schedule), .findings = true});
  const auto run = [&](Observer& observer) {
    Expected<Execution> execution = model.start(job);
    ASSERT_TRUE(execution.ok()) << execution.error().text();
    ASSERT_FALSE(execution->run(observer));
  };
  race::Sieve sieve(job);
  run(sieve);
  race::RaceChecker everywhere(job), there(job, &sieve.suspects());
  run(everywhere);
  run(there);
  EXPECT_EQ(textsOf(job, there), textsOf(job, everywhere));
  const race::Suspects others = outside(job, sieve.suspects(), workgroupBytes);
  race::RaceChecker elsewhere(job, &others);
  run(elsewhere);
  EXPECT_THAT(textsOf(job, elsewhere), testing::IsEmpty());
  return {!everywhere.races().empty(), sieve.suspects().any()};
}

}  // namespace lanewise
