// Every row that computes: the handlers of the host's best instruction set give the bits that those of the baseline give, and the check
// of its operands says what its rule says.
#include <array>
#include <bit>
#include <cstring>
#include <random>
#include <vector>

#include "model/ir/operation_info.h"
#include "model/ir/operation_names.h"
#include "model/operations/operations.h"
#include "model/state/batch.h"
#include "model/state/lane_masks.h"
#include "model/state/observers.h"

namespace lanewise {
namespace {

constexpr std::size_t kSlot = 8 * kGroup;  // bytes of a register of the widest type
using Register = std::array<std::byte, kSlot>;

// Small numbers, ends of the range and any bits; of floats also denormals, infinities and NaNs.
std::uint64_t operandOf(Scalar type, std::mt19937_64& random) {
  if (type == Scalar::kBool) return random() % 2 ? 0xffffffffu : 0u;
  const std::uint32_t width = 8 * scalarBytes(type);
  const std::uint64_t mask = width == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << width) - 1;
  const std::uint64_t ends[] = {0, 1, mask, mask >> 1, (mask >> 1) + 1};
  constexpr std::uint64_t kFloatEnds[] = {0, 1, 0x3f800000, 0x7f800000, 0x7fc00001, 0xff800000, 0x00400000, 0x4f000000};
  constexpr std::uint64_t kHalfEnds[] = {0, 1, 0x3c00, 0x7c00, 0x7e01, 0xfc00, 0x0200, 0x7bff};
  constexpr std::uint64_t kDoubleEnds[] = {0, 1, 0x3ff0000000000000, 0x7ff0000000000000, 0x7ff8000000000001, 0xfff0000000000000};
  switch (random() % 4) {
    case 0:
      if (type == Scalar::kF16) return kHalfEnds[random() % std::size(kHalfEnds)];
      if (type == Scalar::kF32) return kFloatEnds[random() % std::size(kFloatEnds)];
      if (type == Scalar::kF64) return kDoubleEnds[random() % std::size(kDoubleEnds)];
      return ends[random() % std::size(ends)];
    case 1:
      if (type == Scalar::kF32) return std::bit_cast<std::uint32_t>(static_cast<float>(static_cast<std::int64_t>(random())) * 0x1p-58f);
      if (type == Scalar::kF64) return std::bit_cast<std::uint64_t>(static_cast<double>(static_cast<std::int64_t>(random())) * 0x1p-58);
      return random() >> (random() % 64) & mask;
    default:
      return random() & mask;
  }
}

// `below`: the operand is a number below that; 0: it has no such limit.
Register fill(Scalar type, std::uint32_t below, std::mt19937_64& random) {
  Register out{};
  for (std::size_t lane = 0; lane < kGroup; ++lane) {
    const std::uint64_t any = operandOf(type, random), bits = below == 0 ? any : any % below;
    const std::size_t size = isWide(type) ? 8 : 4;
    std::memcpy(out.data() + lane * size, &bits, size);
  }
  return out;
}

// What a handler makes of a group of lanes. `steps`: the operands are rows of several groups, not the same for all lanes.
Register resultOf(const OpRow& row, const std::vector<Register>& arguments, bool steps = false) {
  alignas(64) std::array<Register, 6> file{};
  Batch batch;
  Program program;
  Environment env;
  batch.regs = file[0].data();
  batch.width = kGroup;
  batch.env = &env;
  batch.singleStep = true;
  env.program = &program;
  Instr code[2];  // a handler looks at the instruction behind its own
  Instr& instr = code[0];
  instr.groups = 1;
  instr.stepA = instr.stepB = instr.stepC = steps ? 1 : 0;
  instr.dst = kSlot * 5;
  std::uint32_t* const slots[] = {&instr.a, &instr.b, &instr.c};
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    file[i] = arguments[i];
    const auto at = static_cast<std::uint32_t>(i * kSlot);
    if (i < 3) *slots[i] = at;
    program.operands.push_back({at, 0});
  }
  program.operands.push_back({instr.dst, 0});
  row.quiet(code, batch);
  return file[5];
}

// The part that a bitcast to a narrower type takes: the second operand, which lowering makes.
std::uint32_t limitOf(ir::Code code, const ir::Signature& s, std::uint8_t argument) {
  const bool isPart = code == ir::kUnpack && argument == 1;
  return isPart ? scalarBytes(s.arguments[0].scalar) / scalarBytes(s.result.scalar) : 0;
}

TEST(InstructionSets, EveryRowGivesTheSameBitsByTheHostsBestAsByTheBaseline) {
  std::mt19937_64 random(1);
  std::size_t tried = 0;
  for (const ir::OperationInfo& o : ir::operationInfos()) {
    if (!o.computes()) continue;
    for (const ir::Signature& s : ir::signaturesOf(o.types)) {
      const OpKey key{o.code, s.result.scalar, s.arguments[0].scalar};
      const OpRow *best = operations().find(key), *base = baseOperations().find(key);
      ASSERT_TRUE(best && base) << codeName(o.code);
      int rounds = 0;
      for (bool same = true; same && rounds < 64; ++rounds) {
        std::vector<Register> arguments;
        for (std::uint8_t i = 0; i < s.count; ++i) arguments.push_back(fill(s.arguments[i].scalar, limitOf(o.code, s, i), random));
        same = resultOf(*best, arguments) == resultOf(*base, arguments);
        EXPECT_TRUE(same) << codeName(o.code) << ' ' << o.types << " on " << scalarName(s.arguments[0].scalar) << ", round " << rounds;
      }
      tried += static_cast<std::size_t>(rounds);
    }
  }
  EXPECT_GT(tried, 64u * 400);
}

