// What the workgroups of a dispatch do with each resource, as far as their order could show in it.
#pragma once

#include <algorithm>
#include <optional>
#include <span>
#include <vector>

#include "model/exec/own_check.h"

namespace lanewise {

struct Sharing {
  struct Stored {
    std::uint32_t resource = 0;
    std::uint32_t unit = 0;  // bytes, a power of two: the least that one access takes
    bool loaded = false;     // where it is stored to
    bool own = false;        // each workgroup accesses places of its own: nothing is to be claimed
  };
  // Scalars of a resource that atomics of one kind sum.
  struct Sum {
    spv::Op sum{};            // ir::sumOf
    std::uint32_t bytes = 0;  // of a scalar: 4 or 8
    std::uint64_t begin = 0, end = ~std::uint64_t{0};
    template <class Byte>
    std::span<Byte> of(std::span<Byte> all) const {
      return all.first(std::min<std::size_t>(end, all.size())).subspan(std::min<std::size_t>(begin, all.size()));
    }
  };
  struct Summed {
    std::uint32_t resource = 0;
    std::vector<Sum> sums;  // which have no bytes in common
  };
  std::vector<Stored> stored;  // by loads and stores
  std::vector<Summed> summed;  // by atomics alone, whose results nobody uses: in each scalar of one kind
  // The program's code with the observed handlers for what has to be claimed. Empty: that is nothing.
  std::vector<Instr> code;
};

// Empty where the order could show in another way: other atomics, pointers as values, device addresses, printed lines. Before the dispatch
// has begun, Sharing::code stays empty, and what buffers have does not count. `of`: whose own the places are that are (Stored::own).
std::optional<Sharing> sharingOf(const BoundDispatch& bound, bool hasBegun = true, OwnCheck::Of of = OwnCheck::Of::kWorkgroups);

// Whether the order of workgroups cannot show in a dispatch whose batches have several of them (ir/together.h), if no fault ends it. What
// is stored to is a workgroup's own; or nobody loads it, and one instruction stores to it that lanes execute once: they do so in order.
bool hidesOrderTogether(const BoundDispatch& bound);
// Whether lanes that run one by one, in order, leave what they leave together, if no fault ends it. They never meet, and what is said above
// of workgroups holds for them.
bool hidesOrderOfLanes(const BoundDispatch& bound);

// Where the program stores to one of these resources of the job, or may, by a pointer; and its code with the observed handlers there.
std::vector<std::uint32_t> storesTo(const BoundDispatch& bound, std::span<const std::uint32_t> resources);
std::vector<Instr> codeOfStores(const BoundDispatch& bound, std::span<const std::uint32_t> resources);

// What a scalar of it is of nothing.
std::uint64_t emptySum(const Sharing::Sum& s);
// Adds the scalars of `from` to those of `to`, which are as many.
void join(const Sharing::Sum& s, std::span<std::byte> to, std::span<const std::byte> from);

}  // namespace lanewise
