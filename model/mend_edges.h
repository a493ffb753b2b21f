// What orders two accesses of memory, and what of it may be missing: `coherent`, the semantics and fences of barriers and atomics, scopes.
// Nothing is tried here (mend.h).
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "model/contract/finding.h"
#include "model/ir/program.h"
#include "model/patch/order_edit.h"
#include "model/spirv/source_words.h"

namespace lanewise {

// What a program says of an access, an atomic or a barrier of its module, wherever it was inlined.
struct SaidOrder {
  ir::Order order;
  std::uint32_t classes = 0;          // what it goes to, as bits of memory semantics
  std::set<std::uint32_t> variables;  // ids; of a pointer that is a value the type of its block
};
// By the word where the instruction begins. Those that the entry point does not reach are not there.
using SaidOrders = std::map<std::uint32_t, SaidOrder>;
SaidOrders saidOrders(const Program& program);

// The two accesses of a race in their module: indices of instructions.
struct RacingPair {
  const spirv::Module& module;
  const SaidOrders& said;
  const spirv::SourceWords& words;  // what the source calls order
  const RunFinding& race;
  std::size_t first = 0, second = 0;

  // nullptr: it is not reached.
  const SaidOrder* saidOf(std::size_t instruction) const;
  // The bits of memory semantics for what an access goes to, and for both.
  std::uint32_t classOf(std::size_t instruction) const;
  std::uint32_t classes() const { return classOf(first) | classOf(second); }
  std::string placeOf(std::size_t instruction) const;
  // Of a block without a name the name that findings use.
  std::string nameOf(std::uint32_t variable) const;
  // Makes their variables coherent that are not; with the Vulkan memory model those with a private access.
  std::vector<OrderEdit> coherent() const;
};

// Changes of what the module has, by how much they change: the first group is tried first to be left out.
std::vector<std::vector<OrderEdit>> edgesOf(const RacingPair& pair);
// What is missing in plain words, with what mends it.
std::string edgesText(const RacingPair& pair, const std::vector<OrderEdit>& edits);

}  // namespace lanewise
