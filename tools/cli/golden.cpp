// `lanewise golden`: the store against the oracles. status computes nothing; verify, regen and diff recompute and write nothing; approve
// writes.
#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>
#include <set>

#include "golden/pictures/family_images.h"
#include "golden/store/store.h"
#include "model/base/file.h"
#include "model/base/program_folder.h"
#include "model/base/visible.h"
#include "tools/catalogue/catalogue.h"
#include "tools/cli/commands.h"
#include "tools/cli/golden_compute.h"
#include "tools/cli/golden_described.h"
#include "tools/cli/golden_pictures.h"
#include "tools/report/golden_page.h"
#include "tools/subject/with.h"

namespace lanewise {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostNames = 20;

void printNames(const char* what, const std::vector<std::string>& names, std::size_t most) {
  for (std::size_t i = 0; i < std::min(names.size(), most); ++i) fmt::print("  {} {}\n", what, visible(names[i]));
  if (names.size() > most) fmt::print("  ... and {} more {}\n", names.size() - most, what);
}

void printChanges(const golden::StoreChange& changes, std::size_t most) {
  printNames("added", changes.added, most);
  printNames("removed", changes.removed, most);
  std::vector<std::string> changed, refreshed;
  for (const auto& c : changes.changed)
    changed.push_back(fmt::format("{}: {} was {} ({}.golden, line {})", c.name, golden::hashText(c.after.hash),
                                  golden::hashText(c.before.hash), golden::familyOf(c.name), c.line));
  for (const auto& c : changes.refreshed) refreshed.push_back(c.name);
  printNames("changed", changed, most);
  printNames("refreshed", refreshed, most);
  fmt::print("{} added, {} removed, {} changed, {} refreshed (same hash, newer oracle), {} unchanged\n", changes.added.size(),
             changes.removed.size(), changes.changed.size(), changes.refreshed.size(), changes.unchanged);
}

// The store, and what the oracles would make of it.
struct Looked {
  golden::Store store;
  golden::StoreChange changes;
  golden::ImageChange images;  // not of the folded store
  bool empty() const { return changes.empty() && images.empty() && store.edited().empty(); }
};

fs::path storeFolder(const GoldenOptions& o) {
  const fs::path folder = goldenFolder(o.folder);
  return o.full ? folder / "full" : folder;
}

// A case as reports print it means its golden, which its contract's algorithms share.
std::vector<std::string> goldenPatterns(const std::vector<std::string>& texts) {
  std::vector<std::string> patterns;
  for (const std::string& text : texts) {
    const Expected<Case> c = parseCase(text);
    patterns.push_back(c ? c->goldenKey() : text);
  }
  return patterns;
}

// What chose the goldens, as the user wrote it.
std::string namesOf(const GoldenOptions& o) {
  std::vector<std::string> names = o.patterns;
  for (const std::string& with : o.with) names.push_back("--with " + with);
  return fmt::format("{}", fmt::join(names, " "));
}

Expected<Looked> look(const GoldenOptions& o) {
  if (Status none = checkGoldenFolder(o.folder)) return *none;
  Expected<golden::Store> store = golden::Store::load(storeFolder(o));
  if (!store) return store.error();
  const Expected<std::vector<NamedValues>> with = parseWith(o.with);
  if (!with) return with.error();
  if (o.full && !with->empty())
    return Error{Outcome::kBadInput, "the full set's goldens stand for all values of a width", "--with", "leave it out, or --full"};
  const std::vector<std::string> patterns = goldenPatterns(o.patterns);
  const bool some = !patterns.empty() || !with->empty();
  const Expected<golden::Entries> fresh = o.full ? computeFolded(patterns) : computeGoldens(patterns, *with);
  if (!fresh) return fresh.error();
  if (fresh->empty() && !o.patterns.empty() && parseCase(o.patterns[0]))
    return Error{Outcome::kBadInput, "the store has no golden of this case: it holds the quick set", o.patterns[0],
                 "`lanewise golden image` shows the golden of any case; `lanewise list --cases` lists the quick set"};
  if (fresh->empty() && some)
    return Error{Outcome::kBadInput, "no golden matches", namesOf(o),
                 "'*' stands for any characters, e.g. 'box-blur/double @ *'; `lanewise list --cases` lists the cases"};
  Expected<golden::StoreChange> changes = store->changesTo(*fresh, some ? golden::Scope::kCases : golden::Scope::kAll);
  if (!changes) return changes.error();
  golden::ImageChange images;
  if (!o.full && !some) {
    Expected<golden::ImageChange> found = golden::imageChanges(storeFolder(o) / "images");
    if (!found) return found.error();
    images = std::move(*found);
  }
  return Looked{std::move(*store), std::move(*changes), std::move(images)};
}

void print(const Looked& looked, std::size_t most) {
  printChanges(looked.changes, most);
  for (const auto& [family, what] : looked.store.edited()) fmt::print("edited by hand: {} ({})\n", visible(family), visible(what));
  for (const golden::NamedImage& named : looked.images.write)
    fmt::print("image {} is missing or different: {}\n", visible(named.file), named.says);
  for (const std::string& name : looked.images.remove) fmt::print("image {} belongs to no family\n", visible(name));
}

Status writePage(const Looked& looked, const GoldenOptions& o) {
  const Expected<std::vector<ChangedGolden>> changed = changedGoldens(looked.changes, o.full, o.before);
  if (!changed) return changed.error();
  const std::string page = goldenPage(looked.changes, *changed, looked.images, looked.store.folder() / "images");
  if (Status bad = writeTextFile(o.html, page)) return bad;
  fmt::print("old and new: {}\n", o.html);
  return {};
}

}  // namespace

