// Every order of turns of a dispatch, which the explored ones are compared with.
#pragma once

#include <gmock/gmock.h>

#include <algorithm>
#include <deque>
#include <set>

#include "model/check/race_checker.h"
#include "model/check/race_text.h"
#include "model/model.h"
#include "model/state/observer.h"

namespace lanewise {

inline std::vector<std::byte> bytesOf(const std::vector<Resource>& resources) {
  std::vector<std::byte> all;
  for (const Resource& r : resources) all.insert(all.end(), r.bytes().begin(), r.bytes().end());
  return all;
}

// The two places of a race, whichever a run meets first.
inline std::string placesOf(const RunFinding& race) {
  std::array places{race.at.text(), race.otherAt.text()};
  std::ranges::sort(places);
  return places[0] + " and " + places[1];
}

// A second formulation, of one dispatch: every order of turns, one by one, with no reduction. Two orders are of one kind if they agree on
// which comes first of each two turns that depend on each other.
class AllOrders {
 public:
  struct Seen {
    std::set<std::vector<std::byte>> results;
    std::size_t kinds = 0, orders = 0;
    std::set<std::string> races;   // placesOf()
    std::size_t ofSomeOrders = 0;  // ... of which so many are not in every order
    bool whole = false;            // there are at most kMost
  };
  static constexpr std::size_t kMost = 800;

  explicit AllOrders(const Job& job) : job_(job), model_({.profile = {}, .schedule = {.order = Schedule::Order::kTurns, .resident = 0}}) {}

  Seen take() {
    Seen seen;
    std::set<std::vector<std::uint32_t>> kinds;
    std::vector<std::size_t> choices;  // by turn: the how-manieth of those that could have it
    do {
      std::vector<std::size_t> of;  // ... of how many
      seen.results.insert(run(choices, of));
      kinds.insert(kind());
      ++seen.orders;
      choices.resize(of.size(), 0);
      while (!choices.empty() && choices.back() + 1 == of[choices.size() - 1]) choices.pop_back();
      if (choices.empty()) seen.whole = true;
      if (!choices.empty()) ++choices.back();
    } while (!seen.whole && seen.orders < kMost);
    seen.kinds = kinds.size();
    seen.races = races_;
    seen.ofSomeOrders = races_.size() - everywhere_.size();
    return seen;
  }

 private:
  using Byte = std::pair<std::uint32_t, std::uint64_t>;
  struct Did {
    std::uint32_t who = 0, number = 0;
    std::set<Byte> reads, writes;
  };

  class Watch final : public Observer {
   public:
    std::uint32_t watches() const override { return watch::kAccess; }
    Answer access(const AccessEvent& event) override {
      forEachLane(event, [&](std::uint32_t, const LaneRun& run, std::uint64_t offset) {
        for (std::uint32_t i = 0; i < run.size; ++i) {
          const bool own = event.place == Place::kWorkgroup;
          const Byte byte{own ? 1000 + static_cast<std::uint32_t>(event.batch.env->place) : run.resource, offset + i};
          if (reads(event.kind)) now->reads.insert(byte);
          if (writes(event.kind)) now->writes.insert(byte);
        }
      });
      return Answer::kGoOn;
    }
    Did* now = nullptr;
  };

  std::vector<std::byte> run(const std::vector<std::size_t>& choices, std::vector<std::size_t>& of) {
    Expected<Execution> execution = model_.start(job_);
    EXPECT_TRUE(execution.ok());
    did_.clear();
    std::map<std::uint32_t, std::uint32_t> turns;
    Watch watch;
    race::RaceChecker races(job_);
    Observer* const both[] = {&watch, &races};
    const Status error = execution->runChosen(both, [&](std::span<const WorkgroupState> residents) {
      std::vector<Turn> ready;
      for (std::uint32_t slot = 0; slot < residents.size(); ++slot)
        for (std::uint32_t i = 0; residents[slot].running && i < residents[slot].batches.size(); ++i)
          if (residents[slot].batches[i].status == Batch::Status::kReady) ready.push_back({slot, i});
      const std::size_t pick = of.size() < choices.size() ? choices[of.size()] : 0;
      of.push_back(ready.size());
      const std::uint32_t who = ready[pick].slot * 64 + ready[pick].batch;
      did_.push_back({who, ++turns[who], {}, {}});
      watch.now = &did_.back();
      return std::optional(ready[pick]);
    });
    EXPECT_FALSE(error);
    std::set<std::string> own;
    for (const race::Race& one : races.races()) own.insert(placesOf(race::findingOf(job_, races.segment(), one)));
    races_.insert(own.begin(), own.end());
    everywhere_ = ++runs_ == 1 ? own : inBoth(everywhere_, own);
    return bytesOf(execution->takeOutputs());
  }

  std::vector<std::uint32_t> kind() const {
    const auto meet = [](const std::set<Byte>& a, const std::set<Byte>& b) {
      return std::ranges::any_of(a, [&](const Byte& x) { return b.contains(x); });
    };
    std::set<std::vector<std::uint32_t>> pairs;
    for (std::size_t b = 0; b < did_.size(); ++b)
      for (std::size_t a = 0; a < b; ++a)
        if (did_[a].who != did_[b].who &&
            (meet(did_[a].writes, did_[b].writes) || meet(did_[a].writes, did_[b].reads) || meet(did_[a].reads, did_[b].writes)))
          pairs.insert({did_[a].who, did_[a].number, did_[b].who, did_[b].number});
    std::vector<std::uint32_t> all;
    for (const auto& pair : pairs) all.insert(all.end(), pair.begin(), pair.end());
    return all;
  }

  static std::set<std::string> inBoth(const std::set<std::string>& a, const std::set<std::string>& b) {
    std::set<std::string> out;
    std::ranges::set_intersection(a, b, std::inserter(out, out.end()));
    return out;
  }

  const Job& job_;
  Model model_;
  std::deque<Did> did_;
  std::set<std::string> races_, everywhere_;
  std::size_t runs_ = 0;
};

}  // namespace lanewise
