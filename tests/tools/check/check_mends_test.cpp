// What `lanewise check` tells that mends a race: it is tried before.
#include <gmock/gmock.h>

#include <atomic>

#include "model/spirv/parse.h"
#include "tests/tools/check/checked.h"

namespace lanewise {
namespace {

using testing::AllOf;
using testing::AnyOf;
using testing::Contains;
using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

// What mends a race is tried before it is told, and a barrier stands where all invocations come.
TEST(CheckOnTheModel, TellsWhatMendsARace) {
  const auto mends = [](const std::string& file) {
    std::vector<std::string> out;
    for (const CheckFinding& f : checkedOnTheModel(file, false).findings)
      if (f.finding.missing != MissingOrder::kNone) out.push_back(f.finding.mend);
    return out;
  };
  EXPECT_THAT(mends("race_scope.comp"), ElementsAre("the release at race_scope.comp:16 is of Workgroup scope: it has to be of Device or "
                                                    "QueueFamily scope (tried: this mends it)"));
  EXPECT_THAT(mends("race_divergent.comp"),
              ElementsAre("no barrier of the workgroup orders them: put barrier() before race_divergent.comp:13 "
                          "(tried: this mends it)"));
  EXPECT_THAT(mends("race_last_workgroup.comp"),
              ElementsAre(AllOf(HasSubstr("'parts' is not coherent: declare it so"),
                                HasSubstr("is relaxed and releases and acquires nothing: put memoryBarrierBuffer() before and after it"),
                                HasSubstr("tried"))));
  EXPECT_THAT(mends("race_store_semantics.comp"), ElementsAre("the release at race_store_semantics.comp:17 makes nothing available: let "
                                                              "its semantics do so (tried: this mends it)"));
  // The two of one line may be one statement or two, and the first instruction of a loop has no line.
  EXPECT_THAT(mends("race_one_line.comp"),
              ElementsAre(HasSubstr("let race_one_line.comp:18 keep what it loads in a variable, and put barrier() between that and the "
                                    "store (tried: this mends it)"),
                          HasSubstr("put barrier() between what race_one_line.comp:19 stores and what it loads then (tried"),
                          HasSubstr("put barrier() before race_one_line.comp:22 (tried")));
  // A barrier is there: only what it lacks is told.
  EXPECT_THAT(
      mends("race_memory.comp"),
      ElementsAre("the barrier at race_memory.comp:29 stands between them, but orders no buffers: put memoryBarrierBuffer() before and "
                  "after the barrier at race_memory.comp:29 (tried: this mends it)",
                  "the barrier at race_memory.comp:34 stands between them, but 'plain' is not coherent: declare 'plain' coherent "
                  "(tried: this mends it)",
                  AllOf(HasSubstr("is not acquired before the second"),
                        HasSubstr("put memoryBarrierBuffer() after the barrier at race_memory.comp:38")),
                  AllOf(HasSubstr("but 'texels' is not coherent: declare 'texels' coherent"), Not(HasSubstr("put")))));
  EXPECT_THAT(mends("race_lock.comp"),
              ElementsAre(AllOf(HasSubstr("the OpAtomicCompareExchange at race_lock.comp:13 is relaxed and acquires nothing: put "
                                          "memoryBarrierBuffer() after it"),
                                HasSubstr("the OpAtomicExchange at race_lock.comp:15 is relaxed and releases nothing: put "
                                          "memoryBarrierBuffer() before it"),
                                Not(HasSubstr("barrier of the workgroup"))),
                          HasSubstr("what race_lock.comp:14 loads, changes and stores has to be one atomic: atomicAdd()")));
  EXPECT_THAT(mends("race_atomic_behind_barrier.comp"),
              ElementsAre(HasSubstr("put memoryBarrierBuffer() after the barrier at race_atomic_behind_barrier.comp:17 (tried"),
                          HasSubstr("put memoryBarrierBuffer() before the barrier at race_atomic_behind_barrier.comp:20 (tried")));
  EXPECT_THAT(mends("race_update.comp"), ElementsAre(HasSubstr("one atomic: atomicOr()"), HasSubstr("one atomic: atomicAdd()"),
                                                     HasSubstr("one atomic: atomicMax()"), HasSubstr("one atomic: atomicAdd()")));
  // A sum of what was loaded twice is no atomic's.
  const auto kept = HasSubstr("what race_update_kept.comp:22 loads, changes and stores has to be one atomic: atomicOr() (tried");
  EXPECT_THAT(mends("race_update_kept.comp"),
              ElementsAre(kept, kept, HasSubstr("nothing that was tried mends it"), HasSubstr("let one of them store, or use an atomic")));
  // What stands between stores to locals alone; not so in the others.
  const auto mendsOf = [&](const char* line) { return AllOf(HasSubstr(line), HasSubstr("has to be one atomic: atomicAdd() (tried")); };
  EXPECT_THAT(mends("race_update_between.comp"), AllOf(Contains(mendsOf(":35 loads")), Contains(mendsOf(":38 loads")),
                                                       Not(Contains(mendsOf(":41 loads"))), Not(Contains(mendsOf(":45 loads")))));
  // In the words of the source.
  EXPECT_THAT(mends("race_hlsl.spvasm"),
              ElementsAre(HasSubstr("put GroupMemoryBarrierWithGroupSync() before race_words.hlsl:6 (tried"),
                          HasSubstr("has to be one atomic: InterlockedAdd() (tried"),
                          AllOf(HasSubstr("'image' is not globallycoherent: declare 'image' globallycoherent"),
                                HasSubstr("put DeviceMemoryBarrier() before and after the barrier at race_words.hlsl:9 (tried"))));
  // The last race is of two elements.
  EXPECT_THAT(mends("race_update_kinds.comp"),
              ElementsAre(HasSubstr("compares and stores has to be one atomic: atomicMin(), with no `if` (tried"),
                          HasSubstr("has to be atomic: atomicAnd() and then atomicOr(), if each invocation has bits of its own (tried"),
                          HasSubstr("has to be one atomic: imageAtomicAdd() (tried"), Not(HasSubstr("atomic"))));
  EXPECT_THAT(mends("race_update_compared.comp"),
              AllOf(Each(AnyOf(HasSubstr("tried: this mends it"), HasSubstr("belong together"))),
                    Contains(AllOf(HasSubstr("loads, changes and stores has to be one atomic: atomicMin()"), Not(HasSubstr("`if`")))),
                    Contains(HasSubstr("compares and stores has to be one atomic: atomicMax(), with no `if`")),
                    Contains(HasSubstr("compares and stores has to be one atomic: imageAtomicMax(), with no `if`")),
                    Contains(HasSubstr("one atomic: atomicMin() of GL_EXT_shader_atomic_float2, with no `if`")),
                    Contains(HasSubstr("one atomic: atomicMin(), and what it gives decides the `if` (tried")),
                    Contains(HasSubstr("one atomic: atomicMax(), and what it gives decides the `if` (tried")),
                    Contains(HasSubstr("belong together: keep what they store in one word that one atomic changes")).Times(2)));
  EXPECT_THAT(mends("race_update_changed.comp"), AllOf(Not(IsEmpty()), Each(Not(HasSubstr("atomicMin()")))));
  EXPECT_THAT(
      mends("race_update_selected.spvasm"),
      ElementsAre(HasSubstr("loads, changes and stores has to be one atomic: atomicMin() (tried"),
                  HasSubstr("loads, changes and stores has to be one atomic: atomicMax() (tried"),
                  AllOf(HasSubstr("an update has to be one atomic"), Not(HasSubstr("atomicMin()"))), HasSubstr("let one of them store")));
  // A load is an atomic, and what is stored too where nothing is lost by that.
  EXPECT_THAT(mends("race_mixed.comp"),
              ElementsAre("the load at race_mixed.comp:16 has to be an atomic too: atomicOr() of 0 (tried: this mends it)",
                          "the store at race_mixed.comp:17 has to be an atomic too: atomicExchange() (tried: this mends it)",
                          HasSubstr(": let both be atomics, or use two dispatches")));
  EXPECT_THAT(mends("race_mixed_wide.comp"), ElementsAre(HasSubstr("wide.comp:14 has to be an atomic too: atomicOr() of 0 (tried")));
  // Atomics of one line are no stores that one invocation could make.
  EXPECT_THAT(mends("race_scope_subgroup.comp"), ElementsAre(HasSubstr("is of Subgroup scope: it has to be of Workgroup scope (tried")));
  EXPECT_THAT(mends("race_two_hops.comp"),
              ElementsAre("the release at race_two_hops.comp:25 does not name buffers: put memoryBarrier() before it "
                          "(tried: this mends it)"));
  // A fence stands at the atomic that hands on, on both sides.
  EXPECT_THAT(mends("race_two_atomics.comp"),
              ElementsAre(AllOf(HasSubstr("comp:21 is relaxed and releases nothing: put memoryBarrierBuffer() before it; "),
                                HasSubstr("comp:23 is relaxed and acquires nothing: put memoryBarrierBuffer() after it (tried"))));
  EXPECT_THAT(mends("race_update_in_two.comp"),
              ElementsAre(HasSubstr("an update has to be one atomic"), HasSubstr("let one of them store"),
                          HasSubstr("barrier(); memoryBarrierBuffer() before race_update_in_two.comp:19 (tried: this mends it)")));
  EXPECT_THAT(mends("race_update_named.comp"),
              AllOf(Contains(HasSubstr("race_update_named.comp:21 loads, changes and stores has to be one atomic: atomicOr() (tried")),
                    Not(Contains(HasSubstr("race_update_named.comp:25 loads, changes and stores has to be one atomic: atomicOr()")))));
  EXPECT_THAT(mends("race_pointed_block.comp"), ElementsAre(HasSubstr("declare 'Plain' coherent (tried: this mends it)")));
  EXPECT_THAT(mends("race_vulkan_private.comp"),
              ElementsAre(HasSubstr("declare 'plain' coherent (tried: this mends it)"), HasSubstr("declare 'texels' coherent (tried"),
                          HasSubstr("declare 'Block' coherent (tried")));
  // A place behind a choice or a loop may have no line of its own.
  EXPECT_THAT(mends("race_choice_without_line.comp"),
              UnorderedElementsAre(HasSubstr("put barrier() after the if at race_choice_without_line.comp:20 (tried: this mends it)"),
                                   HasSubstr("put barrier() after the switch at race_choice_without_line.comp:26 (tried"),
                                   HasSubstr("put barrier() after the loop at race_choice_without_line.comp:33 (tried"),
                                   HasSubstr("put barrier() before race_choice_without_line.comp:43 (tried")));
  // Both races of the statement are mended by one barrier.
  EXPECT_THAT(mends("race_statement.comp"), ElementsAre(HasSubstr("put barrier() before race_statement.comp:22 (tried: this mends it)")));
  // No atomic is of 8 bits: that of the word does, but not of words that nobody has stored to.
  const auto words = HasSubstr("declare 'bytes' as words, with atomicOr() of the shifted bits (tried: this mends it)");
  EXPECT_THAT(mends("race_update_narrow.comp"),
              ElementsAre(words, HasSubstr("words): an update has to be atomic"), HasSubstr("nothing that was tried mends it (words)")));
  EXPECT_THAT(mends("race_update_cut.comp"), Each(Not(HasSubstr("as words"))));
  // With what the module declares for it.
  EXPECT_THAT(mends("race_update_wide.comp"),
              ElementsAre(HasSubstr("has to be one atomic: atomicAdd() of GL_EXT_shader_atomic_float (tried: this mends it)"),
                          HasSubstr("has to be one atomic: atomicAdd() of GL_EXT_shader_atomic_int64 (tried: this mends it)"),
                          HasSubstr("atomicAnd() and then atomicOr(), if each invocation has bits of its own (tried: this mends it)"),
                          HasSubstr("atomicAnd() and then atomicOr(), if each invocation has bits of its own (tried: this mends it)")));
  // Behind a choice the line is that of the choice; the lines behind it are of an `if` that some do not enter.
  EXPECT_THAT(mends("race_behind_choice.comp"), ElementsAre(AllOf(HasSubstr("before race_behind_choice.comp:16,"), HasSubstr("tried"))));
  EXPECT_THAT(mends("race_mend_one_variable.spvasm"), ElementsAre(AllOf(HasSubstr("declare 's' coherent"), Not(HasSubstr("'t'")))));
  // All places between the two lie in an `if` that some invocations do not enter.
  EXPECT_THAT(mends("race_lockstep.comp"),
              Contains(AllOf(HasSubstr("the two are in one subgroup, which need not execute together: "),
                             HasSubstr("put subgroupBarrier() "), HasSubstr(", where subgroups have 32 invocations (tried"))));
}

// What a race goes to is known where a function stores through a parameter: workgroup memory takes barrier(), and no fence for buffers.
TEST(CheckOnTheModel, TellsWhatMendsARaceThroughAParameter) {
  Job job = text::programJob("race_scope.comp");
  job.dispatches[0].groups = {1, 1, 1};
  job.dispatches[0].module = text::assembled(R"(
OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main "main" %scratch %index %out
OpExecutionMode %main LocalSize 2 1 1
OpDecorate %index BuiltIn LocalInvocationIndex
OpDecorate %out DescriptorSet 0
OpDecorate %out Binding 0
OpDecorate %block Block
OpMemberDecorate %block 0 Offset 0
OpDecorate %words ArrayStride 4
%void = OpTypeVoid
%fn = OpTypeFunction %void
%u = OpTypeInt 32 0
%zero = OpConstant %u 0
%one = OpConstant %u 1
%two = OpConstant %u 2
%pair = OpTypeArray %u %two
%words = OpTypeRuntimeArray %u
%block = OpTypeStruct %words
%p_in = OpTypePointer Input %u
%p_pair = OpTypePointer Workgroup %pair
%p_shared = OpTypePointer Workgroup %u
%p_block = OpTypePointer StorageBuffer %block
%p_word = OpTypePointer StorageBuffer %u
%put_fn = OpTypeFunction %void %p_pair %u
%scratch = OpVariable %p_pair Workgroup
%index = OpVariable %p_in Input
%out = OpVariable %p_block StorageBuffer
%main = OpFunction %void None %fn
%l = OpLabel
%i = OpLoad %u %index
%call = OpFunctionCall %void %put %scratch %i
%other = OpISub %u %one %i
%its = OpAccessChain %p_shared %scratch %other
%x = OpLoad %u %its
%o = OpAccessChain %p_word %out %zero %i
OpStore %o %x
OpReturn
OpFunctionEnd
%put = OpFunction %void None %put_fn
%to = OpFunctionParameter %p_pair
%value = OpFunctionParameter %u
%b = OpLabel
%place = OpAccessChain %p_shared %to %value
OpStore %place %value
OpReturn
OpFunctionEnd
)");
  std::vector<std::string> mends;
  for (const CheckFinding& f : checkedOnTheModel("parameter", job, false).findings)
    if (f.finding.missing != MissingOrder::kNone) mends.push_back(f.finding.mend);
  ASSERT_FALSE(mends.empty());
  for (const std::string& mend : mends)
    EXPECT_THAT(mend, AllOf(HasSubstr("put barrier() before"), Not(HasSubstr("memoryBarrierBuffer()"))));
}

// Races of one job share their trials: what has run does not run again.
TEST(CheckOnTheModel, RunsAChangeOnce) {
  std::atomic<bool> stop = false;
  ModelOptions options;
  options.stop = &stop;
  MendRuns runs(text::programJob("race_scan.comp"));
  const ShaderModule& own = *runs.job().dispatches[0].module;
  const Expected<spirv::Module> module = spirv::parse(own.name, own.words);
  ASSERT_TRUE(module.ok());
  EXPECT_TRUE(runs.found(options, *module, {}));
  stop = true;
  EXPECT_TRUE(runs.found(options, *module, {}));
  JobChange other;
  other.barrier = true;
  EXPECT_FALSE(runs.found(options, *module, other)) << "it is interrupted";
}

}  // namespace
}  // namespace lanewise
