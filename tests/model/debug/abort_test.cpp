// OpAbortKHR: the run ends where an invocation executes it, says the message, and a session stops there.
#include "model/spirv/abort.h"

#include "model/spirv/module.h"
#include "model/spirv/validate.h"
#include "tests/model/debug/opened.h"
#include "tests/model/spirv/newer_modules.h"

namespace lanewise::debug {
namespace {

Job jobOf(Words words) {
  Job job;
  job.resources = {undefinedBuffer("out", 64)};
  job.resources[0].output = true;
  Dispatch d;
  d.module = std::make_shared<const ShaderModule>(ShaderModule{"aborts", std::move(words)});
  d.bindings = {{.resource = "out"}};
  job.dispatches = {d};
  return job;
}

TEST(Abort, EndsTheRunAndSaysTheMessage) {
  for (const char* schedule : {"in-order", "lanes-reverse"}) {
    const RunResult result = Model(Opened::options(schedule)).run(jobOf(abortingModule(5)));
    ASSERT_TRUE(result.error) << schedule;
    EXPECT_EQ(result.error->outcome, Outcome::kFinding);
    EXPECT_THAT(result.error->text(), testing::HasSubstr("OpAbortKHR {5, 0.5, -3}, by invocation 5,0,0"));
    ASSERT_EQ(result.printed.size(), 1u);
    EXPECT_EQ(result.printed[0].text, "OpAbortKHR {5, 0.5, -3}");
    EXPECT_EQ(result.printed[0].invocation, (Extent3{5, 0, 0}));
  }
  EXPECT_TRUE(Model().run(jobOf(abortingModule(5))).error) << "unwatched";
  EXPECT_EQ(spirv::opName(spirv::kAbort), "OpAbortKHR");
}

TEST(Abort, WhatIsNotReachedDoesNothing) {
  const RunResult result = Model().run(jobOf(abortingModule(8)));
  ASSERT_FALSE(result.error) << result.error->text();
  std::uint32_t got[8];
  std::memcpy(got, result.outputs[0].bytes().data(), sizeof got);
  EXPECT_THAT(got, testing::ElementsAre(0, 1, 2, 3, 4, 5, 6, 7));
  EXPECT_TRUE(result.printed.empty());
}

TEST(Abort, ASessionStopsThere) {
  Opened s(jobOf(abortingModule(5)));
  Breakpoint b;
  b.what = Breakpoint::What::kEvent;
  b.event = Event::kPrint;
  b.name = "OpAbortKHR";
  ASSERT_TRUE(s->add(b).ok());
  ASSERT_EQ(s->go()->why, Why::kBreakpoint);
  EXPECT_EQ(s->focus(), (Extent3{5, 0, 0}));
  const Expected<Stop> end = s->toEnd();
  ASSERT_EQ(end->why, Why::kFault);
  EXPECT_THAT(end->error->text(), testing::HasSubstr("OpAbortKHR {5, 0.5, -3}"));
  EXPECT_EQ(s->focus(), (Extent3{5, 0, 0}));
  ASSERT_TRUE(s->standing().hasPlace());
  EXPECT_EQ(s->places().program().moduleOpOf(s->standing().pc), "OpAbortKHR");
  ASSERT_TRUE(s->remove(1));
  ASSERT_EQ(s->step(Unit::kInstruction, false)->why, Why::kStep);
  EXPECT_FALSE(s->atEnd());
}

TEST(Abort, ItsOperandsAreChecked) {
  const Words right = abortingModule(5);
  ASSERT_FALSE(spirv::validate("aborts", right));
  const auto refused = [&](const std::function<Words(Words)>& rewrite, const char* says) {
    Words words = right;
    change(words, spirv::kAbort, 0, rewrite);
    const Status error = spirv::validate("aborts", words);
    ASSERT_TRUE(error) << says;
    EXPECT_EQ(error->outcome, Outcome::kBadInput);
    EXPECT_THAT(error->text(), testing::HasSubstr(says));
  };
  refused([](const Words& w) { return Words{w[0], w[1]}; }, "OpAbortKHR takes a type and a message");
  refused([](const Words& w) { return Words{w[0], w[1], w[2], w[2]}; }, "OpAbortKHR takes a type and a message");
  refused([](const Words& w) { return Words{w[0], w[2], w[2]}; }, "is no value, or has no type");
  refused([](const Words& w) { return Words{w[0], w[1], w[1]}; }, "is no value, or has no type");
  Words constantData = right;
  change(constantData, spv::Op::OpCapability, 1, [](Words w) {
    w[1] = 5146;
    return w;
  });
  const Status error = spirv::validate("aborts", constantData);
  ASSERT_TRUE(error);
  EXPECT_EQ(error->outcome, Outcome::kUnsupported);
  EXPECT_THAT(error->text(), testing::HasSubstr("ConstantDataKHR"));
}

}  // namespace
}  // namespace lanewise::debug
