// Descriptions: the errors of each kind with their place, our own kernels as descriptions, and broken files.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <fstream>
#include <random>
#include <set>

#include "model/base/file.h"
#include "model/model.h"
#include "tests/scratch_folder.h"
#include "tools/catalogue/sets.h"
#include "tools/described/described_kernel.h"
#include "tools/described/keys.h"

namespace lanewise {
namespace {

using testing::AllOf;
using testing::HasSubstr;

constexpr const char* kShader =
    "#version 450\nlayout(local_size_x = 64) in;\nlayout(binding = 0) readonly buffer A { uint a[]; };\n"
    "layout(binding = 1) buffer B { uint b[]; };\nlayout(constant_id = 3) const uint kStep = 1;\n"
    "layout(push_constant) uniform P { uint n; uint scale; vec2 pair; };\n"
    "void main() { uint i = gl_GlobalInvocationID.x; if (i < n) b[i] = a[i] * scale + kStep; }\n";
constexpr const char* kPlain =
    "lanewise = 1\n"
    "[size]\n"
    "dimensions = 1\n"
    "[parameters]\n"
    "scale = { range = [0, 9], default = 3 }\n"
    "[modules.own]\n"
    "file = \"own.comp\"\n"
    "[resources.A]\n"
    "buffer = \"u32\"\n"
    "elements = \"width\"\n"
    "data = \"input\"\n"
    "[resources.B]\n"
    "buffer = \"u32\"\n"
    "elements = \"width\"\n"
    "output = true\n"
    "[[dispatches]]\n"
    "groups = \"ceil_div(width, 64)\"\n"
    "push = { n = \"width\", scale = \"scale\", pair = [0.5, \"width\"] }\n"
    "spec = { kStep = 2 }\n";

class Descriptions : public testing::Test {
 protected:
  void SetUp() override { std::ofstream(folder_ / "own.comp") << kShader; }
  std::string file() const { return (folder_ / "mine.toml").string(); }
  // The plain text with one part of it replaced.
  static std::string with(const std::string& from, const std::string& to) {
    std::string text = kPlain;
    const std::size_t at = text.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    return text.replace(at, from.size(), to);
  }
  std::string error(const std::string& text) const {
    const auto kernel = openDescription(file(), text);
    if (kernel) return "none";
    EXPECT_EQ(kernel.error().outcome, Outcome::kBadInput) << kernel.error().text();
    std::string says = kernel.error().text();
    if (const std::size_t at = says.find(file()); at != std::string::npos) says.replace(at, file().size(), "F");
    return says;
  }
  const ScratchFolder folder_;
};

TEST_F(Descriptions, AFileBecomesAKernel) {
  const auto kernel = openDescription(file(), kPlain);
  ASSERT_TRUE(kernel) << kernel.error().text();
  const Expected<Case> c = parsePoint(**kernel, "70x1 scale=5");
  ASSERT_TRUE(c) << c.error().text();
  EXPECT_EQ(outsideDomain(*c), std::nullopt);
  const Expected<golden::Image> input = inputOf(*c);
  ASSERT_TRUE(input);
  EXPECT_EQ(input->extent, (golden::Extent{70, 1}));
  EXPECT_EQ(input->component, golden::Component::kU32);
  const Job job = c->kernel->plan(*c, kernelModule(*c->kernel), *input);
  ASSERT_EQ(job.dispatches.size(), 1u);
  EXPECT_EQ(job.dispatches[0].groups, (Extent3{2, 1, 1}));
  const std::uint32_t push[] = {70, 5, 0x3f000000, 0x428c0000};
  ASSERT_EQ(job.dispatches[0].push.size(), sizeof push);
  EXPECT_EQ(std::memcmp(job.dispatches[0].push.data(), push, sizeof push), 0);
  Model model;
  const RunResult run = model.run(job);
  ASSERT_FALSE(run.error) << run.error->text();
  EXPECT_EQ(valueBits({}, run.outputs[0].bytes().data() + 276), (input->get<std::uint32_t>(0, 69, 0) * 5 + 2) & 0xFFFFFFFF);
}

TEST_F(Descriptions, RangesOfIntegersStayInsideOf64Bits) {
  for (const auto& [range, says] :
       {std::pair("[0, 1e30]", "its range goes beyond 2^62"), std::pair("[9, 8]", "is empty"), std::pair("[0, 9]", "")}) {
    const auto kernel = openDescription(file(), with("data = \"input\"\n", std::string("data = \"noise:1\"\nrange = ") + range + "\n"));
    ASSERT_TRUE(kernel) << kernel.error().text();
    const Expected<Case> c = parsePoint(**kernel, "70x1");
    ASSERT_TRUE(c) << c.error().text();
    const Status wrong = outsideDomain(*c);
    EXPECT_THAT(wrong ? wrong->text() : "", HasSubstr(says));
    EXPECT_EQ(wrong.has_value(), *says != '\0');
  }
}

TEST_F(Descriptions, ACaseHoldsItsKernel) {
  Expected<Case> c = Error{};
  {
    const auto kernel = openDescription(file(), kPlain);
    ASSERT_TRUE(kernel);
    c = parsePoint(**kernel, "3x1");
  }
  EXPECT_EQ(c->name(), file() + " @ 3x1 scale=3 input=noise:1");
}

TEST_F(Descriptions, ErrorsSayLineColumnAndWhatToDo) {
  std::string deep = "a";
  std::string quoted = "'a,b'";
  for (int i = 0; i < 50000; ++i) {
    deep += ".a";
    quoted += ".'a,b'";
  }
  const std::pair<std::string, std::string> errors[] = {
      {"lanewise = 1\nlanewise = 2\n", "F:2:1"},
      {"lanewise = 1\n[" + deep + "]\n", "more than 200 points in keys inside of one another: they have fewer parts (F:2:403)"},
      {"lanewise = 1\n[" + quoted + "]\n", "more than 200 points in keys inside of one another"},
      {"# " + std::string(300, '.') + "\nlanewise = 2 # '...\n", "'lanewise' is 2 (F:2:12); from 1 to 1"},
      {std::string(kPlain) + "[reference]\nprogram = [\"a\"]\ntimeout = 0\n",
       "a timeout is more than 0 and at most 1000000 seconds (F:22:11)"},
      {with("lanewise = 1", "lanewise = 2"), "'lanewise' is 2 (F:1:12); from 1 to 1"},
      {with("lanewise = 1\n", ""), "it does not say the version"},
      {with("dimensions", "dimension"), "unknown key 'dimension' (F:3:1); is 'dimensions' meant?"},
      {with("range = [0, 9]", "range = [9, 0]"), "a range has two numbers, the least and the greatest (F:5:19)"},
      {with("range = [0, 9]", "range = [0, 9], choices = [\"a\"]"), "a parameter has a range or choices"},
      {with("default = 3", "default = 33"), "not a scale: '33' (F:5:37)"},
      {with("own.comp", "none.comp"), "there is no file"},
      {with("buffer = \"u32\"\nelements = \"width\"\ndata", "buffer = \"u33\"\nelements = \"width\"\ndata"),
       "there is no type 'u33' (F:9:10)"},
      {with("elements = \"width\"\ndata", "elements = \"widht\"\ndata"), "there is no parameter 'widht' (F:10:13)"},
      {with("data = \"input\"", "data = \"noise\""), "F:11:8"},
      {with("output = true\n", ""), "no resource is an output"},
      {with("output = true", "output = 1"), "'output' is an integer, and true or false is meant (F:15:10)"},
      {with("n = \"width\", ", ""), "the push constant 'n' has no value"},
      {with("n = \"width\"", "m = \"width\""), "the push constants have no member 'm' (F:18:10)"},
      {with("pair = [0.5, \"width\"]", "pair = 0.5"), "1 values for 'pair', which has 2 scalars"},
      {with("kStep", "kStop"), "no specialization constant 'kStop' (F:19:10); it has 3 (kStep)"},
      {with("[resources.A]", "[resources.C]"), "nothing is said of storage buffer 0:0 (A)"},
      {with("spec = { kStep = 2 }", "bind = { \"0:7\" = \"A\" }"), "uses no binding 0:7 (F:19:10); it uses 0:0 (A), 0:1 (B)"},
      {with("spec = { kStep = 2 }", "bind = { A = \"Z\" }"), "there is no resource 'Z' (F:19:14)"},
      {with("spec = { kStep = 2 }", "module = \"other\""), "there is no module 'other' (F:19:10); there are own"},
      {with("spec = { kStep = 2 }", "spec = { kStep = 2, 3 = 1 }"), "the specialization constant 3 is there twice (F:19:21)"},
      {with("spec = { kStep = 2 }", "bind = { \"0:0\" = \"A\", A = \"A\" }"), "binding 0:0 (A) is there twice (F:19:23)"},
      {with("pair = [0.5, \"width\"]", "pair = [0.5, \"width\"], \"pair.x\" = 1"), "the push constant 'pair.x' is there twice (F:18:63)"},
      {with("spec = { kStep = 2 }", "bind = { A = { resource = \"A\", level = 1 } }"),
       "binding 0:0 (A) is a storage buffer, which has no 'level' (F:19:10)"},
      {with("spec = { kStep = 2 }", "bind = { A = { resource = \"A\", sampler = \"linear\" } }"), "which has no 'sampler'"},
      {with("spec = { kStep = 2 }", "bind = { A = { resource = \"A\", format = \"r32ui\" } }"), "which has no 'format'"},
      {with("data = \"input\"", "data = \"zeros\"\nrange = [1, 2]"), "'A' has a range, and its data is no input (F:8:12)"},
      {std::string(kPlain) + "[reference]\nfiles = []\n", "the reference has no files (F:21:9)"},
      {std::string(kPlain) + "[reference]\ndispatches = []\n", "the reference has no dispatches (F:21:14)"},
      {std::string(kPlain) + "[reference]\nkernel = \"box/none\"\n", "there is no kernel 'box/none' (F:21:10)"},
      {std::string(kPlain) + "[reference]\nprogram = [\"a\"]\nrecorded = \"b\"\n", "a kernel has one reference (F:20:1)"},
      {std::string(kPlain) + "[tolerance.B.all]\nulp = 1\n", "a tolerance needs its reason"},
      {std::string(kPlain) + "[tolerance.C.all]\nulp = 1\nreason = \"x\"\n", "there is no output 'C' (F:20:12)"},
      {std::string(kPlain) + "[tolerance.B.g]\nulp = 1\nreason = \"x\"\n", "'B' has no component 'g' (F:20:14)"},
      {std::string(kPlain) +
           "[resources.P]\nimage = \"B10G11R11_UFLOAT_PACK32\"\noutput = true\n[tolerance.P.r]\nulp = 1\nreason = \"x\"\n",
       "'P' has no tolerance: its texels are packed (F:23:12)"},
  };
  EXPECT_EQ(error(kPlain), "none");
  for (const auto& [text, says] : errors) EXPECT_THAT(error(text), HasSubstr(says)) << text;
}

TEST_F(Descriptions, APushConstantMayBeADeviceAddress) {
  std::ofstream(folder_ / "own.comp") << "#version 450\n#extension GL_EXT_buffer_reference : require\nlayout(local_size_x = 64) in;\n"
                                         "layout(buffer_reference, std430) buffer D { uint v[]; };\n"
                                         "layout(push_constant) uniform P { uint n; D from; D to; };\n"
                                         "void main() { uint i = gl_GlobalInvocationID.x; if (i < n) to.v[i] = from.v[i] + i; }\n";
  const auto text = [](const std::string& push) {
    std::string out =
        with("push = { n = \"width\", scale = \"scale\", pair = [0.5, \"width\"] }\nspec = { kStep = 2 }\n", "push = " + push + "\n");
    return out.replace(out.find("scale = {"), 5, "other");
  };
  const std::tuple<const char*, std::uint32_t, std::uint32_t> pushes[] = {
      {"{ n = \"width\", from = \"addr: A\", to = \"addr:B\" }", 69, 69},
      {"[\"width\", \"addr: A\", \"addr: B\"]", 69, 69},
      {"[\"width - 1\", \"addr: A + 4 * (width / width)\", \"addr:B+ 0\"]", 69, 68}};
  for (const auto& [push, from, to] : pushes) {
    const auto kernel = openDescription(file(), text(push));
    ASSERT_TRUE(kernel) << kernel.error().text();
    const Expected<Case> c = parsePoint(**kernel, "70x1");
    ASSERT_TRUE(c) << c.error().text();
    const Expected<golden::Image> input = inputOf(*c);
    ASSERT_TRUE(input);
    Model model;
    const RunResult run = model.run(c->kernel->plan(*c, kernelModule(*c->kernel), *input));
    ASSERT_FALSE(run.error) << run.error->text();
    EXPECT_EQ(valueBits({}, run.outputs[0].bytes().data() + 4 * to), (input->get<std::uint32_t>(0, from, 0) + to) & 0xFFFFFFFF) << push;
  }
  EXPECT_THAT(error(text("{ n = \"width\", from = 0, to = \"addr: B\" }")), HasSubstr("the push constant 'from' is a device address"));
  EXPECT_THAT(error(text("{ n = \"addr: A\", from = \"addr: A\", to = \"addr: B\" }")),
              HasSubstr("the push constant 'n' has 4 bytes, and an address has 8 (F:18:15)"));
  EXPECT_THAT(error(text("{ n = \"width\", from = \"addr: C\", to = \"addr: B\" }")),
              HasSubstr("there is no buffer 'C' for addr: (F:18:30)"));
  EXPECT_THAT(error(text("{ n = \"width\", from = \"addr: A + 2 *\", to = \"addr: B\" }")), HasSubstr("(F:18:4"));
  EXPECT_THAT(error(text("{ n = \"width\", from = \"addr: + 4\", to = \"addr: B\" }")), HasSubstr("there is no buffer '' for addr:"));
}

// Each step at which a module may be refused.
TEST_F(Descriptions, AWrongModuleIsToldWithItsPlace) {
  std::ofstream(folder_ / "own.comp") << "#version 450\nvoid main() { x }\n";
  EXPECT_THAT(error(kPlain), AllOf(HasSubstr("does not compile"), HasSubstr(", named at F:7:8")));
  std::ofstream(folder_ / "own.spvasm") << "OpCapability Shader\nOpMemoryModel Logical GLSL450\n%1 = OpTypeVoid\n%1 = OpTypeVoid\n";
  EXPECT_THAT(error(with("own.comp", "own.spvasm")), AllOf(HasSubstr("own.spvasm"), HasSubstr(", named at F:7:8")));
  const std::uint32_t words[] = {0x07230203, 0x00010000, 0, 1, 0, 0x00020011};  // ends inside of an instruction
  std::ofstream(folder_ / "own.spv").write(reinterpret_cast<const char*>(words), sizeof words);
  EXPECT_THAT(error(with("own.comp", "own.spv")), AllOf(HasSubstr("own.spv"), HasSubstr(", named at F:7:8")));
}

TEST_F(Descriptions, WhatIsWrongInACaseIsAnErrorOfThatCase) {
  const auto kernel = openDescription(file(), with("ceil_div(width, 64)", "64 / (width - 3)"));
  ASSERT_TRUE(kernel) << kernel.error().text();
  EXPECT_EQ(outsideDomain(*parsePoint(**kernel, "4x1")), std::nullopt);
  EXPECT_THAT(outsideDomain(*parsePoint(**kernel, "3x1"))->text(), AllOf(HasSubstr("a division by 0"), HasSubstr("mine.toml:17:11")));
  EXPECT_THAT(outsideDomain(*parsePoint(**kernel, "3x2"))->text(), HasSubstr("one dimension"));
  const auto endless = openDescription(file(), with("\"ceil_div(width, 64)\"", "[4294967295, \"width\"]"));
  ASSERT_TRUE(endless) << endless.error().text();
  EXPECT_THAT(outsideDomain(*parsePoint(**endless, "1x1"))->text(),
              AllOf(HasSubstr("more than 2^36 invocations"), HasSubstr("mine.toml:17:11")));
  const auto some = openDescription(file(), "where = \"scale < width\"\n" + std::string(kPlain));
  ASSERT_TRUE(some) << some.error().text();
  EXPECT_EQ(outsideDomain(*parsePoint(**some, "4x1")), std::nullopt);
  EXPECT_THAT(outsideDomain(*parsePoint(**some, "3x1"))->text(), HasSubstr("not 'scale < width'"));
  const Expected<std::vector<Case>> quick = casesOf(**some);
  ASSERT_TRUE(quick);
  for (const Case& c : *quick) EXPECT_LT(c.value("scale"), c.size.width) << c.name();
}

// A size that the kernel does not have stands for the next one.
TEST_F(Descriptions, TheQuickSetHasTheSizesThatAreThere) {
  const auto widths = [&](const std::string& text) {
    const auto kernel = openDescription(file(), text);
    EXPECT_TRUE(kernel) << kernel.error().text();
    std::set<std::string> out;
    const Expected<std::vector<Case>> quick = casesOf(**kernel);
    EXPECT_TRUE(quick);
    for (const Case& c : *quick) out.insert(sizeText(c.size));
    return out;
  };
  EXPECT_THAT(widths("where = \"width % 512 == 0\"\n" + std::string(kPlain)), testing::ElementsAre("512x1"));
  EXPECT_THAT(widths("where = \"width > 3000\"\n" + std::string(kPlain)), testing::ElementsAre("4096x1"));
  EXPECT_THAT(widths("where = \"width % 10 == 0\"\n" + std::string(kPlain)), testing::UnorderedElementsAre("10x1", "70x1", "130x1"));
  std::string flat = with("dimensions = 1", "dimensions = 2");
  flat.replace(flat.find("ceil_div(width, 64)"), 19, "ceil_div(width * height, 64)");
  EXPECT_THAT(widths("where = \"width == height\"\n" + flat),
              AllOf(testing::Contains("1x1"), testing::Contains("65x65"), testing::Contains("17x17")));
}

TEST_F(Descriptions, TheQuickSetHasEverySideClassAndEveryPairOfValues) {
  const auto kernel = openDescription(file(), kPlain);
  ASSERT_TRUE(kernel);
  const Expected<std::vector<Case>> cases = casesOf(**kernel);
  ASSERT_TRUE(cases);
  std::set<std::uint32_t> widths;
  std::set<std::pair<std::uint32_t, std::uint32_t>> pairs;
  for (const Case& c : *cases) {
    EXPECT_EQ(c.size.height, 1u);
    widths.insert(c.size.width);
    pairs.insert({c.size.width, c.values[0]});
  }
  for (const std::uint32_t w : {1, 2, 3, 63, 64, 65, 129}) EXPECT_TRUE(widths.contains(w)) << w;
  for (const std::uint32_t w : widths)
    for (const std::uint32_t scale : {0, 1, 2, 3, 7, 9}) EXPECT_TRUE(pairs.contains({w, scale})) << w << " " << scale;
  std::size_t full = 0;
  std::set<std::uint32_t> all;
  ASSERT_EQ(forEachCase(**kernel, CaseSet::kFull, {}, [&](const Case& c) { ++full, all.insert(c.size.width); }), std::nullopt);
  for (std::uint32_t w = 1; w <= 1040; ++w) EXPECT_TRUE(all.contains(w)) << w;
}

// The bytes of a kernel's job in a case.
std::vector<std::vector<std::byte>> resultOf(const Kernel& kernel, const std::string& point) {
  const Expected<Case> c = parsePoint(kernel, point);
  EXPECT_TRUE(c) << point;
  const Expected<golden::Image> input = inputOf(*c);
  EXPECT_TRUE(input) << point;
  Model model;
  const RunResult run = model.run(kernel.plan(*c, kernelModule(kernel), *input));
  EXPECT_FALSE(run.error) << run.error->text();
  std::vector<std::vector<std::byte>> bytes;
  for (const Resource& r : run.outputs) bytes.push_back(r.bytes());
  return bytes;
}

TEST(Examples, OurKernelsAsDescriptionsGiveTheSameResults) {
  const std::pair<const char*, const char*> examples[] = {{"box_blur.toml", "box-blur/double/naive"},
                                                          {"checksum.toml", "checksum/sum/shuffle"}};
  for (const auto& [file, name] : examples) {
    const auto described = openDescription(std::string(LANEWISE_EXAMPLES "/") + file);
    ASSERT_TRUE(described) << described.error().text();
    const Kernel& own = *findKernel(name);
    EXPECT_EQ((*described)->contract.name, own.contract.name);
    const Expected<std::vector<Case>> cases = casesOf(own);
    std::size_t compared = 0;
    for (const Case& c : *cases) {
      if (c.size.width * c.size.height > 300 || compared == 60) continue;
      const std::string point = pointText(c);
      if (point.find("bgra8") != std::string::npos || c.value("radius") > 20) continue;
      ++compared;
      EXPECT_EQ(resultOf(**described, point), resultOf(own, point)) << file << " @ " << point;
      const Expected<Case> same = parsePoint(**described, point);
      const Expected<Expectation> judged = expectationOf(*same, *inputOf(*same)), right = expectationOf(c, *inputOf(c));
      ASSERT_TRUE(judged && right) << (judged ? "" : judged.error().text());
      EXPECT_EQ(judged->images, right->images) << point;
    }
    EXPECT_GE(compared, 30u) << file;
  }
}

TEST(Schema, TheCommittedOneIsThatOfTheKeys) {
  const Expected<std::string> file = readWholeFile(LANEWISE_SCHEMA);
  ASSERT_TRUE(file);
  EXPECT_EQ(*file, descriptionSchema()) << "lanewise init --schema > docs/kernel.schema.json";
}

TEST(Schema, ThePageHasEveryKey) {
  const Expected<std::string> page = readWholeFile(LANEWISE_DESCRIPTIONS_PAGE);
  ASSERT_TRUE(page);
  for (const KeyRow& row : descriptionKeys()) {
    if (row.key == kAnyKey) continue;
    EXPECT_THAT(*page, HasSubstr(fmt::format("`{}`", row.key))) << row.table;
  }
}

// Whatever a file says, it is a kernel or one error with a place, and no formula of it harms.
TEST_F(Descriptions, BrokenFilesAreErrors) {
  std::mt19937 random(7);
  const auto below = [&](std::size_t n) { return static_cast<std::size_t>(random()) % n; };
  const std::string texts[] = {kPlain, *readWholeFile(LANEWISE_EXAMPLES "/box_blur.toml"),
                               *readWholeFile(LANEWISE_EXAMPLES "/checksum.toml")};
  const std::string parts[] = {"\"",
                               "[",
                               "]",
                               "{",
                               "}",
                               "=",
                               "\n",
                               "'",
                               "width",
                               "-1",
                               "9999999999999999999",
                               "0.5",
                               "true",
                               "(",
                               "1 / 0",
                               "<<",
                               "[[dispatches]]\n",
                               "\xff"};
  std::size_t kernels = 0, errors = 0;
  for (int i = 0; i < 1500; ++i) {
    std::string text = texts[below(3)];
    for (std::size_t damage = 1 + below(3); damage > 0; --damage) {
      const std::size_t at = below(text.size());
      switch (below(4)) {
        case 0:
          text.erase(at, 1 + below(20));
          break;
        case 1:
          text.insert(at, parts[below(std::size(parts))]);
          break;
        case 2:
          text[at] = static_cast<char>(below(256));
          break;
        default:
          text.insert(at, text.substr(below(text.size()), below(60)));
      }
    }
    const Expected<Description> d = readDescription("F", text);
    if (!d) {
      ++errors;
      EXPECT_EQ(d.error().outcome, Outcome::kBadInput);
      EXPECT_THAT(d.error().where, testing::StartsWith("F:")) << d.error().text();
      continue;
    }
    if (kernels++ % 20 != 0) continue;  // compiling takes long
    const auto kernel = openDescription(file(), text);
    if (!kernel) continue;
    const Expected<std::vector<Case>> cases = casesOf(**kernel);
    for (std::size_t n = 0; cases && n < std::min<std::size_t>(5, cases->size()); ++n) {
      const Case& c = (*cases)[n];
      if (outsideDomain(c)) continue;
      const Expected<golden::Image> input = inputOf(c);
      if (input) static_cast<void>((*kernel)->plan(c, kernelModule(**kernel), *input));
    }
  }
  EXPECT_GT(kernels, 50u);
  EXPECT_GT(errors, 500u);
}

}  // namespace
}  // namespace lanewise
