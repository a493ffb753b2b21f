#include "model/check/race_clock.h"

#include <algorithm>

namespace lanewise::race {

bool Known::has(std::uint32_t invocation, std::uint32_t itsPhase, std::uint32_t interval) const {
  if (itsPhase < phase) return true;
  const auto at = std::ranges::lower_bound(more, invocation, {}, &std::pair<std::uint32_t, std::uint32_t>::first);
  return at != more.end() && at->first == invocation && interval <= at->second;
}

void Known::add(std::uint32_t invocation, std::uint32_t interval) {
  const auto at = std::ranges::lower_bound(more, invocation, {}, &std::pair<std::uint32_t, std::uint32_t>::first);
  if (at != more.end() && at->first == invocation)
    at->second = std::max(at->second, interval);
  else
    more.insert(at, {invocation, interval});
}

void Known::join(const Known& other) {
  phase = std::max(phase, other.phase);
  if (more.empty()) {
    more = other.more;
    return;
  }
  if (other.more.empty()) return;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> both;
  std::ranges::merge(more, other.more, std::back_inserter(both));
  more.clear();
  for (const auto& [invocation, interval] : both) {  // of one invocation the greater comes later
    if (!more.empty() && more.back().first == invocation)
      more.back().second = interval;
    else
      more.emplace_back(invocation, interval);
  }
}

const Known* Clock::of(std::uint32_t group) const {
  const void* at = root_.get();
  for (std::uint32_t level = kLevels; at != nullptr && level-- > 0;)
    at = static_cast<const Node*>(at)->child[group >> level * kBits & ((1 << kBits) - 1)].get();
  return static_cast<const Known*>(at);
}

Clock::Link Clock::joined(const Link& a, const Link& b, std::uint32_t level) {
  if (!b || a == b) return a;
  if (!a) return b;
  if (level == 0) {
    auto known = std::make_shared<Known>(*static_cast<const Known*>(a.get()));
    known->join(*static_cast<const Known*>(b.get()));
    if (*known == *static_cast<const Known*>(b.get())) return b;
    return *known == *static_cast<const Known*>(a.get()) ? a : known;
  }
  const auto* x = static_cast<const Node*>(a.get());
  const auto* y = static_cast<const Node*>(b.get());
  Node both;
  bool isA = true, isB = true;
  for (std::uint32_t i = 0; i < 1 << kBits; ++i) {
    both.child[i] = joined(x->child[i], y->child[i], level - 1);
    isA = isA && both.child[i] == x->child[i];
    isB = isB && both.child[i] == y->child[i];
  }
  return isA ? a : isB ? b : std::make_shared<const Node>(std::move(both));
}

void Clock::join(const Clock& other) {
  root_ = joined(root_, other.root_, kLevels);
}

void Clock::join(std::uint32_t group, const Known& known) {
  Link link = std::make_shared<const Known>(known);
  for (std::uint32_t level = 0; level < kLevels; ++level) {
    Node node;
    node.child[group >> level * kBits & ((1 << kBits) - 1)] = std::move(link);
    link = std::make_shared<const Node>(std::move(node));
  }
  root_ = joined(root_, link, kLevels);
}

}  // namespace lanewise::race
