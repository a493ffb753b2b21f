// Texels in compiled code and in the interpreter: the same bytes for every format that a module can name, read and written, by workgroups
// whose rows are a batch, half a batch or odd, at places inside, outside, clamped, scattered and equal, and for images of every shape.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "model/compiled/compile.h"
#include "model/compiled/llvm.h"
#include "model/contract/format.h"
#include "model/contract/profiles.h"
#include "model/exec/image_window.h"
#include "model/program/decode.h"
#include "tests/model/compiled/kernel_jobs.h"

namespace lanewise {
namespace {

constexpr std::uint32_t kTypeImage = 25, kCapability = 17, kExtendedFormats = 49;

// The module with other formats of its two image types.
std::shared_ptr<const ShaderModule> withFormats(const ShaderModule& module, const FormatInfo& from, const FormatInfo& into) {
  auto out = std::make_shared<ShaderModule>(module);
  std::vector<std::uint32_t>& words = out->words;
  std::uint32_t seen = 0;
  for (std::size_t at = 5; at < words.size(); at += words[at] >> 16) {
    if ((words[at] & 0xffff) != kTypeImage) continue;
    // The types are told apart by the size of their components.
    const bool isFrom = formatInfo(formatBySpirv(words[at + 8]))->texelBytes == 16;
    words[at + 8] = isFrom ? from.spirv : into.spirv;
    ++seen;
  }
  EXPECT_EQ(seen, 2u);
  const std::uint32_t capability[] = {2u << 16 | kCapability, kExtendedFormats};
  words.insert(words.begin() + 5, std::begin(capability), std::end(capability));
  return out;
}

// Random bits; floats with a bias to zeros, bounds of [0, 1], infinities and NaN.
std::vector<std::byte> texels(const FormatInfo& format, std::size_t count) {
  std::mt19937 random(1);
  std::vector<std::byte> bytes(count * format.texelBytes);
  if (format.texelBytes == 2)
    for (std::uint32_t i = 0; i < count; ++i) {
      const auto code = static_cast<std::uint16_t>(i);
      std::memcpy(bytes.data() + std::size_t{i} * 2, &code, 2);
    }
  else
    for (std::byte& b : bytes) b = static_cast<std::byte>(random());
  if (format.numeric != NumericFormat::kSfloat || format.componentBits != 32) return bytes;
  const float special[] = {0.0f,     -0.0f, 1.0f,     -1.0f,     0.5f, 65504.0f,   65519.996f, 65520.0f, 0x1p-14f, 0x1p-24f,
                           0x1p-25f, 1e-8f, INFINITY, -INFINITY, NAN,  0x1.8p-25f, -NAN,       2.0f,     -0.25f,   1e30f};
  for (std::size_t i = 0; i < bytes.size() / 4; ++i) {
    float value = static_cast<float>(random() % 20000) * 1e-4f - 1.0f;
    if (i % 3 == 0) value = special[random() % std::size(special)];
    if (i % 7 != 0) std::memcpy(bytes.data() + i * 4, &value, 4);
  }
  return bytes;
}

Resource image(const char* name, const FormatInfo& format, Extent3 extent) {
  Resource r = undefinedImage(name, format.format, extent);
  r.output = true;
  return r;
}

Binding binding(std::uint32_t number, const std::string& resource) {
  Binding out;
  out.binding = number;
  out.resource = resource;
  return out;
}

struct Shape {
  const char* name;
  std::uint32_t wide, high;
};
constexpr Shape kShapes[] = {{"8x8", 8, 8}, {"64x1", 64, 1}, {"5x3", 5, 3}};

Job jobOf(const char* kind, const Shape& shape, const FormatInfo& from, const FormatInfo& into, Extent3 extent) {
  Job job;
  Dispatch d;
  d.module = withFormats(*testKernel(std::string("texel_places_") + kind + "_" + shape.name), from, into);
  d.groups = {extent.x / shape.wide + 1, extent.y / shape.high + 1, 1};
  job.resources = {image("from", from, extent), image("into", into, {extent.x + 1, extent.y + 1, 1})};
  job.resources[0].bytes() = texels(from, std::size_t{extent.x} * extent.y);
  job.resources[0].undefined = false;
  Resource bits = undefinedBuffer("bits", std::size_t{d.groups.x} * d.groups.y * shape.wide * shape.high * 6 * 16);
  bits.output = true;
  job.resources.push_back(bits);
  d.bindings = {binding(0, "from"), binding(1, "into"), binding(2, "bits")};
  job.dispatches.push_back(d);
  return job;
}

std::string kindOf(const FormatInfo& f) {
  return f.numeric == NumericFormat::kUint ? "uint" : f.numeric == NumericFormat::kSint ? "sint" : "float";
}

// How many reads and writes of texels a job's program has, and how many of them native code does without a handler.
struct Texels {
  std::uint32_t all = 0, native = 0;
};
Texels texelOperations(const Job& job) {
  ProgramOptions options;
  options.flavour = ir::Flavour::kUnwatched;
  const auto laid = decodeToCompile(*job.dispatches[0].module, options);
  EXPECT_TRUE(laid.ok());
  const auto file = compiled::compile(**laid);
  EXPECT_TRUE(file.ok()) << file.error().text();
  Texels out{0, file->texelOperations};
  for (const InstrInfo& i : (*laid)->info) out.all += i.op == ir::kImageRead || i.op == ir::kImageReadAdd || i.op == ir::kImageWrite;
  return out;
}

void expectSame(const Job& job, const Profile& profile, const std::string& what) {
  Model interpreter({.profile = profile, .schedule = {}, .parallel = {.allowed = false}, .tier = Tier::kInterpreter});
  Model compiled({.profile = profile, .schedule = {}, .parallel = {.allowed = false}, .tier = Tier::kCompiled});
  const RunResult a = interpreter.run(job), b = compiled.run(job);
  ASSERT_FALSE(a.error) << what << a.error->text();
  ASSERT_FALSE(b.error) << what << b.error->text();
  EXPECT_EQ(compiled.tierReport().dispatches, 1u) << what;
  for (std::size_t i = 0; i < a.outputs.size(); ++i) {
    const auto &x = a.outputs[i].bytes(), &y = b.outputs[i].bytes();
    const auto at = std::ranges::mismatch(x, y).in1;
    EXPECT_TRUE(at == x.end()) << what << ": " << a.outputs[i].name << " differs at byte " << at - x.begin();
  }
}

class CompiledImages : public testing::TestWithParam<const FormatInfo*> {
 protected:
  void SetUp() override {
    if (!llvm::load()) GTEST_SKIP() << llvm::load().error().text();
  }
};

std::vector<const FormatInfo*> allFormats() {
  std::vector<const FormatInfo*> out;
  for (std::uint32_t spirv = 1; spirv < 42; ++spirv)
    if (const FormatInfo* f = formatInfo(formatBySpirv(spirv)); f && f->componentBits != 64) out.push_back(f);
  return out;
}

TEST_P(CompiledImages, ReadAndWriteTheSame) {
  const FormatInfo& format = *GetParam();
  const std::string kind = kindOf(format);
  const FormatInfo& whole = *formatInfo(kind == "uint"   ? Format::R32G32B32A32_UINT
                                        : kind == "sint" ? Format::R32G32B32A32_SINT
                                                         : Format::R32G32B32A32_SFLOAT);
  const FormatInfo& other = *formatInfo(kind == "uint" ? Format::R32_UINT : kind == "sint" ? Format::R32_SINT : Format::R32_SFLOAT);
  const FormatInfo& partner = &whole == &format ? other : whole;
  const Shape& shape = kShapes[format.spirv % std::size(kShapes)];
  const Extent3 large = format.texelBytes == 2 ? Extent3{257, 256, 1} : Extent3{61, 45, 1};
  expectSame(jobOf(kind.c_str(), shape, format, partner, large), {}, "read");
  expectSame(jobOf(kind.c_str(), shape, partner, format, {61, 45, 1}), {}, "written");
  expectSame(jobOf(kind.c_str(), shape, partner, format, {1, 1, 1}), {}, "one texel");
  expectSame(jobOf(kind.c_str(), shape, format, partner, {17, 9, 1}), *profileByName("adverse"), "adverse");
}

// Rows of a batch, of half of one, and odd ones.
TEST_P(CompiledImages, WorkgroupsOfEveryShape) {
  const FormatInfo& format = *GetParam();
  if (format.format != Format::R8_UINT && format.format != Format::R32_SFLOAT && format.format != Format::R16G16B16A16_SFLOAT) return;
  const FormatInfo& partner = *formatInfo(format.format == Format::R8_UINT ? Format::R32_UINT : Format::R32G32B32A32_SFLOAT);
  for (const Shape& shape : kShapes)
    for (const std::uint32_t size : {1u, 8u, 32u, 128u}) {
      Job job = jobOf(kindOf(format).c_str(), shape, format, partner, {33, 18, 1});
      job.subgroupSize = size;
      expectSame(job, {}, std::string(shape.name) + " in subgroups of " + std::to_string(size));
    }
}

// Otherwise the tests above compare the interpreter with itself. Of the formats, native code has all but those with floats of 10 and 11
// bits.
TEST_P(CompiledImages, NativeCodeDoesIt) {
  const FormatInfo& format = *GetParam();
  const std::string kind = kindOf(format);
  const FormatInfo& partner = *formatInfo(kind == "uint" ? Format::R8_UINT : kind == "sint" ? Format::R8_SINT : Format::R16_SFLOAT);
  const FormatInfo& other = *formatInfo(kind == "uint" ? Format::R32_UINT : kind == "sint" ? Format::R32_SINT : Format::R32_SFLOAT);
  const Texels texels = texelOperations(jobOf(kind.c_str(), kShapes[0], format, &partner == &format ? other : partner, {8, 8, 1}));
  EXPECT_GE(texels.all, 7u);
  if (format.format == Format::B10G11R11_UFLOAT_PACK32)
    EXPECT_EQ(texels.native, 2u);
  else
    EXPECT_EQ(texels.native, texels.all);
}

INSTANTIATE_TEST_SUITE_P(All, CompiledImages, testing::ValuesIn(allFormats()), [](const auto& of) { return std::string(of.param->name); });

// Kernels of texel_shapes.comp; the extents are small, so that most places are outside.
struct Kind {
  const char* name;
  Format from, into;
  Extent3 extent;
  std::uint32_t dimensions, layers;
  bool isNative;
};
constexpr Kind kKinds[] = {
    {"1d", Format::R8_UINT, Format::R16_UINT, {37, 1, 1}, 1, 1, true},
    {"1d_array", Format::R16_UINT, Format::R8_UINT, {21, 1, 1}, 1, 5, false},
    {"2d_array", Format::R8G8B8A8_UINT, Format::R32_UINT, {19, 5, 1}, 2, 4, true},
    {"3d", Format::R8_UINT, Format::R8_UINT, {21, 6, 5}, 3, 1, true},
    {"cube", Format::R16_UINT, Format::R8G8B8A8_UINT, {18, 18, 1}, 2, 12, true},
    {"cube_array", Format::R32_UINT, Format::R16_UINT, {9, 9, 1}, 2, 18, true},
};

class CompiledShapes : public testing::Test {
 protected:
  void SetUp() override {
    if (!llvm::load()) GTEST_SKIP() << llvm::load().error().text();
  }
};

Resource randomImage(const char* name, Format format, const Kind& kind) {
  ImageData data;
  data.format = format;
  data.extent = kind.extent;
  data.levels = 3;
  data.layers = kind.layers;
  data.dimensions = kind.dimensions;
  const std::size_t size = data.levelOffset(data.levels);
  data.bytes = texels(*formatInfo(format), size / formatInfo(format)->texelBytes);
  return {name, data, false, true};
}

Job shapeJob(const char* name, Resource from, Resource into, const Binding& view) {
  Job job;
  Dispatch d;
  d.module = testKernel(std::string("texel_shapes_") + name);
  d.groups = {2, 1, 1};
  Resource bits = undefinedBuffer("bits", 2 * 40 * 5 * 16);
  bits.output = true;
  job.resources = {std::move(from), std::move(into), std::move(bits)};
  for (std::uint32_t b = 0; b < 3; ++b) {
    Binding each = b < 2 ? view : Binding{};
    each.binding = b;
    each.resource = job.resources[b].name;
    d.bindings.push_back(each);
  }
  job.dispatches.push_back(d);
  return job;
}

TEST_F(CompiledShapes, ViewsOfEveryDimension) {
  for (const Kind& kind : kKinds) {
    const bool isCube = std::string_view(kind.name).starts_with("cube");
    for (const std::uint32_t level : {0u, 1u}) {
      Binding view;
      view.baseLevel = level;
      view.baseLayer = level == 0 || kind.layers == 1 ? 0 : isCube ? 6 : 1;
      const Job job = shapeJob(kind.name, randomImage("from", kind.from, kind), randomImage("into", kind.into, kind), view);
      const std::string what = std::string(kind.name) + " level " + std::to_string(level);
      expectSame(job, {}, what);
      if (level != 0) continue;
      const Texels texels = texelOperations(job);
      EXPECT_EQ(texels.native, kind.isNative ? texels.all : 0) << what;
    }
  }
}

// Of one image, native code takes what is apart, as when a level is made of the one before; and not what is the same.
TEST_F(CompiledShapes, TwoLevelsOfAnImage) {
  const Kind& kind = *std::ranges::find(kKinds, std::string_view("3d"), &Kind::name);
  ASSERT_EQ(kind.from, kind.into);
  Job job = shapeJob(kind.name, randomImage("image", kind.from, kind), randomImage("another", kind.into, kind), Binding{});
  job.dispatches[0].bindings[1].resource = "image";
  job.dispatches[0].bindings[1].baseLevel = 1;
  expectSame(job, {}, "levels 0 and 1");
  job.dispatches[0].bindings[1].baseLevel = 0;
  Model interpreter({.profile = {}, .schedule = {}, .parallel = {.allowed = false}, .tier = Tier::kInterpreter});
  Model compiled({.profile = {}, .schedule = {}, .parallel = {.allowed = false}, .tier = Tier::kCompiled});
  EXPECT_EQ(interpreter.run(job).outputs[0].bytes(), compiled.run(job).outputs[0].bytes());
  EXPECT_EQ(compiled.tierReport().dispatches, 0u);
}

// Bytes that are no whole words: reads of words would reach beyond the buffer.
TEST_F(CompiledShapes, TexelBuffersOfOddSizes) {
  for (const std::uint32_t bytes : {7u, 13u}) {
    const auto buffer = [&](const char* name) {
      BufferData data;
      data.bytes = texels(*formatInfo(Format::R8_UINT), bytes);
      return Resource{name, data, false, true};
    };
    Binding view;
    view.viewFormat = Format::R8_UINT;
    const Job job = shapeJob("buffer", buffer("from"), buffer("into"), view);
    expectSame(job, {}, std::to_string(bytes) + " bytes");
    if (bytes != 7) continue;
    const Texels texels = texelOperations(job);
    EXPECT_EQ(texels.native, texels.all);
  }
}

// Where the run does not let compiled code access an image by itself, the bytes are the same and the code is slow.
TEST(ImageWindow, IsPlainWhereCompiledCodeMayAccessTheTexels) {
  alignas(4) std::byte bytes[64] = {};
  ImageView plain;
  plain.data = bytes;
  plain.extent = {3, 5, 1};
  plain.rowBytes = 12;
  plain.sliceBytes = 60;
  const Profile strict;
  const auto with = [&](const auto& change) {
    ImageView view = plain;
    change(view);
    return compiled::windowOf(view, strict).isPlain;
  };
  EXPECT_EQ(compiled::windowOf(plain, strict).isPlain, 1u);
  EXPECT_EQ(with([](ImageView& v) { v.extent.z = 1u << 20, v.sliceBytes = 2048; }), 1u) << "2^31 bytes";
  EXPECT_EQ(with([](ImageView& v) { v.extent.z = 1u << 20, v.sliceBytes = 2052; }), 0u) << "more";
  EXPECT_EQ(with([](ImageView& v) { v.data = nullptr; }), 0u);
  EXPECT_EQ(with([](ImageView& v) { v.data += 2; }), 0u);
  EXPECT_EQ(with([](ImageView& v) { v.rowBytes = 13; }), 0u);
  EXPECT_EQ(with([](ImageView& v) { v.extent.y = 0; }), 0u);
  EXPECT_EQ(with([](ImageView& v) { v.samples = 4; }), 0u);
  Profile other = strict;
  other.texel.saturateIntegers = !other.texel.saturateIntegers;
  EXPECT_EQ(compiled::windowOf(plain, other).isPlain, 0u);
}

}  // namespace
}  // namespace lanewise
