// The content that the golden store should have, recomputed from the oracles on all cores.
//
// The quick set has one hash per case. The full set is folded: one hash for each contract and width, over all its cases of that width in
// the order of their names, in the folder "full" of the store. No device takes part, so a device's result can never become a golden.
#pragma once

#include <string>
#include <vector>

#include "golden/store/store.h"
#include "tools/catalogue/sets.h"

namespace lanewise {

// The goldens whose names match one of the patterns ('*' stands for any characters; without patterns all), of cases with these values.
Expected<golden::Entries> computeGoldens(const std::vector<std::string>& patterns, std::span<const NamedValues> with = {});
// The folded ones: "box-blur/double @ full width=33 (251 cases)".
Expected<golden::Entries> computeFolded(const std::vector<std::string>& patterns);
// The names of the folded goldens with their current provenance, without computing them.
std::vector<std::pair<std::string, golden::Provenance>> foldedNames();

}  // namespace lanewise
