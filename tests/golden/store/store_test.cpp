// The golden store: what is written is read, what was edited is noticed, and nothing is ever half written.
#include "golden/store/store.h"

#include <sys/resource.h>

#include <csignal>
#include <fstream>
#include <thread>

#include "model/base/file.h"
#include "tests/scratch_folder.h"

namespace lanewise::golden {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

Provenance origin(const char* oracle = "box-blur-1", const char* date = "2025-01-31") {
  return Provenance{.oracle = oracle, .inputs = "1", .contract = "box-blur/double", .tool = "0.1.0", .date = date};
}
Entry entry(std::uint64_t hash, const Provenance& from = origin()) {
  return Entry{{hash, ~hash}, from};
}

constexpr const char* kA = "box-blur/double @ 2x1 radius=1 edge=clamp format=rgba8ui input=list:255,0";
constexpr const char* kB = "box-blur/double @ 3x1 radius=1 edge=clamp format=rgba8ui input=ramp";
constexpr const char* kC = "checksum/sum @ 3x1 input=ramp";

Status put(const std::filesystem::path& folder, const Entries& fresh, Scope scope = Scope::kAll) {
  const auto store = Store::load(folder);
  if (!store) return store.error();
  const auto changes = store->changesTo(fresh, scope);
  return changes ? store->apply(*changes) : changes.error();
}

std::string read(const std::filesystem::path& path) {
  return *readWholeFile(path);
}
void write(const std::filesystem::path& path, const std::string& text) {
  std::ofstream(path, std::ios::binary) << text;
}

TEST(GoldenStore, KeepsWhatItWasGiven) {
  const ScratchFolder scratch;
  const auto folder = scratch / "store";
  const Entries fresh = {{kA, entry(1)}, {kB, entry(2, origin("box-blur-2"))}, {kC, entry(3)}};
  ASSERT_FALSE(put(folder, fresh));
  const auto store = Store::load(folder);
  ASSERT_TRUE(store.ok());
  EXPECT_EQ(store->entries(), fresh);
  EXPECT_TRUE(store->edited().empty());
  EXPECT_EQ(*store->lookup(kA, origin()), entry(1).hash);
  EXPECT_TRUE(std::filesystem::exists(folder / "box-blur.golden"));
  EXPECT_TRUE(std::filesystem::exists(folder / "checksum.golden"));
}

TEST(GoldenStore, TheFileIsReadableText) {
  const ScratchFolder scratch;
  ASSERT_FALSE(put(scratch.path(), {{kB, entry(2)}, {kA, entry(1)}}));
  const std::string text = read(scratch / "box-blur.golden");
  EXPECT_TRUE(
      text.starts_with("lanewise golden 1 box-blur\n"
                       "provenance 1 oracle=box-blur-1 inputs=1 contract=box-blur/double tool=0.1.0 date=2025-01-31\n"
                       "0000000000000001fffffffffffffffe 1 box-blur/double @ 2x1 radius=1 edge=clamp format=rgba8ui input=list:255,0\n"
                       "0000000000000002fffffffffffffffd 1 box-blur/double @ 3x1"))
      << text;
  EXPECT_THAT(text, HasSubstr("\nchecksum "));
}

TEST(GoldenStore, AnEmptyFolderAndNoFolderAreEmptyStores) {
  const ScratchFolder scratch;
  EXPECT_TRUE(Store::load(scratch.path())->entries().empty());
  const auto store = Store::load(scratch / "none");
  ASSERT_TRUE(store.ok());
  EXPECT_EQ(store->state(kA, origin()), CaseState::kMissing);
  EXPECT_EQ(store->lookup(kA, origin()).error().outcome, Outcome::kGoldenTrouble);
}

TEST(GoldenStore, StaleIsAnotherOriginNotAnotherDate) {
  const ScratchFolder scratch;
  ASSERT_FALSE(put(scratch.path(), {{kA, entry(1)}}));
  const auto store = Store::load(scratch.path());
  EXPECT_EQ(store->state(kA, origin("box-blur-1", "2030-12-31")), CaseState::kPresent);
  EXPECT_EQ(store->state(kA, origin("box-blur-2")), CaseState::kStale);
  Provenance inputs = origin();
  inputs.inputs = "2";
  EXPECT_EQ(store->state(kA, inputs), CaseState::kStale);
  const auto hash = store->lookup(kA, origin("box-blur-2"));
  ASSERT_FALSE(hash.ok());
  EXPECT_EQ(hash.error().outcome, Outcome::kGoldenTrouble);
  EXPECT_THAT(hash.error().text(), HasSubstr("stale"));
}

// One byte anywhere changed, removed or added.
TEST(GoldenStore, EveryEditIsNoticed) {
  const ScratchFolder scratch;
  ASSERT_FALSE(put(scratch.path(), {{kA, entry(1)}, {kB, entry(2)}}));
  const std::string text = read(scratch / "box-blur.golden");
  const auto noticed = [&](const std::string& edited) {
    write(scratch / "box-blur.golden", edited);
    const auto store = Store::load(scratch.path());
    return store.ok() && store->state(kA, origin()) == CaseState::kEdited &&
           store->lookup(kA, origin()).error().outcome == Outcome::kGoldenTrouble;
  };
  EXPECT_FALSE(noticed(text));
  EXPECT_TRUE(noticed(""));
  EXPECT_TRUE(noticed(text + text));
  EXPECT_TRUE(noticed(text + "\n"));
  for (std::size_t i = 0; i < text.size(); ++i) {
    std::string changed = text;
    changed[i] = changed[i] == '0' ? '1' : '0';
    ASSERT_TRUE(noticed(changed)) << i;
    ASSERT_TRUE(noticed(text.substr(0, i) + text.substr(i + 1))) << i;
    ASSERT_TRUE(noticed(text.substr(0, i))) << i;
  }
}

// One digit is one changed line, and it is named; the rest of the file stays what it is.
TEST(GoldenStore, AnEditIsReportedByItsLine) {
  const ScratchFolder scratch;
  ASSERT_FALSE(put(scratch.path(), {{kA, entry(1)}, {kB, entry(2)}}));
  std::string text = read(scratch / "box-blur.golden");
  const std::string good = text;
  text[text.find("0000000000000002") + 15] = '7';
  write(scratch / "box-blur.golden", text);
  const auto store = Store::load(scratch.path());
  EXPECT_THAT(store->lookup(kA, origin()).error().text(), AllOf(HasSubstr("checksum does not match"), HasSubstr("golden diff")));
  const auto changes = store->changesTo({{kA, entry(1)}, {kB, entry(2)}}, Scope::kAll);
  ASSERT_TRUE(changes.ok());
  EXPECT_THAT(changes->added, ElementsAre());
  ASSERT_EQ(changes->changed.size(), 1u);
  EXPECT_EQ(changes->changed[0].name, kB);
  EXPECT_EQ(changes->changed[0].line, 4u);
  EXPECT_EQ(changes->unchanged, 1u);
  ASSERT_FALSE(store->apply(*changes));
  EXPECT_EQ(read(scratch / "box-blur.golden"), good);

  text = good;
  text.replace(text.find(" 1 box-blur/double @ 2x1"), 2, " x");
  write(scratch / "box-blur.golden", text);
  const auto other = Store::load(scratch.path());
  EXPECT_THAT(other->edited().at("box-blur"), HasSubstr("line 3 is not understood"));
  EXPECT_THAT(other->changesTo({{kA, entry(1)}, {kB, entry(2)}}, Scope::kAll)->added, ElementsAre(kA));
}

TEST(GoldenStore, AFileUnderAnotherFamilysNameIsEdited) {
  const ScratchFolder scratch;
  ASSERT_FALSE(put(scratch.path(), {{kA, entry(1)}}));
  std::filesystem::rename(scratch / "box-blur.golden", scratch / "checksum.golden");
  EXPECT_EQ(Store::load(scratch.path())->state(kC, origin()), CaseState::kEdited);
}

TEST(GoldenStore, APlanSaysWhatWouldChange) {
  const ScratchFolder scratch;
  ASSERT_FALSE(put(scratch.path(), {{kA, entry(1)}, {kB, entry(2)}, {kC, entry(3)}}));
  const auto store = Store::load(scratch.path());
  const auto changes = store->changesTo({{kA, entry(9)}, {"box-blur/new", entry(4)}, {kC, entry(3)}}, Scope::kAll);
  ASSERT_TRUE(changes.ok());
  EXPECT_THAT(changes->added, ElementsAre("box-blur/new"));
  EXPECT_THAT(changes->removed, ElementsAre(kB));
  ASSERT_EQ(changes->changed.size(), 1u);
  EXPECT_EQ(changes->changed[0].before, entry(1));
  EXPECT_EQ(changes->changed[0].after, entry(9));
  EXPECT_THAT(changes->files, ElementsAre(testing::Key("box-blur.golden")));
  // Nothing is written by planning.
  EXPECT_EQ(Store::load(scratch.path())->entries(), store->entries());

  EXPECT_TRUE(store->changesTo({{kA, entry(9)}}, Scope::kCases)->removed.empty());
  EXPECT_THAT(store->changesTo({{kA, entry(1)}}, Scope::kAll)->removed, ElementsAre(kB, kC));
}

TEST(GoldenStore, ScopeAllRemovesFamilies) {
  const ScratchFolder scratch;
  ASSERT_FALSE(put(scratch.path(), {{kA, entry(1)}, {kC, entry(3)}}));
  ASSERT_FALSE(put(scratch.path(), {{kA, entry(1)}}, Scope::kAll));
  EXPECT_FALSE(std::filesystem::exists(scratch / "checksum.golden"));
  EXPECT_EQ(Store::load(scratch.path())->entries().size(), 1u);
}

TEST(GoldenStore, UnchangedHashesKeepTheirProvenance) {
  const ScratchFolder scratch;
  ASSERT_FALSE(put(scratch.path(), {{kA, entry(1)}, {kB, entry(2)}}));
  const std::string before = read(scratch / "box-blur.golden");
  const auto changes =
      Store::load(scratch.path())->changesTo({{kA, entry(1, origin("box-blur-1", "2031-01-01"))}, {kB, entry(2)}}, Scope::kAll);
  EXPECT_TRUE(changes->empty());
  EXPECT_TRUE(changes->files.empty());
  EXPECT_EQ(changes->unchanged, 2u);
  const auto newer = Store::load(scratch.path())->changesTo({{kA, entry(1, origin("box-blur-2"))}, {kB, entry(2)}}, Scope::kAll);
  EXPECT_EQ(newer->refreshed.size(), 1u);
  EXPECT_EQ(newer->changed.size(), 0u);
  EXPECT_EQ(newer->files.size(), 1u);
  EXPECT_EQ(read(scratch / "box-blur.golden"), before);
}

TEST(GoldenStore, AnEditedFamilyIsReplacedOnlyWhole) {
  const ScratchFolder scratch;
  ASSERT_FALSE(put(scratch.path(), {{kA, entry(1)}, {kB, entry(2)}}));
  write(scratch / "box-blur.golden", "nonsense");
  const Status refused = put(scratch.path(), {{kA, entry(1)}}, Scope::kCases);
  ASSERT_TRUE(refused);
  EXPECT_EQ(refused->outcome, Outcome::kGoldenTrouble);
  EXPECT_EQ(read(scratch / "box-blur.golden"), "nonsense");
  ASSERT_FALSE(put(scratch.path(), {{kA, entry(1)}}));
  EXPECT_EQ(*Store::load(scratch.path())->lookup(kA, origin()), entry(1).hash);
}

TEST(GoldenStore, NamesAndProvenanceThatTextCannotHoldAreBadInput) {
  const ScratchFolder scratch;
  const auto store = Store::load(scratch.path());
  for (const char* name : {"", "/x", "../x", ".x/y", "a\nb"})
    EXPECT_EQ(store->changesTo({{name, entry(1)}}, Scope::kCases).error().outcome, Outcome::kBadInput) << name;
  for (const char* oracle : {"", "a b", "a\nb"}) EXPECT_FALSE(store->changesTo({{kA, entry(1, origin(oracle))}}, Scope::kCases).ok());
}

TEST(GoldenStore, APlanForAnotherStoreIsRefused) {
  const ScratchFolder scratch;
  ASSERT_FALSE(put(scratch.path(), {{kA, entry(1)}}));
  const auto store = Store::load(scratch.path());
  const auto changes = store->changesTo({{kA, entry(2)}}, Scope::kAll), same = store->changesTo({{kA, entry(3)}}, Scope::kAll);
  ASSERT_FALSE(put(scratch.path(), {{kA, entry(3)}}));
  const Status refused = store->apply(*changes);
  ASSERT_TRUE(refused);
  EXPECT_EQ(refused->outcome, Outcome::kGoldenTrouble);
  EXPECT_EQ(*Store::load(scratch.path())->lookup(kA, origin()), entry(3).hash);
  EXPECT_FALSE(store->apply(*same));  // what it wants is there already
}

TEST(GoldenStore, WritersAtOnceLeaveTheWorkOfOne) {
  const ScratchFolder scratch;
  constexpr std::uint64_t kWriters = 8;
  std::vector<Status> results(kWriters);
  std::vector<std::thread> threads;
  for (std::uint64_t w = 0; w < kWriters; ++w)
    threads.emplace_back([&, w] {
      Entries mine;
      for (std::uint64_t i = 0; i < 50; ++i) mine["box-blur/" + std::to_string(i)] = mine["checksum/" + std::to_string(i)] = entry(w);
      results[w] = put(scratch.path(), mine);
    });
  for (std::thread& t : threads) t.join();
  std::size_t succeeded = 0;
  for (const Status& s : results) {
    succeeded += s ? 0 : 1;
    if (s) {
      EXPECT_THAT(s->text(), HasSubstr("changed meanwhile"));
    }
  }
  EXPECT_GE(succeeded, 1u);
  const auto store = Store::load(scratch.path());
  EXPECT_TRUE(store->edited().empty());
  ASSERT_EQ(store->entries().size(), 100u);
  for (const auto& [name, one] : store->entries()) EXPECT_EQ(one, store->entries().begin()->second);
  EXPECT_EQ(scratch.files(), 2u);  // no temporary file is left
}

TEST(GoldenStore, AFullDiskLeavesTheOldStore) {
  const ScratchFolder scratch;
  ASSERT_FALSE(put(scratch.path(), {{kA, entry(1)}, {kC, entry(1)}}));
  Entries big = {{kC, entry(2)}};
  for (int i = 0; i < 1000; ++i) big["box-blur/" + std::to_string(i)] = entry(2);
  // A file may not pass 8 KiB: writing fails as it does when the disk is full.
  rlimit before{};
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &before), 0);
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  const rlimit tight{8192, before.rlim_max};
  setrlimit(RLIMIT_FSIZE, &tight);
  const Status failed = put(scratch.path(), big);
  setrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, handler);
  ASSERT_TRUE(failed);
  EXPECT_EQ(failed->outcome, Outcome::kIoError);
  const auto store = Store::load(scratch.path());
  EXPECT_EQ(*store->lookup(kA, origin()), entry(1).hash);
  EXPECT_EQ(*store->lookup(kC, origin()), entry(1).hash);  // its new file would have fitted: not renamed, for the other did not
  EXPECT_EQ(scratch.files(), 2u);
}