class UndefinedLanes final : public Observer {
 public:
  std::uint32_t watches() const override { return watch::kOperands; }
  Answer moment(const Moment& moment) override {
    lanes = std::get<OperandsUndefined>(moment).lanes;
    return Answer::kGoOn;
  }
  LaneMask lanes;
};

// The lanes of a group of which an observer is told that their operands have no result.
LaneMask undefinedLanes(ir::Definedness rule, const ir::Signature& s, const std::vector<Register>& arguments) {
  alignas(64) std::array<Register, 4> file{};
  UndefinedLanes told;
  Observer* const all[] = {&told};
  Observers observers(all);
  Program program;
  program.info.resize(1);
  Environment env;
  env.program = &program;
  env.observers = &observers;
  env.watches = observers.watches();
  for (std::uint8_t i = 0; i < s.count; ++i) {
    file[i] = arguments[i];
    program.operands.push_back({static_cast<std::uint32_t>(i * kSlot), 64});
    program.described.push_back({program.operands.back(), s.arguments[i].scalar});
  }
  program.info[0].arguments = s.count;
  Instr code[2];
  code[0].what = kind::CheckOperands{rule, s.result.scalar};
  Batch batch;
  batch.regs = file[0].data();
  batch.width = kGroup;
  batch.env = &env;
  batch.base = code;
  batch.setMask(firstLanes(kGroup));
  operations().find({ir::kCheckOperands, Scalar::kNone, Scalar::kNone})->observed(code, batch);
  return told.lanes;
}

// A group whose lanes all have a result is passed quickly. One lane of each has other operands.
TEST(InstructionSets, AGroupsOperandsAreCheckedByTheRuleOfTheRow) {
  std::mt19937_64 random(3);
  for (const ir::OperationInfo& o : ir::operationInfos()) {
    if (!o.computes() || o.facts.defined == ir::Definedness::kAlways) continue;
    for (const ir::Signature& s : ir::signaturesOf(o.types))
      for (int round = 0; round < 512; ++round) {
        const std::size_t other = random() % kGroup;
        std::vector<Register> arguments(s.count);
        std::vector<Scalar> types;
        std::vector<std::uint64_t> bits[2];
        for (std::uint8_t i = 0; i < s.count; ++i) {
          types.push_back(s.arguments[i].scalar);
          for (auto& of : bits) of.push_back(operandOf(types[i], random));
          const std::size_t size = isWide(types[i]) ? 8 : 4;
          for (std::size_t lane = 0; lane < kGroup; ++lane)
            std::memcpy(arguments[i].data() + lane * size, &bits[lane == other ? 1 : 0][i], size);
        }
        const LaneMask told = undefinedLanes(o.facts.defined, s, arguments);
        for (std::uint32_t lane = 0; lane < kGroup; ++lane)
          ASSERT_EQ(told.test(lane), !ir::isDefined(o.facts.defined, s.result.scalar, types, bits[lane == other ? 1 : 0]))
              << codeName(o.code) << ' ' << o.types << " on " << scalarName(types[0]) << ": " << bits[0][0] << ", " << bits[1][0];
      }
  }
}

// A stride that all lanes share is computed with in another way.
TEST(InstructionSets, AddressesStickAtTheTop) {
  std::mt19937_64 random(2);
  const OpKey key{ir::kAddress, Scalar::kI32, Scalar::kI32};
  for (const std::uint32_t stride : {0u, 1u, 3u, 4u, 12u, 16u, 48u, 0x10000u, 0x7fffffffu, 0x80000000u, 0xffffffffu})
    for (int round = 0; round < 64; ++round) {
      Register strides{};
      for (std::size_t lane = 0; lane < kGroup; ++lane) std::memcpy(strides.data() + lane * 4, &stride, 4);
      std::vector<Register> arguments{fill(Scalar::kI32, 0, random), strides, fill(Scalar::kI32, 0, random)};
      if (stride > 1 && round % 2 != 0) arguments[0] = fill(Scalar::kI32, 0xffffffffu / stride + 2, random);
      for (const OpRow* row : {operations().find(key), baseOperations().find(key)})
        for (const bool steps : {false, true}) {
          const Register got = resultOf(*row, arguments, steps);
          for (std::size_t lane = 0; lane < kGroup; ++lane) {
            const auto word = [lane](const Register& r) {
              std::uint32_t w;
              std::memcpy(&w, r.data() + lane * 4, 4);
              return w;
            };
            const std::uint64_t sum = std::uint64_t{word(arguments[0])} * stride + word(arguments[2]);
            ASSERT_EQ(word(got), std::min<std::uint64_t>(sum, 0xffffffffu)) << stride << " times " << word(arguments[0]);
          }
        }
    }
}

}  // namespace
}  // namespace lanewise
