// Every operation that the specification pins, one by one, on the devices of this machine and on the model with the device's shipped
// profile: the same bits, a NaN being any NaN. 65,536 operands for each; LANEWISE_OPERANDS=1048576 takes a million, as the nightly test
// does.
#include <fmt/format.h>

#include <algorithm>

#include "model/contract/profiles.h"
#include "model/model.h"
#include "tests/gpu/fixture.h"
#include "tests/gpu/lavapipe_rounding.h"
#include "tests/operations/operations.h"

namespace lanewise::operations {
namespace {

template <class T, T (*F)(T)>
std::uint64_t onBits(std::uint64_t bits) {
  using Bits = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;
  return std::bit_cast<Bits>(F(std::bit_cast<T>(static_cast<Bits>(bits))));
}

// A device, by the beginning of its name, that does something else. `row` is a part of Row::name().
struct Deviation {
  const char* device;
  const char* row;
  const char* what;
  unsigned roundedBits = 0;                           // not 0: only where lavapipe rounds components of so many bits through integers
  std::uint64_t (*instead)(std::uint64_t) = nullptr;  // what every operand then gives
  bool holds(std::string_view name, const std::string& rowName) const {
    return name.starts_with(device) && rowName.find(row) != std::string::npos &&
           (roundedBits == 0 || lavapipe::roundsThroughIntegers(name, roundedBits));
  }
};
constexpr Deviation kDeviations[] = {
    {"lavapipe", "glsl Floor f32", "-0 gives +0", 32, onBits<float, lavapipe::floor>},
    {"lavapipe", "glsl Ceil f32", "a negative number above -1 gives +0", 32, onBits<float, lavapipe::ceil>},
    {"lavapipe", "glsl Trunc f32", "a negative number above -1 gives +0", 32, onBits<float, lavapipe::trunc>},
    {"lavapipe", "glsl RoundEven f32", "as trunc, and a tie goes away from zero", 32, onBits<float, lavapipe::round>},
    {"lavapipe", "glsl Trunc f64", "as of 32 bits, and a number above 2^24 keeps its fraction", 64, onBits<double, lavapipe::trunc>},
    {"lavapipe", "glsl RoundEven f64", "as trunc, and a tie goes towards zero", 64, onBits<double, lavapipe::round>},
    {"nvidia", "glsl Floor f32", "denormals are not flushed here, as they are elsewhere"},
    {"nvidia", "glsl Ceil f32", "denormals are not flushed here, as they are elsewhere"},
    {"nvidia", "OpFConvert f32 <- f64", "denormal results are kept, as they are not elsewhere"},
    {"swiftshader", "glsl FAbs f32", "denormals are kept"},
    {"swiftshader", "OpConvertUToF f32 <- u32", "2^31 and above are rounded twice"},
};

double valueOf(const std::string& type, std::uint64_t bits) {
  if (type == "f32") return std::bit_cast<float>(static_cast<std::uint32_t>(bits));
  if (type == "f64") return std::bit_cast<double>(bits);
  const auto half = static_cast<std::uint16_t>(bits);
  const int exponent = half >> 10 & 31, fraction = half & 1023;
  const double magnitude = exponent == 0    ? std::ldexp(fraction, -24)
                           : exponent == 31 ? (fraction ? NAN : INFINITY)
                                            : std::ldexp(fraction + 1024, exponent - 25);
  return half >> 15 ? -magnitude : magnitude;
}

// Undefined: a float that the integer type has no value for.
bool isDefined(const Row& row, const Operands& o) {
  if (!row.opcode.starts_with("OpConvertFTo")) return true;
  const double x = std::trunc(valueOf(row.arguments[0], o.value[0]));
  const int bits = std::stoi(row.result.substr(1));
  if (row.opcode == "OpConvertFToU") return x >= 0 && x < std::ldexp(1, bits);
  return x >= -std::ldexp(1, bits - 1) && x < std::ldexp(1, bits - 1);
}

bool same(const Row& row, std::uint64_t a, std::uint64_t b) {
  return a == b || (row.result[0] == 'f' && std::isnan(valueOf(row.result, a)) && std::isnan(valueOf(row.result, b)));
}

// Operands whose result differs from the model's; and of those of a deviation whose results are known, what is not as it says.
struct Tally {
  std::uint64_t differing = 0, unexplained = 0;
  std::string first, firstUnexplained;
};

class OperationDevice : public testing::TestWithParam<const char*> {
 protected:
  bool has(const Family& family) const {
    const std::vector<std::string> all = usableCapabilities(GetParam(), device_->profile());
    return std::ranges::all_of(capabilitiesOf(family), [&](const std::string& c) { return std::ranges::find(all, c) != all.end(); });
  }

