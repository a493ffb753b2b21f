// What mends a data race: the smallest change of the module that is found by trying.
//
// A race of one workgroup: a barrier, where all invocations of the workgroup come (spirv/uniform_flow.h). A race of two: scopes, classes
// and fences at the atomics and barriers that the module has, and `coherent`. Each is made (patch/order_edit.h) and run in the schedules
// below. A change mends the race if none of them shows it then, and none shows an error or a finding that was not there before. Of several
// changes at once each one is needed: without it the race is back. Promise: nothing is told that has not been tried. Gaps: changes that are
// none of these; what mends a race in these runs may not mend it for other inputs. Jobs of more than kMostGroups workgroups are not tried.
#pragma once

#include <string>

#include "model/model.h"

namespace lanewise {

inline constexpr std::uint64_t kMostGroups = 1024;

// `race`: a finding of this job, under `options.profile` and `options.schedule`. "put barrier() before scan.comp:19"; empty: nothing that
// was tried mends it. The text of races that no order mends is empty too.
std::string triedMend(const Job& job, const RunFinding& race, const ModelOptions& options);

}  // namespace lanewise
