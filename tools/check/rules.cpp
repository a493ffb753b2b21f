#include "tools/check/rules.h"

#include <algorithm>

namespace lanewise {
namespace {

struct Row {
  std::string_view kind;  // the beginning of it: "out of range" is several
  Rule rule;
};

// The first that fits.
constexpr Row kRows[] = {
    {"data race of equal values",
     {"two invocations store the same value to one location, and nothing orders them", "let one invocation write it, or use an atomic"}},
    {"data race",
     {"two invocations access one location, one of them writes, and nothing orders them",
      "order them: by a barrier, an atomic, or two dispatches"}},
    {"out of range", {"an access beyond what is bound or declared", "check the index"}},
    {"misaligned access", {"an address that is no multiple of what the module promises", "align it, or promise less"}},
    {"no descriptor", {"no resource is bound there", "bind one, or do not access it"}},
    {"uninitialised read", {"a read of memory that nothing has written, where what is read is used", "write it first"}},
    {"undefined value",
     {"what a variable holds that nobody has written, a division by zero and the like, where it is used", "give it a value on every path"}},
    {"never written", {"a part of an output that nothing has written", "more invocations, or a smaller output"}},
    {"barrier missed", {"invocations returned before a barrier that others reached", "return after the last barrier"}},
    {"divergent barrier", {"invocations of a workgroup reach a barrier apart; the run ends there", "move it to where all come"}},
    {"waits for ever",
     {"an invocation goes round a loop for a word that nobody stores any more", "store it, or wait for no other workgroup"}},
    {"endless loop", {"a loop in which nothing changes, and that waits for nobody", "correct the loop's end condition"}},
    {"step limit", {"an invocation made more than `--max-steps` steps", "correct the loop's end condition"}},
    {"depends on reconvergence",
     {"a subgroup operation of lanes that a device need not bring together", "move it to where all invocations of the subgroup come"}},
    {"quads in small subgroups", {"an operation on quads where subgroups have fewer than four invocations", "ask for larger subgroups"}},
    {"index not NonUniform",
     {"lanes of a subgroup use different descriptors of an array, and the module does not say so", "`nonuniformEXT()`"}},
    {"aliased bindings", {"memory that is written through one variable and used through another", "bind it once"}},
    {"wrong result", {"an output is not what it has to be; the first wrong texel names the store that wrote it", ""}},
    {"depends on ", {"a run that Vulkan allows too gives other bytes; the finding names the two runs, and where they part", ""}},
    {"", {"a run ended with an error; the finding is its text", ""}},
};

}  // namespace

Rule ruleOf(std::string_view kind) {
  return std::ranges::find_if(kRows, [&](const Row& row) { return kind.starts_with(row.kind); })->rule;
}

}  // namespace lanewise
