// Compiled sources on disk: read where nothing that decides them has changed, and nowhere else.
#include <gtest/gtest.h>

#include <ctime>
#include <filesystem>
#include <fstream>

#include "tests/scratch_folder.h"
#include "tools/run/module_file.h"
#include "tools/run/source_text.h"

namespace lanewise {
namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::uint32_t>;

class KeptSources : public testing::Test {
 protected:
  void SetUp() override {
    keptIn_.folder = folder_ / "kept";
    options_.includeFolders = {folder_ / "later"};
    fs::create_directory(folder_ / "later");
    if (!compileSource("a.comp", kPlain, {})) GTEST_SKIP() << "a build without shaderc";
  }

  Words compiled(const std::string& text) {
    const Expected<Words> words = kept(text);
    EXPECT_TRUE(words) << words.error().text();
    return words ? *words : Words();
  }
  Expected<Words> kept(const std::string& text) const { return compileText({.file = folder_ / "a.comp", .text = text}, options_, keptIn_); }
  std::size_t entries() const {
    return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder_ / "kept"), fs::directory_iterator()));
  }
  void write(const std::string& file, const std::string& text) const { std::ofstream(folder_ / file) << text; }
  // Reading an entry counts as its use.
  bool reads(const std::string& text) {
    const fs::file_time_type old = fs::file_time_type::clock::now() - std::chrono::hours(1);
    for (const auto& entry : fs::directory_iterator(folder_ / "kept")) fs::last_write_time(entry, old);
    const std::size_t before = entries();
    compiled(text);
    std::size_t used = 0;
    for (const auto& entry : fs::directory_iterator(folder_ / "kept")) used += fs::last_write_time(entry) > old ? 1 : 0;
    return used == 1 && entries() == before;
  }

  static constexpr const char* kPlain = "#version 450\nvoid main() {}\n";
  static constexpr const char* kIncluding =
      "#version 450\n#extension GL_GOOGLE_include_directive : enable\n#include \"value.glsl\"\n"
      "layout(binding = 0) buffer B { int b; };\nvoid main() { b = kValue; }\n";
  const ScratchFolder folder_;
  SourceOptions options_;
  KeptIn keptIn_;
};

TEST_F(KeptSources, AreReadAgain) {
  const Words first = compiled(kPlain);
  EXPECT_EQ(entries(), 1u);
  EXPECT_TRUE(reads(kPlain));
  EXPECT_EQ(compiled(kPlain), first);
  const Expected<Words> unkept = compileText({.file = folder_ / "a.comp", .text = kPlain}, options_);
  ASSERT_TRUE(unkept);
  EXPECT_EQ(*unkept, first);
  EXPECT_EQ(entries(), 1u);
}

TEST_F(KeptSources, WhatDecidesTheWordsMakesAnotherEntry) {
  const std::string text = "#version 450\nlayout(local_size_x = N) in;\nvoid main() {}\n";
  options_.defines = {"N=3"};
  const Words three = compiled(text);
  options_.defines = {"N=4"};
  EXPECT_NE(compiled(text), three);
  EXPECT_EQ(entries(), 2u);
  options_.targetEnvironment = "vulkan1.1";
  compiled(text);
  EXPECT_EQ(entries(), 3u);
  options_.optimise = true;
  compiled(text);
  EXPECT_EQ(entries(), 4u);
  options_.defines = {"N=3"};
  options_.targetEnvironment = "";
  options_.optimise = false;
  EXPECT_EQ(compiled(text), three);
  EXPECT_EQ(entries(), 4u);
  options_.includeFolders.push_back(folder_ / "other");
  compiled(text);
  EXPECT_EQ(entries(), 5u);
  // The name is in the debug information.
  ASSERT_TRUE(compileText({.file = folder_ / "b.comp", .text = text}, options_, keptIn_));
  EXPECT_EQ(entries(), 6u);
}

