// Every target takes every seed of its corpus, whole, cut, and with damage. With clang and LANEWISE_FUZZ the same targets are guided by
// coverage (tests/fuzz/nightly.sh).
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <random>
#include <string>
#include <vector>

#include "tests/fuzz/targets.h"

namespace lanewise::fuzz {
namespace {

namespace fs = std::filesystem;

std::vector<std::byte> bytesOf(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  const std::string text(std::istreambuf_iterator<char>(in), {});
  const auto* data = reinterpret_cast<const std::byte*>(text.data());
  return {data, data + text.size()};
}

std::vector<fs::path> corpusOf(std::string_view target) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(fs::path(LANEWISE_FUZZ_CORPUS) / target)) files.push_back(entry.path());
  std::ranges::sort(files);
  return files;
}

class FuzzCorpus : public testing::TestWithParam<Target> {};

TEST_P(FuzzCorpus, IsTaken) {
  const auto [name, run] = GetParam();
  const std::vector<fs::path> files = corpusOf(name);
  ASSERT_FALSE(files.empty()) << name;
  for (const fs::path& file : files) {
    const std::vector<std::byte> whole = bytesOf(file);
    ASSERT_FALSE(whole.empty()) << file;
    run(whole);
    run(Bytes(whole).first(whole.size() / 2));
    std::mt19937 random(static_cast<unsigned>(whole.size()));
    for (int i = 0; i < 20; ++i) {
      std::vector<std::byte> damaged = whole;
      damaged[random() % damaged.size()] ^= static_cast<std::byte>(1u << random() % 8);
      run(damaged);
    }
  }
  run({});
}

INSTANTIATE_TEST_SUITE_P(All, FuzzCorpus, testing::ValuesIn(kTargets), [](const auto& each) { return std::string(each.param.name); });

}  // namespace
}  // namespace lanewise::fuzz
