// Experiments that tell a device's known faults in loops from findings.
#include <gmock/gmock.h>

#include "model/spirv/parse.h"
#include "tests/text/program_job.h"
#include "tools/check/check.h"

namespace lanewise {
namespace {

using testing::HasSubstr;

// Gives another byte where a module is so.
using IsSo = std::function<bool(const ShaderModule&)>;
class WrongWhere final : public Device {
 public:
  explicit WrongWhere(IsSo isWrong) : isWrong_(std::move(isWrong)) {}
  const Profile& profile() const override { return profile_; }
  RunResult run(const Job& job) override {
    RunResult r = model_->run(job);
    if (isWrong_(*job.dispatches[0].module)) std::get<BufferData>(r.outputs[0].data).bytes[0] = std::byte{77};
    return r;
  }

 private:
  Profile profile_;
  std::unique_ptr<Model> model_ = makeModel({});
  IsSo isWrong_;
};
bool isFenced(const ShaderModule& m) {
  return std::ranges::count(spirv::parse("", m.words)->instructions, spv::Op::OpMemoryBarrier, &spirv::Instruction::op) != 0;
}
// Stores that make available.
bool isOrdered(const ShaderModule& m) {
  const auto module = spirv::parse("", m.words);
  return std::ranges::any_of(module->instructions, [](const spirv::Instruction& inst) {
    constexpr auto kMakes = static_cast<std::uint32_t>(spv::MemoryAccessMask::MakePointerAvailable);
    return inst.op == spv::Op::OpStore && inst.operands.size() > 2 && (inst.operand(2) & kMakes) != 0;
  });
}
// Scalars or vectors of a function.
bool hasLocals(const ShaderModule& m) {
  const auto module = spirv::parse("", m.words);
  return std::ranges::any_of(module->instructions, [&](const spirv::Instruction& inst) {
    return inst.op == spv::Op::OpVariable && inst.operand(0) == static_cast<std::uint32_t>(spv::StorageClass::Function) &&
           module->definition(module->definition(inst.type)->operand(1))->op != spv::Op::OpTypeArray;
  });
}
bool isAny(const ShaderModule&) {
  return true;
}

// What a device gives differs for a fault that is known, if a job without what causes it gives the same there.
TEST(LoopFaults, AKnownFaultOfADeviceIsNoFinding) {
  struct Tried {
    const char* file;
    IsSo isWrong;
    const char* says;  // nullptr: a finding
  };
  for (const Tried& t : {Tried{"loop_fence.comp", isFenced, "without the kernel's memory barriers the bytes are the same"},
                         Tried{"loop_fence.comp", isAny, nullptr},
                         Tried{"loop_made_available.comp", isOrdered, "without the kernel's memory barriers the bytes are the same"},
                         Tried{"loop_made_available.comp", isAny, nullptr},
                         Tried{"loop_lost_values.comp", hasLocals, "with the kernel's local variables in memory the bytes are the same"},
                         Tried{"loop_lost_values.comp", isAny, nullptr}})
    for (const bool known : {false, true}) {
      std::vector<CheckWay> ways = modelWays({}, false);
      ways.resize(1);
      CheckWay& device = ways.emplace_back();
      device.name = "device";
      device.device = std::make_shared<WrongWhere>(t.isWrong);
      device.axis = Axis::kDevice;
      device.leavesFencedLoops = device.losesLoopValues = known;
      const CheckResult r = runCheck(
          1,
          [&](std::size_t) {
            return Expected<CheckJob>(CheckJob{"loop", "loop", text::programJob(t.file)});
          },
          ways);
      const bool isFault = known && t.says;
      EXPECT_EQ(r.findings.size(), isFault ? 0u : 1u) << t.file << known;
      EXPECT_EQ(checkText(r, "s").find("this is the known fault") != std::string::npos, isFault);
      if (isFault) {
        EXPECT_THAT(checkText(r, "s"), HasSubstr(t.says));
      }
    }
}

// Gives another byte in its first run alone.
class WrongOnce final : public Device {
 public:
  const Profile& profile() const override { return profile_; }
  RunResult run(const Job& job) override {
    RunResult r = model_->run(job);
    if (!std::exchange(ran_, true)) std::get<BufferData>(r.outputs[0].data).bytes[0] = std::byte{77};
    return r;
  }

 private:
  Profile profile_;
  std::unique_ptr<Model> model_ = makeModel({});
  bool ran_ = false;
};

// A module without loops cannot have them: that a second run gives the same says nothing. With a result that is expected it is no finding
// either.
TEST(LoopFaults, AKnownFaultNeedsALoopAndIsNoWrongResult) {
  const auto checked = [](const std::string& file, std::shared_ptr<Device> device, bool judged) {
    std::vector<CheckWay> ways = modelWays({}, false);
    ways.resize(1);
    CheckWay& way = ways.emplace_back();
    way.name = "device";
    way.device = std::move(device);
    way.axis = Axis::kDevice;
    way.leavesFencedLoops = way.losesLoopValues = true;
    CheckJob job{file, file, text::programJob(file)};
    if (judged)
      job.judge = [](const Job&, RunResult& run) {
        const bool isBad = std::get<BufferData>(run.outputs[0].data).bytes[0] == std::byte{77};
        return Expected<std::optional<WrongResult>>(isBad ? std::optional<WrongResult>({"77", ""}) : std::nullopt);
      };
    return runCheck(
        1, [&](std::size_t) { return Expected<CheckJob>(job); }, ways);
  };
  EXPECT_EQ(checked("ints64.comp", std::make_shared<WrongOnce>(), false).findings.size(), 1u);
  EXPECT_EQ(checked("loop_fence.comp", std::make_shared<WrongWhere>(isFenced), true).findings.size(), 0u);
  EXPECT_EQ(checked("loop_fence.comp", std::make_shared<WrongWhere>(isAny), true).findings.size(), 1u);
}

}  // namespace
}  // namespace lanewise
