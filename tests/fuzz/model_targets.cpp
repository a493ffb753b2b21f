// Modules, their text, and saved states.
#include <xxhash.h>

#include <cstring>
#include <spirv-tools/libspirv.hpp>

#include "model/model.h"
#include "model/spirv/interface.h"
#include "tests/fuzz/helpers.h"
#include "tests/fuzz/run_words.h"

namespace lanewise::fuzz {
namespace {

constexpr Limits kLimits = {.maxSteps = 2000, .maxMemory = std::uint64_t{64} << 20};

// A job that gives each buffer of the module some bytes. Nothing: the module needs something else.
std::optional<Job> jobOf(std::shared_ptr<const ShaderModule> code) {
  const Expected<Interface> interface = readInterface(*code);
  if (!interface || interface->entries.empty()) return {};
  const InterfaceEntry& entry = interface->entries[0];
  Job job;
  job.limits = kLimits;
  Dispatch dispatch;
  dispatch.module = std::move(code);
  dispatch.entryPoint = entry.name;
  dispatch.groups = {2, 1, 1};
  dispatch.push.resize(std::min<std::size_t>(entry.pushBytes, 256));
  for (const InterfaceBinding& binding : entry.bindings) {
    if (binding.kind != DescriptorKind::kStorageBuffer && binding.kind != DescriptorKind::kUniformBuffer) return {};
    const std::string name = std::to_string(job.resources.size());
    std::vector<std::byte> bytes(512);
    for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<std::byte>(i % 7);
    job.resources.push_back({.name = name, .data = BufferData{std::move(bytes)}, .output = true});
    dispatch.bindings.push_back({.set = binding.set, .binding = binding.binding, .resource = name});
  }
  job.dispatches.push_back(std::move(dispatch));
  return job;
}

RunResult runJob(const Job& job, bool findings) {
  ModelOptions options;
  options.findings = findings;
  Model model(options);
  RunResult result = model.run(job);
  if (!result.error) return result;
  const Outcome o = result.error->outcome;
  require(o == Outcome::kBadInput || o == Outcome::kUnsupported || o == Outcome::kFinding, result.error->text());
  return result;
}

// A kernel with a barrier and a loop, stopped in its middle, whose state is damaged.
const Job& stateJob() {
  static const Job job = [] {
    const char* text = R"(OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main "main" %out %id
OpExecutionMode %main LocalSize 4 1 1
OpDecorate %out DescriptorSet 0
OpDecorate %out Binding 0
OpDecorate %id BuiltIn LocalInvocationIndex
OpDecorate %block Block
OpMemberDecorate %block 0 Offset 0
OpDecorate %words ArrayStride 4
%void = OpTypeVoid
%fn = OpTypeFunction %void
%u = OpTypeInt 32 0
%bool = OpTypeBool
%c0 = OpConstant %u 0
%c1 = OpConstant %u 1
%c2 = OpConstant %u 2
%c9 = OpConstant %u 9
%sem = OpConstant %u 264
%words = OpTypeRuntimeArray %u
%block = OpTypeStruct %words
%pblock = OpTypePointer StorageBuffer %block
%pu = OpTypePointer StorageBuffer %u
%pin = OpTypePointer Input %u
%out = OpVariable %pblock StorageBuffer
%id = OpVariable %pin Input
%main = OpFunction %void None %fn
%start = OpLabel
%i = OpLoad %u %id
OpBranch %head
%head = OpLabel
%k = OpPhi %u %c0 %start %next %again
%more = OpULessThan %bool %k %c9
OpLoopMerge %end %again None
OpBranchConditional %more %body %end
%body = OpLabel
OpControlBarrier %c2 %c2 %sem
%place = OpAccessChain %pu %out %c0 %i
%sum = OpIMul %u %k %i
OpStore %place %sum
OpBranch %again
%again = OpLabel
%next = OpIAdd %u %k %c1
OpBranch %head
%end = OpLabel
OpReturn
OpFunctionEnd
)";
    std::vector<std::uint32_t> words;
    require(spvtools::SpirvTools(SPV_ENV_UNIVERSAL_1_5).Assemble(text, &words), "the kernel is not assembled");
    std::optional<Job> made = jobOf(std::make_shared<const ShaderModule>(ShaderModule{"state", std::move(words)}));
    require(made.has_value(), "the kernel has no job");
    return *made;
  }();
  return job;
}

class StopAtBarrier final : public Observer {
 public:
  explicit StopAtBarrier(std::uint32_t which) : left_(which) {}
  std::uint32_t watches() const override { return watch::kBarrier; }
  Answer moment(const Moment&) override { return left_-- == 0 ? Answer::kStop : Answer::kGoOn; }

