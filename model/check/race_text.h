// The text of a race: places, values and invocations, from a program and a job. Pure functions.
#pragma once

#include "model/check/race.h"
#include "model/check/race_segment.h"
#include "model/contract/device.h"
#include "model/contract/finding.h"

namespace lanewise::race {

Reading readingOf(const AccessEvent& event, const LaneRun& run);

// Whether a compare-exchange found another value: then it has only read.
bool exchangeMissed(const AccessEvent& event, std::uint32_t lane, std::uint64_t values, std::uint32_t size);
// Whether a lane of this access goes to a byte.
bool goesTo(const AccessEvent& event, std::uint32_t lane, std::uint64_t byte);
// Whether two lanes of a store write the same value.
bool sameStoredValue(const AccessEvent& event, std::uint32_t a, std::uint32_t b);

RunFinding findingOf(const Job& job, const Segment& segment, const Race& race);

}  // namespace lanewise::race

namespace lanewise {

// Whether race::findingOf makes such findings.
bool isRace(FindingKind kind);

}  // namespace lanewise
