// A family file of the golden store as text, and back. The form is shown in store.h.
#pragma once

#include <string>
#include <string_view>

#include "golden/store/entry.h"
#include "model/base/outcome.h"

namespace lanewise::golden {

inline constexpr std::string_view kStoreSuffix = ".golden";

std::string storeText(std::string_view family, const Entries& entries);
// The entries, or kGoldenTrouble with the line that is not as it was written.
Expected<Entries> parseStoreText(std::string_view family, std::string_view text);

// What the text form cannot hold: bad input.
Status checkEntry(const std::string& name, const Entry& entry);

}  // namespace lanewise::golden
