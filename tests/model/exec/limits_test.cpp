// What a program may hold on the model: the limits, what their errors say, and what just fits.
#include <fmt/format.h>

#include <atomic>
#include <charconv>

#include "model/model.h"
#include "tests/text/compute_module.h"
#include "tests/text/program_modules.h"

namespace lanewise::text {
namespace {

using testing::AllOf;
using testing::HasSubstr;

// `count` arrays of `length` words each, private to an invocation, that are indexed by what a buffer holds: they stay in lane memory.
std::shared_ptr<const ShaderModule> arrays(std::uint32_t count, std::uint32_t length) {
  std::string variables, names, body;
  for (std::uint32_t i = 0; i < count; ++i) {
    variables += fmt::format("%v{} = OpVariable %local Private\n", i);
    names += fmt::format("%v{} ", i);
    body += fmt::format("%w{0} = OpAccessChain %leaf %v{0} %n\nOpStore %w{0} %n\n%r{0} = OpLoad %uint %w{0}\nOpStore %at %r{0}\n", i);
  }
  return assembled(computeText({.body = "%at = OpAccessChain %word %out %zero %zero\n%n = OpLoad %uint %at\n" + body,
                                .globals = fmt::format("%length = OpConstant %uint {}\n%array = OpTypeArray %uint %length\n"
                                                       "%local = OpTypePointer Private %array\n%leaf = OpTypePointer Private %uint\n",
                                                       length) +
                                           variables,
                                .interface = names,
                                .size = 4}));
}

// Functions of which each calls the one before twice: 2^`count` calls of the first after inlining.
std::shared_ptr<const ShaderModule> doubling(std::uint32_t count) {
  std::string functions =
      "%f0 = OpFunction %uint None %unary\n%p0 = OpFunctionParameter %uint\n%l0 = OpLabel\nOpReturnValue %p0\nOpFunctionEnd\n";
  for (std::uint32_t i = 1; i <= count; ++i)
    functions += fmt::format(
        "%f{0} = OpFunction %uint None %unary\n%p{0} = OpFunctionParameter %uint\n%l{0} = OpLabel\n%a{0} = OpFunctionCall %uint %f{1} "
        "%p{0}\n"
        "%b{0} = OpFunctionCall %uint %f{1} %a{0}\nOpReturnValue %b{0}\nOpFunctionEnd\n",
        i, i - 1);
  return assembled(computeText({.body = fmt::format("%at = OpAccessChain %word %out %zero %zero\n%n = OpLoad %uint %at\n"
                                                    "%r = OpFunctionCall %uint %f{} %n\nOpStore %at %r",
                                                    count),
                                .globals = "%unary = OpTypeFunction %uint %uint\n",
                                .functions = functions,
                                .size = 4}));
}

std::string errorOf(std::shared_ptr<const ShaderModule> module, std::uint64_t maxMemory, const std::string& schedule = "in-order") {
  Job job;
  std::vector<std::byte> word(4);
  word[0] = std::byte{3};
  job.resources = {{"b", BufferData{word}, false, true}};
  Dispatch d;
  d.module = std::move(module);
  d.bindings = {{0, 0, 0, "b"}};
  job.dispatches = {d};
  job.subgroupSize = 4;
  job.limits.maxMemory = maxMemory;
  const RunResult result = Model({.profile = {}, .schedule = *parseSchedule(schedule)}).run(job);
  if (result.error) {
    EXPECT_EQ(result.error->outcome, Outcome::kUnsupported);
    return result.error->text();
  }
  EXPECT_EQ(result.outputs[0].bytes(), word);
  return "";
}

constexpr std::uint32_t kLargest = 1u << 20;  // scalars of one type

// Five arrays are beyond 2^22 scalars; four are not, and then the run's memory is what they meet.
TEST(Limits, LocalVariables) {
  EXPECT_THAT(errorOf(arrays(5, kLargest), 1 << 20),
              AllOf(HasSubstr("more than 2^22 scalars"), HasSubstr("keep large arrays in a buffer")));
  EXPECT_THAT(errorOf(arrays(4, kLargest), 1 << 20), HasSubstr("the local variables of a workgroup take"));
  EXPECT_THAT(errorOf(arrays(1, kLargest + 1), 1 << 20), HasSubstr("a type with more than 2^20 scalars"));
}

// What is too large after inlining is refused before it is inlined: 2^60 calls would never end.
TEST(Limits, Inlining) {
  EXPECT_EQ(errorOf(doubling(10), 1 << 20), "");
  EXPECT_THAT(errorOf(doubling(60), 1 << 20), HasSubstr("more than 2^23 instructions after inlining"));
}

// 2^64 workgroups cannot be counted; fewer are begun, and a stop is seen.
TEST(Limits, Workgroups) {
  Job job;
  job.resources = {{"b", BufferData{std::vector<std::byte>(4)}, false, true}};
  Dispatch d;
  d.module = arrays(1, 4);
  d.bindings = {{0, 0, 0, "b"}};
  d.groups = {0xffffffffu, 0xffffffffu, 2};
  job.dispatches = {d};
  const std::atomic<bool> stop = true;
  ModelOptions stopped;
  stopped.stop = &stop;
  EXPECT_THAT(Model().run(job).error.value_or(Error{}).text(), HasSubstr("4294967295x4294967295x2 workgroups are more than 2^64"));
  job.dispatches[0].groups.z = 1;
  EXPECT_THAT(Model(stopped).run(job).error.value_or(Error{}).text(), HasSubstr("stopped"));
}

// The memory that the error names is enough, and a byte less is not.
TEST(Limits, MemoryOfAWorkgroup) {
  std::uint64_t together = 0;
  for (const std::string schedule : {"in-order", "lanes"}) {
    const std::string text = errorOf(arrays(2, 5000), 1000, schedule);
    EXPECT_THAT(text, AllOf(HasSubstr("above the limit of 1000"), HasSubstr("raise the memory limit, make the workgroup smaller")));
    const std::string_view number = std::string_view(text).substr(text.find("take ") + 5);
    std::uint64_t bytes = 0;
    std::from_chars(number.data(), number.data() + number.size(), bytes);
    EXPECT_GE(bytes, 2 * 5000 * 4 * 4u) << "two arrays for each of four invocations";
    EXPECT_EQ(errorOf(arrays(2, 5000), bytes, schedule), "");
    EXPECT_THAT(errorOf(arrays(2, 5000), bytes - 1, schedule), HasSubstr("the local variables of a workgroup take"));
    EXPECT_GT(bytes, std::exchange(together, bytes)) << "a lane that runs alone has registers of its own";
  }
}

// Two arrays of 2^20 words of 64 bits, others for each of 128 invocations, loaded as values before either is stored: each word is a
// register of 128 lanes.
TEST(Limits, Registers) {
  Job job;
  job.resources = {{"b", BufferData{std::vector<std::byte>(4)}, false, true}};
  Dispatch d;
  d.module = assembled(R"(
    OpCapability Shader
    OpCapability Int64
    OpMemoryModel Logical GLSL450
    OpEntryPoint GLCompute %main "main" %b %index
    OpExecutionMode %main LocalSize 128 1 1
    OpDecorate %index BuiltIn LocalInvocationIndex
    OpDecorate %array ArrayStride 8
    OpDecorate %arrays ArrayStride 8388608
    OpDecorate %block Block
    OpMemberDecorate %block 0 Offset 0
    OpDecorate %b DescriptorSet 0
    OpDecorate %b Binding 0
    %void = OpTypeVoid
    %function = OpTypeFunction %void
    %uint = OpTypeInt 32 0
    %long = OpTypeInt 64 0
    %zero = OpConstant %uint 0
    %one = OpConstant %uint 1
    %length = OpConstant %uint 1048576
    %array = OpTypeArray %long %length
    %arrays = OpTypeRuntimeArray %array
    %block = OpTypeStruct %arrays
    %pointer = OpTypePointer StorageBuffer %block
    %whole = OpTypePointer StorageBuffer %array
    %b = OpVariable %pointer StorageBuffer
    %input = OpTypePointer Input %uint
    %index = OpVariable %input Input
    %main = OpFunction %void None %function
    %entry = OpLabel
    %lane = OpLoad %uint %index
    %next = OpIAdd %uint %lane %one
    %p0 = OpAccessChain %whole %b %zero %lane
    %p1 = OpAccessChain %whole %b %zero %next
    %v0 = OpLoad %array %p0
    %v1 = OpLoad %array %p1
    OpStore %p0 %v1
    OpStore %p1 %v0
    OpReturn
    OpFunctionEnd
  )");
  d.bindings = {{0, 0, 0, "b"}};
  job.dispatches = {d};
  const RunResult result = Model().run(job);
  ASSERT_TRUE(result.error);
  EXPECT_EQ(result.error->outcome, Outcome::kUnsupported);
  EXPECT_THAT(result.error->text(),
              AllOf(HasSubstr("more than 2 GiB of registers"), HasSubstr("smaller subgroups, or arrays in a buffer")));
}

}  // namespace
}  // namespace lanewise::text
