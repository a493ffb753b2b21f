#include "tools/arbitrate/profile_variations.h"

#include <fmt/format.h>

#include <utility>

#include "model/contract/choices.h"
#include "model/contract/profiles.h"

namespace lanewise {

std::vector<ProfileVariation> profileVariations() {
  std::vector<ProfileVariation> all;
  const std::span<const Choice> rows = choices();
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (rows[i].withPrevious) continue;
    for (std::uint32_t value = 1; value < rows[i].values.size(); ++value) {
      Profile p;
      rows[i].set(p, value);
      for (std::size_t k = i + 1; k < rows.size() && rows[k].withPrevious; ++k) rows[k].set(p, value);
      all.push_back({rows[i].values[value].text, std::move(p)});
    }
  }
  Profile wholeWeights;
  wholeWeights.subTexelBits = 0;
  all.push_back({"filter weights with all bits of a float", wholeWeights});
  for (const std::string_view name : profileNames())
    if (name != "strict") all.push_back({fmt::format("profile {}", name), *profileByName(name)});
  return all;
}

}  // namespace lanewise
