// Every choice of a profile takes effect in the model: each operation of kernels/scalar_ops.comp gives what the scalar function of the
// choice gives, and no operation changes that the choice does not name. What is no such operation changes the bytes of a program.
#include <fmt/format.h>

#include <set>

#include "model/contract/choices.h"
#include "model/contract/profiles.h"
#include "model/model.h"
#include "tests/gpu/scalar_device_operations.h"
#include "tests/kernels/kernels.h"
#include "tests/text/program_job.h"

namespace lanewise {
namespace {

using device::Operands;
using device::Operation;
using device::U;

std::vector<Operands> operands() {
  std::vector<Operands> out;
  const std::vector<float> corners = reference::corners<float>();
  reference::Random r{5};
  const auto bits = [](float f) { return std::bit_cast<U>(f); };
  std::size_t pair = 0;
  for (const float a : corners)
    for (const float b : corners)
      if (++pair % 3 == 0) out.push_back({bits(a), bits(b), static_cast<U>(r.next())});
  for (const float a : {0.0f, -0.0f})
    for (const float b : {0.0f, -0.0f}) out.push_back({bits(a), bits(b), bits(1)});
  for (int i = 0; i < 1500; ++i) {
    const float a = std::bit_cast<float>(static_cast<U>(r.next() >> (r.next() % 32)));
    out.push_back({bits(a), bits(reference::random(r, a)), bits(static_cast<float>(r.next() >> 40) * 0x1p-24f)});
    out.push_back({static_cast<U>(r.next() % 64) - 16, static_cast<U>(r.next() % 16) - 4, static_cast<U>(r.next())});
    const auto unit = [&] { return bits(static_cast<float>(r.next() >> 40) * 0x1p-24f); };
    out.push_back({unit(), unit(), unit()});
  }
  return out;
}

Resource buffer(std::string name, const std::vector<U>& words, bool output = false) {
  BufferData data;
  data.bytes.resize(words.size() * 4);
  std::memcpy(data.bytes.data(), words.data(), data.bytes.size());
  return {std::move(name), std::move(data), false, output};
}

std::vector<U> run(const Profile& profile, U operation, const std::vector<Operands>& in) {
  std::vector<U> a, b, c;
  for (const Operands& o : in) a.push_back(o.a), b.push_back(o.b), c.push_back(o.c);
  Job job;
  job.resources = {buffer("a", a), buffer("b", b), buffer("c", c), buffer("result", std::vector<U>(in.size()), true)};
  Dispatch d;
  d.module = testKernel("scalar_ops");
  d.groups = {static_cast<U>(in.size() + 63) / 64, 1, 1};
  const U push[] = {operation, static_cast<U>(in.size())};
  d.push.assign(reinterpret_cast<const std::byte*>(push), reinterpret_cast<const std::byte*>(push + 2));
  d.bindings = {{0, 0, 0, "a"}, {0, 1, 0, "b"}, {0, 2, 0, "c"}, {0, 3, 0, "result"}};
  job.dispatches = {d};
  RunResult result = Model({profile, {}}).run(job);
  EXPECT_FALSE(result.error) << result.error->text();
  std::vector<U> out(in.size());
  if (!result.error) std::memcpy(out.data(), result.outputs[0].bytes().data(), out.size() * 4);
  return out;
}

// One choice away from strict, and the operations that it changes.
struct Changes {
  const char* choice;
  std::set<std::string_view> operations;
};

const std::set<std::string_view> kRounded = {"x + y",   "x - y",       "x * y",       "x / y",      "fma",   "x * y + z",
                                             "sqrt",    "inversesqrt", "mix",         "smoothstep", "fract", "mod",
                                             "degrees", "radians",     "float(uint)", "float(int)", "ldexp"};
const std::set<std::string_view> kFlushed = {"x + y",
                                             "x - y",
                                             "x * y",
                                             "x / y",
                                             "fma",
                                             "x * y + z",
                                             "sqrt",
                                             "inversesqrt",
                                             "min",
                                             "max",
                                             "clamp",
                                             "mix",
                                             "smoothstep",
                                             "fract",
                                             "mod",
                                             "floor",
                                             "ceil",
                                             "step",
                                             "sign",
                                             "abs",
                                             "-x",
                                             "degrees",
                                             "radians",
                                             "comparisons",
                                             "ldexp",
                                             "frexp significand",
                                             "frexp exponent"};

const Changes kChanges[] = {
    {"rounding=toward-zero", kRounded},
    {"denormals=flush", kFlushed},
    {"fusedMultiplyAdd=yes", {"fma"}},
    {"minMax=number-second", {"min", "max"}},
    {"minMax=second", {"min", "max"}},
    {"roundTies=away-from-zero", {"round"}},
    {"mix=delta", {"mix"}},
    {"mix=fused-delta", {"mix"}},
    {"smoothStep=square-last", {"smoothstep"}},
    {"fract=below-one", {"fract"}},
    {"inverseSqrt=reciprocal", {"inversesqrt"}},
    {"floatToInteger=all-ones", {"uint(x)", "int(x)"}},
    {"floatToInteger=split", {"uint(x)", "int(x)"}},
    {"packHalf=toward-zero", {"packHalf2x16"}},
    {"powZeroZero=zero", {"pow of 0 and 1"}},
    {"powZeroZero=nan", {"pow of 0 and 1"}},
    {"unpackNorm=reciprocal", {"unpackUnorm4x8", "unpackSnorm4x8", "unpackUnorm2x16", "unpackSnorm2x16"}},
    {"divideByZero=signed-zero", {"int / int"}},
    {"divideByZero=divisor-all-ones", {"uint / uint", "uint % uint", "int / int", "int % int"}},
    {"signedModulo=remainder", {"int % int"}},
};

class ModelChoices : public testing::TestWithParam<Changes> {};

TEST_P(ModelChoices, ChangeWhatTheyName) {
  Profile profile;
  ASSERT_FALSE(setChoice(profile, GetParam().choice)) << "no such choice";
  const std::vector<Operands> in = operands();
  const std::vector<Operation> strict = device::operationsOf(Profile{});
  U number = 0;
  for (const Operation& operation : device::operationsOf(profile)) {
    const std::vector<U> got = run(profile, number, in);
    std::size_t wrong = 0, changed = 0;
    for (std::size_t i = 0; i < in.size(); ++i) {
      const device::Value want = operation.value(profile, in[i]);
      if (!want.agrees(got[i]) && ++wrong == 1)
        ADD_FAILURE() << operation.name
                      << fmt::format(" of {:08x} {:08x} {:08x} gives {:08x}, not {:08x}", in[i].a, in[i].b, in[i].c, got[i], want.bits);
      changed += !strict[number].value(Profile{}, in[i]).agrees(got[i]);
    }
    EXPECT_EQ(changed != 0, GetParam().operations.contains(operation.name)) << operation.name << ": " << changed << " results changed";
    ++number;
  }
}

// What is no operation on scalars, and a program of tests/programs whose bytes it changes.
struct Shown {
  const char* choice;
  const char* program;
};
const Shown kShown[] = {
    {"denormals16=flush", "storage8_16.comp"},
    {"denormals64=flush", "doubles.comp"},
    {"texel.decode=reciprocal", "choice_texels.comp"},
    {"texel.encode=truncated", "choice_texels.comp"},
    {"texel.nan=lowest", "choice_texels.comp"},
    {"texel.nan=largest", "choice_texels.comp"},
    {"texel.half=toward-zero", "choice_texels.comp"},
    {"texel.saturateIntegers=no", "choice_texels.comp"},
    {"outsideBuffer=within", "outside.comp"},
    {"outsideImage=by-format", "outside.comp"},
    {"outsideImage=alpha-one", "outside.comp"},
    {"cutWeights=yes", "choice_filters.comp"},
    {"bothLevels=yes", "choice_filters.comp"},
    {"fusedFilter=yes", "choice_filters.comp"},
    {"subgroupMapping=interleaved", "subgroup_mapping.comp"},
    {"subgroupMapping=tiled", "subgroup_tiles.comp"},
};

class ModelPrograms : public testing::TestWithParam<Shown> {};

TEST_P(ModelPrograms, GiveOtherBytesByTheChoice) {
  Profile profile;
  ASSERT_FALSE(setChoice(profile, GetParam().choice)) << "no such choice";
  const Job job = text::programJob(GetParam().program);
  const RunResult strict = Model().run(job), other = Model({profile, {}}).run(job);
  ASSERT_FALSE(strict.error || other.error);
  const auto bytes = [](const Resource& r) { return r.bytes(); };
  EXPECT_FALSE(std::ranges::equal(strict.outputs, other.outputs, {}, bytes, bytes));
}

std::string testName(std::string choice) {
  std::ranges::replace_if(
      choice, [](char c) { return !std::isalnum(static_cast<unsigned char>(c)); }, '_');
  return choice;
}

INSTANTIATE_TEST_SUITE_P(Choices, ModelChoices, testing::ValuesIn(kChanges), [](const auto& one) { return testName(one.param.choice); });
INSTANTIATE_TEST_SUITE_P(Choices, ModelPrograms, testing::ValuesIn(kShown), [](const auto& one) { return testName(one.param.choice); });

TEST(ModelChoices, EachValueButTheStrictOneIsInATable) {
  std::set<std::string> told;
  for (const Changes& c : kChanges) told.insert(c.choice);
  for (const Shown& s : kShown) told.insert(s.choice);
  for (const Choice& c : choices())
    for (const ChoiceValue& v : c.values.subspan(1))
      EXPECT_TRUE(told.contains(fmt::format("{}={}", c.name, v.name))) << c.name << "=" << v.name << " has no row in kChanges or kShown";
}

// The shipped profiles, whose choices come together.
TEST(ModelProfiles, GiveWhatTheirScalarFunctionsGive) {
  const std::vector<Operands> in = operands();
  for (const std::string_view name : profileNames()) {
    const Profile profile = *profileByName(name);
    U number = 0;
    for (const Operation& operation : device::operationsOf(profile)) {
      const std::vector<U> got = run(profile, number++, in);
      std::size_t wrong = 0;
      for (std::size_t i = 0; i < in.size(); ++i) wrong += !operation.value(profile, in[i]).agrees(got[i]);
      EXPECT_EQ(wrong, 0u) << name << ": " << operation.name << ": not as scalar_device_operations.h computes it";
    }
  }
}

}  // namespace
}  // namespace lanewise
