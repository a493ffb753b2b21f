// Every text program in a session: forwards, backwards and forwards again it ends as a run that nobody watched.
#include "tests/model/debug/opened.h"

namespace lanewise::debug {
namespace {

class AnyProgram : public testing::TestWithParam<std::string> {};

TEST_P(AnyProgram, EndsAsItDoesUnwatched) {
  text::ProgramText program = text::readProgram(text::programPath(GetParam()));
  const auto module = text::programModule(GetParam());
  if (!module) GTEST_SKIP() << "no module";
  program.job.dispatches[0].module = *module;
  for (Resource& r : program.job.resources) r.output = true;
  const Job& job = program.job;
  Model model(Opened::options("in-order"));
  const auto starter = [&](ir::Flavour flavour, Execution* from) { return model.start(job, flavour, from); };
  const auto opened = Session::open(job, starter, {1 << 28, 300, 1}, false);
  const RunResult plain = model.run(job);
  if (!opened) {  // whoever cannot start it says the same
    ASSERT_TRUE(plain.error);
    EXPECT_EQ(opened.error().text(), plain.error->text());
    return;
  }
  Session& s = **opened;
  for (int i = 0; i < 3; ++i) ASSERT_TRUE(s.step(Unit::kLineIn).ok());
  for (int i = 0; i < 3; ++i) ASSERT_TRUE(s.step(Unit::kInstruction).ok());
  const Time there = s.time();
  for (const Unit unit : {Unit::kOut, Unit::kLineOver, Unit::kInstructionOver}) ASSERT_TRUE(s.step(unit).ok());
  ASSERT_TRUE(s.toEnd().ok());
  for (const Unit unit : {Unit::kInstruction, Unit::kLineIn, Unit::kLineOver, Unit::kOut}) ASSERT_TRUE(s.step(unit, false).ok());
  ASSERT_TRUE(s.toTime(there).ok());
  for (std::uint32_t i = 0; i < job.resources.size(); ++i) {
    ASSERT_TRUE(s.toStore(i).ok());
    ASSERT_TRUE(s.toStore(i, false).ok());
  }
  // Everything that can be read is read, for a lane that runs and one that waits.
  for (const Extent3& who : s.invocations())
    if (const Expected<Scope> scope = s.scope(who); scope.ok())
      for (const SourceFrame& f : s.places().frames(scope->pc))
        for (const SourceVariable& v : f.variables)
          if (const Expected<Expression> e = parseExpression(s.places().source().of(v).name); e.ok())
            static_cast<void>(evaluate(*e, *scope));
  ASSERT_TRUE(s.go(false).ok());
  ASSERT_TRUE(s.toEnd().ok());
  EXPECT_EQ(s.stop().why == Why::kFault, plain.error.has_value());
  if (plain.error) return;
  const std::vector<Resource>& got = s.resources();
  for (std::size_t i = 0; i < got.size(); ++i) EXPECT_EQ(got[i].bytes(), plain.outputs[i].bytes()) << got[i].name;
}

// Whoever stored last, found in the quick flavour that tells of these stores alone, is the last of all stores that the faithful run tells
// of.
TEST_P(AnyProgram, TheLastWriterIsTheLastOfAllThatWrote) {
  text::ProgramText program = text::readProgram(text::programPath(GetParam()));
  const auto module = text::programModule(GetParam());
  if (!module) GTEST_SKIP() << "no module";
  program.job.dispatches[0].module = *module;
  const Job& job = program.job;
  Model model(Opened::options("in-order"));
  const auto opened = Session::open(job, [&](ir::Flavour flavour, Execution* from) { return model.start(job, flavour, from); });
  if (!opened) return;
  Session& s = **opened;
  for (std::uint32_t i = 0; i < job.resources.size(); ++i) {
    const std::uint64_t bytes = job.resources[i].bytes().size(), unit = std::min<std::uint64_t>(bytes, 4);
    const Place place = std::holds_alternative<ImageData>(job.resources[i].data) ? Place::kImage : Place::kBuffer;
    for (const auto& [begin, end] :
         {std::pair(std::uint64_t{0}, bytes), std::pair(std::uint64_t{0}, unit), std::pair(bytes - unit, bytes)}) {
      const Region region{place, i, {}, begin, end, job.resources[i].name};
      const Expected<std::vector<Hit>> all = s.history(region);
      ASSERT_TRUE(all.ok());
      ASSERT_TRUE(s.toEnd().ok());
      const Expected<Stop> last = s.toWriter(region);
      ASSERT_TRUE(last.ok());
      ASSERT_EQ(last->why == Why::kNothing, all->empty()) << job.resources[i].name << " " << begin;
      if (all->empty() || last->why == Why::kBlit) continue;
      EXPECT_EQ(last->hit->time, all->back().time) << job.resources[i].name << " " << begin;
      EXPECT_EQ(last->hit->pc, all->back().pc);
      EXPECT_EQ(last->hit->lane, all->back().lane);
      EXPECT_EQ(last->hit->after, all->back().after);
    }
  }
}

std::string nameOf(const testing::TestParamInfo<std::string>& info) {
  std::string name = info.param;
  std::ranges::replace(name, '.', '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(TextPrograms, AnyProgram, testing::ValuesIn(text::programFiles()), nameOf);

}  // namespace
}  // namespace lanewise::debug
