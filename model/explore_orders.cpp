#include "model/explore_orders.h"

#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <tuple>

namespace lanewise {
namespace {

bool dependent(std::span<const TurnUse> a, std::span<const TurnUse> b) {
  return std::ranges::any_of(a,
                             [&](const TurnUse& x) { return std::ranges::any_of(b, [&](const TurnUse& y) { return dependsOn(x, y); }); });
}

void join(std::vector<std::uint32_t>& to, const std::vector<std::uint32_t>& from) {
  for (std::size_t i = 0; i < to.size(); ++i) to[i] = std::max(to[i], from[i]);
}

// The places of four bytes that a use touches.
template <class Visit>
void forEachPlace(const TurnUse& use, const Visit& visit) {
  for (std::uint64_t at = use.begin / 4; at <= (use.end - 1) / 4; ++at) visit(use.memory << 40 | at);
}

}  // namespace

bool dependsOn(const TurnUse& a, const TurnUse& b) {
  if (a.memory != b.memory || a.end <= b.begin || b.end <= a.begin || (!a.writes && !b.writes)) return false;
  const bool commute = a.sum != spv::Op::OpNop && a.sum == b.sum && a.begin == b.begin && a.end == b.end;
  return !commute;
}

Orders::Orders(std::uint32_t subgroups, std::uint32_t perWorkgroup) : perWorkgroup_(perWorkgroup), now_(subgroups, Clock(subgroups, 0)) {}

std::optional<std::uint32_t> Orders::choose(std::span<const std::uint32_t> ready) {
  if (chosen_ < nodes_.size()) return nodes_[chosen_++].chosen;
  Node node;
  if (!nodes_.empty()) {
    const Event& last = events_.back();
    for (const Asleep& a : nodes_.back().asleep)
      if (a.subgroup != last.subgroup && !dependent(a.uses, last.uses)) node.asleep.push_back(a);
  }
  const auto isAwake = [&](std::uint32_t s) { return !std::ranges::count(node.asleep, s, &Asleep::subgroup); };
  const auto it = std::ranges::find_if(ready, isAwake);
  if (it == ready.end()) return {};
  node.chosen = *it;
  node.first = ready.front();
  node.toTry = {*it};
  nodes_.push_back(std::move(node));
  ++chosen_;
  return nodes_.back().chosen;
}

void Orders::ended(std::vector<TurnUse> uses, std::optional<std::uint64_t> released) {
  if (ended_++ < events_.size()) return;  // of the beginning that this order shares with the one before
  const std::uint32_t subgroup = nodes_[ended_ - 1].chosen;
  Event event{subgroup, now_[subgroup][subgroup] + 1, std::move(uses), released, now_[subgroup]};
  std::vector<std::size_t> races;
  for (const std::uint32_t at : earlierUsers(event.uses)) {
    if (happensBefore(events_[at], event) || !dependent(events_[at].uses, event.uses)) continue;
    races.push_back(at);
    join(event.clock, events_[at].clock);
  }
  event.clock[subgroup] = event.number;
  add(std::move(event));
  for (const std::size_t at : races) reverse(at);
}

// Descending: of two that happen one before the other the later comes first.
std::vector<std::uint32_t> Orders::earlierUsers(std::span<const TurnUse> uses) const {
  std::vector<std::uint32_t> all;
  for (const TurnUse& use : uses)
    forEachPlace(use, [&](std::uint64_t place) {
      if (const auto it = users_.find(place); it != users_.end()) all.insert(all.end(), it->second.begin(), it->second.end());
    });
  std::ranges::sort(all, std::greater());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all;
}

void Orders::reverse(std::size_t at) {
  Node& node = nodes_[at];
  // What could come before it: the turns behind it that do not need it, and the last one. Those of them that need no other could be first.
  std::vector<std::size_t> others;
  std::vector<std::uint32_t> seen, firsts;
  for (std::size_t i = at + 1; i < events_.size(); ++i) {
    const Event& e = events_[i];
    if (i + 1 != events_.size() && happensBefore(events_[at], e)) continue;
    const bool needs = std::ranges::any_of(others, [&](std::size_t o) { return happensBefore(events_[o], e); });
    if (!needs && !std::ranges::count(seen, e.subgroup)) {
      if (std::ranges::count(node.toTry, e.subgroup)) return;
      firsts.push_back(e.subgroup);
    }
    seen.push_back(e.subgroup);
    others.push_back(i);
  }
  const std::uint32_t last = events_.back().subgroup;
  if (!firsts.empty()) node.toTry.push_back(firsts.back() == last ? last : firsts.front());
}

void Orders::add(Event event) {
  const auto number = static_cast<std::uint32_t>(events_.size());
  for (const TurnUse& use : event.uses)
    forEachPlace(use, [&](std::uint64_t place) {
      std::vector<std::uint32_t>& users = users_[place];
      if (users.empty() || users.back() != number) users.push_back(number);
    });
  account(event);
  events_.push_back(std::move(event));
}

// What happened before the next turn of a subgroup: its last one, and what a barrier that opened was waited for by.
void Orders::account(const Event& event) {
  now_[event.subgroup] = event.clock;
  if (!event.released) return;
  const std::size_t first = *event.released * perWorkgroup_;
  Clock all(now_.size(), 0);
  for (std::size_t i = first; i < first + perWorkgroup_; ++i) join(all, now_[i]);
  for (std::size_t i = first; i < first + perWorkgroup_; ++i) now_[i] = all;
}

void Orders::dropLast() {
  for (const TurnUse& use : events_.back().uses)
    forEachPlace(use, [&](std::uint64_t place) {
      std::vector<std::uint32_t>& users = users_[place];
      if (!users.empty() && users.back() + 1 == events_.size()) users.pop_back();
    });
  events_.pop_back();
}

std::uint64_t Orders::atLeast(std::uint64_t most) const {
  std::map<std::tuple<std::uint64_t, std::uint64_t, std::uint64_t>, std::uint64_t> stores;  // by bytes: turns
  std::uint64_t turns = 0;
  for (const Event& e : events_) {
    if (e.number != 1) continue;
    std::set<std::tuple<std::uint64_t, std::uint64_t, std::uint64_t>> own;
    for (const TurnUse& u : e.uses)
      if (u.writes && u.sum == spv::Op::OpNop && own.insert({u.memory, u.begin, u.end}).second)
        turns = std::max(turns, ++stores[{u.memory, u.begin, u.end}]);
  }
  std::uint64_t orders = 1;
  for (std::uint64_t n = 2; n <= turns && orders < most; ++n) orders *= n;
  return std::min(orders, most);
}

bool Orders::next() {
  for (; !nodes_.empty(); nodes_.pop_back()) {
    Node& node = nodes_.back();
    const bool wasRun = events_.size() == nodes_.size();
    node.asleep.push_back({node.chosen, wasRun ? events_.back().uses : std::vector<TurnUse>()});
    if (wasRun) dropLast();
    const auto isAwake = [&](std::uint32_t s) { return !std::ranges::count(node.asleep, s, &Asleep::subgroup); };
    const auto it = std::ranges::find_if(node.toTry, isAwake);
    if (it == node.toTry.end()) continue;
    node.chosen = *it;
    chosen_ = ended_ = 0;
    now_.assign(now_.size(), Clock(now_.size(), 0));
    for (const Event& e : events_) account(e);
    return true;
  }
  return false;
}

std::vector<Orders::Turn> Orders::turns() const {
  std::vector<Turn> all;
  for (std::size_t i = 0; i < ended_; ++i) all.push_back({nodes_[i].chosen, nodes_[i].chosen == nodes_[i].first});
  return all;
}

}  // namespace lanewise
