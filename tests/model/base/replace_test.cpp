// Several files replaced as one: whoever is killed in between leaves all of the old ones or all of the new ones.
#include "model/base/replace.h"

#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <fstream>
#include <thread>

#include "golden/store/store.h"
#include "model/base/file.h"
#include "tests/scratch_folder.h"

namespace lanewise::golden {
namespace {

constexpr int kFiles = 6;

Entries generation(std::uint64_t number) {
  Entries all;
  for (int i = 0; i < kFiles; ++i)
    all["family" + std::to_string(i) + "/case"] = {{number, ~number}, Provenance{"oracle-1", "1", "contract", "0.1.0", "2025-01-31"}};
  return all;
}

std::vector<Replacement> picture(std::uint64_t number) {
  return {{"images/seen.png", std::to_string(number)},
          {number % 2 ? "images/odd.png" : "images/even.png", "x"},
          {number % 2 ? "images/even.png" : "images/odd.png", std::nullopt}};
}

Status put(const std::filesystem::path& folder, std::uint64_t number) {
  const auto store = Store::load(folder);
  if (!store) return store.error();
  const auto changes = store->changesTo(generation(number), Scope::kAll);
  return changes ? store->apply(*changes, picture(number)) : changes.error();
}

// The generation that the whole store is of.
std::uint64_t generationIn(const std::filesystem::path& folder) {
  const auto store = Store::load(folder);
  EXPECT_TRUE(store.ok()) << store.error().text();
  if (!store.ok()) return 0;
  EXPECT_TRUE(store->edited().empty());
  EXPECT_EQ(store->entries().size(), std::size_t{kFiles});
  const std::uint64_t number = store->entries().begin()->second.hash.high;
  EXPECT_TRUE(store->entries() == generation(number)) << "files of two generations";
  return number;
}

void expectPicturesOf(const std::filesystem::path& folder, std::uint64_t number) {
  EXPECT_EQ(*readWholeFile(folder / "images/seen.png"), std::to_string(number));
  EXPECT_EQ(std::filesystem::exists(folder / "images/odd.png"), number % 2 == 1);
  EXPECT_EQ(std::filesystem::exists(folder / "images/even.png"), number % 2 == 0);
}

TEST(GoldenReplace, KilledAtAnyMomentItIsTheOldStoreOrTheNew) {
  const ScratchFolder scratch;
  const auto begin = std::chrono::steady_clock::now();
  ASSERT_FALSE(put(scratch.path(), 1));
  const auto whole = std::chrono::steady_clock::now() - begin;  // how long one takes
  std::uint64_t now = 1;
  for (int round = 0; round < 60; ++round) {
    const pid_t child = ::fork();
    if (child == 0) _exit(put(scratch.path(), now + 1) ? 1 : 0);
    std::this_thread::sleep_for(whole * (round % 30) / 15);
    ::kill(child, SIGKILL);
    ::waitpid(child, nullptr, 0);
    const std::uint64_t after = generationIn(scratch.path());
    EXPECT_TRUE(after == now || after == now + 1) << after;
    expectPicturesOf(scratch.path(), after);
    now = after;
  }
  ASSERT_FALSE(put(scratch.path(), now + 1));
  EXPECT_EQ(scratch.files(), std::size_t{kFiles} + 1);  // what the killed ones left is gone
}

// Every state in which a process can end, one after another: the first `done` steps of those that follow the decision.
TEST(GoldenReplace, WhatWasDecidedIsFinished) {
  for (int done = 0; done <= 3; ++done) {
    const ScratchFolder scratch;
    const auto write = [&](const char* file, const char* text) { std::ofstream(scratch / file) << text; };
    write("a", done > 0 ? "new" : "old");
    write("gone", "old");
    write(".b.new-1-0", "new");
    if (done == 0) write(".a.new-1-0", "new");
    if (done > 1) std::filesystem::rename(scratch / ".b.new-1-0", scratch / "b");
    if (done > 2) std::filesystem::remove(scratch / "gone");
    write(".replacing", "rename .a.new-1-0\ta\nrename .b.new-1-0\tb\nremove gone\n");
    EXPECT_TRUE(replacementIsPending(scratch.path()));
    EXPECT_FALSE(finishReplacing(scratch.path()));
    EXPECT_EQ(*readWholeFile(scratch / "a"), "new") << done;
    EXPECT_EQ(*readWholeFile(scratch / "b"), "new") << done;
    EXPECT_EQ(scratch.files(), 2u) << done;
  }
}

TEST(GoldenReplace, WhatWasNotDecidedIsForgotten) {
  const ScratchFolder scratch;
  ASSERT_FALSE(replaceTogether(scratch.path(), {{"a", "old"}}));
  std::ofstream(scratch / ".a.new-1-0") << "new";
  EXPECT_FALSE(finishReplacing(scratch.path()));
  EXPECT_EQ(*readWholeFile(scratch / "a"), "old");
  ASSERT_FALSE(replaceTogether(scratch.path(), {{"a", "newer"}}));
  EXPECT_EQ(*readWholeFile(scratch / "a"), "newer");
  EXPECT_EQ(scratch.files(), 1u);
}

// A pipe cannot be as it was before: nothing is begun. A link to a file is replaced where it leads, in folders that were not there.
TEST(GoldenReplace, OnlyFilesAreReplaced) {
  const ScratchFolder scratch;
  ASSERT_FALSE(replaceTogether(scratch.path(), {{"a", "old"}}));
  ASSERT_EQ(::mkfifo((scratch / "pipe").c_str(), 0600), 0);
  const Status refused = replaceTogether(scratch.path(), {{"a", "new"}, {"pipe", "new"}});
  ASSERT_TRUE(refused);
  EXPECT_EQ(refused->outcome, Outcome::kIoError);
  EXPECT_THAT(refused->text(), testing::HasSubstr("pipe"));
  EXPECT_EQ(*readWholeFile(scratch / "a"), "old");
  EXPECT_FALSE(replacementIsPending(scratch.path()));
  std::filesystem::remove(scratch / "pipe");
  std::filesystem::create_symlink("a", scratch / "link");
  ASSERT_FALSE(replaceTogether(scratch.path(), {{"link", "new"}, {"deep/er/b", "new"}}));
  EXPECT_EQ(*readWholeFile(scratch / "a"), "new");
  EXPECT_EQ(*readWholeFile(scratch / "deep/er/b"), "new");
}

TEST(GoldenReplace, ADamagedJournalIsSaid) {
  const ScratchFolder scratch;
  std::ofstream(scratch / ".replacing") << "nonsense\n";
  const Status bad = finishReplacing(scratch.path());
  ASSERT_TRUE(bad);
  EXPECT_THAT(bad->text(), testing::HasSubstr("journal"));
}

// The last file is too large: none is replaced, and nothing lies about.
TEST(GoldenReplace, AFullDiskChangesNothing) {
  const ScratchFolder scratch;
  ASSERT_FALSE(put(scratch.path(), 1));
  rlimit before{};
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &before), 0);
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  const rlimit tight{8192, before.rlim_max};
  setrlimit(RLIMIT_FSIZE, &tight);
  const Status failed = replaceTogether(scratch.path(), {{"family0.golden", "short"}, {"images/seen.png", std::string(9000, 'x')}});
  setrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, handler);
  ASSERT_TRUE(failed);
  EXPECT_THAT(failed->text(), testing::HasSubstr("seen.png"));
  EXPECT_EQ(generationIn(scratch.path()), 1u);
  expectPicturesOf(scratch.path(), 1);
  EXPECT_EQ(scratch.files(), std::size_t{kFiles} + 1);
}

