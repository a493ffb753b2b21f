#include "tools/check/rules.h"

#include "tools/check/check.h"

namespace lanewise {
namespace {

Rule ruleOf(FindingKind kind) {
  switch (kind) {
    case FindingKind::kRace:
      return {"two invocations access one location, one of them writes, and nothing orders them",
              "order them: by a barrier, an atomic, or two dispatches"};
    case FindingKind::kRaceOfEqualValues:
      return {"two invocations store the same value to one location, and nothing orders them",
              "let one invocation write it, or use an atomic"};
    case FindingKind::kBufferOutOfRange:
    case FindingKind::kArrayOutOfRange:
    case FindingKind::kWorkgroupOutOfRange:
    case FindingKind::kTexelOutOfRange:
    case FindingKind::kLevelOutOfRange:
      return {"an access beyond what is bound or declared", "check the index"};
    case FindingKind::kMisaligned:
      return {"an address that is no multiple of what the module promises", "align it, or promise less"};
    case FindingKind::kNoDescriptor:
      return {"no resource is bound there", "bind one, or do not access it"};
    case FindingKind::kUninitialised:
      return {"a read of memory that nothing has written, where what is read is used", "write it first"};
    case FindingKind::kUndefinedValue:
      return {"what a variable holds that nobody has written, a division by zero and the like, where it is used",
              "give it a value on every path"};
    case FindingKind::kNeverWritten:
      return {"a part of an output that nothing has written", "more invocations, or a smaller output"};
    case FindingKind::kBarrierMissed:
      return {"invocations returned before a barrier that others reached", "return after the last barrier"};
    case FindingKind::kDivergentBarrier:
      return {"invocations of a workgroup reach a barrier apart; the run ends there", "move it to where all come"};
    case FindingKind::kWaits:
      return {"an invocation goes round a loop for a word that nobody stores any more", "store it, or wait for no other workgroup"};
    case FindingKind::kEndlessLoop:
      return {"a loop in which nothing changes, and that waits for nobody", "correct the loop's end condition"};
    case FindingKind::kStepLimit:
      return {"an invocation made more than `--max-steps` steps", "correct the loop's end condition"};
    case FindingKind::kReconvergence:
      return {"a subgroup operation of lanes that a device need not bring together",
              "move it to where all invocations of the subgroup come"};
    case FindingKind::kSmallQuads:
      return {"an operation on quads where subgroups have fewer than four invocations", "ask for larger subgroups"};
    case FindingKind::kNonUniform:
      return {"lanes of a subgroup use different descriptors of an array, and the module does not say so", "`nonuniformEXT()`"};
    case FindingKind::kAliased:
      return {"memory that is written through one variable and used through another", "bind it once"};
  }
  return {};
}

}  // namespace

Rule ruleOf(const CheckFinding& f) {
  using What = CheckFinding::What;
  switch (f.what) {
    case What::kReported:
      return ruleOf(f.finding.kind);
    case What::kWrongResult:
      return {"an output is not what it has to be; the first wrong texel names the store that wrote it", ""};
    case What::kDependence:
      return {"a run that Vulkan allows too gives other bytes; the finding names the two runs, and where they part", ""};
    case What::kError:
      break;
  }
  return {"a run ended with an error; the finding is its text", ""};
}

}  // namespace lanewise
