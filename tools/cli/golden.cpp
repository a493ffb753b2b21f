// `lanewise golden`: the store against the oracles.
#include <fmt/format.h>
#include <tbb/parallel_for.h>
#include <unistd.h>

#include <filesystem>

#include "golden/family_images.h"
#include "golden/inputs.h"
#include "golden/picture_io.h"
#include "golden/store.h"
#include "tools/catalogue/catalogue.h"
#include "tools/cli/commands.h"

namespace lanewise {
namespace {

namespace fs = std::filesystem;

// Every golden of the quick sets, from the oracles, on all cores.
Expected<golden::Entries> computeAll() {
  const auto keys = quickGoldenKeys();
  std::vector<Expected<golden::Hash128>> hashes(keys.size(), golden::Hash128{});
  tbb::parallel_for(std::size_t{0}, keys.size(), [&](std::size_t i) {
    const Case& c = keys[i].second;
    const Expected<golden::Image> input = inputOf(c);
    if (!input) {
      hashes[i] = input.error();
      return;
    }
    const Expected<std::vector<golden::Image>> expected = c.kernel->expect(c, *input);
    if (expected)
      hashes[i] = golden::hashOutputs(*expected);
    else
      hashes[i] = expected.error();
  });
  golden::Entries entries;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    if (!hashes[i]) return hashes[i].error();
    entries[keys[i].first] = {*hashes[i], keys[i].second.kernel->provenance()};
  }
  return entries;
}

void printNames(const char* what, const std::vector<std::string>& names) {
  constexpr std::size_t kMost = 20;
  for (std::size_t i = 0; i < std::min(names.size(), kMost); ++i) fmt::print("  {} {}\n", what, names[i]);
  if (names.size() > kMost) fmt::print("  ... and {} more {}\n", names.size() - kMost, what);
}

void printPlan(const golden::Plan& plan) {
  printNames("added", plan.added);
  printNames("removed", plan.removed);
  std::vector<std::string> changed, refreshed;
  for (const auto& c : plan.changed)
    changed.push_back(fmt::format("{}: {} was {}", c.name, golden::hashText(c.after.hash), golden::hashText(c.before.hash)));
  for (const auto& c : plan.refreshed) refreshed.push_back(c.name);
  printNames("changed", changed);
  printNames("refreshed", refreshed);
  fmt::print("{} added, {} removed, {} changed, {} refreshed (same hash, newer oracle), {} unchanged\n", plan.added.size(),
             plan.removed.size(), plan.changed.size(), plan.refreshed.size(), plan.unchanged);
}

struct Looked {
  golden::Store store;
  golden::Plan plan;
  golden::ImagePlan images;
};

Expected<Looked> look(const std::string& named) {
  const std::string folder = goldenFolder(named);
  Expected<golden::Store> store = golden::Store::load(folder);
  if (!store) return store.error();
  const Expected<golden::Entries> fresh = computeAll();
  if (!fresh) return fresh.error();
  Expected<golden::Plan> plan = store->plan(*fresh, golden::Scope::kAll);
  if (!plan) return plan.error();
  Expected<golden::ImagePlan> images = golden::planImages(fs::path(folder) / "images");
  if (!images) return images.error();
  return Looked{std::move(*store), std::move(*plan), std::move(*images)};
}

}  // namespace

std::string goldenFolder(const std::string& named) {
  if (!named.empty()) return named;
  std::error_code failed;
  const fs::path program = fs::read_symlink("/proc/self/exe", failed);
  const fs::path installed = program.parent_path().parent_path() / "share" / "lanewise" / "golden";
  return fs::is_directory(installed, failed) ? installed.string() : LANEWISE_GOLDEN_STORE;
}

Expected<Outcome> runGoldenRegen(const GoldenOptions& o) {
  const Expected<Looked> looked = look(o.folder);
  if (!looked) return looked.error();
  printPlan(looked->plan);
  for (const auto& [family, what] : looked->store.edited()) fmt::print("edited by hand and replaced: {} ({})\n", family, what);
  for (const golden::NamedImage& named : looked->images.write) fmt::print("image {}: {}\n", named.file, named.says);
  for (const std::string& name : looked->images.remove) fmt::print("image {}: removed\n", name);
  if (o.dryRun) {
    fmt::print("nothing was written (--dry-run)\n");
    return Outcome::kOk;
  }
  if (Status bad = looked->store.apply(looked->plan)) return *bad;
  if (Status bad = golden::applyImages(looked->store.folder() / "images", looked->images)) return *bad;
  fmt::print("store: {}\n", looked->store.folder().string());
  return Outcome::kOk;
}

Expected<Outcome> runGoldenStatus(const GoldenOptions& o) {
  const Expected<golden::Store> store = golden::Store::load(goldenFolder(o.folder));
  if (!store) return store.error();
  constexpr const char* kNames[] = {"present", "missing", "stale", "edited"};
  std::size_t counts[4] = {};
  for (const auto& [key, c] : quickGoldenKeys()) {
    const golden::CaseState state = store->state(key, c.kernel->provenance());
    if (state != golden::CaseState::kPresent && counts[static_cast<std::size_t>(state)] < 10)
      fmt::print("{} {}\n", kNames[static_cast<std::size_t>(state)], key);
    ++counts[static_cast<std::size_t>(state)];
  }
  for (const auto& [family, what] : store->edited()) fmt::print("edited: {} ({})\n", family, what);
  fmt::print("{}: {} present, {} missing, {} stale, {} edited\n", store->folder().string(), counts[0], counts[1], counts[2], counts[3]);
  return counts[1] + counts[2] + counts[3] == 0 ? Outcome::kOk : Outcome::kGoldenTrouble;
}

Expected<Outcome> runGoldenVerify(const GoldenOptions& o) {
  const Expected<Looked> looked = look(o.folder);
  if (!looked) return looked.error();
  printPlan(looked->plan);
  for (const golden::NamedImage& named : looked->images.write) fmt::print("image {} is missing or differs from the oracle's\n", named.file);
  for (const std::string& name : looked->images.remove) fmt::print("image {} is of no family\n", name);
  const bool good = looked->plan.empty() && looked->images.empty() && looked->store.edited().empty();
  fmt::print("{}\n", good ? "the store is what the oracles compute" : "the store is NOT what the oracles compute");
  return good ? Outcome::kOk : Outcome::kGoldenTrouble;
}

}  // namespace lanewise
