// What an editor unfolds: variables and their parts, a page at a time. Each reference stands for a list, and is good until the run moves.
//
// Of an image the rows, and of each its texels; of "Lanes" every variable in all invocations of the workgroup. A list that is asked for
// whole ends after kMostAtOnce, and says so.
#pragma once

#include "model/debug/session.h"
#include "tools/dap/arguments.h"

namespace lanewise::dap {

// Whose variables.
struct Frame {
  Extent3 at;
  std::size_t frame = 0;
};

class Variables {
 public:
  static constexpr std::uint64_t kMostAtOnce = 1000;

  explicit Variables(debug::Session& session) : s_(session) {}
  void clear() { lists_.clear(); }

  // Scope, in the order in which they are shown.
  Expected<std::vector<Json>> scopes(Frame of);
  // The body of a `variables` request.
  Expected<Json> list(Arguments a);
  // Type, value and reference of what an expression gives, of which `name` is the text. `result` is the value's field.
  Json told(const char* field, const std::string& name, const debug::Value& value, Frame of, bool hex);
  // What a member of a list is called in an expression, and where. Nothing: there is no such list.
  std::optional<std::pair<std::string, Frame>> named(std::int64_t reference, const std::string& name) const;

 private:
  enum class Kind : std::uint8_t { kArguments, kLocals, kWorkgroup, kResources, kGlobals, kBuiltIns, kLanes, kLane, kParts, kTexels };
  struct List {
    Kind kind;
    Frame of;
    std::string name;                // kLane, kParts, kTexels: the expression
    std::optional<LaneValue> value;  // kParts, kTexels
    std::vector<std::uint64_t> row;  // kTexels: of the outermost coordinates
  };
  struct Member {
    std::string shown, name;
    std::optional<debug::Value> value;
    Frame of;
    std::int64_t reference = 0;  // of what has a list and no value
    std::uint64_t indexed = 0;
  };
  std::int64_t add(List list);
  std::vector<Member> scope(const List& list);
  std::uint64_t countOf(const List& list);
  Member member(const List& list, std::uint64_t i);
  Member texel(const List& list, std::uint64_t i);
  std::optional<debug::Value> valueOf(const std::string& name, Frame of);

  debug::Session& s_;
  std::vector<List> lists_;
};

}  // namespace lanewise::dap
