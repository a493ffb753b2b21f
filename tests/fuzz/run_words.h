// Runs of the words of a module, within small limits.
#pragma once

#include <cstdint>
#include <vector>

namespace lanewise::fuzz {

// Observed: whatever is wrong with it has to be one of the outcomes that a module may have.
void runWords(std::vector<std::uint32_t> words);
// Observed and not: both give the same bytes, or the same outcome.
void runBothWays(std::vector<std::uint32_t> words);

}  // namespace lanewise::fuzz
