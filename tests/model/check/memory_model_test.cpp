// The axioms of memory_model.h answer every check of the Khronos litmus tests, and each mistake that a checker could make changes an
// answer.
#include <gtest/gtest.h>

#include "tests/model/check/litmus.h"

namespace lanewise::memory_model {
namespace {

const std::vector<Litmus>& litmus() {
  static const std::vector<Litmus> all = allLitmus(LANEWISE_LITMUS);
  return all;
}

// What the litmus tests leave out: fences pair through an atomic only if its storage class is in their semantics.
const Litmus kOtherClass = parseLitmus("fences through an atomic of another storage class", R"(
NEWTHREAD
st.av.scopedev.sc0 x = 1
membar.rel.scopewg.semsc0
st.atom.scopewg.sc1 y = 1
NEWSG
NEWTHREAD
ld.atom.scopewg.sc1 y = 1
membar.acq.scopewg.semsc0
ld.vis.scopedev.sc0 x
NOSOLUTION consistent[X] && #dr=0
SATISFIABLE consistent[X] && #dr>0
)");

// ... and that a read-modify-write that makes one of availability and visibility by its semantics makes the other of itself alone.
const Litmus kVisibleAlone = parseLitmus("a read-modify-write that only makes visible makes nothing else available", R"(
NEWWG
NEWSG
NEWTHREAD
st.nonpriv.sc0 x = 1
rmw.acq.semvis.scopedev.sc0.semsc0 z = 0 1
st.atom.rel.scopedev.sc0.semsc0 y = 1
NEWWG
NEWSG
NEWTHREAD
ld.atom.acq.scopedev.sc0.semsc0 y = 1
ld.vis.scopedev.sc0 x
NOSOLUTION consistent[X] && #dr=0
SATISFIABLE consistent[X] && #dr>0
)");
const Litmus kAvailableAlone = parseLitmus("a read-modify-write that only makes available makes nothing else visible", R"(
NEWWG
NEWSG
NEWTHREAD
st.av.scopedev.sc0 x = 1
st.atom.rel.scopedev.sc0.semsc0 y = 1
NEWWG
NEWSG
NEWTHREAD
ld.atom.acq.scopedev.sc0.semsc0 y = 1
rmw.rel.semav.scopedev.sc0.semsc0 z = 0 1
ld.nonpriv.sc0 x
NOSOLUTION consistent[X] && #dr=0
SATISFIABLE consistent[X] && #dr>0
)");
// Their near misses: both semantics.
const Litmus kBoth = parseLitmus("read-modify-writes that make available and visible", R"(
NEWWG
NEWSG
NEWTHREAD
st.nonpriv.sc0 x = 1
rmw.acq.rel.semav.semvis.scopedev.sc0.semsc0 z = 0 1
st.atom.rel.scopedev.sc0.semsc0 y = 1
NEWWG
NEWSG
NEWTHREAD
ld.atom.acq.scopedev.sc0.semsc0 y = 1
rmw.acq.rel.semav.semvis.scopedev.sc0.semsc0 w = 0 1
ld.nonpriv.sc0 x
SATISFIABLE consistent[X] && #dr=0
NOSOLUTION consistent[X] && #dr>0
)");

// A chain of fences: what one invocation makes visible from the device a control barrier hands on in its workgroup, as in the appendix's
// example. The formal statement has only chains through accesses.
const std::string kChain = R"(
NEWWG
NEWSG
NEWTHREAD
st.nonpriv.sc0 x = 1
st.atom.rel.semav.scopedev.sc0.semsc0 y = 1
NEWWG
NEWSG
NEWTHREAD
ld.atom.scopedev.sc0 y = 1
membar.acq.semvis.scopedev.semsc0
cbar.acq.rel.semav.scopewg.semsc0 0
NEWSG
NEWTHREAD
cbar.acq.rel.semav.scopewg.semsc0 0
ld.nonpriv.sc0 x
)";
std::string withVisible(std::string text) {
  for (std::size_t at = 0; (at = text.find("rel.semav.scopewg", at)) != std::string::npos; at += 1) text.insert(at + 9, ".semvis");
  return text;
}
const Litmus kChained = parseLitmus("a chain of fences", withVisible(kChain) + R"(
SATISFIABLE consistent[X] && #dr=0
NOSOLUTION consistent[X] && #dr>0
NOSOLUTION NOCHAINS consistent[X] && #dr=0
)");
// Near misses: the barrier makes nothing visible.
const Litmus kUnchained = parseLitmus("a chain that ends early", kChain + R"(
NOSOLUTION consistent[X] && #dr=0
SATISFIABLE consistent[X] && #dr>0
)");

// Checks that come out wrong, by the name of their program.
std::vector<std::string> wrong(const Rules& rules) {
  std::vector<std::string> names;
  std::vector<Litmus> all = litmus();
  all.insert(all.end(), {kOtherClass, kVisibleAlone, kAvailableAlone, kBoth, kChained, kUnchained});
  for (const Litmus& l : all)
    for (const Check& c : l.checks)
      if (holds(l, c, rules) != c.satisfiable) names.push_back(l.name + ": " + c.condition);
  return names;
}

TEST(MemoryModel, AnswersEveryLitmusCheck) {
  std::size_t checks = 0;
  for (const Litmus& l : litmus()) checks += l.checks.size();
  EXPECT_EQ(litmus().size(), 89u);
  EXPECT_EQ(checks, 172u);
  EXPECT_EQ(wrong({}), std::vector<std::string>{});
}

TEST(MemoryModel, EveryMistakeChangesAnAnswer) {
  const std::pair<const char*, bool Rules::*> mistakes[] = {
      {"transitive", &Rules::transitive},
      {"ignoreScopes", &Rules::ignoreScopes},
      {"ignoreStorageClasses", &Rules::ignoreStorageClasses},
      {"ignoreReferences", &Rules::ignoreReferences},
      {"privateIsNonPrivate", &Rules::privateIsNonPrivate},
      {"noAvailability", &Rules::noAvailability},
      {"noReleaseSequences", &Rules::noReleaseSequences},
      {"barriersSynchronizeAlways", &Rules::barriersSynchronizeAlways},
      {"fencePairsThroughAnyAtomic", &Rules::fencePairsThroughAnyAtomic},
  };
  for (const auto& [name, mistake] : mistakes) {
    Rules rules;
    rules.*mistake = true;
    EXPECT_FALSE(wrong(rules).empty()) << name;
  }
}

TEST(MemoryModel, WhatIsNoProgramIsNotJudged) {
  const Litmus l = parseLitmus("bad", "NEWTHREAD\nld.rel.atom.scopewg.sc0.semsc0 x = 1\n");
  Execution x;
  x.readsFrom.assign(1, Execution::kInitial);
  EXPECT_FALSE(judge(l.program, x).wellFormed);
}

}  // namespace
}  // namespace lanewise::memory_model
