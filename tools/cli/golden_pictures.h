// The pictures behind golden hashes: what the oracle gives now, and what another version of the program gave.
#pragma once

#include <string>
#include <vector>

#include "golden/store/store.h"
#include "tools/report/golden_page.h"

namespace lanewise {

// The changed hashes among changes. `full`: of the folded store, whose hashes stand for many cases and have no picture. `before`: a program
// of another version, whose `golden image` gives the old pictures; empty: none, the old bytes are gone. An Error: it is no program.
Expected<std::vector<ChangedGolden>> changedGoldens(const golden::StoreChange& changes, bool full, const std::string& before);

}  // namespace lanewise
