// A family file of the golden store as text, and back. store.h shows the form.
#pragma once

#include <string>
#include <string_view>

#include "golden/store/entry.h"
#include "model/base/outcome.h"

namespace lanewise::golden {

inline constexpr std::string_view kStoreSuffix = ".golden";

std::string storeText(std::string_view family, const Entries& entries);
// What a file holds. If it is not as it was written `edited` says why, and the entries are those of the lines that are understood.
struct StoreText {
  Entries entries;
  std::map<std::string, std::size_t> lines;  // of each entry, from 1
  std::string edited;
};
StoreText parseStoreText(std::string_view family, std::string_view text);

// Bad input: something that the text form cannot express.
Status checkEntry(const std::string& name, const Entry& entry);

}  // namespace lanewise::golden
