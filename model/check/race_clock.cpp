#include "model/check/race_clock.h"

#include <algorithm>
#include <bit>

namespace lanewise::race {

bool Known::has(std::uint32_t invocation, std::uint32_t itsPhase, std::uint32_t interval) const {
  if (itsPhase < phase) return true;
  const auto behind = std::ranges::upper_bound(more, invocation, {}, &Span::first);
  return behind != more.begin() && invocation < std::prev(behind)->end && interval <= std::prev(behind)->interval;
}

bool Known::covers(const Known& other) const {
  if (phase < other.phase) return false;
  auto own = more.begin();
  for (const Span& its : other.more)
    for (std::uint32_t at = its.first; at < its.end; at = own->end) {
      while (own != more.end() && own->end <= at) ++own;
      if (own == more.end() || own->first > at || own->interval < its.interval) return false;
    }
  return true;
}

void Known::join(const Known& other) {
  phase = std::max(phase, other.phase);
  if (other.more.empty()) return;
  const std::vector<Span> own = std::move(more), &its = other.more;
  more.clear();
  // From one boundary of any span to the next.
  auto a = own.begin(), b = its.begin();
  for (std::uint32_t at = 0;;) {
    while (a != own.end() && a->end <= at) ++a;
    while (b != its.end() && b->end <= at) ++b;
    if (a == own.end() && b == its.end()) return;
    const bool inA = a != own.end() && a->first <= at, inB = b != its.end() && b->first <= at;
    std::uint32_t next = ~0u;
    if (a != own.end()) next = std::min(next, inA ? a->end : a->first);
    if (b != its.end()) next = std::min(next, inB ? b->end : b->first);
    const std::uint32_t interval = std::max(inA ? a->interval : 0, inB ? b->interval : 0);
    const bool goesOn = !more.empty() && more.back().end == at && more.back().interval == interval;
    if (inA || inB) goesOn ? void(more.back().end = next) : more.push_back({at, next, interval});
    at = next;
  }
}

const Known* Clock::of(std::uint64_t group) const {
  if (static_cast<std::uint32_t>(std::bit_width(group)) > levels_ * kBits) return nullptr;
  const void* at = root_.get();
  for (std::uint32_t level = levels_; at != nullptr && level-- > 0;)
    at = static_cast<const Node*>(at)->child[group >> level * kBits & ((1 << kBits) - 1)].get();
  return static_cast<const Known*>(at);
}

bool Clock::covers(const Link& a, const Link& b, std::uint32_t level) {
  if (!b || a == b) return true;
  if (!a) return false;
  if (level == 0) return static_cast<const Known*>(a.get())->covers(*static_cast<const Known*>(b.get()));
  const auto* x = static_cast<const Node*>(a.get());
  const auto* y = static_cast<const Node*>(b.get());
  for (std::uint32_t i = 0; i < 1 << kBits; ++i)
    if (!covers(x->child[i], y->child[i], level - 1)) return false;
  return true;
}

Clock::Link Clock::joined(const Link& a, const Link& b, std::uint32_t level) {
  if (!b || a == b) return a;
  if (!a) return b;
  if (level == 0) {
    if (covers(a, b, 0)) return a;
    if (covers(b, a, 0)) return b;
    auto known = std::make_shared<Known>(*static_cast<const Known*>(a.get()));
    known->join(*static_cast<const Known*>(b.get()));
    return known;
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

Clock::Link Clock::lifted(Link link, std::uint32_t from, std::uint32_t to) {
  for (; link && from < to; ++from) {
    Node node;
    node.child[0] = std::move(link);
    link = std::make_shared<const Node>(std::move(node));
  }
  return link;
}

void Clock::lift(std::uint32_t levels) {
  root_ = lifted(std::move(root_), levels_, levels);
  levels_ = std::max(levels_, levels);
}

void Clock::join(const Clock& other) {
  if (levels_ == other.levels_ && covers(root_, other.root_, levels_)) return;
  lift(other.levels_);
  root_ = joined(root_, lifted(other.root_, other.levels_, levels_), levels_);
}

void Clock::join(std::uint64_t group, const Known& known) {
  if (const Known* own = of(group); own && own->covers(known)) return;
  lift((static_cast<std::uint32_t>(std::bit_width(group)) + kBits - 1) / kBits);
  Link link = std::make_shared<const Known>(known);
  for (std::uint32_t level = 0; level < levels_; ++level) {
    Node node;
    node.child[group >> level * kBits & ((1 << kBits) - 1)] = std::move(link);
    link = std::make_shared<const Node>(std::move(node));
  }
  root_ = joined(root_, link, levels_);
}

}  // namespace lanewise::race