TEST(GoldenStore, AFolderThatCannotBeMadeIsAnIoError) {
  const ScratchFolder scratch;
  write(scratch / "file", "x");
  EXPECT_EQ(Store::load(scratch / "file").error().outcome, Outcome::kIoError);
  const auto none = Store::load(scratch / "none");
  const auto changes = none->changesTo({{kA, entry(1)}}, Scope::kCases);
  write(scratch / "none", "a file where the folder should be");
  EXPECT_EQ(none->apply(*changes)->outcome, Outcome::kIoError);
}

TEST(GoldenFile, DevicesAreWrittenNotReplaced) {
  const std::string text = "x";
  const auto bytes = std::as_bytes(std::span(text));
  EXPECT_FALSE(writeWholeFile("/dev/null", bytes));
  EXPECT_TRUE(std::filesystem::is_character_file("/dev/null"));
  const Status full = writeWholeFile("/dev/full", bytes);
  ASSERT_TRUE(full);
  EXPECT_THAT(full->text(), HasSubstr("the disk is full"));
  EXPECT_TRUE(std::filesystem::is_character_file("/dev/full"));
}

TEST(GoldenFile, LinksStayAndFoldersAreRefused) {
  const ScratchFolder scratch;
  write(scratch / "real", "old");
  std::filesystem::create_symlink("real", scratch / "link");
  const std::string text = "new";
  EXPECT_FALSE(writeWholeFile(scratch / "link", std::as_bytes(std::span(text))));
  EXPECT_TRUE(std::filesystem::is_symlink(scratch / "link"));
  EXPECT_EQ(read(scratch / "real"), "new");
  EXPECT_EQ(writeWholeFile(scratch.path(), {})->outcome, Outcome::kIoError);
  EXPECT_THAT(writeWholeFile(scratch / "none" / "file", {})->text(), HasSubstr("its folder does not exist"));
}

TEST(GoldenFile, ALockKeepsTheSecondOut) {
  const ScratchFolder scratch;
  {
    const auto first = FolderLock::take(scratch.path(), 0);
    ASSERT_TRUE(first.ok());
    EXPECT_EQ(FolderLock::take(scratch.path(), 0.02).error().outcome, Outcome::kIoError);
  }
  EXPECT_TRUE(FolderLock::take(scratch.path(), 0).ok());
}

}  // namespace
}  // namespace lanewise::golden
