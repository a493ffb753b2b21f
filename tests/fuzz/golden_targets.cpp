// The store of exact results, and picture files.
#include "golden/pictures/picture_io.h"
#include "golden/store/hash.h"
#include "golden/store/store_text.h"
#include "tests/fuzz/helpers.h"

namespace lanewise::fuzz {

// The last line of a store is its checksum, which is made again.
void golden(Bytes bytes) {
  const std::string text = std::string(textOf(bytes)) + "checksum " + golden::hashText(golden::hashBytes(bytes)) + "\n";
  const golden::StoreText read = golden::parseStoreText("checksum", text);
  if (!read.edited.empty()) return;
  const golden::StoreText again = golden::parseStoreText("checksum", golden::storeText("checksum", read.entries));
  require(again.edited.empty() && again.entries == read.entries, "a store is not read as it was written");
}

void picture(Bytes bytes) {
  static_cast<void>(golden::readPicture(fileOf(bytes, ".png")));
}

}  // namespace lanewise::fuzz