TEST_F(KeptSources, TheLanguageAndTheEntryMakeAnotherEntry) {
  const auto kept = [&](const std::string& text, bool hlsl, const std::string& entry) {
    options_.entry = entry;
    return compileText({.file = folder_ / "a.comp", .text = text, .hlsl = hlsl}, options_, keptIn_).ok();
  };
  const std::string two = "[numthreads(1,1,1)] void a() {}\n[numthreads(2,1,1)] void b() {}\n";
  EXPECT_TRUE(kept(two, true, "a"));
  EXPECT_TRUE(kept(two, true, "b"));
  EXPECT_EQ(entries(), 2u);
  const std::string glsl = "#version 450\nlayout(local_size_x = 2) in;\nvoid main() {}\n";
  EXPECT_TRUE(kept(glsl, false, ""));
  EXPECT_EQ(entries(), 3u);
  EXPECT_FALSE(kept(glsl, true, "")) << "HLSL is not what was kept as GLSL";
}

TEST_F(KeptSources, AnIncludedFileThatChangedIsCompiledAgain) {
  write("later/value.glsl", "const int kValue = 1;\n");
  const Words one = compiled(kIncluding);
  EXPECT_TRUE(reads(kIncluding));
  write("later/value.glsl", "const int kValue = 2;\n");
  const Words two = compiled(kIncluding);
  EXPECT_NE(two, one);
  // A file that is found before it.
  write("value.glsl", "const int kValue = 1;\n");
  EXPECT_NE(compiled(kIncluding), two);
  fs::remove(folder_ / "value.glsl");
  EXPECT_EQ(compiled(kIncluding), two);
  fs::remove(folder_ / "later/value.glsl");
  EXPECT_FALSE(kept(kIncluding));
}

TEST_F(KeptSources, DamagedEntriesAndForbiddenFoldersAreNone) {
  const Words first = compiled(kPlain);
  for (const auto& entry : fs::directory_iterator(folder_ / "kept")) {
    std::fstream file(entry.path(), std::ios::in | std::ios::out | std::ios::binary);
    file.seekp(60);
    file << "damage";
  }
  EXPECT_EQ(compiled(kPlain), first);
  fs::permissions(folder_ / "kept", fs::perms::others_write, fs::perm_options::add);
  EXPECT_EQ(compiled(kPlain), first);
  EXPECT_EQ(compiled("#version 450\nvoid main() { barrier(); }\n").empty(), false);
  EXPECT_EQ(entries(), 1u);
}

// What does not compile is an error each time.
TEST_F(KeptSources, ErrorsAreNotKept) {
  for (int i = 0; i < 2; ++i) EXPECT_FALSE(kept("#version 450\nvoid main() { x = 1; }\n"));
  EXPECT_EQ(entries(), 0u);
}

// glslang alone would read it until the memory is full.
TEST_F(KeptSources, AFileThatIncludesItselfIsAnError) {
  write("loop.glsl", "#include \"loop.glsl\"\n#include \"loop.glsl\"\n");
  SourceOptions options;
  options.includeFolders = {folder_.path().string()};
  const auto said = [&](const std::string& name, const std::string& text) {
    const auto words = compileSource(name, text, options);
    return words ? "no error" : words.error().what.substr(0, 1000);
  };
  for (const std::string& text : {said("loop.hlsl", "#include \"loop.glsl\"\n[numthreads(1,1,1)] void main() {}\n"),
                                  said("loop.comp",
                                       "#version 450\n#extension GL_GOOGLE_include_directive : require\n"
                                       "#include \"loop.glsl\"\nvoid main() {}\n")})
    EXPECT_NE(text.find("more than 10000 files are included"), std::string::npos) << text;
}

