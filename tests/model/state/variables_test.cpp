// Variables by their names at lines, in the compilers' shapes: what is in scope, what it holds, in every lane.
#include "model/state/variables.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <bit>

#include "model/model.h"
#include "tests/model/spirv/debug_shapes.h"
#include "tests/text/program_job.h"

namespace lanewise::text {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::string textOf(const ScalarValue& v) {
  using State = ScalarValue::State;
  if (v.state != State::kKnown) return v.state == State::kNotWritten ? "?" : v.state == State::kGone ? "gone" : "outside";
  if (v.type == Scalar::kBool) return v.bits ? "true" : "false";
  if (v.type == Scalar::kF32) return fmt::format("{}", std::bit_cast<float>(static_cast<std::uint32_t>(v.bits)));
  return v.isSigned ? fmt::format("{}", static_cast<std::int32_t>(v.bits)) : fmt::format("{}u", v.bits);
}

std::string textOf(const LaneValue& v) {
  if (v.isScalar() || v.isGone()) return textOf(v.scalar());
  std::string out;
  for (std::uint64_t i = 0; i < v.count(); ++i) {
    out += out.empty() ? "" : ", ";
    if (!v.memberName(i).empty()) out += std::string(v.memberName(i)) + "=";
    out += textOf(v.part(i));
  }
  return "(" + out + ")";
}

// One visit of a line or an opcode by a lane: its instructions one after another.
struct Visit {
  std::vector<std::string> frames;     // functions, from the innermost
  std::vector<std::string> variables;  // "type name = value", innermost first; those of the outer frames too
  std::vector<std::string> hidden;
};

class Watcher final : public Observer {
 public:
  Watcher(std::string line, std::uint32_t lane) : line_(std::move(line)), lane_(lane) {}
  std::uint32_t watches() const override { return watch::kBefore; }
  Answer beforeInstruction(const InstructionEvent& e) override {
    if (!e.lanes.test(lane_) || e.batch.env->program->isRecord(e.pc)) return Answer::kGoOn;
    if (!source_) source_.emplace(*e.batch.env->program);
    const Program& p = source_->program();
    const bool there =
        p.lineOf(e.pc).ends_with(line_) || spirv::opName(p.module.instructions[p.origins[p.info[e.pc].origin].instruction].op) == line_;
    if (there && !std::exchange(inside_, there)) look(e);
    inside_ = there;
    return Answer::kGoOn;
  }
  std::vector<Visit> visits;

