// What an invocation knows to have happened before: a clock with an entry for each workgroup, shared between equal clocks.
//
// After a barrier all invocations of a workgroup know everything that any of them did before it. So an entry is a count of barriers (a
// phase). For invocations that took another way it also has how far each one is known (an interval, which increases where it releases);
// neighbours are kept together. Clocks are never changed once made. Joining two clocks shares the common parts, and so does a copy.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

namespace lanewise::race {

// What is known of one workgroup.
struct Known {
  // Invocations first, first + 1, ..., end - 1: everything that each did up to an interval is known.
  struct Span {
    std::uint32_t first = 0, end = 0, interval = 0;
    friend bool operator==(const Span&, const Span&) = default;
  };
  std::uint32_t phase = 0;  // everything that anybody did in earlier phases is known
  std::vector<Span> more;   // ascending; adjacent spans have different intervals

  bool has(std::uint32_t invocation, std::uint32_t itsPhase, std::uint32_t interval) const;
  // Whether joining `other` changes nothing.
  bool covers(const Known& other) const;
  void add(Span span) { join({0, {span}}); }
  void join(const Known& other);
  friend bool operator==(const Known&, const Known&) = default;
};

class Clock {
 public:
  // nullptr if nothing is known of the workgroup.
  const Known* of(std::uint64_t group) const;
  void join(std::uint64_t group, const Known& known);
  void join(const Clock& other);
  bool empty() const { return !root_; }

 private:
  static constexpr std::uint32_t kBits = 4;
  using Link = std::shared_ptr<const void>;  // a Known on the last level, else a Node
  struct Node {
    Link child[1 << kBits];
  };
  static bool covers(const Link& a, const Link& b, std::uint32_t level);
  static Link joined(const Link& a, const Link& b, std::uint32_t level);
  // Adds levels above.
  static Link lifted(Link link, std::uint32_t from, std::uint32_t to);
  void lift(std::uint32_t levels);
  std::uint32_t levels_ = 0;  // of nodes: room for the workgroups below 2^(kBits * levels_)
  Link root_;
};

}  // namespace lanewise::race