// As somebody who may not write there (root may, so that it steps down).
TEST(GoldenReplace, AReadOnlyFolderIsReadAndNotChanged) {
  const ScratchFolder scratch;
  ASSERT_FALSE(put(scratch.path(), 1));
  std::filesystem::permissions(scratch.path(), std::filesystem::perms(0555));
  const pid_t child = ::fork();
  if (child == 0) {
    if (::geteuid() == 0 && ::setuid(65534) != 0) _exit(2);
    const auto store = Store::load(scratch.path());
    if (!store || store->entries() != generation(1)) _exit(3);
    const Status refused = put(scratch.path(), 2);
    _exit(refused && refused->outcome == Outcome::kIoError && refused->text().find("Permission denied") != std::string::npos ? 0 : 4);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
  std::filesystem::permissions(scratch.path(), std::filesystem::perms(0755));
  EXPECT_EQ(generationIn(scratch.path()), 1u);
}

TEST(GoldenReplace, AReaderSeesOneStoreOrTheOther) {
  const ScratchFolder scratch;
  ASSERT_FALSE(put(scratch.path(), 1));
  std::atomic<bool> stop = false;
  std::thread writer([&] {
    for (std::uint64_t n = 2; n < 60; ++n) EXPECT_FALSE(put(scratch.path(), n));
    stop = true;
  });
  std::uint64_t last = 1;
  while (!stop) {
    const std::uint64_t seen = generationIn(scratch.path());
    EXPECT_GE(seen, last);
    last = seen;
  }
  writer.join();
}

}  // namespace
}  // namespace lanewise::golden
