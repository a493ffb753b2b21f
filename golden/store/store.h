// The golden store: one hash for every case, in text files that a person can read in a diff.
//
// A folder has one file per family, FAMILY.golden (the family is the case's name up to the first '/'), sorted by case name:
//
//   lanewise golden 1 box-blur
//   provenance 1 oracle=box-blur-1 inputs=1 contract=box-blur/double tool=0.1.0 date=2025-01-31
//   6c78e0e3bd51d358d01e758642b85fb8 1 box-blur/double @ 2x1 radius=1 edge=clamp format=rgba8ui input=list:255,0
//   checksum 99aa06d3014798d86001c324468d497f
//
// The last line is the XXH3-128 of all bytes before it: an edited file is noticed and never used. A case is stale if its oracle, its inputs
// or its contract has another version now than when its hash was made. A regeneration keeps the provenance of hashes that did not change.
//
// Writing: apply() holds a lock on the folder and replaces all files at once (model/base/replace.h). A full disk, a crash or a kill leaves
// the old store or the new one, never a mixture. The next load() finishes a change that was decided and not made. If two runs write, the
// second waits for the first. It then refuses if the store is no longer the one it knew, unless the store already has what the
// change wants.
//
// Errors: kGoldenTrouble for missing, stale, edited or changed meanwhile; kIoError for files that cannot be read or written. Thread safety:
// const functions may run at once.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "golden/store/entry.h"
#include "model/base/outcome.h"
#include "model/base/replace.h"

namespace lanewise::golden {

// What a regeneration would do to the store, each list sorted by name.
struct StoreChange {
  struct Change {
    std::string name;
    Entry before, after;
    std::size_t line = 0;  // of the family's file
  };
  std::vector<std::string> added, removed;
  std::vector<Change> changed;    // another hash: the golden itself changes
  std::vector<Change> refreshed;  // the same hash from another oracle, input or contract version
  std::uint64_t unchanged = 0;
  bool empty() const { return added.empty() && removed.empty() && changed.empty() && refreshed.empty(); }

  // The files to write (empty: to remove), and the bytes that each had when the change was made (empty: there was none).
  struct File {
    std::optional<std::string> before, after;
  };
  std::map<std::string, File> files;  // by file name inside the folder
};

// What a regeneration may change in the store besides its own cases.
enum class Scope : std::uint8_t {
  kCases,  // nothing else
  kAll,    // everything else is removed
};

enum class CaseState : std::uint8_t { kPresent, kMissing, kStale, kEdited };

class Store {
 public:
  // Reads every family file of the folder. A folder that does not exist is an empty store. An edited file is no error here: its cases
  // answer kEdited, and a regeneration of its family replaces it. kIoError for a folder or file that cannot be read.
  static Expected<Store> load(const std::filesystem::path& folder);

  const std::filesystem::path& folder() const { return folder_; }
  const Entries& entries() const { return entries_; }
  // Families whose file was edited, with the error of each.
  const std::map<std::string, std::string>& edited() const { return edited_; }

  CaseState state(const std::string& name, const Provenance& now) const;
  // The hash of a case. kGoldenTrouble says missing, stale (with the version then and now) or edited, and how to regenerate.
  Expected<Hash128> lookup(const std::string& name, const Provenance& now) const;

  // What has to change so that the store holds `fresh`. Bad input: a name or provenance that the file cannot hold. An edited family is
  // replaced whole: what changes are its lines that are not as they should be. With Scope::kCases, where its other cases would have to
  // stay, it is kGoldenTrouble.
  Expected<StoreChange> changesTo(const Entries& fresh, Scope scope) const;
  // Writes changes that this store made, and the other files of the folder that go with it. The store in memory stays as it was: load
  // again.
  Status apply(const StoreChange& changes, std::vector<Replacement> also = {}) const;

 private:
  Status read();

  std::filesystem::path folder_;
  Entries entries_;
  std::map<std::string, std::string> files_;   // bytes of each family file as loaded, by file name
  std::map<std::string, std::string> edited_;  // by family
  Entries editedEntries_;                      // of their files, as far as they are understood
  std::map<std::string, std::size_t> lines_;   // of each entry in its file
};

}  // namespace lanewise::golden
