// A part's own copies of what it sums (sharing.h), and the buffers that lead to them. Each is in lines of the cache of its own: parts would
// take turns with a line in which two of them sum.
#pragma once

#include <cstring>

#include "model/base/cache_line.h"
#include "model/exec/sharing.h"
#include "model/state/batch.h"

namespace lanewise {

// That are copied, set or joined, roughly.
inline constexpr double kBytesPerNanosecond = 4;
// Nanoseconds that it takes to set so many bytes and to join them.
inline double costOfSums(std::uint64_t bytes) {
  return 2 * static_cast<double>(bytes) / kBytesPerNanosecond;
}

struct OwnSums {
  std::vector<AlignedBytes> bytes;  // by Sharing::summed
  std::vector<BufferView> buffers;

  OwnSums(const BoundDispatch& bound, const Sharing& sharing, std::span<const std::span<std::byte>> summed) : buffers(bound.buffers) {
    for (std::size_t i = 0; i < summed.size(); ++i) {
      const Sharing::Summed& s = sharing.summed[i];
      AlignedBytes& own = bytes.emplace_back(wholeCacheLines(summed[i].size()));
      for (const Sharing::Sum& sum : s.sums) {
        const std::uint64_t nothing = emptySum(sum);
        const std::span<std::byte> all = sum.of(std::span(own.data(), summed[i].size()));
        for (std::size_t at = 0; at + sum.bytes <= all.size(); at += sum.bytes) std::memcpy(&all[at], &nothing, sum.bytes);
      }
      for (BufferView& view : buffers)
        if (view.data && view.resource == s.resource) view.data = own.data() + view.offset;
    }
  }
  void joinTo(const Sharing& sharing, std::span<const std::span<std::byte>> summed) const {
    for (std::size_t i = 0; i < summed.size(); ++i)
      for (const Sharing::Sum& sum : sharing.summed[i].sums)
        join(sum, sum.of(summed[i]), sum.of(std::span(bytes[i].data(), summed[i].size())));
  }
};

}  // namespace lanewise
