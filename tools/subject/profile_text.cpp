// A profile as the command line and the library name it. Of comma_lists.h, and alone, because the library has no kernels of ours.
#include <fmt/format.h>

#include "model/contract/choices.h"
#include "model/contract/profiles.h"
#include "tools/subject/comma_lists.h"

namespace lanewise {

Expected<Profile> parseProfile(const std::string& text) {
  std::size_t end = text.find(',');
  const std::string name = text.substr(0, end);
  std::optional<Profile> profile = profileByName(name);
  if (!profile)
    return Error{Outcome::kBadInput, fmt::format("no such profile: '{}'", name), "--profile",
                 fmt::format("one of {}", fmt::join(profileNames(), ", "))};
  while (end != std::string::npos) {
    const std::size_t begin = end + 1;
    end = text.find(',', begin);
    const std::string part = text.substr(begin, end == std::string::npos ? end : end - begin);
    if (Status set = setChoice(*profile, part)) return *set;
    profile->name += "," + part;
  }
  return *std::move(profile);
}

std::string profileHelp() {
  return fmt::format("The model's choices where Vulkan leaves one: {}; single choices may follow: strict,minMax=second",
                     fmt::join(profileNames(), ", "));
}

}  // namespace lanewise