Expected<Outcome> runGoldenRegen(const GoldenOptions& o) {
  if (std::optional<Expected<Outcome>> described = goldenOfDescribed(o, GoldenCommand::kRegen)) return *described;
  const Expected<Looked> looked = look(o);
  if (!looked) return looked.error();
  print(*looked, o.diff ? looked->changes.added.size() + looked->changes.removed.size() + looked->changes.changed.size() : kMostNames);
  if (!o.before.empty() && o.html.empty())
    return Error{Outcome::kBadInput, "the old pictures go into a page", "--before", "name it with --html FILE"};
  if (!o.html.empty())
    if (Status bad = writePage(*looked, o)) return *bad;
  fmt::print("{}\n", looked->empty() ? "nothing would change" : "nothing was written: `lanewise golden approve` writes");
  return Outcome::kOk;
}

Expected<Outcome> runGoldenApprove(const GoldenOptions& o) {
  if (std::optional<Expected<Outcome>> described = goldenOfDescribed(o, GoldenCommand::kApprove)) return *described;
  if ((o.patterns.empty() && o.with.empty()) != o.all)
    return Error{Outcome::kBadInput, "nothing is named to approve", "golden approve", "name goldens by a pattern, or give --all"};
  const Expected<Looked> looked = look(o);
  if (!looked) return looked.error();
  print(*looked, kMostNames);
  Expected<std::vector<Replacement>> images = golden::replacementsOf(looked->images, "images");
  if (!images) return images.error();
  if (Status bad = looked->store.apply(looked->changes, std::move(*images))) return *bad;
  fmt::print("{} in {}\n", looked->empty() ? "nothing to write" : "written", looked->store.folder().string());
  if (!o.full)
    fmt::print("{}\n", o.all ? fmt::format("pictures: {} written, {} removed", looked->images.write.size(), looked->images.remove.size())
                             : "pictures: left as they are; `lanewise golden approve --all` writes those that differ");
  return Outcome::kOk;
}

Expected<Outcome> runGoldenStatus(const GoldenOptions& o) {
  if (std::optional<Expected<Outcome>> described = goldenOfDescribed(o, GoldenCommand::kStatus)) return *described;
  if (!o.patterns.empty())
    return Error{Outcome::kBadInput, "status is of the whole store, or of a description", o.patterns[0],
                 "`lanewise golden verify` takes patterns"};
  if (Status none = checkGoldenFolder(o.folder)) return *none;
  const Expected<golden::Store> store = golden::Store::load(storeFolder(o));
  if (!store) return store.error();
  std::vector<std::pair<std::string, golden::Provenance>> names;
  if (o.full)
    names = foldedNames();
  else
    for (const auto& [key, c] : quickGoldenKeys()) names.emplace_back(key, c.kernel->provenance());
  constexpr const char* kNames[] = {"present", "missing", "stale", "edited"};
  std::size_t counts[4] = {};
  for (const auto& [key, now] : names) {
    const golden::CaseState state = store->state(key, now);
    if (state != golden::CaseState::kPresent && counts[static_cast<std::size_t>(state)] < 10)
      fmt::print("{} {}\n", kNames[static_cast<std::size_t>(state)], visible(key));
    ++counts[static_cast<std::size_t>(state)];
  }
  // What the set no longer has.
  std::set<std::string> known;
  for (const auto& [key, now] : names) known.insert(key);
  std::size_t surplus = 0;
  for (const auto& [key, entry] : store->entries())
    if (!known.contains(key) && ++surplus <= 10) fmt::print("of no case: {}\n", visible(key));
  for (const auto& [family, what] : store->edited())
    fmt::print("edited: {} ({}); `lanewise golden diff` shows the lines\n", visible(family), visible(what));
  fmt::print("{}: {} present, {} missing, {} stale, {} edited, {} of no case\n", store->folder().string(), counts[0], counts[1], counts[2],
             counts[3], surplus);
  return counts[1] + counts[2] + counts[3] + surplus == 0 ? Outcome::kOk : Outcome::kGoldenTrouble;
}

Expected<Outcome> runGoldenVerify(const GoldenOptions& o) {
  if (std::optional<Expected<Outcome>> described = goldenOfDescribed(o, GoldenCommand::kVerify)) return *described;
  const Expected<Looked> looked = look(o);
  if (!looked) return looked.error();
  print(*looked, kMostNames);
  fmt::print("{}\n", looked->empty() ? "the store is what the oracles compute" : "the store is NOT what the oracles compute");
  return looked->empty() ? Outcome::kOk : Outcome::kGoldenTrouble;
}

}  // namespace lanewise
