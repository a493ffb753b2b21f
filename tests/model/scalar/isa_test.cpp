// The same bits from every instruction set this host can run: the checksums of isa_checksums.cpp, compiled for the baseline, for
// AVX2 with FMA and for AVX-512, agree function by function.
#include "tests/model/scalar/isa_checksums.h"

namespace lanewise {
namespace {

using Collect = int (*)(Checksum*, int);

std::vector<Checksum> collect(Collect f) {
  std::vector<Checksum> out(512);
  const int count = f(out.data(), static_cast<int>(out.size()));
  out.resize(static_cast<std::size_t>(count));  // more than there is room for would show as null names
  return out;
}

void compareWithPlain(Collect f) {
  const std::vector<Checksum> plain = collect(plainChecksums), other = collect(f);
  ASSERT_EQ(plain.size(), other.size());
  ASSERT_GE(plain.size(), 250u);
  for (std::size_t i = 0; i < plain.size(); ++i) {
    ASSERT_NE(plain[i].name, nullptr);
    EXPECT_EQ(plain[i].hash, other[i].hash) << i << ": " << plain[i].name;
  }
}

TEST(ScalarIsa, BaselineVectorsEqualPlainCode) {
  compareWithPlain(baseChecksums);
}

TEST(ScalarIsa, Avx2WithFmaEqualsPlainCode) {
  if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma")) GTEST_SKIP() << "this host has no AVX2 with FMA";
  compareWithPlain(avx2Checksums);
}

TEST(ScalarIsa, Avx512EqualsPlainCode) {
  if (!__builtin_cpu_supports("avx512f") || !__builtin_cpu_supports("avx512dq") || !__builtin_cpu_supports("avx512bw") ||
      !__builtin_cpu_supports("avx512vl"))
    GTEST_SKIP() << "this host has no AVX-512";
  compareWithPlain(avx512Checksums);
}

}  // namespace
}  // namespace lanewise
