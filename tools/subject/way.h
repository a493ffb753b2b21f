// How a subject runs on the model: its profile and schedule.
#pragma once

#include "model/contract/schedule.h"
#include "tools/subject/subject.h"

namespace lanewise {

struct Way {
  Profile profile;
  Schedule schedule;
};

// Of the values of --memory those with no name are no buffers, but how memory is: "weak:seed:7" goes to each of the schedules, which are
// separated by commas; without any, to in-order.
Status takeMemory(ModuleArguments& module, std::string& schedules);

// By their names; where one is empty a capsule's own, or strict and in order. Bad input: there is none of that name.
Expected<Way> wayOf(const Subject& subject, const std::string& profile, const std::string& schedule);

}  // namespace lanewise