 private:
  void look(const InstructionEvent& e) {
    Visit& visit = visits.emplace_back();
    for (const SourceFrame& f : source_->frames(e.pc)) {
      visit.frames.push_back(source_->debug().scopes[f.function].name);
      for (const SourceVariable& v : f.variables) add(visit, v, e);
    }
    for (const SourceVariable& v : source_->globals()) add(visit, v, e);
  }
  void add(Visit& visit, const SourceVariable& v, const InstructionEvent& e) {
    const LaneValue value = source_->read(v, {e.batch.env, &e.batch, lane_});
    const std::string type = value.sourceType() ? value.sourceType()->name : "";
    (v.isHidden ? visit.hidden : visit.variables).push_back(fmt::format("{} {} = {}", type, source_->of(v).name, textOf(value)));
  }
  std::string line_;
  std::uint32_t lane_;
  bool inside_ = false;
  std::optional<SourceVariables> source_;
};

std::vector<Visit> visits(const Job& job, const std::string& line, std::uint32_t lane, ir::Flavour flavour = ir::Flavour::kFaithful) {
  Model model;
  Expected<Execution> execution = model.start(job, flavour);
  if (!execution) ADD_FAILURE() << execution.error().text();
  if (!execution) return {};
  Watcher watcher(line, lane);
  const Status error = execution->run(watcher);
  EXPECT_FALSE(error) << error->text();
  return watcher.visits;
}

Job jobOf(std::shared_ptr<const ShaderModule> module) {
  Job job;
  job.dispatches.resize(1);
  job.dispatches[0].module = std::move(module);
  job.dispatches[0].groups = {1, 1, 1};
  return job;
}

// What is seen of a variable at each visit: the visible one of that name, "-" where there is none.
std::vector<std::string> seen(const std::vector<Visit>& visits, const std::string& name) {
  std::vector<std::string> out;
  for (const Visit& visit : visits) {
    out.emplace_back("-");
    for (const std::string& v : visit.variables)
      if (v.find(" " + name + " = ") != std::string::npos && out.back() == "-") out.back() = v;
  }
  return out;
}
std::vector<std::string> seen(const Job& job, std::uint32_t line, std::uint32_t lane, const std::string& name) {
  return seen(visits(job, fmt::format(":{}", line), lane), name);
}

class Scopes : public testing::Test {
 protected:
  const Job job_ = programJob("source_scopes.comp");
  std::vector<std::string> at(std::uint32_t line, std::uint32_t lane, const std::string& name) { return seen(job_, line, lane, name); }
};

TEST_F(Scopes, ScalarsVectorsMatricesArraysAndStructures) {
  EXPECT_THAT(at(37, 2, "lane"), ElementsAre("int lane = 2"));
  EXPECT_THAT(at(37, 2, "cell"), ElementsAre("ivec2 cell = (2, 7)"));
  EXPECT_THAT(at(37, 2, "m"), ElementsAre("mat2x3 m = ((?, ?, ?), (1, 2, 3))"));
  EXPECT_THAT(at(37, 2, "c"), ElementsAre("Cell c = (at=(2, 7), weights=(0.5, ?, ?))"));
  EXPECT_THAT(at(37, 1, "c"), ElementsAre("Cell c = (at=(1, 7), weights=(?, 0.5, ?))"));
  EXPECT_THAT(at(37, 3, "total"), ElementsAre("int total = 80"));
  EXPECT_THAT(at(37, 3, "gl_LocalInvocationIndex"), ElementsAre("uint gl_LocalInvocationIndex = 3u"));
  EXPECT_THAT(at(37, 3, "kBias"), ElementsAre("int kBias = 10"));
  EXPECT_THAT(at(37, 3, "row"), ElementsAre("vec2[4] row = ((0, 7), (1, 7), (2, 7), (3, 7))"));
}

TEST_F(Scopes, AVariableIsNotWrittenBeforeItsFirstStore) {
  EXPECT_THAT(at(19, 1, "lane"), ElementsAre("int lane = 1"));
  EXPECT_THAT(at(10, 1, "lane"), ElementsAre("-")) << "not declared yet";
  EXPECT_THAT(at(18, 1, "lane"), ElementsAre("int lane = ?"));
  EXPECT_THAT(at(21, 1, "c"), ElementsAre("-"));
  EXPECT_THAT(at(24, 1, "c"), ElementsAre("Cell c = (at=(1, 7), weights=(?, ?, ?))"));
}

// Lanes that took another way have not written it.
TEST_F(Scopes, EachLaneHasItsOwn) {
  EXPECT_THAT(at(37, 0, "later"), ElementsAre("int later = ?"));
  EXPECT_THAT(at(37, 1, "later"), ElementsAre("int later = ?"));
  EXPECT_THAT(at(37, 2, "later"), ElementsAre("int later = 10"));
}

TEST_F(Scopes, ANameBelongsToTheInnermostBlock) {
  EXPECT_THAT(at(27, 3, "x")[0], "int x = 1");
  EXPECT_THAT(at(29, 3, "x"), ElementsAre("int x = 0", "int x = 10", "int x = 20", "int x = 30"));
  EXPECT_THAT(at(31, 3, "x"), ElementsAre("int x = 20", "int x = 60"));
  EXPECT_THAT(at(33, 3, "x"), ElementsAre("int x = 0", "int x = 10", "int x = 20", "int x = 30"));
  EXPECT_THAT(at(37, 3, "x"), ElementsAre("int x = 1")) << "the one of main again";
  const std::vector<Visit> inner = visits(job_, ":31", 3);
  ASSERT_EQ(inner.size(), 2u);
  EXPECT_THAT(inner[1].hidden, ElementsAre("int x = 30", "int x = 1"));
}

// Also where the call comes again: what it declares is new.
TEST_F(Scopes, AFunctionHasItsOwnAndItsCallersStay) {
  const std::vector<Visit> called = visits(job_, ":13", 3);
  ASSERT_EQ(called.size(), 2u);
  EXPECT_THAT(called[1].frames, ElementsAre("twice", "main"));
  EXPECT_THAT(seen(called, "x"), ElementsAre("int x = 10", "int x = 30")) << "its parameter";
  EXPECT_THAT(seen(called, "i"), ElementsAre("int i = 1", "int i = 3")) << "of main";
  EXPECT_THAT(seen(called, "y"), ElementsAre("int y = ?", "int y = ?")) << "not what the first call left";
  EXPECT_THAT(at(14, 3, "y"), ElementsAre("int y = 20", "int y = 60"));
  EXPECT_THAT(at(14, 3, "total"), ElementsAre("int total = 0", "int total = 20"));
  EXPECT_THAT(at(31, 3, "y"), ElementsAre("-", "-")) << "of the other function";
}

TEST_F(Scopes, MemoryOfAllIsReadAsItIs) {
  const std::vector<Visit> last = visits(job_, ":37", 0);
  ASSERT_EQ(last.size(), 1u);
  EXPECT_THAT(last[0].variables, testing::Contains(HasSubstr("(data=(5, 26, 27, 88))"))) << "before lane 0 adds: the others have";
}

// What is left: memory, and the array that a lane indexes.
TEST_F(Scopes, AQuickProgramSaysWhatIsGone) {
  const std::vector<Visit> quick = visits(job_, ":37", 2, ir::Flavour::kQuick);
  ASSERT_FALSE(quick.empty());
  EXPECT_EQ(seen(quick, "cell")[0], "ivec2 cell = gone");
  EXPECT_EQ(seen(quick, "lane")[0], "int lane = gone");
  EXPECT_EQ(seen(quick, "c")[0], "Cell c = (at=(2, 7), weights=(0.5, 0, 0))");
  EXPECT_EQ(seen(quick, "row")[0], "vec2[4] row = ((0, 7), (1, 7), (2, 7), (3, 7))");
  EXPECT_EQ(seen(quick, "kBias")[0], "int kBias = 10");
}

// Optimised, with the same names: variables became values, functions are inlined by the compiler.
TEST_F(Scopes, OfOptimisedModules) {
  Job job = job_;
  const auto module = optimised(*job.dispatches[0].module, false);
  ASSERT_NE(module, nullptr);
  job.dispatches[0].module = module;
  const std::vector<Visit> called = visits(job, ":14", 3);
  ASSERT_FALSE(called.empty());
  EXPECT_THAT(called[0].frames, ElementsAre("twice", "main"));
  EXPECT_EQ(seen(visits(job, ":37", 2), "lane").back(), "int lane = 2");
  EXPECT_EQ(seen(visits(job, ":37", 2), "cell").back(), "ivec2 cell = (2, 7)");
}

TEST(SourceVariables, OfAParameterBehindAPointerAndAnArrayInPushedMemory) {
  const Job job = programJob("source_variables.comp");
  EXPECT_THAT(seen(job, 20, 0, "v"), ElementsAre("vec3 v = (1, 2, 3)"));
  EXPECT_THAT(seen(job, 20, 0, "terms"), ElementsAre("int terms = ?"));
  EXPECT_THAT(seen(job, 21, 0, "terms"), ElementsAre("int terms = 3"));
  EXPECT_THAT(seen(job, 18, 0, "term"), ElementsAre("float term = 1", "float term = 2", "float term = 3"));
  EXPECT_THAT(seen(job, 28, 1, "item"), ElementsAre("Item item = (color=(1, 2, 3), weights=(?, ?, 9, ?))"));
  EXPECT_THAT(seen(job, 31, 0, "scale"), ElementsAre("float scale = 3")) << "the inner one";
  EXPECT_THAT(seen(job, 29, 0, "scale"), ElementsAre("float scale = 0.5"));
  EXPECT_THAT(seen(job, 28, 1, "choice"), ElementsAre("Choice choice = (which=2)"));
}

// DXC: a parameter behind a pointer, a variable in pieces that moves from memory to values, one that cannot be followed.
TEST(SourceVariables, OfDxc) {
  const Job job = jobOf(assembled(head(kShaderSet, kDxc)));
  const std::vector<Visit> inner = visits(job, "OpFAdd", 0);
  ASSERT_EQ(inner.size(), 1u);
  EXPECT_THAT(inner[0].frames, ElementsAre("twice", "main"));
  EXPECT_EQ(seen(inner, "v")[0], "float4 v = (1, 1, 1, 1)");
  EXPECT_EQ(seen(inner, "pair")[0], "Pair pair = (first=?, second=(1, 1, 1, 1))") << "the second member is in memory";
  const std::vector<Visit> last = visits(job, "OpReturn", 0);
  EXPECT_THAT(seen(last, "pair"), ElementsAre("Pair pair = (first=1, second=(2, 2, 2, 2))"));
  EXPECT_THAT(seen(last, "m"), ElementsAre("float3x4 m = ((gone, gone, gone, gone), (gone, gone, gone, gone), (gone, gone, gone, gone))"));
  EXPECT_THAT(seen(last, "v"), ElementsAre("-"));
  EXPECT_THAT(seen(visits(job, "OpStore", 0), "pair"), ElementsAre("-"));
}

// Slang: calls that the compiler inlined.
TEST(SourceVariables, OfSlang) {
  std::string text = kSlang;
  text.replace(text.find("OpSource Slang 1"), 16, "OpSource Unknown 1");
  text.insert(text.find("%u100 = "), "%u72 = OpConstant %uint 72\n");
  text.insert(text.find("%s1 = "), "OpMemoryBarrier %u1 %u72\n");
  const Job job = jobOf(assembled(head(kShaderSet, text)));
  const std::vector<Visit> inlined = visits(job, "OpMemoryBarrier", 0);
  ASSERT_EQ(inlined.size(), 1u);
  EXPECT_THAT(inlined[0].frames, ElementsAre("inner", "outer", "computeMain"));
  EXPECT_THAT(inlined[0].variables, ElementsAre("int i = 7"));
  const std::vector<Visit> after = visits(job, "OpReturn", 0);
  EXPECT_THAT(seen(after, "r"), ElementsAre("int r = 14"));
  EXPECT_THAT(seen(after, "i"), ElementsAre("-")) << "of the function that is over";
}

// naga and Tint: names of parameters, values and variables; and of a module without names their ids.
TEST(SourceVariables, OfNames) {
  std::string text = kNames;
  text.replace(text.find("OpLine %file 12 5\n"), 18, "");
  text.replace(text.find("OpLine %file 3 9\n"), 17, "");
  text.insert(text.find("%half = "), "%acquired = OpConstant %int 72\n");
  text.insert(text.find("%twice = "), "OpMemoryBarrier %two %acquired\n");
  const Job job = jobOf(assembled(head("", text)));
  const std::vector<Visit> inner = visits(job, "OpReturnValue", 0);
  EXPECT_THAT(seen(inner, "p"), ElementsAre("float p = 0.5"));
  EXPECT_THAT(seen(inner, "twice"), ElementsAre("float twice = 1"));
  EXPECT_THAT(seen(visits(job, "OpMemoryBarrier", 0), "twice"), ElementsAre("-")) << "not yet";
  EXPECT_THAT(seen(visits(job, "OpReturn", 0), "acc")[0],
              testing::StartsWith("State acc = (position=(?, ?, ?), on=?, member2=((?, ?, ?, ?), (?, ?, ?, ?)), member3="));
  for (std::size_t at = text.find("OpName"); at != std::string::npos; at = text.find("OpName")) text.erase(at, text.find('\n', at) - at);
  const Job stripped = jobOf(assembled(head("", text)));
  const std::vector<Visit> last = visits(stripped, "OpReturn", 0);
  ASSERT_EQ(last.size(), 1u);
  EXPECT_EQ(last[0].variables.size(), 3u);
  EXPECT_THAT(last[0].variables, testing::Each(HasSubstr(" %")));
}

// Names and lines, and all variables at the beginning of their function. Line 4 is the id of the inner one, and no use of it.
TEST(SourceVariables, OfNamesThatStandInSeveralBlocks) {
  const Job job = jobOf(assembled(R"(
OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main "main"
OpExecutionMode %main LocalSize 1 1 1
%file = OpString "names.comp"
OpName %outer "x"
OpName %inner "x"
%void = OpTypeVoid
%fn = OpTypeFunction %void
%int = OpTypeInt 32 1
%bool = OpTypeBool
%p = OpTypePointer Function %int
%i1 = OpConstant %int 1
%i2 = OpConstant %int 2
%main = OpFunction %void None %fn
%entry = OpLabel
%outer = OpVariable %p Function
%inner = OpVariable %p Function
OpLine %file 4 4
OpLine %file 3 1
OpStore %outer %i1
%a = OpLoad %int %outer
%same = OpIEqual %bool %a %i1
OpSelectionMerge %end None
OpBranchConditional %same %then %end
%then = OpLabel
OpLine %file 5 1
OpStore %inner %i2
OpLine %file 6 1
%b = OpLoad %int %inner
OpBranch %end
%end = OpLabel
OpLine %file 8 1
%c = OpLoad %int %outer
OpReturn
OpFunctionEnd
)"));
  EXPECT_THAT(seen(job, 6, 0, "x"), ElementsAre("int x = 2"));
  EXPECT_THAT(seen(job, 8, 0, "x"), ElementsAre("int x = 1"));
  EXPECT_THAT(visits(job, ":6", 0)[0].hidden, ElementsAre("int x = 1"));
}

// A phi that has a name, in lanes that leave its loop at different times: each keeps what it had.
TEST(SourceVariables, AValueStaysWhereItsLaneLeftIt) {
  const Job job = jobOf(assembled(R"(
OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main "main" %index
OpExecutionMode %main LocalSize 4 1 1
OpName %i "i"
OpName %other "other"
OpDecorate %index BuiltIn LocalInvocationIndex
%void = OpTypeVoid
%fn = OpTypeFunction %void
%u = OpTypeInt 32 0
%bool = OpTypeBool
%pin = OpTypePointer Input %u
%index = OpVariable %pin Input
%c0 = OpConstant %u 0
%c1 = OpConstant %u 1
%c9 = OpConstant %u 9
%c72 = OpConstant %u 72
%main = OpFunction %void None %fn
%entry = OpLabel
%lane = OpLoad %u %index
OpBranch %header
%header = OpLabel
%i = OpPhi %u %c0 %entry %next %continue
%other = OpPhi %u %c9 %entry %i %continue
OpLoopMerge %end %continue None
OpBranch %test
%test = OpLabel
%more = OpULessThan %bool %i %lane
OpBranchConditional %more %continue %end
%continue = OpLabel
%next = OpIAdd %u %i %c1
OpBranch %header
%end = OpLabel
OpMemoryBarrier %c1 %c72
OpReturn
OpFunctionEnd
)"));
  for (std::uint32_t lane = 0; lane < 4; ++lane) {
    const std::vector<Visit> end = visits(job, "OpReturn", lane);
    EXPECT_THAT(seen(end, "i"), ElementsAre(fmt::format("uint i = {}u", lane)));
    EXPECT_THAT(seen(end, "other"), ElementsAre(fmt::format("uint other = {}u", lane == 0 ? 9 : lane - 1)));
    EXPECT_EQ(seen(visits(job, "OpULessThan", lane), "i").size(), lane + 1);
  }
}

// Debug information that names itself, or nothing, or numbers beyond everything: of what is a valid module all the same, variables are
// read without harm.
TEST(SourceVariables, OfDebugInformationThatIsWrong) {
  const auto module = assembled(head(kShaderSet, kDxc));
  std::size_t read = 0;
  for (std::size_t w = 5; w < module->words.size(); ++w)
    for (const std::uint32_t bad : {1u, 30u}) {
      auto wrong = std::make_shared<ShaderModule>(*module);
      wrong->words[w] = bad;
      const Job job = jobOf(std::move(wrong));
      Model model;
      Expected<Execution> run = model.start(job, ir::Flavour::kFaithful);
      if (!run) continue;
      Watcher watcher("OpReturn", 0);
      if (run->run(watcher)) continue;
      for (const Visit& visit : watcher.visits) read += visit.variables.size();
    }
  EXPECT_GT(read, 500u);
}

// Variables are there between runs too.
TEST(SourceVariables, OfARunThatIsStopped) {
  class Stop final : public Observer {
   public:
    std::uint32_t watches() const override { return watch::kBefore; }
    Answer beforeInstruction(const InstructionEvent& e) override {
      pc = e.pc;
      return e.batch.env->program->lineOf(e.pc).ends_with(":26") ? Answer::kStop : Answer::kGoOn;
    }
    std::uint32_t pc = 0;
  };
  const Job job = programJob("source_scopes.comp");
  Model model;
  Expected<Execution> run = model.start(job, ir::Flavour::kFaithful);
  ASSERT_TRUE(run.ok());
  Stop stop;
  ASSERT_FALSE(run->run(stop));
  const SourceVariables source(run->program());
  const Environment env = run->environmentOf(0);
  const SourceFrame frame = source.frames(stop.pc).at(0);
  const auto cell = std::ranges::find(frame.variables, "cell", [&](const SourceVariable& v) { return source.of(v).name; });
  ASSERT_NE(cell, frame.variables.end());
  // Where it is.
  using Home = LaneValue::Home;
  const auto global = [&](const std::string& name) {
    for (const SourceVariable& v : source.globals())
      if (source.of(v).name == name) return source.read(v, {&env, &run->residents()[0].batches[0], 0});
    ADD_FAILURE() << name;
    return source.read({}, {});
  };
  EXPECT_EQ(global("row").part(2).part(1).home(), Home::kMemory);
  EXPECT_EQ(global("row").part(2).part(1).byte(), 20u);
  EXPECT_EQ(global("").part(0).part(3).byte(), 12u);
  EXPECT_EQ(global("").partAt(12), 0u);
  EXPECT_EQ(global("").part(0).partAt(12), 3u);
  EXPECT_EQ(global("total").home(), Home::kLocal);
  EXPECT_EQ(global("kBias").home(), Home::kConstant);
  EXPECT_EQ(global("gl_LocalInvocationIndex").home(), Home::kRecord);
  for (std::uint32_t lane = 0; lane < 4; ++lane)
    EXPECT_EQ(textOf(source.read(*cell, {&env, &run->residents()[0].batches[0], lane})), fmt::format("({}, 7)", lane));
}

}  // namespace
}  // namespace lanewise::text
