// The orders of turns that have to be tried, so that every other one is like one of them.
//
// Two orders are alike where they differ only in neighbouring turns that do not depend on each other: turns of two subgroups that touch no
// common byte, or read it, or add to it by atomics of one kind whose results nobody uses. Of orders that are alike one is run to its end.
// The method is dynamic partial-order reduction with source sets and sleep sets (Abdulla, Aronis, Jonsson, Sagonas: "Optimal dynamic
// partial order reduction", POPL 2014). Promise: each kind of order is run, and once; an order that would repeat one is cut off.
// tests/model/explore_test.cpp counts them against all orders.
//
// This file knows turns and what they touch, and nothing of the model. The caller runs an order: choose(), then ended(), for each turn.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "model/ir/resource_use.h"

namespace lanewise {

// Bytes that a turn has touched.
struct TurnUse {
  std::uint64_t memory = 0;  // a number for each resource, and for the memory of each workgroup
  std::uint64_t begin = 0, end = 0;
  bool writes = false;
  spv::Op sum = spv::Op::OpNop;  // ir::sumOf: it adds to what is there, and nobody uses what was there
};
bool dependsOn(const TurnUse& a, const TurnUse& b);

class Orders {
 public:
  // Subgroups are numbered through the dispatch (Schedule::Turns).
  Orders(std::uint32_t subgroups, std::uint32_t perWorkgroup);
  // Whose turn is next, of those that can have one, in ascending order. Empty: to go on would repeat an order.
  std::optional<std::uint32_t> choose(std::span<const std::uint32_t> ready);
  // The turn has ended. `released`: the workgroup whose barrier it opened.
  void ended(std::vector<TurnUse> uses, std::optional<std::uint64_t> released);
  // At least so many orders are there, or `most`, as the first turns of this one say. These are the same in every order: what an invocation
  // does first depends on nobody. If n of them store to the same bytes, no two of them commute, so there are n! orders.
  std::uint64_t atLeast(std::uint64_t most) const;
  // Goes on to the next order; false: all were run.
  bool next();

  struct Turn {
    std::uint32_t subgroup = 0;
    bool isFirst = false;  // of those that could have it
  };
  // The turns of this order so far.
  std::vector<Turn> turns() const;

 private:
  using Clock = std::vector<std::uint32_t>;  // by subgroup: how many of its turns happened before
  struct Event {
    std::uint32_t subgroup = 0, number = 0;  // the how-manieth turn of its subgroup, from 1
    std::vector<TurnUse> uses;
    std::optional<std::uint64_t> released;
    Clock clock;
  };
  struct Asleep {
    std::uint32_t subgroup = 0;
    std::vector<TurnUse> uses;
  };
  // A place where a turn is chosen.
  struct Node {
    std::uint32_t chosen = 0, first = 0;
    std::vector<std::uint32_t> toTry;
    std::vector<Asleep> asleep;  // those whose turn here leads to orders that were run
  };
  static bool happensBefore(const Event& a, const Event& b) { return b.clock[a.subgroup] >= a.number; }
  std::vector<std::uint32_t> earlierUsers(std::span<const TurnUse> uses) const;
  // The turn at `at` and the last one depend on each other and could come the other way round: lets that be tried.
  void reverse(std::size_t at);
  void add(Event event);
  void account(const Event& event);
  void dropLast();

  std::uint32_t perWorkgroup_;
  std::vector<Node> nodes_;
  std::vector<Event> events_;
  std::size_t chosen_ = 0, ended_ = 0;                                   // turns of this order
  std::vector<Clock> now_;                                               // by subgroup: what happened before its next turn
  std::unordered_map<std::uint64_t, std::vector<std::uint32_t>> users_;  // by place of four bytes: numbers of events, ascending
};

}  // namespace lanewise
