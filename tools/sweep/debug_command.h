// The commands that reports print to open something in the debugger.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "model/contract/profile.h"
#include "model/contract/schedule.h"
#include "tools/catalogue/kernel.h"

namespace lanewise {

// How the model runs it. What is empty, or 0, is not said: then it is the session's own.
struct DebugWay {
  std::string profile, schedule;
  std::uint32_t subgroupSize = 0;
};
// What is not the session's own without any options.
DebugWay debugWayOf(const Profile& profile, const Schedule& schedule);

// "lanewise debug SUBJECT --schedule reverse -e 'COMMAND'". `subject`: words of a command line. `commands`: what the session begins with.
std::string debugCommand(const std::string& subject, const DebugWay& way, const std::vector<std::string>& commands);
// The same of a case, whose own subgroup size counts if it has one.
std::string debugCommand(const Case& what, DebugWay way, const std::vector<std::string>& commands);

}  // namespace lanewise
