// What says what is right: programs, files, other dispatches, recorded results, nothing; and tolerances.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <chrono>
#include <cmath>
#include <cstring>
#include <fstream>
#include <thread>

#include "model/model.h"
#include "tests/scratch_folder.h"
#include "tools/described/described_kernel.h"

namespace lanewise {
namespace {

using testing::AllOf;
using testing::HasSubstr;

constexpr const char* kShader =
    "#version 450\nlayout(local_size_x = 64) in;\nlayout(binding = 0) readonly buffer A { uint value[]; } a;\n"
    "layout(binding = 1) buffer B { uint result[]; } b;\nlayout(push_constant) uniform P { uint count; uint factor; };\n"
    "void main() { uint i = gl_GlobalInvocationID.x; if (i < count) b.result[i] = a.value[i] * factor; }\n";
constexpr const char* kPlain =
    "lanewise = 1\n[size]\ndimensions = 1\n[parameters.factor]\nrange = [0, 9]\ndefault = 3\n"
    "[modules.own]\nfile = \"own.comp\"\n"
    "[resources.value]\nbuffer = \"u32\"\nelements = \"width\"\ndata = \"input\"\n"
    "[resources.result]\nbuffer = \"u32\"\nelements = \"width\"\noutput = true\n"
    "[[dispatches]]\ngroups = \"ceil_div(width, 64)\"\npush = { count = \"width\", factor = \"factor\" }\n"
    "bind = { a = \"value\", b = \"result\" }\n";
// It multiplies, without numpy.
constexpr const char* kProgram =
    "import array, json, sys\n"
    "for line in iter(sys.stdin.buffer.readline, b''):\n"
    "  ask = json.loads(line)\n"
    "  p = ask['parameters']\n"
    "  data = [array.array('I', sys.stdin.buffer.read(a['bytes'])) for a in ask['inputs']]\n"
    "  out = array.array('I', [x * p['factor'] % 2**32 for x in data[0]])\n"
    "  HOW\n"
    "  sys.stdout.buffer.write(json.dumps({'bytes': [len(out) * 4]}).encode() + b'\\n' + out.tobytes())\n"
    "  sys.stdout.buffer.flush()\n";

class References : public testing::Test {
 protected:
  void SetUp() override { write("own.comp", kShader); }
  void write(const std::string& name, const std::string& text) const { std::ofstream(folder_ / name, std::ios::binary) << text; }
  // With the program's line HOW in its place.
  void program(const std::string& how) const {
    std::string text = kProgram;
    write("reference.py", text.replace(text.find("HOW"), 3, how));
  }
  std::shared_ptr<const Kernel> open(const std::string& reference) const {
    const auto kernel = openDescription((folder_ / "mine.toml").string(), kPlain + reference);
    EXPECT_TRUE(kernel) << kernel.error().text();
    return kernel ? *kernel : nullptr;
  }
  static Expected<Expectation> expectedOf(const Kernel& kernel, const std::string& point) {
    const Expected<Case> c = parsePoint(kernel, point);
    EXPECT_TRUE(c);
    const Expected<golden::Image> input = inputOf(*c);
    return expectationOf(*c, *input);
  }
  // Empty if the model's result is right.
  static std::string wrong(const Kernel& kernel, const std::string& point) {
    const Expected<Expectation> expected = expectedOf(kernel, point);
    if (!expected) return expected.error().text();
    const Expected<Case> c = parsePoint(kernel, point);
    Model model;
    RunResult run = model.run(kernel.plan(*c, kernelModule(kernel), *inputOf(*c)));
    const Expected<Judged> judged = judge(*expected, run);
    return judged ? judged->text() : judged.error().text();
  }
  static constexpr const char* kAsk = "[reference]\nprogram = [\"python3\", \"reference.py\"]\ntimeout = 30\n";
  const ScratchFolder folder_;
};

TEST_F(References, AProgramIsAskedForEachCase) {
  program("sys.stderr.write('asked\\n')");
  const auto kernel = open(kAsk);
  EXPECT_EQ(kernel->oracle, "reference-program");
  for (const char* point : {"1x1", "70x1 factor=9", "3x1 factor=0 input=list:1,2,3"}) EXPECT_EQ(wrong(*kernel, point), "") << point;
  program("out[0] = 7");
  EXPECT_THAT(wrong(*open(kAsk), "2x1 factor=1 input=list:1,2"), HasSubstr("texel 0: 7 expected, 1 got"));
}

// Whatever says what is right: the kernel is not blamed where it does not run.
TEST_F(References, OfACaseInWhichNothingRunsNothingIsSaid) {
  program("");
  std::string text = kPlain;
  const std::string groups = "ceil_div(width, 64)";
  text.replace(text.find(groups), groups.size(), "width / 2");
  write("two.bin", std::string("\3\0\0\0", 4));
  const std::string files =
      "[[reference.files]]\ncase = \"1x1 factor=3 input=list:1\"\nresult = \"two.bin\"\n"
      "[[reference.files]]\ncase = \"2x1 factor=3 input=list:1,1\"\nresult = \"two.bin\"\n";
  for (const std::string& reference : {std::string(kAsk), files, std::string()}) {
    const auto kernel = openDescription((folder_ / "mine.toml").string(), text + reference);
    ASSERT_TRUE(kernel) << kernel.error().text();
    EXPECT_THAT(wrong(**kernel, "1x1 factor=3 input=list:1"), HasSubstr("nothing runs in the case 1x1")) << reference;
  }
  const auto kernel = openDescription((folder_ / "mine.toml").string(), text + kAsk);
  EXPECT_EQ(wrong(**kernel, "2x1 factor=3 input=list:1,1"), "");
}

TEST_F(References, AProgramThatFailsIsAnErrorThatSaysHow) {
  const auto kernel = [&](const std::string& how) {
    program(how);
    return open(kAsk);
  };
  EXPECT_THAT(wrong(*kernel("raise Exception('no such luck')"), "2x1"),
              AllOf(HasSubstr("ended before it answered 2x1"), HasSubstr("exit code 1"), HasSubstr("no such luck")));
  EXPECT_THAT(wrong(*kernel("import os; os.kill(os.getpid(), 11)"), "2x1"), HasSubstr("ended by signal 11"));
  EXPECT_THAT(wrong(*kernel("out.append(1)"), "2x1"), HasSubstr("gives 'result' 12 bytes, and 8 are meant (<u4 of the shape [2])"));
  EXPECT_THAT(wrong(*kernel("print('hello', flush=True)"), "2x1"), HasSubstr("no JSON object: 'hello'"));
  EXPECT_THAT(wrong(*kernel("print(json.dumps({'error': 'not for two'})); sys.stdout.flush(); continue"), "2x1"),
              HasSubstr("says: not for two"));
  program("import time; time.sleep(60)");
  const auto slow = open("[reference]\nprogram = [\"python3\", \"reference.py\"]\ntimeout = 2\n");
  EXPECT_THAT(wrong(*slow, "2x1"), HasSubstr("gives no answer for 2x1 factor=3 input=noise:1 within 2 s"));
  program("import time; sys.stdout.buffer.write(b'{\"bytes\":[8]}\\n1234567'); sys.stdout.flush(); time.sleep(60)");
  const auto half = open("[reference]\nprogram = [\"python3\", \"reference.py\"]\ntimeout = 2\n");
  EXPECT_THAT(wrong(*half, "2x1"),
              HasSubstr("gives no whole answer for 2x1 factor=3 input=noise:1 within 2 s: 21 bytes came, the line of JSON among them"));
  EXPECT_THAT(wrong(*kernel("sys.stdout.write('half'); sys.stdout.flush(); raise Exception()"), "2x1"),
              HasSubstr("ended in its answer for"));
  const auto more = kernel("import time; sys.stdout.buffer.write(b'{\"bytes\":[8]}\\n12345678'); sys.stdout.flush(); time.sleep(0.3)");
  EXPECT_THAT(wrong(*more, "2x1"), HasSubstr("expected"));
  std::this_thread::sleep_for(std::chrono::milliseconds(800));  // until the other answer is there
  EXPECT_THAT(wrong(*more, "3x1"), HasSubstr("wrote more than its answer to the question before 3x1"));
  const auto none = open("[reference]\nprogram = [\"lanewise-no-such-program\"]\n");
  for (int i = 0; i < 3; ++i) EXPECT_THAT(wrong(*none, "2x1"), HasSubstr("does not start"));
  EXPECT_THAT(wrong(*none, "2x1"), HasSubstr("has failed 3 times and is not asked again; it does not start"));
  EXPECT_THAT(wrong(*kernel("sys.stdout.buffer.write(bytes([0, 255, 65, 10])); sys.stdout.flush()"), "2x1"),
              HasSubstr("no JSON object: '\\x00\\xffA'"))
      << "as it can be printed";
}

TEST_F(References, AProgramIsNotAskedAgainAfterThreeFailuresInARow) {
  program("if p['width'] == 2: raise Exception('no such luck')");
  const auto kernel = open(kAsk);
  for (int i = 0; i < 4; ++i) {
    EXPECT_THAT(wrong(*kernel, "2x1"), HasSubstr("ended before it answered 2x1"));
    EXPECT_EQ(wrong(*kernel, "3x1"), "") << "an answer between two failures";
  }
  for (int i = 0; i < 3; ++i) EXPECT_THAT(wrong(*kernel, "2x1"), HasSubstr("ended before it answered 2x1"));
  EXPECT_THAT(wrong(*kernel, "3x1"), AllOf(HasSubstr("has failed 3 times and is not asked again"), HasSubstr("no such luck")));
}

TEST_F(References, AProgramThatSaysWhyNotGoesOn) {
  program("if p['width'] < 9: print(json.dumps({'error': 'not for %d' % p['width']})); sys.stdout.flush(); continue");
  const auto kernel = open(kAsk);
  for (int width = 2; width < 7; ++width)
    EXPECT_THAT(wrong(*kernel, fmt::format("{}x1", width)), HasSubstr(fmt::format("says: not for {}", width)));
  EXPECT_EQ(wrong(*kernel, "9x1"), "") << "it is still asked";
}

TEST_F(References, AProgramThatFailedOnceIsStartedAgain) {
  program("if p['width'] == 2: sys.exit(3)");
  const auto kernel = open(kAsk);
  EXPECT_THAT(wrong(*kernel, "2x1"), HasSubstr("exit code 3"));
  EXPECT_EQ(wrong(*kernel, "3x1"), "");
}

TEST_F(References, OtherDispatchesRunOnTheModel) {
  write("slow.comp",
        "#version 450\nlayout(binding = 0) readonly buffer A { uint value[]; } a;\nlayout(binding = 1) buffer B { uint result[]; } b;\n"
        "layout(push_constant) uniform P { uint factor; };\nvoid main() { uint i = gl_GlobalInvocationID.x; uint sum = 0u;\n"
        "for (uint k = 0u; k < factor; ++k) sum += a.value[i]; b.result[i] = sum; }\n");
  const std::string slow =
      "[modules.slow]\nfile = \"slow.comp\"\n[[reference.dispatches]]\nmodule = \"slow\"\ngroups = \"width\"\n"
      "push = { factor = \"FACTOR\" }\nbind = { a = \"value\", b = \"result\" }\n";
  const auto factor = [&](const std::string& formula) { return std::string(slow).replace(slow.find("FACTOR"), 6, formula); };
  const std::string named = std::string(kPlain).replace(std::string(kPlain).find("[[dispatches]]"), 14, "[[dispatches]]\nmodule = \"own\"");
  const auto kernelOf = [&](const std::string& reference) {
    const auto kernel = openDescription((folder_ / "mine.toml").string(), named + reference);
    EXPECT_TRUE(kernel) << kernel.error().text();
    return *kernel;
  };
  EXPECT_EQ(wrong(*kernelOf(factor("factor")), "70x1 factor=5"), "");
  EXPECT_THAT(wrong(*kernelOf(factor("factor + 1")), "1x1 factor=5 input=list:1"), HasSubstr("6 expected, 5 got"));
}

TEST_F(References, FilesAreTheOnlyCases) {
  write("two.bin", std::string("\x02\0\0\0\x04\0\0\0", 8));
  const auto kernel = open("[[reference.files]]\ncase = \"2x1 factor=2 input=list:1,2\"\nresult = \"two.bin\"\n");
  const Expected<std::vector<Case>> cases = casesOf(*kernel);
  ASSERT_TRUE(cases);
  ASSERT_EQ(cases->size(), 1u);
  EXPECT_EQ(wrong(*kernel, pointText((*cases)[0])), "");
  EXPECT_THAT(wrong(*kernel, "3x1"), HasSubstr("there are no expected files for"));
  const auto none = openDescription((folder_ / "mine.toml").string(),
                                    std::string(kPlain) + "[[reference.files]]\ncase = \"3x7\"\nresult = \"two.bin\"\n");
  ASSERT_FALSE(none);
  EXPECT_THAT(none.error().text(), AllOf(HasSubstr("one dimension"), HasSubstr("mine.toml:22:8"))) << "the place in the description";
  write("two.bin", "1234567");
  EXPECT_THAT(wrong(*kernel, pointText((*cases)[0])), HasSubstr("has 7 bytes, and 8 are meant"));
}

TEST_F(References, RecordedResultsAreNotProved) {
  const std::string recorded = "[reference]\nrecorded = \"mine.recorded\"\n";
  EXPECT_THAT(wrong(*open(recorded), "2x1"), HasSubstr("no result is recorded for"));
  Recorded file;
  file.date = "2025-01-31";
  file.cases["2x1 factor=3 input=list:1,2"] = {{std::byte{3}, {}, {}, {}, std::byte{6}, {}, {}, {}}};
  ASSERT_EQ(writeRecorded((folder_ / "mine.recorded").string(), file), std::nullopt);
  const auto kernel = open(recorded);
  EXPECT_EQ(wrong(*kernel, "2x1 input=list:1,2"), "");
  EXPECT_THAT(kernel->contract.allows, AllOf(HasSubstr("recorded on 2025-01-31"), HasSubstr("not proved")));
  std::fstream edit(folder_ / "mine.recorded", std::ios::in | std::ios::out | std::ios::binary);
  edit.seekp(60);
  edit.put('x');
  edit.close();
  const auto edited = openDescription((folder_ / "mine.toml").string(), kPlain + recorded);
  ASSERT_FALSE(edited);
  EXPECT_EQ(edited.error().outcome, Outcome::kGoldenTrouble);
}

TEST_F(References, WithoutAReferenceOnlyInvariantsAreKnown) {
  const auto kernel = open("");
  EXPECT_TRUE(kernel->invariants);
  EXPECT_EQ(wrong(*kernel, "70x1"), "");
  EXPECT_THAT(kernel->contract.allows, HasSubstr("nothing says what is right"));
}

golden::Image floats(std::initializer_list<float> values) {
  golden::Image image = golden::makeImage({static_cast<std::uint32_t>(values.size()), 1}, 1, golden::Component::kF32);
  std::memcpy(image.bytes.data(), values.begin(), image.bytes.size());
  return image;
}

TEST(Tolerances, AValueIsAllowedWhereOneOfThemAllowsIt) {
  const golden::Image one = floats({1.0f, -2.0f, 0.0f, NAN});
  const auto low = [&](const Tolerance& t, std::uint32_t x) { return boundsOf(one, {&t}).low.get<float>(0, x, 0); };
  const auto high = [&](const Tolerance& t, std::uint32_t x) { return boundsOf(one, {&t}).high.get<float>(0, x, 0); };
  Tolerance ulp{.ulp = 2, .values = true};
  EXPECT_EQ(high(ulp, 0), std::nextafterf(std::nextafterf(1.0f, 2), 2));
  EXPECT_EQ(low(ulp, 1), std::nextafterf(std::nextafterf(-2.0f, -3), -3));
  const auto bits = [&](const Tolerance& t) {
    return std::pair(std::bit_cast<std::uint32_t>(low(t, 3)), std::bit_cast<std::uint32_t>(high(t, 3)));
  };
  EXPECT_TRUE(std::isnan(low(ulp, 3)) && std::isnan(high(ulp, 3)));
  EXPECT_NE(bits(ulp).first, bits(ulp).second) << "two NaNs are bounds for any";
  const Tolerance exact{};
  EXPECT_EQ(bits(exact).first, bits(exact).second) << "an exact component is exact";
  const Tolerance absolute{.channel = "0", .absolute = 0.1, .values = true};
  EXPECT_LE(high(absolute, 0), 1.1);
  EXPECT_GT(std::nextafterf(high(absolute, 0), 2), 1.1);
  EXPECT_GE(low(absolute, 2), -0.1);
  const Tolerance relative{.relative = 0.5, .values = true};
  EXPECT_EQ(low(relative, 1), -3.0f);
  EXPECT_EQ(high(relative, 2), 0.0f) << "of 0 no part";
  EXPECT_EQ(channelNumber("r", one), 0u) << "R32_SFLOAT has an r";
  EXPECT_EQ(channelNumber("g", one), std::nullopt);
  const Tolerance other{.channel = "1", .absolute = 9, .values = true};
  EXPECT_EQ(high(other, 0), 1.0f) << "another component";
  golden::Image codes = golden::makeImage({1, 1}, 4, golden::Component::kU8);
  codes.bytes = {std::byte{0}, std::byte{1}, std::byte{254}, std::byte{255}};
  const Tolerance step{.ulp = 2, .values = true}, exactAlpha{.channel = "a", .values = true};
  const golden::Bounds b = boundsOf(codes, {&step, &exactAlpha});
  EXPECT_EQ(b.low.bytes, (std::vector<std::byte>{std::byte{0}, std::byte{0}, std::byte{252}, std::byte{255}}));
  EXPECT_EQ(b.high.bytes, (std::vector<std::byte>{std::byte{2}, std::byte{3}, std::byte{255}, std::byte{255}}));
}

// A row of values of a type, each as its bits.
template <class T>
golden::Image rowOf(golden::Component component, std::initializer_list<T> values) {
  golden::Image image = golden::makeImage({static_cast<std::uint32_t>(values.size()), 1}, 1, component);
  std::memcpy(image.bytes.data(), values.begin(), image.bytes.size());
  return image;
}

template <class T>
std::pair<std::vector<T>, std::vector<T>> rangesOf(const golden::Image& image, const Tolerance& t) {
  const golden::Bounds b = boundsOf(image, {&t});
  std::pair<std::vector<T>, std::vector<T>> out;
  for (std::uint32_t x = 0; x < image.extent.width; ++x) {
    out.first.push_back(b.low.get<T>(0, x, 0));
    out.second.push_back(b.high.get<T>(0, x, 0));
  }
  return out;
}

TEST(Tolerances, SignedIntegersHaveRangesOverZero) {
  const Tolerance step{.ulp = 2, .values = true}, absolute{.absolute = 2.9, .values = true}, relative{.relative = 0.5, .values = true},
      mean{.rmse = 1.0};
  const golden::Image bytes = rowOf<std::int8_t>(golden::Component::kI8, {-128, -1, 0, 127});
  const std::pair<std::vector<std::int8_t>, std::vector<std::int8_t>> two = {{-128, -3, -2, 125}, {-126, 1, 2, 127}};
  EXPECT_EQ(rangesOf<std::int8_t>(bytes, step), two);
  EXPECT_EQ(rangesOf<std::int8_t>(bytes, absolute), two) << "2.9 is 2 for integers";
  EXPECT_EQ(rangesOf<std::int8_t>(bytes, mean).first, std::vector<std::int8_t>(4, -128));
  EXPECT_EQ(rangesOf<std::int8_t>(bytes, mean).second, std::vector<std::int8_t>(4, 127));
  const golden::Image words = rowOf<std::int32_t>(golden::Component::kI32, {-10, std::numeric_limits<std::int32_t>::min()});
  EXPECT_EQ(rangesOf<std::int32_t>(words, relative).first, (std::vector<std::int32_t>{-15, std::numeric_limits<std::int32_t>::min()}));
  EXPECT_EQ(rangesOf<std::int32_t>(words, relative).second, (std::vector<std::int32_t>{-5, -(1 << 30)}));
}

TEST(Tolerances, NumbersOf64BitsHaveExactRanges) {
  const Tolerance step{.ulp = 1, .values = true}, much{.absolute = 1e300, .values = true};
  constexpr std::int64_t kLeast = std::numeric_limits<std::int64_t>::min(), kMost = std::numeric_limits<std::int64_t>::max();
  const golden::Image wide = rowOf<std::int64_t>(golden::Component::kI64, {kLeast, (std::int64_t{1} << 62) + 1});
  EXPECT_EQ(rangesOf<std::int64_t>(wide, step).first, (std::vector<std::int64_t>{kLeast, std::int64_t{1} << 62}));
  EXPECT_EQ(rangesOf<std::int64_t>(wide, step).second, (std::vector<std::int64_t>{kLeast + 1, (std::int64_t{1} << 62) + 2}));
  EXPECT_EQ(rangesOf<std::int64_t>(wide, much).first, std::vector<std::int64_t>(2, kLeast));
  EXPECT_EQ(rangesOf<std::int64_t>(wide, much).second, std::vector<std::int64_t>(2, kMost));
  const golden::Image real = rowOf<double>(golden::Component::kF64, {1.0, -0.0, 1e308, INFINITY});
  EXPECT_EQ(rangesOf<double>(real, step).second[0], std::nextafter(1.0, 2));
  EXPECT_EQ(std::bit_cast<std::uint64_t>(rangesOf<double>(real, step).second[1]), 0u) << "+0 is next to -0";
  EXPECT_EQ(rangesOf<double>(real, much).first[0], std::nextafter(-1e300, 0)) << "-1e300 is 1e300 + 1 away";
  EXPECT_EQ(rangesOf<double>(real, Tolerance{.relative = 9, .values = true}).second[2], std::numeric_limits<double>::max());
  EXPECT_EQ(rangesOf<double>(real, much).first[3], INFINITY);
  // 1 + 0.75 ULP rounds to 1 + 1 ULP, which is too far.
  const Tolerance part{.absolute = 0.75 * std::numeric_limits<double>::epsilon(), .values = true};
  EXPECT_EQ(rangesOf<double>(real, part).second[0], 1.0);
  EXPECT_EQ(rangesOf<double>(real, part).first[0], 1.0 - std::numeric_limits<double>::epsilon() / 2)
      << "below 1 they are half as far apart";
}

TEST(Tolerances, AMeanDecidesOverTheWholeOutput) {
  Expectation e;
  const Tolerance mean{.rmse = 1.0};
  const golden::Image right = floats({1, 2, 3, 4});
  const golden::Bounds b = boundsOf(right, {&mean});
  e.images = {b.low};
  e.high = {b.high};
  e.centres = {b.centre};
  e.contract.means = {{0, std::nullopt, 1.0}};
  EXPECT_FALSE(firstDifference(e, {floats({1, 2, 3, 6})})->has_value()) << "the root of 4 / 4";
  EXPECT_TRUE(firstDifference(e, {floats({1, 2, 3, 6.1f})})->has_value());
  EXPECT_TRUE(firstDifference(e, {floats({1, 2, 3, NAN})})->has_value());
  e.centres = {floats({1, 2, 3, 4, 5})};  // as a capsule may have them
  EXPECT_FALSE(firstDifference(e, {floats({1, 2, 3, 6})}).ok());
}

}  // namespace
}  // namespace lanewise
