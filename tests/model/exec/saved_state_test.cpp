// Saved states: damage of any kind is bad input, and a state that claims what cannot be is refused.
#include <xxhash.h>

#include <array>
#include <cstring>

#include "model/contract/schedule.h"
#include "model/model.h"
#include "tests/text/compute_module.h"
#include "tests/text/program_modules.h"

namespace lanewise {
namespace {

using Bytes = std::vector<std::byte>;

// Each invocation stores its index, and behind a barrier twice that.
std::string barrierText() {
  return text::computeText({.body = R"(
%i = OpLoad %uint %index
%at = OpAccessChain %word %out %zero %i
OpStore %at %i
OpControlBarrier %workgroup %workgroup %semantics
%sum = OpIAdd %uint %i %i
OpStore %at %sum)",
                            .globals = "%workgroup = OpConstant %uint 2\n%semantics = OpConstant %uint 264\n",
                            .size = 3});
}

// Three invocations, stopped at their barrier.
class SavedStates : public testing::Test {
 protected:
  struct Stopper final : Observer {
    std::uint32_t watches() const override { return watch::kBarrier; }
    Answer moment(const Moment& m) override { return std::holds_alternative<BarrierReleased>(m) ? Answer::kStop : Answer::kGoOn; }
  };

  SavedStates() {
    job_.resources = {{"out", BufferData{Bytes(12)}, false, true}};
    Dispatch& d = job_.dispatches.emplace_back();
    d.module = text::assembled(barrierText());
    d.groups = {1, 1, 1};
    d.bindings = {{0, 0, 0, "out"}};
    Execution run = start();
    Stopper stopper;
    EXPECT_FALSE(run.run(stopper));
    EXPECT_FALSE(run.finished());
    state_ = run.save();
  }
  Execution start() {
    Expected<Execution> run = model_.start(job_);
    EXPECT_TRUE(run.ok()) << run.error().text();
    return std::move(*run);
  }
  // What it says to a state; empty if it takes it.
  std::string refusal(const Bytes& state) {
    const Status bad = start().restore(state);
    if (!bad) return "";
    EXPECT_EQ(bad->outcome, Outcome::kBadInput);
    return bad->text();
  }
  // The state, and the right checksum of what it now says.
  static Bytes sealed(Bytes state) {
    const std::uint64_t checksum = XXH3_64bits(state.data(), state.size() - 8);
    std::memcpy(state.data() + state.size() - 8, &checksum, 8);
    return state;
  }

  Job job_;
  Model model_;
  Bytes state_;
};

TEST_F(SavedStates, AWholeOneGoesOn) {
  Execution run = start();
  ASSERT_FALSE(run.restore(state_));
  ASSERT_FALSE(run.run());
  std::array<std::uint32_t, 3> words{};
  std::memcpy(words.data(), run.resources()[0].bytes().data(), 12);
  EXPECT_THAT(words, testing::ElementsAre(0, 2, 4));
}

TEST_F(SavedStates, EveryChangedByteIsSeen) {
  for (std::size_t i = 0; i < state_.size(); ++i) {
    Bytes damaged = state_;
    damaged[i] ^= std::byte{0x10};
    ASSERT_NE(refusal(damaged), "") << "byte " << i << " of " << state_.size();
  }
}

TEST_F(SavedStates, AnyOtherLengthIsSeen) {
  for (std::size_t size = 0; size < state_.size(); size += 1 + size / 50)
    ASSERT_NE(refusal(Bytes(state_.begin(), state_.begin() + static_cast<std::ptrdiff_t>(size))), "") << size;
  Bytes longer = state_;
  longer.push_back(std::byte{0});
  EXPECT_NE(refusal(longer), "");
  EXPECT_NE(refusal(sealed(longer)), "");
}

// The lanes that run are some of those that live, and these have an invocation.
TEST_F(SavedStates, OnlyLanesThatLiveRun) {
  const auto withMasks = [&](std::uint64_t running, std::uint64_t live) {
    const std::uint64_t from[] = {7, 0, 7, 0}, to[] = {running, 0, live, 0};
    const auto pattern = std::as_bytes(std::span(from)), masks = std::as_bytes(std::span(to));
    Bytes changed = state_;
    const auto at = std::search(changed.begin(), changed.end(), pattern.begin(), pattern.end());
    EXPECT_NE(at, changed.end());
    std::ranges::copy(masks, at);
    return sealed(changed);
  };
  EXPECT_EQ(refusal(withMasks(7, 7)), "");
  EXPECT_EQ(refusal(withMasks(3, 7)), "");
  EXPECT_NE(refusal(withMasks(7, 3)), "") << "a lane that has returned runs";
  EXPECT_NE(refusal(withMasks(15, 7)), "");
  EXPECT_NE(refusal(withMasks(15, 15)), "") << "a lane without an invocation";
}

// Whatever a state says whose checksum is right: it is refused, or the run goes on to some end.
TEST_F(SavedStates, AnythingElseEndsSomehow) {
  job_.limits.maxSteps = 1000;
  for (std::size_t i = 0; i + 8 < state_.size(); ++i)
    for (const std::byte bit : {std::byte{1}, std::byte{0x80}}) {
      Bytes changed = state_;
      changed[i] ^= bit;
      Execution run = start();
      if (!run.restore(sealed(changed))) static_cast<void>(run.run());
    }
}

}  // namespace
}  // namespace lanewise
