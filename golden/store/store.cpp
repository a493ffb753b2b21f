#include "golden/store/store.h"

#include <fmt/format.h>

#include <algorithm>
#include <system_error>

#include "golden/store/store_text.h"
#include "model/base/file.h"

namespace lanewise::golden {
namespace {

constexpr const char* kRegenHint = "see `lanewise golden regen`";
constexpr const char* kDiffHint = "`lanewise golden diff` shows which lines are not as they should be";
constexpr double kLockSeconds = 60;

std::string fileNameOf(const std::string& family) {
  return family + std::string(kStoreSuffix);
}

Error trouble(std::string what, const std::string& name, const char* hint = kRegenHint) {
  return Error{Outcome::kGoldenTrouble, std::move(what), name, hint};
}

// The current bytes of a file; empty if there is no file.
Expected<std::optional<std::string>> currentBytes(const std::filesystem::path& path) {
  std::error_code code;
  if (!std::filesystem::exists(path, code) && !code) return std::optional<std::string>();
  auto bytes = readWholeFile(path);
  if (!bytes) return bytes.error();
  return std::optional<std::string>(std::move(*bytes));
}

// Completes a change that another run decided and did not finish.
Status finishPending(const std::filesystem::path& folder) {
  if (!replacementIsPending(folder)) return {};
  const auto lock = FolderLock::take(folder, kLockSeconds);
  return lock ? finishReplacing(folder) : Status{lock.error()};
}

// The cases of the family after the change. Adds what differs to `changes`.
Entries mergeFamily(const Entries& old, const Entries& fresh, bool keepOthers, StoreChange& changes) {
  Entries merged;
  for (const auto& [name, entry] : fresh) {
    const auto before = old.find(name);
    merged[name] = entry;
    if (before == old.end()) {
      changes.added.push_back(name);
    } else if (before->second.hash != entry.hash) {
      changes.changed.push_back({name, before->second, entry});
    } else if (!before->second.provenance.sameOrigin(entry.provenance)) {
      changes.refreshed.push_back({name, before->second, entry});
    } else {
      merged[name] = before->second;
      ++changes.unchanged;
    }
  }
  for (const auto& [name, entry] : old) {
    if (merged.contains(name)) continue;
    if (keepOthers) {
      merged[name] = entry;
      ++changes.unchanged;
    } else {
      changes.removed.push_back(name);
    }
  }
  return merged;
}

}  // namespace

Expected<Store> Store::load(const std::filesystem::path& folder) {
  Store store;
  store.folder_ = folder;
  std::error_code code;
  if (!std::filesystem::exists(folder, code) && !code) return store;
  while (true) {
    if (Status bad = finishPending(folder)) return *bad;
    const auto lock = FolderLock::take(folder, kLockSeconds, FolderLock::Kind::kReader);
    if (!lock) return lock.error();
    if (replacementIsPending(folder)) continue;  // a writer died while this one waited
    if (Status bad = store.read()) return *bad;
    return store;
  }
}

Status Store::read() {
  std::error_code code;
  std::filesystem::directory_iterator files(folder_, code);
  if (code) return fileError("read", folder_, code.value());
  for (; files != std::filesystem::directory_iterator(); files.increment(code)) {
    const std::filesystem::path path = files->path();
    if (path.extension() != kStoreSuffix || path.stem().string().starts_with('.')) continue;
    auto bytes = readWholeFile(path);
    if (!bytes) return bytes.error();
    const std::string family = path.stem().string();
    StoreText text = parseStoreText(family, *bytes);
    (text.edited.empty() ? entries_ : editedEntries_).merge(text.entries);
    if (!text.edited.empty()) edited_[family] = fmt::format("{} was edited: {}", path.filename().string(), text.edited);
    lines_.merge(text.lines);
    files_[path.filename().string()] = std::move(*bytes);
  }
  if (code) return fileError("read", folder_, code.value());
  return {};
}

CaseState Store::state(const std::string& name, const Provenance& now) const {
  if (edited_.contains(familyOf(name))) return CaseState::kEdited;
  const auto entry = entries_.find(name);
  if (entry == entries_.end()) return CaseState::kMissing;
  return entry->second.provenance.sameOrigin(now) ? CaseState::kPresent : CaseState::kStale;
}

Expected<Hash128> Store::lookup(const std::string& name, const Provenance& now) const {
  switch (state(name, now)) {
    case CaseState::kEdited:
      return trouble(edited_.at(familyOf(name)), name, kDiffHint);
    case CaseState::kMissing:
      return trouble(fmt::format("no golden in {}", folder_.string()), name);
    case CaseState::kStale: {
      const Provenance& then = entries_.at(name).provenance;
      return trouble(fmt::format("the golden is stale: made by oracle {}, inputs {}, contract {}; now {}, {}, {}", then.oracle, then.inputs,
                                 then.contract, now.oracle, now.inputs, now.contract),
                     name);
    }
    case CaseState::kPresent:
      break;
  }
  return entries_.at(name).hash;
}

Expected<StoreChange> Store::changesTo(const Entries& fresh, Scope scope) const {
  std::map<std::string, Entries> freshFamilies, oldFamilies;
  for (const auto& [name, entry] : fresh) {
    if (Status bad = checkEntry(name, entry)) return *bad;
    freshFamilies[familyOf(name)].emplace(name, entry);
  }
  for (const Entries* old : {&entries_, &editedEntries_})
    for (const auto& [name, entry] : *old) oldFamilies[familyOf(name)].emplace(name, entry);
  if (scope == Scope::kAll)
    for (const auto& [file, bytes] : files_) freshFamilies[file.substr(0, file.size() - kStoreSuffix.size())];
  StoreChange changes;
  for (const auto& [family, cases] : freshFamilies) {
    const auto edited = edited_.find(family);
    if (edited != edited_.end() && scope == Scope::kCases) return Error{Outcome::kGoldenTrouble, edited->second, family, kDiffHint};
    const Entries merged = mergeFamily(oldFamilies[family], cases, scope == Scope::kCases, changes);
    StoreChange::File file;
    const std::string name = fileNameOf(family);
    if (const auto old = files_.find(name); old != files_.end()) file.before = old->second;
    if (!merged.empty()) file.after = storeText(family, merged);
    if (file.before != file.after) changes.files[name] = std::move(file);
  }
  std::sort(changes.removed.begin(), changes.removed.end());
  for (auto* list : {&changes.changed, &changes.refreshed})
    for (StoreChange::Change& c : *list) c.line = lines_.at(c.name);
  return changes;
}

Status Store::apply(const StoreChange& changes, std::vector<Replacement> also) const {
  if (changes.files.empty() && also.empty()) return std::nullopt;
  std::error_code code;
  std::filesystem::create_directories(folder_, code);
  if (code) return fileError("make folder", folder_, code.value());
  const auto lock = FolderLock::take(folder_, kLockSeconds);
  if (!lock) return lock.error();
  if (Status bad = finishReplacing(folder_)) return bad;

  bool asPlanned = true, alreadyDone = true;
  for (const auto& [name, file] : changes.files) {
    const auto now = currentBytes(folder_ / name);
    if (!now) return now.error();
    asPlanned = asPlanned && *now == file.before;
    alreadyDone = alreadyDone && *now == file.after;
  }
  if (!asPlanned && !alreadyDone)
    return Error{Outcome::kGoldenTrouble, "the golden store changed meanwhile", folder_.string(), "run it again"};
  if (!alreadyDone)
    for (const auto& [name, file] : changes.files) also.push_back({name, file.after});
  return also.empty() ? std::nullopt : replaceTogether(folder_, also);
}

}  // namespace lanewise::golden
