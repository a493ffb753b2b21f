// HLSL as DXC has it, where glslang reads it otherwise: push constants, and registers of several classes with one number.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include "model/contract/device.h"
#include "model/spirv/interface.h"
#include "tools/run/hlsl_source.h"
#include "tools/run/module_file.h"

namespace lanewise {
namespace {

using testing::ElementsAre;

TEST(HlslSource, PushConstantsOfAnyVariableAreThoseOfAConstantBuffer) {
  const auto made = [](const std::string& text) { return withPushConstants(text, pushConstantMacros(text)); };
  EXPECT_EQ(made("struct A { uint n; };\n[[vk::push_constant]] A args;\n"),
            "struct A { uint n; };\n[[vk::push_constant]] ConstantBuffer<A> args;\n");
  EXPECT_EQ(made("[[vk::push_constant]]\nstruct A { uint n; struct { int x; } in; } args;"),
            "                     \nstruct A { uint n; struct { int x; } in; }; [[vk::push_constant]] ConstantBuffer<A> args;");
  EXPECT_EQ(made("[[ vk::push_constant ]] struct { uint n; } args;"),
            "                        struct PushConstants { uint n; }; [[vk::push_constant]] ConstantBuffer<PushConstants> args;");
  EXPECT_EQ(made("[[vk::push_constant]] const A args;"), "[[vk::push_constant]]       ConstantBuffer<A> args;");
  EXPECT_EQ(made("[[vk::push_constant]] const\nA args;"), "[[vk::push_constant]]      \nConstantBuffer<A> args;");
  EXPECT_EQ(made("[[vk::push_constant]] struct A args;"), "[[vk::push_constant]]        ConstantBuffer<A> args;");
  EXPECT_EQ(made("[[vk::push_constant]] const struct A { uint n; } args;"),
            "                            struct A { uint n; }; [[vk::push_constant]] ConstantBuffer<A> args;");
  EXPECT_EQ(made("#define PUSH [[vk::push_constant]] // here\nPUSH A args; // PUSH A no;"),
            "#define PUSH [[vk::push_constant]] // here\nPUSH ConstantBuffer<A> args; // PUSH A no;");
  EXPECT_EQ(made("#define PUSH [[vk::push_constant]]\nPUSH struct A { uint n; } args;"),
            "#define PUSH [[vk::push_constant]]\n     struct A { uint n; }; [[vk::push_constant]] ConstantBuffer<A> args;");
  EXPECT_EQ(made("#define PUSH(T, name) [[vk::push_constant]] T name\nPUSH(A, args);"),
            "#define PUSH(T, name) [[vk::push_constant]] ConstantBuffer<T> name\nPUSH(A, args);");
  EXPECT_EQ(withPushConstants("PUSH A args;", {"PUSH"}), "PUSH ConstantBuffer<A> args;") << "a macro of another file";
  for (const char* other :
       {"[[vk::push_constant]] cbuffer A { uint n; };", "[[vk::push_constant]] ConstantBuffer<A> args;", "// [[vk::push_constant]] A args;",
        "/* [[vk::push_constant]] A args; */", "uint push_constant;", "push_constant", "[push_constant", "[[vk::push_constant",
        "[[vk::push_constant]]", "[[vk::push_constant]] struct A {", "[[vk::push_constant]] A", "[[vk::push_constant]] const",
        "[[vk::push_constant]] struct", "[[vk::location(0)]] A args;", "#define P [[vk::push_constant]]\nP",
        "#define P [[vk::push_constant]] x\nP A args;", "#define P [[vk::push_constant]]\nuint aP; Pa b;", "#define", "#"})
    EXPECT_EQ(made(other), other);
}

// DXC gives a push constant no register. Those of other variables stay.
TEST(HlslSource, TheRegisterOfAPushConstantIsDropped) {
  const auto made = [](const char* text) { return withPushConstants(text, {"PUSH"}); };
  EXPECT_EQ(made("[[vk::push_constant]] A c : register(b0);\nB b : register(b1);"),
            "[[vk::push_constant]] ConstantBuffer<A> c               ;\nB b : register(b1);");
  EXPECT_EQ(made("PUSH ConstantBuffer<n::A> c : register(b0, space1);"), "PUSH ConstantBuffer<n::A> c                       ;");
  EXPECT_EQ(made("PUSH cbuffer c : register(b0) { uint n; }\nB b : register(b1);"),
            "PUSH cbuffer c                { uint n; }\nB b : register(b1);");
  EXPECT_EQ(made("PUSH struct A { uint n; } c : register(b0); B b : register(b1);"),
            "     struct A { uint n; }; [[vk::push_constant]] ConstantBuffer<A> c               ; B b : register(b1);");
}

// However macros hide them; "" where a module has push constants, and nothing else that has to be bound.
TEST(HlslSource, PushConstantsBehindMacrosAreSeenAfterThePreprocessor) {
  const auto wrong = [](const std::string& declarations, const std::vector<std::string>& defines) -> std::string {
    const std::string text = "struct A { uint n; };\n" + declarations +
                             "\nRWStructuredBuffer<uint> o : register(u0);\n"
                             "[numthreads(1, 1, 1)] void main() { o[0] = args.n; }\n";
    SourceOptions options;
    options.defines = defines;
    const Expected<std::vector<std::uint32_t>> words = compileSource("a.hlsl", text, options);
    if (!words) return words.error().text();
    const ShaderModule module{"a.hlsl", *words};
    const Expected<Interface> interface = readInterface(module);
    if (!interface) return interface.error().text();
    const InterfaceEntry& entry = interface->entries[0];
    return entry.push == nullptr ? "no push constants" : entry.bindings.size() == 1 ? "" : "more bindings";
  };
  EXPECT_EQ(wrong("#define VK(x) [[vk::x]]\n#define PC VK(push_constant)\nPC A args;", {}), "");
  EXPECT_EQ(wrong("#define PC [[vk::\\\npush_constant]]\nPC const A args;", {}), "");
  EXPECT_EQ(wrong("#define PUSH(T, n) [[vk::push_constant]] const T n\nPUSH(A, args);", {}), "");
  EXPECT_EQ(wrong("PC\nA args;", {"PC=[[vk::push_constant]]"}), "");
  EXPECT_EQ(wrong("#ifdef MINE\n[[vk::push_constant]]\n#endif\nA args;", {"MINE"}), "");
  EXPECT_EQ(wrong("#ifdef MINE\n[[vk::push_constant]]\n#endif\nA args;", {}), "no push constants") << "they are none";
  EXPECT_THAT(wrong("[[vk::push_constant]] uniform A args;", {}), testing::HasSubstr("glslang knows no push constants 'uniform A args'"));
}

TEST(HlslSource, AnOffsetThatGlslangIgnoresIsRefused) {
  const auto wrong = [](const std::string& offset) -> std::string {
    const std::string text = "#define OFFSET(n) [[vk::offset(n)]]\nstruct A { uint m; " + offset +
                             " uint n; };\n[[vk::push_constant]] ConstantBuffer<A> args;\nRWStructuredBuffer<uint> o : register(u0);\n"
                             "[numthreads(1, 1, 1)] void main() { o[0] = args.n; }\n";
    const Expected<std::vector<std::uint32_t>> words = compileSource("a.hlsl", text, {});
    return words ? "" : words.error().text();
  };
  EXPECT_THAT(wrong("[[vk::offset(16)]]"), testing::HasSubstr("glslang ignores the [[vk::offset]] of 'uint n'"));
  EXPECT_THAT(wrong("OFFSET(16)"), testing::HasSubstr("of 'uint n'"));
  EXPECT_EQ(wrong("// [[vk::offset(16)]]\n"), "");
  EXPECT_EQ(wrong(""), "") << "a macro that nothing uses";
}

TEST(HlslSource, EntriesAreFunctionsWithThreads) {
  EXPECT_THAT(
      hlslEntries("#define X [numthreads(1,1,1)] void no()\n[numthreads(8, 1, 1)] void one() {}\n// [numthreads(1,1,1)] void none()\n"
                  "[NumThreads(1,1,1)] [other] void Two(uint3 i : SV_GroupID) {}"),
      ElementsAre("one", "Two"));
}

// "Source 0:0, Target 0:1", in the order of the bindings.
std::string bindingsOf(const std::string& declarations, const std::string& body) {
  const std::string text = declarations + "\n[numthreads(64, 1, 1)] void main(uint3 id : SV_DispatchThreadID) { " + body + " }\n";
  const Expected<std::vector<std::uint32_t>> words = compileSource("a.hlsl", text, {});
  if (!words) return words.error().text();
  const ShaderModule module{"a.hlsl", *words};
  const Expected<Interface> interface = readInterface(module);
  if (!interface) return interface.error().text();
  std::string out;
  for (const InterfaceBinding& b : interface->entries[0].bindings)
    out += fmt::format("{}{} {}:{}{}", out.empty() ? "" : ", ", b.name, b.set, b.binding, b.writable() ? "" : " read");
  if (const std::uint32_t push = interface->entries[0].pushBytes; push != 0) out += fmt::format(", {} bytes pushed", push);
  return out;
}

TEST(Hlsl, RegistersOfOneNumberAreSeveralBindings) {
  if (!compileSource("a.comp", "#version 450\nvoid main() {}\n", {})) GTEST_SKIP() << "a build without shaderc";
  EXPECT_EQ(bindingsOf("StructuredBuffer<uint> from : register(t0); RWStructuredBuffer<uint> to : register(u0);", "to[id.x] = from[id.x];"),
            "to 0:0, from 0:1 read")
      << "what the code uses first keeps the number";
  EXPECT_EQ(bindingsOf("cbuffer P : register(b0) { uint n; }; StructuredBuffer<uint> from : register(t0); RWStructuredBuffer<uint> to : "
                       "register(u1);",
                       "to[id.x] = from[id.x] + n;"),
            "from 0:0 read, to 0:1, P 0:2 read")
      << "what has a number of its own keeps it";
  EXPECT_EQ(bindingsOf("StructuredBuffer<uint> from : register(t0, space1); RWStructuredBuffer<uint> to : register(u0);",
                       "to[id.x] = from[id.x];"),
            "to 0:0, from 1:0 read")
      << "spaces are apart";
  EXPECT_EQ(
      bindingsOf("Texture2D<float4> photo : register(t0); SamplerState s : register(s0); RWStructuredBuffer<float4> to : register(u1);",
                 "to[id.x] = photo.SampleLevel(s, 0.5, 0);"),
      "photo 0:0 read, to 0:1")
      << "a texture and its sampler are one descriptor";
  EXPECT_EQ(bindingsOf("Buffer<float> list : register(t0); Texture2D<float4> photo : register(t1); SamplerState s : register(s0); "
                       "RWStructuredBuffer<float4> to : register(u2);",
                       "to[id.x] = photo.SampleLevel(s, list[id.x], 0);"),
            "s 0:0 read, photo 0:1 read, to 0:2, list 0:3 read")
      << "a texel buffer has no sampler";
  EXPECT_EQ(bindingsOf("[[vk::binding(3)]] StructuredBuffer<uint> a; [[vk::binding(3)]] RWStructuredBuffer<uint> b;", "b[id.x] = a[id.x];"),
            "b 0:3")
      << "a text that says so means one binding";
  EXPECT_EQ(
      bindingsOf("// no [[vk::binding]] here\nStructuredBuffer<uint> from : register(t0); RWStructuredBuffer<uint> to : register(u0);",
                 "to[id.x] = from[id.x];"),
      "to 0:0, from 0:1 read");
  const std::string two =
      "StructuredBuffer<uint> from : register(t0); RWStructuredBuffer<uint> to : register(u0);\n"
      "[numthreads(1, 1, 1)] void first() { to[0] = from[0]; }\n";
  EXPECT_THAT(bindingsOf(two, "uint x = from[id.x]; to[id.x] = x;"), testing::HasSubstr("in each of its entry points, first, main"))
      << "what is first may be another variable there";
  EXPECT_EQ(bindingsOf("[[vk::push_constant]] struct { uint n; float f; } args; RWStructuredBuffer<uint> to : register(u0);",
                       "to[id.x] = args.n;"),
            "to 0:0, 8 bytes pushed");
  EXPECT_EQ(bindingsOf(
                "#define PUSH [[vk::push_constant]]\nstruct A { uint n; };\nPUSH const A args; RWStructuredBuffer<uint> to : register(u0);",
                "to[id.x] = args.n;"),
            "to 0:0, 4 bytes pushed");
}

// Its source as a debugger lists it.
TEST(Hlsl, TheModuleHoldsTheTextAsItIsWritten) {
  if (!compileSource("a.comp", "#version 450\nvoid main() {}\n", {})) GTEST_SKIP() << "a build without shaderc";
  const std::string text =
      "struct A { uint n; };\n[[vk::push_constant]] A args;  // here\nRWStructuredBuffer<uint> to;\n"
      "[numthreads(1, 1, 1)] void main() { to[0] = args.n; }\n";
  for (const bool optimise : {false, true}) {
    SourceOptions options;
    options.optimise = optimise;
    const Expected<std::vector<std::uint32_t>> words = compileSource("a.hlsl", text, options);
    ASSERT_TRUE(words.ok()) << words.error().text();
    const std::string_view bytes(reinterpret_cast<const char*>(words->data()), words->size() * 4);
    EXPECT_NE(bytes.find(text), std::string_view::npos) << optimise;
    EXPECT_EQ(bytes.find("ConstantBuffer<"), std::string_view::npos) << optimise;
    EXPECT_TRUE(readInterface({"a.hlsl", *words}).ok());
  }
}

// glslang 12 reads through nullptr at the text of such a file.
// As DXC has it, unless the user says otherwise.
TEST(Hlsl, IsMadeForSpirv) {
  if (!compileSource("a.comp", "#version 450\nvoid main() {}\n", {})) GTEST_SKIP() << "a build without shaderc";
  const std::string text =
      "#if !__spirv__\n#error no SPIR-V\n#endif\nRWStructuredBuffer<uint> o : register(u0);\n[numthreads(1, 1, 1)] void main() { o[0] = 1; "
      "}\n";
  SourceOptions options;
  EXPECT_TRUE(compileSource("a.hlsl", text, options).ok());
  options.defines = {"__spirv__=0"};
  EXPECT_FALSE(compileSource("a.hlsl", text, options).ok());
  EXPECT_TRUE(compileSource("a.comp", "#version 450\n#ifdef __spirv__\n#error GLSL\n#endif\nvoid main() {}\n", {}).ok());
}

TEST(Hlsl, ALineOfAnotherFileIsTaken) {
  if (!compileSource("a.comp", "#version 450\nvoid main() {}\n", {})) GTEST_SKIP() << "a build without shaderc";
  const std::string text = "RWStructuredBuffer<uint> to;\n[numthreads(1, 1, 1)] void main() { to[0] = 1; }\n";
  for (const std::string line : {"#line 100 \"other.hlsl\"\n", "  # line 7 \"other.hlsl\"\n", "#line 7\n"})
    EXPECT_TRUE(compileSource("a.hlsl", line + text, {}).ok()) << line;
}

}  // namespace
}  // namespace lanewise