TEST(HlslEntry, IsTheOnlyFunctionWithThreads) {
  const auto compiles = [](const std::string& text, const std::string& entry) {
    SourceOptions options;
    options.entry = entry;
    return bool(compileText({.file = "a.hlsl", .text = text, .hlsl = true}, options));
  };
  if (!compiles("[numthreads(1,1,1)] void main() {}", "")) GTEST_SKIP() << "a build without shaderc";
  EXPECT_TRUE(compiles(
      "float twice(float x) { return 2 * x; }\n[numthreads(8, 8, 1)]\n[shader(\"compute\")]\nvoid Blur(uint3 i : SV_GroupID) {}", ""));
  EXPECT_TRUE(compiles("[numthreads(1,1,1)] void a() {}\n[numthreads(1,1,1)] void main() {}", ""));
  EXPECT_TRUE(compiles("[numthreads(1,1,1)] void a() {}\n[numthreads(1,1,1)] void b() {}", "b"));
  EXPECT_FALSE(compiles("[numthreads(1,1,1)] void a() {}\n[numthreads(1,1,1)] void b() {}", "")) << "which one is not said";
  EXPECT_FALSE(compiles("void a() {} // numthreads", ""));
  // Comments, conditions and other words are no functions.
  const std::string blur = "[numthreads(4,1,1)] void Blur(uint3 i : SV_GroupID) {}\n";
  for (const std::string& text :
       {"// old: [numthreads(8,8,1)] void Old() {}\n" + blur, "// [numthreads(64,1,1)]\n" + blur,
        "// numthreads is 4 here (as the host's)\n" + blur, "/* [numthreads(2,1,1)]\nvoid Old() */\n" + blur,
        std::string("[numthreads(4,1,1)] /* the (only) one */ void Blur() {}\n"),
        "#ifdef WIDE\n[numthreads(64,1,1)]\n#else\n[numthreads(4,1,1)]\n#endif\nvoid Blur() {}\n" + std::string(),
        "#define N 4\n[numthreads(N,1,1)]\nvoid Blur() {}\n" + std::string(),
        "#ifdef WIDE\n[numthreads(64,1,1)] void Blur() {}\n#else\n" + blur + "#endif\n", "static int numthreads = 3; void f() {}\n" + blur})
    EXPECT_TRUE(compiles(text, "")) << text;
}

// Glslang counts an initializer's calls as those of the function before it, and drops what the entry point does not reach.
TEST(HlslEntry, AFunctionThatOnlyAnInitializerCallsIsAnErrorWhereGlslangDropsIt) {
  const auto error = [](const std::string& before, const std::string& body) {
    const std::string text = "RWStructuredBuffer<uint> data : register(u0);\nuint f(uint a) { return a + 1; }\n" + before +
                             "static uint g = f(data[0]);\n[numthreads(1,1,1)] void main() { data[0] = g; " + body + " }\n";
    const Expected<Words> words = compileText({.file = "a.hlsl", .text = text, .hlsl = true}, {});
    return words ? "none" : words.error().text();
  };
  const std::string unused = "uint unused() { return 0; }\n";
  if (error(unused, "f(1);") != "none") GTEST_SKIP() << "a build without shaderc";
  EXPECT_EQ(error("uint h() { return f(2); }\n", "data[1] = h();"), "none") << "the function before it is reached";
#if __has_include(<glslang/MachineIndependent/localintermediate.h>)
  EXPECT_NE(error(unused, "").find("glslang drops 'f'"), std::string::npos) << error(unused, "");
#endif
}

// What glslang knows of a version's built-in functions is made once, and takes most of the time of a first source.
TEST(Sources, AreCompiledSoonerAfterTheFirstOfAVersion) {
  const auto seconds = [](int times) {
    const std::clock_t begin = std::clock();
    for (int i = 0; i < times; ++i) static_cast<void>(compileSource("a.comp", "#version 440\nvoid main() {}\n", {}));
    return static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
  };
  if (!compileSource("a.comp", "#version 450\nvoid main() {}\n", {})) GTEST_SKIP() << "a build without shaderc";
  const double first = seconds(1);
  EXPECT_LT(seconds(8), 4 * first);
}

TEST(HlslEntry, SeveralAreNamedWhereNoneIsMeant) {
  const auto error = [](const std::string& text) {
    const Expected<Words> words = compileText({.file = "a.hlsl", .text = text, .hlsl = true}, {});
    return words ? "none" : words.error().text();
  };
  const std::string two = "[numthreads(1,1,1)] void A() {}\n[numthreads(1,1,1)] void B() {}\n";
  if (error("[numthreads(1,1,1)] void main() {}") != "none") GTEST_SKIP() << "a build without shaderc";
  EXPECT_NE(error(two).find("--entry: A, B"), std::string::npos) << error(two);
  EXPECT_EQ(error(two + "[numthreads(1,1,1)] void main() { x = 1; }").find("--entry"), std::string::npos);
}

}  // namespace
}  // namespace lanewise
