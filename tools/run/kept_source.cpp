#include "tools/run/kept_source.h"

#include <xxhash.h>

#include <algorithm>
#include <cstring>

#include "model/base/file.h"
#include "model/base/program_folder.h"

namespace lanewise {
namespace {

compiled::StoreKey hashOf(std::string_view bytes) {
  const XXH128_hash_t hash = XXH3_128bits(bytes.data(), bytes.size());
  return {hash.low64, hash.high64};
}

void addNumber(std::string& to, std::uint64_t value) {
  to.append(reinterpret_cast<const char*>(&value), sizeof value);
}

// With its length, so that no two lists of texts are the same bytes.
void addText(std::string& to, std::string_view text) {
  addNumber(to, text.size());
  to += text;
}

// Bit 0: there is a file.
void addFile(std::string& to, const std::string& path, const std::string* text) {
  addText(to, path);
  addNumber(to, text ? 1 : 0);
  for (const std::uint64_t half : text ? hashOf(*text) : compiled::StoreKey{}) addNumber(to, half);
}

std::string keyTextOf(const SourceText& s, const SourceOptions& o) {
  std::string out;
  for (const std::string& text : {ownBuildId(), s.file, s.text, o.targetEnvironment, o.entry}) addText(out, text);
  addNumber(out, (s.hlsl ? 1u : 0u) + (o.optimise ? 2u : 0u));
  for (const auto* list : {&o.includeFolders, &o.defines}) {
    addNumber(out, list->size());
    for (const std::string& text : *list) addText(out, text);
  }
  if (s.files != nullptr)
    for (const auto& [name, text] : *s.files) addText(out, name), addText(out, text);
  return out;
}

// Reads what add...() wrote; at the end of the bytes it gives zeros and empty texts.
class Reader {
 public:
  explicit Reader(std::string_view bytes) : bytes_(bytes) {}

  std::uint64_t number() {
    std::uint64_t value = 0;
    std::memcpy(&value, bytes_.data(), std::min(bytes_.size(), sizeof value));
    bytes_.remove_prefix(std::min(bytes_.size(), sizeof value));
    return value;
  }
  std::string_view text() {
    const std::uint64_t size = number();
    const std::string_view out = bytes_.substr(0, size);
    bytes_.remove_prefix(out.size());
    return out;
  }
  std::string_view rest() const { return bytes_; }

 private:
  std::string_view bytes_;
};

}  // namespace

KeptSource::KeptSource(const SourceText& source, const SourceOptions& options, const KeptIn& in) {
  if (in.folder.empty() || ownBuildId().empty()) return;
  if (Expected<compiled::Store> store = compiled::Store::open(in.folder)) store_.emplace(std::move(*store));
  key_ = hashOf(keyTextOf(source, options));
}

std::optional<std::vector<std::uint32_t>> KeptSource::words() const {
  const std::optional<std::string> bytes = store_ ? store_->read(key_) : std::nullopt;
  if (!bytes) return {};
  Reader in(*bytes);
  Reader files(in.text());
  while (!files.rest().empty()) {
    const std::string path(files.text());
    const bool there = files.number() != 0;
    const compiled::StoreKey hash{files.number(), files.number()};
    const Expected<std::string> now = readWholeFile(path);
    if (there != now.ok() || (there && hashOf(*now) != hash)) return {};
  }
  if (in.rest().empty() || in.rest().size() % 4 != 0) return {};
  std::vector<std::uint32_t> words(in.rest().size() / 4);
  std::memcpy(words.data(), in.rest().data(), in.rest().size());
  return words;
}

void KeptSource::looked(const std::string& path, const std::string* text) {
  addFile(looked_, path, text);
}

void KeptSource::keep(std::span<const std::uint32_t> words) const {
  if (!store_) return;
  std::string bytes;
  addText(bytes, looked_);
  bytes.append(reinterpret_cast<const char*>(words.data()), words.size_bytes());
  // What cannot be written is compiled again.
  static_cast<void>(store_->write(key_, bytes));
}

}  // namespace lanewise
