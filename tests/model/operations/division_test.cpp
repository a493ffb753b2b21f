// The engine divides 32-bit integers in binary64: checked against the host's division where rounding could show.
#include <random>

#include "model/operations/operations.h"
#include "model/state/batch.h"

namespace lanewise {
namespace {

// One group of lanes through the table's row, with a divisor of each lane's own or lane 0's for all.
std::array<std::uint32_t, kGroup> run(const OpTable& table, spv::Op op, const std::array<std::uint32_t, kGroup>& a,
                                      const std::array<std::uint32_t, kGroup>& b, bool uniform) {
  alignas(64) std::array<std::array<std::uint32_t, kGroup>, 4> file{};
  file[1] = a;
  file[2] = b;
  if (uniform) file[2].fill(b[0]);
  Batch batch;
  batch.regs = reinterpret_cast<std::byte*>(file.data());
  batch.width = kGroup;
  batch.singleStep = true;
  Instr code[2];
  code[0].dst = 192;
  code[0].a = 64;
  code[0].b = 128;
  code[0].stepA = 1;
  code[0].stepB = uniform ? 0 : 1;
  table.find({ir::core(op), Scalar::kI32, Scalar::kI32})->quiet(code, batch);
  return file[3];
}

TEST(Division, AgreesWithTheHostOnCornersAndMultiples) {
  std::vector<std::uint32_t> corners{0,      1,       2,          3,          7,          255,        0xfffe,
                                     0xffff, 0x10000, 0x7fffffff, 0x80000000, 0x80000001, 0xfffffffe, 0xffffffff};
  std::mt19937 random(7);
  for (int i = 0; i < 40; ++i) corners.push_back(static_cast<std::uint32_t>(random()) >> (random() % 32));
  for (const OpTable* table : {&operations(), &baseOperations()})
    for (std::uint32_t b : corners)
      for (std::uint32_t q : corners)
        for (bool uniform : {false, true}) {
          std::array<std::uint32_t, kGroup> as{}, bs{};
          bs.fill(b);
          for (std::uint32_t k = 0; k < kGroup; ++k) as[k] = q * b + k - 8;  // about a multiple, modulo 2^32
          const auto quotients = run(*table, spv::Op::OpUDiv, as, bs, uniform), rests = run(*table, spv::Op::OpUMod, as, bs, uniform);
          for (std::uint32_t k = 0; k < kGroup; ++k) {
            ASSERT_EQ(quotients[k], b == 0 ? 0xffffffffu : as[k] / b) << as[k] << " / " << b;
            ASSERT_EQ(rests[k], b == 0 ? 0xffffffffu : as[k] % b) << as[k] << " % " << b;
          }
        }
}

}  // namespace
}  // namespace lanewise
