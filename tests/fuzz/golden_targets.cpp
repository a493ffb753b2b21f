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

// The first byte chooses the format, and the file begins as that format does: others are told apart before anything is decoded. EXR is not
// among them: OpenEXR 3.1 takes as much memory as a damaged attribute says, often gigabytes.
void picture(Bytes bytes) {
  struct Format {
    const char* ending;
    std::string_view begin;
  };
  static constexpr Format kFormats[] = {{".png", {"\x89PNG\r\n\x1a\n", 8}}, {".jpg", {"\xff\xd8\xff", 3}}, {".tif", {"II*\0", 4}}};
  if (bytes.empty()) return;
  const Format& format = kFormats[std::to_integer<std::size_t>(bytes[0]) % std::size(kFormats)];
  std::string file(format.begin);
  file += textOf(bytes.subspan(1));
  const auto path = fileOf(std::as_bytes(std::span(file)), format.ending);
  static_cast<void>(golden::readPicture(path));
  static_cast<void>(golden::readImage(path));
}

}  // namespace lanewise::fuzz
