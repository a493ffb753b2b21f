// Passes over the intermediate form, in the order in which decode() runs them. Each keeps the program's meaning and every operation's
// origin.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "model/ir/ir.h"
#include "model/ir/own_place.h"

namespace lanewise {
class OpRows;
}

namespace lanewise::ir {

// For the quick flavour: function and private variables with constant indices become SSA values. The others get a place in lane memory. It
// may be called again. False if nothing became a value.
bool promoteLocals(Function& f);

// The bits of a pure operation's result, if every argument is a constant and the specification defines the result (definedness.h).
std::optional<std::uint64_t> fold(const Function& f, const OpRows& rows, Code op, Scalar type, std::span<const Value> args);

// The argument that a pure operation equals, or a constant, or none: x + 0, x * 1, x << 0, x & x and their like for integers and booleans,
// a cast to the same bits. Floats have no such identities: x + 0 changes -0.
//
// x * 0, x & 0, x - x and their like, and a selection that chooses nothing, equal something else than x. They are undefined where x is, and
// x may come from an undefined value in any way: `watched` keeps them.
Value identity(Function& f, Code op, Scalar type, std::span<const Value> of, bool watched);

// Folds constants, branches on constants, and phis with only one value, until nothing changes. `watched`: what may be undefined goes on
// into all that is computed from it, so that x * 0 stays. False if nothing has changed.
bool simplify(Function& f, const OpRows& rows, bool watched);

// Removes a pure operation if an equal one dominates it. False if there were none.
bool shareCommon(Function& f);

// Gives every function and private variable a place in lane memory.
void placeLocals(Function& f);

// Removes operations that nothing depends on. `keepMeetings`: keeps those where a schedule may switch or lanes meet.
void removeDead(Function& f, bool keepMeetings);

// Loops that go round a few times become their rounds. False if there were none. `watched`: those with a barrier, whose place is told,
// stay.
bool unrollLoops(Function& f, const OpRows& rows, bool watched);

// Replaces branches around a few pure operations by selections. False if there were none. `watched`: only where lanes that do not take a
// side may execute it unseen.
bool flattenBranches(Function& f, bool watched);

// Whether a pure operation has a result whatever its operands are, of which some are constants.
bool surelyHasResult(const Function& f, Value v);

// Puts a kCheckOperands before every operation that may have no result. `nanWidths`: a bit each, 16, 32 and 64; in floats of these a NaN is
// a result like others, where an instruction's own FPFastMathMode does not say otherwise.
void checkOperands(Function& f, const spirv::Module& module, std::uint32_t nanWidths);

// A texel read into four sums becomes a read that adds.
void fuseReads(Function& f);

// Several operations of a block become one (joined.h), where nobody else uses what they computed in between. After markVarying: what is the
// same for all lanes is computed once, and stays apart. False if there were none; those that are no longer used stay.
bool joinOperations(Function& f);

// A load from lane memory by a constant index, of what its block has stored or loaded there, becomes that value; a store that its block
// overwrites is removed. False if there were none.
bool forwardLocals(Function& f);
// A variable in lane memory is undefined where its function begins. Lane memory begins as zeros, so outside of loops nothing has to be done
// for that. For the interpreter, where nobody observes it.
void removeFirstFills(Function& f);

// Gives every edge with phi moves from a block with several successors a block of its own, and orders the blocks again. `splitBack`: does
// so for every back edge too, so that only a jump goes back.
void splitEdges(Function& f, bool splitBack);

// The shape of a workgroup, which decides which values are equal in all lanes.
struct LaneShape {
  std::uint32_t localSize[3] = {1, 1, 1};
  std::uint32_t width = 64;  // lanes that execute together
  std::uint32_t subgroupSize = 32;
  bool linear = true;            // lane order is the order of LocalInvocationIndex
  bool separateLanes = false;    // lanes may run one by one: nothing is shared between them
  std::uint32_t workgroups = 1;  // that execute together, neighbours along x
};

// Whether a loop reads what other invocations may store: without one it does not wait. The same in every lowered form, or in more of them.
bool readsInLoop(const Function& lowered, const LaneShape& shape);
// Whether it may wait in such a loop for what they store (waiting_loops.cpp). Of the lowered form, with what it computes shared, and of
// `shape` the workgroup's size and that of its subgroups.
bool waitsInLoop(const Function& shared, const LaneShape& shape);

// Whether lanes execute an operation together.
bool hasSubgroupOperations(const Function& f);

// Gives each of the workgroups that execute together workgroup memory of its own: the element of an access there is the workgroup's number
// in the batch.
void placeWorkgroupMemory(Function& f, std::uint32_t workgroups);

// Sets Node::varying. A value with which lanes leave a loop at different times gets a kSticky copy.
void markVarying(Function& f, const LaneShape& shape);

// Where an access is, as OwnPlaces says it of an instruction.
struct AccessPlace {
  Value access = kNoValue;
  std::array<std::vector<Place>, 2> places;
  std::uint32_t element = 0;
};
// Which stores have a place that is their workgroup's own (own_places.cpp).
std::vector<AccessPlace> ownPlaces(const Function& f, const LaneShape& shape, std::vector<Known>& known);

// For analyses: how often each value is used, conditions included, and the last operation that uses it.
struct UsedBy {
  Value user = kNoValue;
  std::uint32_t count = 0;
};
std::vector<UsedBy> usesOf(const Function& f);

// For analyses: position of each block in Function::order, and immediate dominators (by block; the entry's is itself).
std::vector<std::uint32_t> positions(const Function& f);
std::vector<std::uint32_t> dominators(const Function& f);

struct Loop {
  std::uint32_t header = 0;
  std::vector<std::uint8_t> contains;  // by block
  std::vector<std::uint32_t> blocks;
};
std::vector<Loop> loops(const Function& f);

}  // namespace lanewise::ir