 private:
  std::uint32_t left_;
};

// The run of that kernel, begun; what it saves at each of its barriers and at its end; and its output. Made once: it takes much longer than
// what is tried.
class StateRuns {
 public:
  StateRuns() : begun_(start()) {
    while (output_.empty()) {
      Execution execution = begun();
      StopAtBarrier stop(static_cast<std::uint32_t>(saved_.size()));
      require(!execution.run(stop), "the kernel has an error");
      saved_.push_back(execution.save());
      if (execution.finished()) output_ = execution.takeOutputs()[0].bytes();
    }
  }

  Execution begun() { return begun_.clone(); }
  const std::vector<std::byte>& savedAt(std::uint32_t barrier) const { return saved_[barrier % saved_.size()]; }
  const std::vector<std::byte>& output() const { return output_; }

 private:
  Execution start() {
    Expected<Execution> execution = model_.start(stateJob(), ir::Flavour::kFaithful);
    require(execution.ok(), "the kernel does not start");
    return std::move(*execution);
  }

  Model model_;
  Execution begun_;
  std::vector<std::vector<std::byte>> saved_;
  std::vector<std::byte> output_;
};

}  // namespace

void runWords(std::vector<std::uint32_t> words) {
  const std::optional<Job> job = jobOf(std::make_shared<const ShaderModule>(ShaderModule{"fuzz", std::move(words)}));
  if (job) static_cast<void>(runJob(*job, true));
}

void runBothWays(std::vector<std::uint32_t> words) {
  const std::optional<Job> job = jobOf(std::make_shared<const ShaderModule>(ShaderModule{"fuzz", std::move(words)}));
  if (!job) return;
  const RunResult quiet = runJob(*job, false), observed = runJob(*job, true);
  require(quiet.error.has_value() == observed.error.has_value(), "one of the quiet and the observed run has an error");
  if (quiet.error) return require(quiet.error->outcome == observed.error->outcome, "the quiet and the observed run end in two ways");
  for (std::size_t i = 0; i < quiet.outputs.size(); ++i)
    require(quiet.outputs[i].bytes() == observed.outputs[i].bytes(), "the quiet and the observed run give other bytes");
}

void module(Bytes bytes) {
  std::vector<std::uint32_t> words(bytes.size() / sizeof(std::uint32_t));
  if (!words.empty()) std::memcpy(words.data(), bytes.data(), words.size() * sizeof(std::uint32_t));
  runWords(std::move(words));
}

void assembly(Bytes bytes) {
  std::vector<std::uint32_t> words;
  if (spvtools::SpirvTools(SPV_ENV_UNIVERSAL_1_6).Assemble(std::string(textOf(bytes)), &words)) runWords(std::move(words));
}

// The first byte says at which barrier the run is saved. Each three bytes after it change one of the state's; then the checksum is made
// again, because it would refuse all of them. A state that nothing changed gives the bytes of the run that was never stopped.
void state(Bytes bytes) {
  static StateRuns runs;
  std::vector<std::byte> saved = runs.savedAt(bytes.empty() ? 0 : std::to_integer<std::uint32_t>(bytes[0]));
  const std::vector<std::byte> before = saved;
  const std::size_t whole = saved.size() - sizeof(std::uint64_t);
  for (std::size_t at = 1; at + 3 <= bytes.size(); at += 3) {
    const std::size_t place = std::to_integer<std::size_t>(bytes[at]) << 8 | std::to_integer<std::size_t>(bytes[at + 1]);
    saved[place % whole] ^= bytes[at + 2];
  }
  const std::uint64_t checksum = XXH3_64bits(saved.data(), whole);
  std::memcpy(saved.data() + whole, &checksum, sizeof checksum);
  Execution other = runs.begun();
  if (const Status refused = other.restore(saved)) {
    require(saved != before, "a state is refused as it was saved: " + refused->what);
    return;
  }
  const Status error = other.run();
  if (saved != before) return;
  require(!error, "a run does not go on from its own state");
  require(other.takeOutputs()[0].bytes() == runs.output(), "a run that goes on from its own state gives other bytes");
}

}  // namespace lanewise::fuzz
