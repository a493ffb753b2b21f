// The shipped profiles against the devices they describe: every operation of
// kernels/scalar_ops.comp on corner and seeded random operands, on the device
// and as the profile says. Where a device deviates from every choice of the
// profile, the operands are listed with the reason; a listed deviation that
// does not show fails too.
#include "gpu/mesa_version.h"
#include "model/contract/profiles.h"
#include "model/model.h"
#include "tests/gpu/fixture.h"
#include "tests/gpu/lavapipe_rounding.h"
#include "tests/gpu/scalar_device_operations.h"

namespace lanewise {
namespace {

using device::Operands;
using device::Operation;
using device::U;

U magnitude(U a) {
  return a & 0x7fffffffu;
}
bool isNan(U a) {
  return magnitude(a) > 0x7f800000u;
}
bool isDenormal(U a) {
  return magnitude(a) - 1 < 0x7fffffu;
}
bool isSpecial(U a) {
  return magnitude(a) >= 0x7f800000u;
}

constexpr std::pair kMesa26(26, 0);

struct Deviation {
  const char* device;
  const char* operation;
  bool (*where)(const Operands&);
  bool everywhere = true;         // false: need not show: it depends on the host's instruction set, or is rare
  std::pair<int, int> from = {};  // the first version of Mesa that has it; the first row that holds counts
};

// What lavapipe gives for every operand where it rounds 32 bits through integers.
struct Rounded {
  const char* operation;
  device::Value (*instead)(const Operands&);
  bool shows = true;  // false: no tie is among the operands
};

template <int Bits, bool Signed>
U packed(float x) {
  const float low = Signed ? (x > -1.0f ? x : -1.0f) : (x > 0.0f ? x : 0.0f);
  const float max = static_cast<float>((1 << (Bits - Signed)) - 1);
  return static_cast<U>(static_cast<std::int32_t>(lavapipe::round((low < 1.0f ? low : 1.0f) * max))) & ((1u << Bits) - 1);
}
template <bool Signed>
device::Value packed4x8(const Operands& o) {
  return (packed<8, Signed>(o.x()) | packed<8, Signed>(o.y()) << 8) * 0x10001u;
}
template <bool Signed>
device::Value packed2x16(const Operands& o) {
  return packed<16, Signed>(o.x()) | packed<16, Signed>(o.y()) << 16;
}

constexpr Rounded kRounded[] = {
    {"floor", [](const Operands& o) -> device::Value { return lavapipe::floor(o.x()); }},
    {"ceil", [](const Operands& o) -> device::Value { return lavapipe::ceil(o.x()); }},
    {"trunc", [](const Operands& o) -> device::Value { return lavapipe::trunc(o.x()); }},
    {"roundEven", [](const Operands& o) -> device::Value { return lavapipe::round(o.x()); }},
    {"round", [](const Operands& o) -> device::Value { return lavapipe::round(o.x()); }},
    {"fract", [](const Operands& o) -> device::Value { return o.x() - lavapipe::floor(o.x()); }},
    {"mod", [](const Operands& o) -> device::Value { return o.x() - o.y() * lavapipe::floor(o.x() / o.y()); }},
    {"packUnorm4x8", packed4x8<false>, false},
    {"packSnorm4x8", packed4x8<true>, false},
    {"packUnorm2x16", packed2x16<false>},
    {"packSnorm2x16", packed2x16<true>},
};

constexpr Deviation kDeviations[] = {
    // The host's conversion instruction decides; AVX-512 has an unsigned one,
    // which the profile describes.
    {"lavapipe", "uint(x)",
     [](const Operands& o) { return !__builtin_cpu_supports("avx512f") && (o.a >> 31 != 0 || magnitude(o.a) >= 0x4f800000u); }, false},
    // A denormal result is rounded twice.
    {"lavapipe", "ldexp", [](const Operands& o) { return static_cast<int>(magnitude(o.a) >> 23) + std::clamp(o.j() >> 23, -120, 120) < 1; },
     false},
    // Division multiplies by an approximate reciprocal; roots are off by a
    // place or two.
    {"nvidia", "x / y", [](const Operands&) { return true; }},
    {"nvidia", "mod", [](const Operands&) { return true; }},
    {"nvidia", "smoothstep", [](const Operands&) { return true; }},
    {"nvidia", "sqrt", [](const Operands&) { return true; }},
    {"nvidia", "inversesqrt", [](const Operands&) { return true; }},
    // Denormals are not flushed here, as they are elsewhere.
    {"nvidia", "floor", [](const Operands& o) { return isDenormal(o.a); }},
    {"nvidia", "ceil", [](const Operands& o) { return isDenormal(o.a); }},
    {"nvidia", "fract", [](const Operands& o) { return isDenormal(o.a); }},
    // A NaN packs as the highest code.
    {"nvidia", "packSnorm4x8", [](const Operands& o) { return isNan(o.a) || isNan(o.b); }},
    {"nvidia", "packSnorm2x16", [](const Operands& o) { return isNan(o.a) || isNan(o.b); }},
    {"nvidia", "int % int", [](const Operands& o) { return o.i() < 0 || o.j() < 0; }},
    // Later versions of lavapipe: bits of denormals stay, a NaN packs as 0.
    {"lavapipe", "abs", [](const Operands& o) { return isDenormal(o.a); }, true, kMesa26},
    {"lavapipe", "-x", [](const Operands& o) { return isDenormal(o.a); }, true, kMesa26},
    {"lavapipe", "packSnorm4x8", [](const Operands& o) { return isNan(o.a) || isNan(o.b); }, true, kMesa26},
    {"lavapipe", "packSnorm2x16", [](const Operands& o) { return isNan(o.a) || isNan(o.b); }, true, kMesa26},
    {"lavapipe", "frexp significand", [](const Operands& o) { return isDenormal(o.a) || isSpecial(o.a); }, true, kMesa26},
    // A denormal's bits are taken for a normal number's.
    {"lavapipe", "frexp significand", [](const Operands& o) { return isDenormal(o.a); }},
    {"lavapipe", "frexp exponent", [](const Operands& o) { return isDenormal(o.a) || isSpecial(o.a); }},
    {"swiftshader", "frexp significand", [](const Operands& o) { return isDenormal(o.a) || isSpecial(o.a); }},
    {"swiftshader", "frexp exponent", [](const Operands& o) { return isDenormal(o.a) || isSpecial(o.a); }},
    // step(edge, NaN) is 0.
    {"swiftshader", "step", [](const Operands& o) { return isNan(o.a) || isNan(o.b); }},
    // The sign bit is cleared and nothing flushed.
    {"swiftshader", "abs", [](const Operands& o) { return isDenormal(o.a); }},
    // The constant is one place below the float nearest to 180/pi.
    {"swiftshader", "degrees", [](const Operands&) { return true; }},
    // Through a signed conversion, rounded twice.
    {"swiftshader", "float(uint)", [](const Operands& o) { return o.a >> 31 != 0; }},
    // Garbage beyond 65568, and tiny values off by half a place.
    {"swiftshader", "packHalf2x16",
     [](const Operands& o) {
       const auto odd = [](U a) { return magnitude(a) > 0x47801000u || (magnitude(a) < 0x38800000u && magnitude(a) != 0); };
       return odd(o.a) || odd(o.b);
     }},
    // The minimum divided by -1, which a zero divisor becomes, is 1.
    {"swiftshader", "int / int", [](const Operands& o) { return o.a == 0x80000000u && (o.b == 0 || o.b == 0xffffffffu); }},
};

constexpr std::size_t kOperands = 64000;

std::vector<Operands> operands(std::uint32_t round) {
  std::vector<Operands> out;
  const std::vector<float> corners = reference::corners<float>();
  reference::Random r{21 + round};
  const auto bits = [](float f) { return std::bit_cast<U>(f); };
  for (const float a : corners)
    for (const float b : corners) out.push_back({bits(a), bits(b), static_cast<U>(r.next())});
  const auto unit = [&] { return bits(static_cast<float>(r.next() >> 40) * 0x1p-24f); };
  while (out.size() < kOperands) {
    const float a = std::bit_cast<float>(static_cast<U>(r.next() >> (r.next() % 32)));
    const float b = reference::random(r, a), c = reference::random(r, b);
    out.push_back({bits(a), bits(b), bits(c)});
    out.push_back({unit(), unit(), unit()});
    out.push_back({static_cast<U>(r.next() % 64) - 16, static_cast<U>(r.next() % 16) - 4, static_cast<U>(r.next())});  // small integers
  }
  return out;
}

// lavapipe's profile is of Mesa 22.3. What later ones do otherwise, of those that were tried: 25.0.7, 25.2.8 and 26.2.6.
void follow(Profile& profile, std::pair<int, int> mesa) {
  if (mesa >= std::pair(25, 0)) profile.floatToInteger = FloatToInteger::kSaturate;
  if (mesa >= std::pair(25, 2)) profile.signedModulo = SignedModulo::kFloor;
  if (mesa < kMesa26) return;
  profile.denormals = Denormals::kFlush;
  profile.fusedMultiplyAdd = true;
  profile.minMax = MinMax::kSecond;
}

class ScalarDevice : public testing::TestWithParam<const char*> {
 protected:
  std::vector<U> run(Device& target, U operation, const std::vector<Operands>& in) {
    std::vector<U> a, b, c;
    for (const Operands& o : in) a.push_back(o.a), b.push_back(o.b), c.push_back(o.c);
    Job job;
    job.resources = {bufferOf("a", a), bufferOf("b", b), bufferOf("c", c), bufferOf("result", std::vector<U>(in.size()), true)};
    Dispatch d;
    d.module = testKernel("scalar_ops");
    d.groups = {static_cast<U>(in.size() + 63) / 64, 1, 1};
    d.push = bytesOf(std::vector<U>{operation, static_cast<U>(in.size())});
    d.bindings = {{0, 0, 0, "a"}, {0, 1, 0, "b"}, {0, 2, 0, "c"}, {0, 3, 0, "result"}};
    job.dispatches = {d};
    const RunResult result = target.run(job);
    EXPECT_FALSE(result.error) << result.error->text();
    return result.error ? std::vector<U>(in.size()) : wordsOf(result.outputs[0].bytes());
  }
};

TEST_P(ScalarDevice, DoesWhatItsProfileSays) {
  const std::string name = GetParam();
  if (deviceNamed(name) == nullptr) GTEST_SKIP() << "there is no such device here";
  const std::string profileName = name.substr(0, name.find('-'));
  Profile profile = *profileByName(profileName);
  const auto target = openForTest(name);
  ASSERT_NE(target, nullptr);
  const std::pair<int, int> mesa = mesaVersion(target->profile());
  if (profileName == "lavapipe") follow(profile, mesa);
  const std::uint64_t rounds = (operandsAsked(kOperands) + kOperands - 1) / kOperands;
  std::vector<std::vector<Operands>> all;
  for (std::uint32_t round = 0; round < rounds; ++round) all.push_back(operands(round));
  Model model({profile, {}});
  std::size_t wrong = 0;
  U number = 0;
  for (const Operation& operation : device::operationsOf(profile)) {
    const Deviation* deviation = nullptr;
    for (const Deviation& d : kDeviations)
      if (profileName == d.device && std::string_view(operation.name) == d.operation && mesa >= d.from && deviation == nullptr)
        deviation = &d;
    const Rounded* rounded = nullptr;
    for (const Rounded& r : kRounded)
      if (lavapipe::roundsThroughIntegers(name, 32) && std::string_view(operation.name) == r.operation) rounded = &r;
    reference::Differences differences;
    int deviating = 0;
    for (const std::vector<Operands>& in : all) {
      const std::vector<U> got = run(*target, number, in), modelled = run(model, number, in);
      for (std::size_t i = 0; i < in.size(); ++i) {
        const device::Value said = operation.value(profile, in[i]);
        const device::Value want = rounded ? rounded->instead(in[i]) : said;
        const bool agrees = want.agrees(got[i]);
        wrong += !said.agrees(modelled[i]);
        if (rounded) deviating += !said.agrees(got[i]);
        if (deviation && deviation->where(in[i])) {
          deviating += !agrees;
        } else {
          differences.check(agrees ? want.bits : got[i], want.bits, in[i].a, in[i].b, in[i].c);
        }
      }
    }
    ++number;
    EXPECT_NO_DIFFERENCES(differences) << " (" << operation.name << ")";
    EXPECT_EQ(wrong, 0u) << "the model under this profile, " << operation.name;
    if (rounded ? rounded->shows : deviation && deviation->everywhere) {
      EXPECT_GT(deviating, 0) << operation.name << ": the deviation is not there any more";
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Devices, ScalarDevice, testing::Values("lavapipe-4", "lavapipe-8", "lavapipe-16", "swiftshader", "nvidia"),
                         deviceTestName);

}  // namespace
}  // namespace lanewise
