#include "tools/sweep/debug_command.h"

#include <fmt/format.h>

#include "model/base/text.h"

namespace lanewise {

DebugWay debugWayOf(const Profile& profile, const Schedule& schedule) {
  const Profile usual;
  return {profile.name == usual.name ? "" : profile.name, schedule == Schedule() ? "" : schedule.token(),
          profile.subgroupSize == usual.subgroupSize ? 0 : profile.subgroupSize};
}

std::string debugCommand(const std::string& subject, const DebugWay& way, const std::vector<std::string>& commands) {
  std::string out = "lanewise debug " + subject;
  if (!way.profile.empty()) out += " --profile " + shellWord(way.profile);
  if (!way.schedule.empty()) out += " --schedule " + shellWord(way.schedule);
  if (way.subgroupSize != 0) out += fmt::format(" --subgroup-size {}", way.subgroupSize);
  for (const std::string& command : commands) out += " -e " + shellWord(command);
  return out;
}

std::string debugCommand(const Case& what, DebugWay way, const std::vector<std::string>& commands) {
  if (what.subgroupSize != 0) way.subgroupSize = 0;
  return debugCommand(shellWord(what.name()), way, commands);
}

}  // namespace lanewise
