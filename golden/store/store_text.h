// A family file of the golden store as text, and back. store.h shows the form.
#pragma once

#include <string>
#include <string_view>

#include "golden/store/entry.h"
#include "model/base/outcome.h"

namespace lanewise::golden {

inline constexpr std::string_view kStoreSuffix = ".golden";

std::string storeText(std::string_view family, const Entries& entries);
// The entries, or kGoldenTrouble with the line that was edited.
Expected<Entries> parseStoreText(std::string_view family, std::string_view text);

// Bad input: something that the text form cannot express.
Status checkEntry(const std::string& name, const Entry& entry);

}  // namespace lanewise::golden
