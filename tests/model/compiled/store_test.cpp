// Compiled programs on disk: what is read back, what is not trusted, and which programs share an entry.
#include "model/compiled/store.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>

#include "model/compiled/identity.h"
#include "model/compiled/llvm.h"
#include "model/compiled_programs.h"
#include "model/contract/choices.h"
#include "model/contract/profiles.h"
#include "tests/model/compiled/kernel_jobs.h"
#include "tests/scratch_folder.h"

namespace lanewise::compiled {
namespace {

namespace fs = std::filesystem;
using testing::Optional;
using testing::StrEq;

constexpr StoreKey kKey = {0x1234, 0x5678}, kOther = {0x1234, 0x5679};
constexpr const char* kName = "00000000000056780000000000001234";

struct CodeFolder : testing::Test {
  fs::path folder() const { return base / "caches" / "code"; }
  const ScratchFolder base;
  Store open(std::uint64_t limit = Store::kUsualLimit) const {
    Expected<Store> store = Store::open(folder(), limit);
    EXPECT_TRUE(store.ok()) << store.error().text();
    return std::move(*store);
  }
  std::string refusal() const {
    const Expected<Store> store = Store::open(folder());
    return store ? "" : store.error().text();
  }
  static std::string bytesOf(const fs::path& file) {
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  static void write(const fs::path& file, const std::string& bytes) { std::ofstream(file, std::ios::binary) << bytes; }
};

TEST_F(CodeFolder, GivesBackWhatWasWritten) {
  const Store store = open();
  EXPECT_FALSE(store.has(kKey));
  EXPECT_EQ(store.read(kKey), std::nullopt);
  const std::string bytes("a\0b", 3);
  EXPECT_FALSE(store.write(kKey, bytes));
  EXPECT_TRUE(store.has(kKey));
  EXPECT_THAT(store.read(kKey), Optional(StrEq(bytes)));
  EXPECT_THAT(open().read(kKey), Optional(StrEq(bytes))) << "by another process";
  EXPECT_EQ(store.read(kOther), std::nullopt);
  EXPECT_FALSE(store.write(kKey, ""));
  EXPECT_THAT(store.read(kKey), Optional(StrEq("")));
  EXPECT_EQ(std::distance(fs::directory_iterator(folder()), {}), 1) << "nothing is left beside it";
}

TEST_F(CodeFolder, IsMadeForItsOwnerAlone) {
  open();
  struct stat made {};
  ASSERT_EQ(::stat(folder().c_str(), &made), 0);
  EXPECT_EQ(made.st_mode & 07777u, 0700u);
}

TEST_F(CodeFolder, OfOthersIsRefused) {
  open();
  for (const unsigned mode : {0755u, 0770u, 0701u, 0720u, 01700u}) {
    ASSERT_EQ(::chmod(folder().c_str(), mode), 0);
    EXPECT_THAT(refusal(), testing::HasSubstr("not 0700")) << mode;
  }
  ASSERT_EQ(::chmod(folder().c_str(), 0700), 0);
  EXPECT_EQ(refusal(), "");
  if (::geteuid() == 0) {
    ASSERT_EQ(::chown(folder().c_str(), 1, 0), 0);
    EXPECT_THAT(refusal(), testing::HasSubstr("another user's"));
  }
}

TEST_F(CodeFolder, ThatIsALinkIsRefused) {
  fs::create_directories(folder().parent_path());
  fs::create_directory(base / "elsewhere");
  ASSERT_EQ(::chmod((base / "elsewhere").c_str(), 0700), 0);
  fs::create_directory_symlink(base / "elsewhere", folder());
  EXPECT_NE(refusal(), "");
}

TEST_F(CodeFolder, ThatIsOpenedToOthersIsReadNoMore) {
  const Store store = open();
  EXPECT_FALSE(store.write(kKey, "code"));
  ASSERT_EQ(::chmod(folder().c_str(), 0770), 0);
  EXPECT_EQ(store.read(kKey), std::nullopt);
}

TEST_F(CodeFolder, EveryDamagedByteIsSeen) {
  const Store store = open();
  const std::string code(1000, 'c');
  EXPECT_FALSE(store.write(kKey, code));
  const std::string whole = bytesOf(folder() / kName);
  for (std::size_t at = 0; at < whole.size(); ++at) {
    std::string damaged = whole;
    damaged[at] = static_cast<char>(damaged[at] ^ 4);
    write(folder() / kName, damaged);
    EXPECT_EQ(store.read(kKey), std::nullopt) << at;
  }
  for (const std::size_t size : {std::size_t{0}, std::size_t{1}, std::size_t{47}, std::size_t{48}, whole.size() - 1}) {
    write(folder() / kName, whole.substr(0, size));
    EXPECT_EQ(store.read(kKey), std::nullopt) << size;
  }
  write(folder() / kName, whole + "x");
  EXPECT_EQ(store.read(kKey), std::nullopt);
  EXPECT_FALSE(store.write(kKey, code));
  EXPECT_THAT(store.read(kKey), Optional(StrEq(code))) << "replaced";
}

TEST_F(CodeFolder, AnEntryUnderAnotherNameIsForeign) {
  const Store store = open();
  EXPECT_FALSE(store.write(kOther, "code"));
  fs::rename(folder() / "00000000000056790000000000001234", folder() / kName);
  EXPECT_TRUE(store.has(kKey));
  EXPECT_EQ(store.read(kKey), std::nullopt);
}

TEST_F(CodeFolder, AnEntryThatOthersMayWriteIsIgnored) {
  const Store store = open();
  EXPECT_FALSE(store.write(kKey, "code"));
  ASSERT_EQ(::chmod((folder() / kName).c_str(), 0620), 0);
  EXPECT_EQ(store.read(kKey), std::nullopt);
  ASSERT_EQ(::chmod((folder() / kName).c_str(), 0600), 0);
  EXPECT_NE(store.read(kKey), std::nullopt);
  fs::rename(folder() / kName, base / "real");
  fs::create_symlink(base / "real", folder() / kName);
  EXPECT_EQ(store.read(kKey), std::nullopt) << "a link";
}

TEST_F(CodeFolder, WhatWasUsedLongestAgoGoesFirst) {
  const Store store = open(3 * (1000 + 48));
  const std::string code(1000, 'c');
  const auto age = [&](std::uint64_t n, int hours) {
    const fs::path file = folder() / fmt::format("{:016x}{:016x}", n, 0);
    fs::last_write_time(file, fs::file_time_type::clock::now() - std::chrono::hours(hours));
  };
  for (const std::uint64_t n : {1u, 2u, 3u}) EXPECT_FALSE(store.write({0, n}, code));
  age(1, 3);
  age(2, 5);
  age(3, 4);
  EXPECT_NE(store.read({0, 2}), std::nullopt) << "used now";
  EXPECT_FALSE(store.write({0, 4}, code));
  for (const std::uint64_t n : {1u, 2u, 4u}) EXPECT_TRUE(store.has({0, n})) << n;
  EXPECT_FALSE(store.has({0, 3}));
}

TEST_F(CodeFolder, WhatAWriterLeftIsRemoved) {
  const Store store = open();
  const fs::path old = folder() / "0.new-1", fresh = folder() / "0.new-2";
  write(old, "half");
  write(fresh, "half");
  fs::last_write_time(old, fs::file_time_type::clock::now() - std::chrono::hours(2));
  EXPECT_FALSE(store.write(kKey, "code"));
  EXPECT_FALSE(fs::exists(old));
  EXPECT_TRUE(fs::exists(fresh)) << "somebody may be writing it";
}

// Processes that write and read the same entries see whole ones.
TEST_F(CodeFolder, IsSharedByProcesses) {
  open();
  std::vector<pid_t> children;
  for (int child = 0; child < 4; ++child) {
    const pid_t pid = ::fork();
    if (pid != 0) {
      children.push_back(pid);
      continue;
    }
    const Expected<Store> store = Store::open(folder(), 20000);
    int wrong = store ? 0 : 100;
    for (int i = 0; store && i < 200; ++i) {
      const StoreKey key = {static_cast<std::uint64_t>(i % 5), 0};
      static_cast<void>(store->write(key, std::string(5000, static_cast<char>('a' + i % 5))));  // another may remove it meanwhile
      if (const auto read = store->read(key)) wrong += *read != std::string(5000, static_cast<char>('a' + i % 5));
    }
    ::_exit(wrong);
  }
  for (const pid_t pid : children) {
    int status = -1;
    ASSERT_EQ(::waitpid(pid, &status, 0), pid);
    EXPECT_EQ(status, 0);
  }
}

// --- Which programs share an entry ---

TEST(StoreKeys, DifferWhereCodeMay) {
  const ShaderModule module{"a.comp", {1, 2, 3}}, other{"a.comp", {1, 2, 4}};
  ProgramOptions first;
  std::set<StoreKey> keys = {storeKeyOf("build", module, first)};
  const auto differs = [&](const char* what, const StoreKey& key) { EXPECT_TRUE(keys.insert(key).second) << what; };
  const auto with = [&](const char* what, const std::function<void(ProgramOptions&)>& change) {
    ProgramOptions options = first;
    change(options);
    differs(what, storeKeyOf("build", module, options));
  };
  differs("identity", storeKeyOf("built", module, first));
  differs("words", storeKeyOf("build", other, first));
  with("entry point", [](ProgramOptions& o) { o.entryPoint = "other"; });
  with("constant", [](ProgramOptions& o) { o.spec = {{0, 1}}; });
  with("constant's id", [](ProgramOptions& o) { o.spec = {{1, 1}}; });
  with("constant's value", [](ProgramOptions& o) { o.spec = {{0, 2}}; });
  with("subgroup size", [](ProgramOptions& o) { o.subgroupSize = 16; });
  with("indices", [](ProgramOptions& o) { o.checkIndices = true; });
  with("flavour", [](ProgramOptions& o) { o.flavour = ir::Flavour::kUnwatched; });
  with("lanes", [](ProgramOptions& o) { o.separateLanes = true; });
  with("subgroups", [](ProgramOptions& o) { o.separateSubgroups = true; });
  for (const Choice& choice : choices())
    for (std::uint32_t value = 1; value <= choice.values.size(); ++value)
      if (Profile changed; choice.set(changed, value), choice.get(changed) == value)
        with(choice.name, [&](ProgramOptions& o) { choice.set(o.profile, value); });
  with("weights", [](ProgramOptions& o) { o.profile.subTexelBits = 4; });
  with("float controls", [](ProgramOptions& o) { o.profile.float32.roundingModeRTZ = false; });
  with("shared memory", [](ProgramOptions& o) { o.profile.maxSharedMemory = 16384; });
  EXPECT_FALSE(keys.insert(storeKeyOf("build", {"b.comp", {1, 2, 3}}, first)).second) << "a name changes nothing";
}

TEST(StoreKeys, BelongToThisBuildAndHost) {
  if (!llvm::load()) GTEST_SKIP() << llvm::load().error().text();
  EXPECT_NE(identity(), "");
  EXPECT_EQ(identity(), identity());
}

// --- Models ---

constexpr std::uint32_t kMatrixWords[] = {1 << 14, 1 << 14};

struct KeptPrograms : CodeFolder {
  void SetUp() override {
    if (llvm::identity().empty()) GTEST_SKIP() << "there is no LLVM library";
  }
  struct Got {
    std::vector<std::byte> bytes;
    TierReport report;
  };
  Got run(Tier tier = Tier::kCompiled, bool keeps = true) const {
    Model model({.profile = {}, .schedule = {}, .parallel = {.allowed = false}, .tier = tier, .codeFolder = keeps ? folder() : fs::path()});
    const RunResult result = model.run(kernelJob("plain_matrix", 8, kMatrixWords));
    EXPECT_FALSE(result.error) << result.error->text();
    return {result.outputs.empty() ? std::vector<std::byte>() : result.outputs.back().bytes(), model.tierReport()};
  }
  fs::path entry() const { return fs::directory_iterator(folder())->path(); }
};

TEST_F(KeptPrograms, AreReadByTheNextModel) {
  const Got plain = run(Tier::kInterpreter), first = run(), second = run(), without = run(Tier::kCompiled, false);
  for (const Got* got : {&first, &second, &without}) {
    EXPECT_EQ(got->bytes, plain.bytes);
    EXPECT_EQ(got->report.programs, 1u);
    EXPECT_EQ(got->report.dispatches, 1u);
    EXPECT_EQ(got->report.store, "");
    EXPECT_EQ(got->report.kept, got == &second ? 1u : 0u);
  }
}

// In the first half and the last byte of the entry, and with code that is whole but for another program.
TEST_F(KeptPrograms, AreCompiledAgainWhereTheyAreDamaged) {
  const Got first = run();
  const std::string whole = bytesOf(entry());
  for (const std::size_t at : {std::size_t{0}, std::size_t{20}, std::size_t{40}, whole.size() / 2, whole.size() - 1}) {
    std::string damaged = whole;
    damaged[at] = static_cast<char>(damaged[at] + 1);
    write(entry(), damaged);
    const Got again = run();
    EXPECT_EQ(again.report.kept, 0u) << at;
    EXPECT_EQ(again.bytes, first.bytes) << at;
    EXPECT_EQ(bytesOf(entry()), whole) << "replaced";
  }
  EXPECT_EQ(run().report.kept, 1u);
  StoreKey key;
  std::memcpy(&key, whole.data() + 16, sizeof key);
  std::string code = *open().read(key);
  code[0] = static_cast<char>(code[0] + 1);
  EXPECT_FALSE(open().write(key, code));
  EXPECT_EQ(run().report.kept, 0u) << "its fingerprint is of another program";
  EXPECT_FALSE(open().write(key, "short"));
  EXPECT_EQ(run().report.kept, 0u);
}

TEST_F(KeptPrograms, AreNoneInAFolderOfOthers) {
  run();
  ASSERT_EQ(::chmod(folder().c_str(), 0755), 0);
  const Got got = run();
  EXPECT_EQ(got.report.kept, 0u);
  EXPECT_EQ(got.report.programs, 1u);
  EXPECT_THAT(got.report.store, testing::HasSubstr("not 0700"));
}

// The compiler is not even loaded.
TEST_F(KeptPrograms, NeedNoCompiler) {
  const auto isLoaded = [] { return bytesOf("/proc/self/maps").find("libLLVM") != std::string::npos; };
  if (isLoaded()) GTEST_SKIP() << "another test of this process has loaded LLVM";
  const pid_t pid = ::fork();
  if (pid == 0) ::_exit(run().report.programs == 1 ? 0 : 1);
  int status = -1;
  ASSERT_EQ(::waitpid(pid, &status, 0), pid);
  ASSERT_EQ(status, 0);
  EXPECT_EQ(run().report.kept, 1u);
  EXPECT_FALSE(isLoaded());
  EXPECT_EQ(run(Tier::kCompiled, false).report.kept, 0u);
  EXPECT_TRUE(isLoaded()) << "this is how it would look";
}

}  // namespace
}  // namespace lanewise::compiled
