#include "tools/subject/way.h"

#include <fmt/format.h>

#include "tools/subject/comma_lists.h"

namespace lanewise {

Status takeMemory(ModuleArguments& module, std::string& schedules) {
  std::optional<std::uint64_t> weak;
  std::vector<std::string> buffers;
  for (std::string& text : module.run.memory) {
    if (text.find('=') != std::string::npos) {
      buffers.push_back(std::move(text));
      continue;
    }
    const Expected<std::optional<std::uint64_t>> memory = parseMemory(text);
    if (!memory) return memory.error();
    weak = *memory;
  }
  module.run.memory = std::move(buffers);
  if (!weak) return {};
  std::string all;
  for (std::size_t at = 0, end = 0; end != std::string::npos; at = end + 1) {
    end = schedules.find(',', at);
    const std::string one = schedules.substr(at, end == std::string::npos ? end : end - at);
    all += fmt::format("{}{}+weak:{}", all.empty() ? "" : ",", one.empty() ? "in-order" : one, *weak);
  }
  schedules = all;
  return {};
}

Expected<Way> wayOf(const Subject& subject, const std::string& profileText, const std::string& scheduleText) {
  const Capsule* capsule = subject.capsule();
  const Expected<Profile> profile =
      profileText.empty() && capsule ? Expected<Profile>(capsule->profile) : parseProfile(profileText.empty() ? "strict" : profileText);
  if (!profile) return profile.error();
  const Expected<Schedule> schedule = parseSchedule(!scheduleText.empty()                   ? scheduleText
                                                    : capsule && !capsule->schedule.empty() ? capsule->schedule
                                                                                            : "in-order");
  if (!schedule) return schedule.error();
  return Way{*profile, *schedule};
}

}  // namespace lanewise
