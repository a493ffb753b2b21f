// The shadow of last writers against one that is a map from bytes, on every text program; and what unit tests alone reach: words that
// become bytes, stores that are dropped because nothing names them any more.
#include <set>
#include <tuple>

#include "model/check/last_writers.h"
#include "model/model.h"
#include "model/state/workgroup.h"
#include "tests/text/program_job.h"

namespace lanewise::text {
namespace {

using U = std::uint32_t;

// Where somebody stored: dispatch, workgroup, batch, lane, instruction.
using Who = std::tuple<U, std::uint64_t, U, U, U>;

Who whoIs(const Writer& w) {
  return {w.store.dispatch, w.store.group, w.store.batch, w.lane, w.store.pc};
}

class Naive final : public Observer {
 public:
  explicit Naive(const LastWriters& writers) : writers_(writers) {}
  U watches() const override { return watch::kAccess | watch::kLaneMemory; }
  Answer access(const AccessEvent& e) override {
    const Environment& env = *e.batch.env;
    const std::uint64_t group = linearOf(env.group, env.groups);
    std::map<std::pair<U, std::uint64_t>, std::set<Who>> before;  // by resource and byte
    forEachLane(e, [&](U lane, const LaneRun& run, std::uint64_t offset) {
      for (U i = 0; i < run.size && e.place != Place::kPush; ++i) {
        const bool function = e.place == Place::kLaneMemory;
        const Place place = e.place == Place::kPhysical || e.place == Place::kImage ? Place::kBuffer : e.place;
        const std::uint64_t owner = place == Place::kBuffer ? run.resource : group << 20 | (function ? e.batch.index << 7 | lane : 0);
        std::optional<Who>& own = bytes_[{place, env.dispatch * (place != Place::kBuffer), owner, offset + i}];
        if (!writes(e.kind)) {
          const auto told = writers_.of(e, run, lane, offset + i);
          if (told.has_value() != own.has_value() || (told && whoIs(*told) != *own)) wrong = true;
        } else {
          if (own && !function) before[{run.resource, offset + i}].insert(*own);
          own = Who{env.dispatch, group, e.batch.index, lane, e.pc};
        }
      }
    });
    if (writes(e.kind) && e.place != Place::kLaneMemory && !before.empty() && writers_.displaced().empty()) wrong = true;
    for (const LastWriters::Displaced& d : writers_.displaced())
      if (e.place != Place::kLaneMemory && !before[{d.resource, d.byte}].contains(whoIs(d.before))) wrong = true;
    return Answer::kGoOn;
  }
  bool agreesAtTheEnd(U resource, std::uint64_t size) const {
    for (std::uint64_t b = 0; b < size; ++b) {
      const auto own = bytes_.find({Place::kBuffer, 0, resource, b});
      const auto told = writers_.ofResource(resource, b);
      if (told.has_value() != (own != bytes_.end() && own->second.has_value()) || (told && whoIs(*told) != *own->second)) return false;
    }
    return true;
  }
  bool wrong = false;

 private:
  const LastWriters& writers_;
  std::map<std::tuple<Place, U, std::uint64_t, std::uint64_t>, std::optional<Who>> bytes_;
};

class Shadowed : public testing::TestWithParam<std::string> {};

TEST_P(Shadowed, AgreesWithAMapOfBytes) {
  const ProgramText program = wholeProgram(GetParam());
  if (program.errorOutcome) return;
  for (const char* schedule : {"in-order", "interleave:seed:3", "lanes-reverse"}) {
    SCOPED_TRACE(schedule);
    Model model({.profile = {}, .schedule = *parseSchedule(schedule)});
    Expected<Execution> execution = model.start(program.job);
    ASSERT_TRUE(execution.ok()) << execution.error().text();
    LastWriters writers(program.job, true);
    Naive naive(writers);
    Observer* const observers[] = {&writers, &naive};
    ASSERT_FALSE(execution->run(observers));
    EXPECT_FALSE(naive.wrong);
    for (U i = 0; i < program.job.resources.size(); ++i)
      EXPECT_TRUE(naive.agreesAtTheEnd(i, program.job.resources[i].bytes().size())) << program.job.resources[i].name;
  }
}

INSTANTIATE_TEST_SUITE_P(Programs, Shadowed, testing::ValuesIn(programFiles()), [](const auto& instance) {
  std::string name = instance.param;
  std::ranges::replace_if(
      name, [](char c) { return !std::isalnum(static_cast<unsigned char>(c)); }, '_');
  return name;
});

// A batch of sixteen lanes that stores where the test says.
class LastWriter : public testing::Test {
 protected:
  LastWriter() {
    job_.resources = {{"b", BufferData{std::vector<std::byte>(8192)}, false, true}};
    program_.batches = 1;
    program_.info.resize(10);
    program_.origins.resize(1);
    env_.program = &program_;
    batch_.env = &env_;
    batch_.width = kGroup;
    writers_.emplace(job_);
    writers_->moment(WorkgroupBegins{env_});
  }
  void store(U pc, LaneRun run) { writers_->access({batch_, pc, Place::kBuffer, AccessKind::kWrite, 0, {}, {&run, 1}, {}, {}, {}}); }
  std::string at(std::uint64_t byte) const {
    const auto w = writers_->ofResource(0, byte);
    return w ? std::to_string(w->store.pc) + "." + std::to_string(w->lane) : "nobody";
  }
  Job job_;
  Program program_;
  Environment env_;
  Batch batch_;
  std::optional<LastWriters> writers_;
};

TEST_F(LastWriter, OfAWordThatABytePartTakesAway) {
  store(1, {0, 4, 0, 4, 4, 4092});  // over the end of a page
  EXPECT_EQ(at(4091), "nobody");
  EXPECT_EQ(at(4092), "1.0");
  EXPECT_EQ(at(4096), "1.1");
  EXPECT_EQ(at(4108), "nobody");
  store(2, {7, 1, 0, 1, 0, 4097});
  EXPECT_EQ(at(4096), "1.1");
  EXPECT_EQ(at(4097), "2.7");
  EXPECT_EQ(at(4098), "1.1");
  ASSERT_EQ(writers_->displaced().size(), 1u);
  EXPECT_EQ(writers_->displaced()[0].before.lane, 1u);
  store(3, {2, 1, 0, 4, 0, 4096});
  EXPECT_EQ(at(4097), "3.2");
  EXPECT_EQ(writers_->displaced().size(), 4u) << "a page of bytes stays one";
}

TEST_F(LastWriter, KeepsOnlyStoresThatAreNamed) {
  store(5, {3, 1, 0, 4, 0, 100});
  for (U i = 0; i < 500'000; ++i) store(9, {i % 16, 1, 0, 4, 0, 200 + i % 8 * 4});
  EXPECT_EQ(at(100), "5.3") << "an old store that is still the last";
  EXPECT_EQ(at(200), "9.8");
  EXPECT_LE(writers_->stores(), std::size_t{1} << 16);
  EXPECT_EQ(writers_->storing(), 500'001u) << "numbers go on";
}

}  // namespace
}  // namespace lanewise::text
