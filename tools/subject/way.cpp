#include "tools/subject/way.h"

#include "tools/subject/comma_lists.h"

namespace lanewise {

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