  const Deviation* deviationOf(const Row& row) const {
    const auto found = std::ranges::find_if(kDeviations, [&](const Deviation& d) { return d.holds(GetParam(), row.name()); });
    return found == std::end(kDeviations) ? nullptr : found;
  }

  void compare(const Family& family, const std::vector<Operands>& operands, std::vector<Tally>& tallies) {
    std::string problem;
    Job job = jobOf(family, operands, &problem);
    ASSERT_EQ(problem, "") << family.name;
    const RunResult got = device_->run(job);
    ASSERT_FALSE(got.error) << family.name << ": " << got.error->text();
    job.subgroupSize = device_->profile().subgroupSize;
    const RunResult want = model_->run(job);
    ASSERT_FALSE(want.error) << family.name << ": " << want.error->text();
    const std::vector<std::uint32_t> a = wordsOf(got.outputs[0].bytes()), b = wordsOf(want.outputs[0].bytes());
    const std::size_t step = words(family);
    std::size_t word = 0;
    for (std::size_t r = 0; r < family.rows.size(); ++r) {
      const Row& row = family.rows[r];
      if (row.opcode.starts_with("OpAtomic")) continue;
      const Deviation* deviation = deviationOf(row);
      const bool wide = row.result.ends_with("64");
      const auto value = [&](const std::vector<std::uint32_t>& w, std::size_t i) {
        return w[i * step + word] | (wide ? std::uint64_t{w[i * step + word + 1]} << 32 : 0);
      };
      for (std::size_t i = 0; i < operands.size(); ++i) {
        const std::uint64_t x = value(a, i), y = value(b, i);
        const std::uint64_t* o = operands[i].value;
        if (deviation && deviation->instead && !same(row, x, deviation->instead(o[0])) && tallies[r].unexplained++ == 0)
          tallies[r].firstUnexplained = fmt::format("{:x}: device {:x}, listed {:x}", o[0], x, deviation->instead(o[0]));
        if (same(row, x, y) || !isDefined(row, operands[i])) continue;
        if (tallies[r].differing++ == 0) tallies[r].first = fmt::format("{:x} {:x} {:x}: device {:x}, model {:x}", o[0], o[1], o[2], x, y);
      }
      word += wide ? 2 : 1;
    }
    cells(family, got.outputs[1].bytes(), want.outputs[1].bytes(), tallies);
  }

  // What the atomics left.
  void cells(const Family& family, const std::vector<std::byte>& a, const std::vector<std::byte>& b, std::vector<Tally>& tallies) {
    if (!family.name.starts_with("atomic")) return;
    const std::size_t size = kCells * (family.name == "atomic u64" ? 8 : 4);
    for (std::size_t r = 0; r < family.rows.size(); ++r)
      if (std::memcmp(a.data() + r * size, b.data() + r * size, size) != 0) {
        ++tallies[r].differing;
        tallies[r].first = "the memory afterwards";
      }
  }

  std::unique_ptr<WorkerDevice> device_;
  std::unique_ptr<Model> model_;
};

TEST_P(OperationDevice, GivesTheModelsBits) {
  const std::string name = GetParam();
  if (deviceNamed(name) == nullptr) GTEST_SKIP() << "there is no such device here";
  const std::string profile = name.substr(0, name.find('-'));
  device_ = openForTest(name, {.validation = false});
  ASSERT_NE(device_, nullptr);
  model_ = std::make_unique<Model>(ModelOptions{*profileByName(profile), {}});
  const std::uint64_t count = operandsAsked(kInvocations);
  std::size_t rows = 0;
  for (const Family& family : families()) {
    if (!has(family)) continue;
    std::vector<Tally> tallies(family.rows.size());
    for (std::uint32_t round = 0; round * std::uint64_t{kInvocations} < count; ++round) compare(family, operandsOf(round), tallies);
    for (std::size_t r = 0; r < family.rows.size(); ++r, ++rows) {
      const std::string rowName = family.rows[r].name();
      if (deviationOf(family.rows[r])) {
        EXPECT_GT(tallies[r].differing, 0u) << name << ", " << rowName << ": the deviation is not there any more";
        EXPECT_EQ(tallies[r].unexplained, 0u) << name << ", " << rowName << ", first " << tallies[r].firstUnexplained;
      } else {
        EXPECT_EQ(tallies[r].differing, 0u) << name << ", " << rowName << ", first " << tallies[r].first;
      }
    }
  }
  EXPECT_GT(rows, 100u);
  RecordProperty("rows", static_cast<int>(rows));
  std::printf("%s: %zu operations, %llu operands each\n", name.c_str(), rows, static_cast<unsigned long long>(count));
}

INSTANTIATE_TEST_SUITE_P(Devices, OperationDevice, testing::Values("lavapipe-4", "lavapipe-8", "lavapipe-16", "swiftshader", "nvidia"),
                         deviceTestName);

}  // namespace
}  // namespace lanewise::operations
