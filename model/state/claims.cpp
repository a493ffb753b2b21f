#include "model/state/claims.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <optional>

namespace lanewise {
namespace {

constexpr std::uint8_t kStored = 0x80, kMany = 0x7f, kShared = 0xff;
constexpr std::uint64_t kEachByte = 0x0101010101010101u;

// The mark of a unit after a claim; empty where it is refused.
std::optional<std::uint8_t> marked(std::uint8_t old, std::uint8_t part, bool stores) {
  const bool own = old == 0 || old == part || old == (kStored | part);
  if (stores) return own ? std::optional<std::uint8_t>(kStored | part) : std::nullopt;
  if (old == 0) return part;
  if (own) return old;
  return (old & kStored) == 0 ? std::optional(kMany) : std::nullopt;
}

// Eight marks at once, of which those in `bytes` are claimed.
std::optional<std::uint64_t> markedAll(std::uint64_t old, std::uint64_t bytes, std::uint8_t part, bool stores) {
  const std::uint64_t all = kEachByte * static_cast<std::uint8_t>(stores ? kStored | part : part) & bytes;
  if ((old & bytes) == 0 || (old & bytes) == all) return old | all;
  std::uint64_t out = old;
  for (int at = 0; at < 64; at += 8) {
    if ((bytes >> at & 0xff) == 0) continue;
    const auto mark = marked(static_cast<std::uint8_t>(old >> at), part, stores);
    if (!mark) return {};
    out = (out & ~(std::uint64_t{0xff} << at)) | std::uint64_t{*mark} << at;
  }
  return out;
}

}  // namespace

void Claims::track(std::uint32_t resource, std::span<const std::byte> bytes, std::uint32_t unit, bool byBlocks) {
  const auto shift = static_cast<std::uint32_t>(std::countr_zero(std::min(unit, 8u)));
  const std::size_t units = (bytes.size() >> shift) / 8 * 8 + 8;  // whole words of eight marks
  const std::size_t blocks = byBlocks ? bytes.size() / kBlock + 1 : 0;
  Tracked& t = all_[resource];
  t.base = bytes.data();
  t.shift = shift;
  t.byBlocks = byBlocks;
  t.memory = Scratch::Block(memory_, units + blocks);
  std::ranges::fill(t.memory.bytes(), std::byte{0});
  t.units = reinterpret_cast<std::uint8_t*>(t.memory.bytes().data());
  t.blocks = t.units + units;
}

bool Claims::take(std::uint32_t part, const Access& access) {
  Tracked& t = all_[access.resource];
  if (t.base == nullptr) return true;
  if (met_.load(std::memory_order_relaxed)) return false;
  const auto offset = static_cast<std::uint64_t>(access.at - t.base);
  if (access.step == access.size) return takeBytes(t, offset, std::uint64_t{access.size} * access.count, part, access.stores);
  const auto own = static_cast<std::uint8_t>(part);
  // What nearly every access finds: a unit in a block of its own, or that it has claimed before.
  const bool oneUnit = access.size == std::uint64_t{1} << t.shift && offset % access.size == 0 && access.step % access.size == 0;
  const auto isOwn = [&](std::uint64_t unit) {
    const auto mark = static_cast<std::uint8_t>(
        std::atomic_ref(*reinterpret_cast<std::uint64_t*>(&t.units[unit / 8 * 8])).load(std::memory_order_relaxed) >> unit % 8 * 8);
    return mark == (kStored | own) || (mark == own && !access.stores);
  };
  bool taken = true;
  std::uint64_t at = offset;
  for (std::uint32_t i = 0; i < access.count; ++i, at += access.step) {
    if (oneUnit && t.byBlocks && std::atomic_ref(t.blocks[at / kBlock]).load(std::memory_order_relaxed) == own)
      t.units[at >> t.shift] = kStored | own;
    else if (!oneUnit || t.byBlocks || !isOwn(at >> t.shift))
      taken = takeBytes(t, at, access.size, part, access.stores) && taken;
  }
  return taken;
}

bool Claims::takeBytes(Tracked& t, std::uint64_t offset, std::uint64_t bytes, std::uint32_t part, bool stores) {
  const auto own = static_cast<std::uint8_t>(part);
  const auto claimUnits = [&](std::uint64_t from, std::uint64_t size) {
    const bool taken = takeUnits(t, from, size, own, stores);
    if (!taken) {
      wanted_[part].refused = true;
      met_ = true;
    }
    return taken;
  };
  if (!t.byBlocks) return claimUnits(offset, bytes);
  bool taken = true;
  for (std::uint64_t end = offset + bytes, next = 0; offset < end; offset = next) {
    next = std::min(end, (offset / kBlock + 1) * kBlock);
    std::uint8_t& block = t.blocks[offset / kBlock];
    const std::atomic_ref<std::uint8_t> state(block);
    std::uint8_t is = state.load(std::memory_order_relaxed);
    if (is == 0 && state.compare_exchange_strong(is, own, std::memory_order_relaxed)) is = own;
    if (is == own) {
      const std::uint64_t first = offset >> t.shift, last = (next - 1) >> t.shift;
      if (first == last)
        t.units[first] = kStored | own;
      else
        std::memset(&t.units[first], kStored | own, last - first + 1);
    } else if (is == kShared) {
      taken = claimUnits(offset, next - offset) && taken;
    } else {
      wanted_[part].blocks.push_back(&block);
      taken = false;
    }
  }
  return taken;
}

bool Claims::takeUnits(const Tracked& t, std::uint64_t offset, std::uint64_t bytes, std::uint8_t part, bool stores) {
  const std::uint64_t first = offset >> t.shift, last = (offset + bytes - 1) >> t.shift;
  for (std::uint64_t word = first / 8; word <= last / 8; ++word) {
    std::uint64_t which = ~std::uint64_t{0};
    if (word == first / 8) which &= ~std::uint64_t{0} << first % 8 * 8;
    if (word == last / 8) which &= ~std::uint64_t{0} >> (7 - last % 8) * 8;
    const std::atomic_ref<std::uint64_t> mark(*reinterpret_cast<std::uint64_t*>(&t.units[word * 8]));
    std::uint64_t old = mark.load(std::memory_order_relaxed);
    std::optional<std::uint64_t> next;
    do {
      next = markedAll(old, which, part, stores);
      if (!next) return false;
    } while (*next != old && !mark.compare_exchange_weak(old, *next, std::memory_order_relaxed));
  }
  return true;
}

bool Claims::share(std::uint32_t part) {
  Wanted& wanted = wanted_[part];
  for (std::uint8_t* block : wanted.blocks) *block = kShared;
  wanted.blocks.clear();
  return !wanted.refused;
}

void Claims::shareAll() {
  for (Tracked& t : all_) t.byBlocks = false;
}

}  // namespace lanewise
