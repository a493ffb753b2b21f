// What the tools read: descriptions, scripts, capsules, journals.
#include <fmt/format.h>

#include "golden/store/hash.h"
#include "tests/fuzz/helpers.h"
#include "tools/amber/parse.h"
#include "tools/arbitrate/capsule.h"
#include "tools/catalogue/catalogue.h"
#include "tools/described/description.h"
#include "tools/sweep/journal.h"

namespace lanewise::fuzz {

void description(Bytes bytes) {
  static_cast<void>(readDescription("fuzz.toml", textOf(bytes)));
}

void script(Bytes bytes) {
  static_cast<void>(amber::parseScript("fuzz.amber", textOf(bytes), "."));
}

// The last 16 bytes of a capsule are a checksum, which would refuse all others; it is made again.
void capsule(Bytes bytes) {
  std::vector<std::byte> whole(bytes.begin(), bytes.end());
  const golden::Hash128 hash = golden::hashBytes(bytes);
  for (const std::uint64_t half : {hash.high, hash.low})
    for (std::size_t i = 0; i < sizeof half; ++i) whole.push_back(static_cast<std::byte>(half >> (8 * i)));
  const Expected<Capsule> read = decodeCapsule(whole);
  if (!read) return;
  const Expected<Capsule> again = decodeCapsule(encodeCapsule(*read));
  require(again.ok() && again->what == read->what && again->modules.size() == read->modules.size(),
          "a capsule is not read as it was written");
}

// Each line is one of a journal without its checksum.
void journal(Bytes bytes) {
  std::string text = "lanewise journal 1 run\n";
  std::string_view rest = textOf(bytes);
  while (!rest.empty()) {
    const std::string line(rest.substr(0, rest.find('\n')));
    rest.remove_prefix(std::min(line.size() + 1, rest.size()));
    text += fmt::format("{:08x} {}\n", golden::hashBytes(std::as_bytes(std::span(line))).low & 0xffffffffu, line);
  }
  const Expected<Journal> read = Journal::open(fileOf(std::as_bytes(std::span(text)), ".txt"), "run", true);
  require(read.ok(), "a journal is refused");
  static const Expected<Case> one = parseCase("checksum/sum/shuffle @ 1x1 format=rgba8ui input=noise:1");
  require(one.ok(), "there is no such case");
  CaseResult result;
  result.what = *one;
  result.sides.resize(1);
  static_cast<void>(read->recall(result));
}

}  // namespace lanewise::fuzz
