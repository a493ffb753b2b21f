// Subgroups of eight, or of 32, in the order of the invocations' numbers: an operation combines the invocations that reach it together in
// the GLSL.
#include <algorithm>

#include "tests/text/definitions/definitions.h"

namespace lanewise::text::definitions {
namespace {

using Lanes = std::vector<u32>;  // numbers within a subgroup, rising

u32 mask(const Lanes& lanes) {
  u32 out = 0;
  for (const u32 lane : lanes) out |= 1u << lane;
  return out;
}

template <class Predicate>
Lanes those(const Lanes& lanes, Predicate predicate) {
  Lanes out;
  std::copy_if(lanes.begin(), lanes.end(), std::back_inserter(out), predicate);
  return out;
}

template <class Combine, class T>
T folded(const std::vector<T>& x, std::size_t count, T start, Combine combine) {
  for (std::size_t i = 0; i < count; ++i) start = combine(start, x[i]);
  return start;
}

u32 setBits(u32 x) {
  u32 n = 0;
  for (; x != 0; x /= 2) n += x % 2;
  return n;
}

Bytes builtins(const Inputs&) {
  std::vector<u32> out;
  for (u32 gy = 0; gy < 2; ++gy)
    for (u32 gx = 0; gx < 2; ++gx)
      for (u32 i = 0; i < 16; ++i) {
        const u32 c = i % 3, d = (i + 1) % 3, e = (i + 2) % 3, id = i % 8, below = (1u << id) - 1, at = 1u << id;
        const u32 above = 255 - below - at;
        const std::array<u32, 3> group = {gx, gy, 0}, size = {4, 2, 2}, groups = {2, 2, 1}, local = {i % 4, i / 4 % 2, i / 8};
        out.push_back((group[c] * size[c] + local[c]) * 1000 + local[d] * 100 + group[e] * 10 + size[c]);
        out.push_back(i * 100 + i / 8 * 10 + id);
        out.push_back((i % 4 == 0 ? at : 0) + (at + above) * 256 + above * 65536);
        out.push_back(below + at + below * 256 + 8 * 65536 + 2 * 1048576 + groups[c] * 16777216);
      }
  return bytesOf(out);
}

// The values of subgroup_all that reduce or scan x: of the first `count` lanes, with the identity for none.
struct Scan {
  const std::vector<u32>& x;
  std::size_t count;

  u32 add() const { return folded(x, count, 0u, std::plus<>()); }
  u32 mul() const {
    return folded(x, count, 1u, [](u32 a, u32 b) { return a * (b | 1); });
  }
  u32 min() const {
    return folded(x, count, ~0u, [](u32 a, u32 b) { return std::min(a, b); });
  }
  u32 max() const {
    return folded(x, count, 0u, [](u32 a, u32 b) { return std::max(a, b); });
  }
  u32 allBits(u32 also) const {
    return folded(x, count, ~0u, [&](u32 a, u32 b) { return a & (b | also); });
  }
  u32 anyBits() const { return folded(x, count, 0u, std::bit_or<>()); }
  u32 oddBits() const { return folded(x, count, 0u, std::bit_xor<>()); }
  // Of x - 2000, as signed numbers; x is less than 4096.
  u32 least() const { return min() - 2000; }
  u32 most() const { return count == 0 ? 0x80000000 : max() - 2000; }
};

void votesAndBallots(std::vector<u32>& out, const std::vector<u32>& x, u32 l) {
  const u32 id = l % 8, group = l / 8, below = (1u << id) - 1, at = 1u << id;
  u32 ballot = 0;
  for (u32 i = 0; i < 8; ++i) ballot += x[i] % 2 << i;
  u32 first = 0, last = 7;
  while (ballot != 0 && (ballot >> first) % 2 == 0) ++first;
  while (ballot != 0 && (ballot >> last) % 2 == 0) --last;
  out.insert(out.end(), {id + group * 100 + 8000, id == 0 ? 1u : 0u, group < 3 ? 1u : 0u, group == 1 ? 1u : 0u, 1u, ballot, setBits(ballot),
                         setBits(ballot & (below + at)), setBits(ballot & below), ballot == 0 ? 0 : first + 100 * last,
                         (ballot >> id) % 2 + (ballot >> 3) % 2 * 2});
}

Bytes subgroupAll(const Inputs&) {
  std::vector<u32> out;
  for (u32 l = 0; l < 32; ++l) {
    const u32 id = l % 8, below = (1u << id) - 1, at = 1u << id, above = 255 - below - at;
    std::vector<u32> x;
    for (u32 i = 0; i < 8; ++i) x.push_back((l - id + i) * 2654435761u >> 20);
    votesAndBallots(out, x, l);
    const Scan whole{x, 8}, to{x, id + 1}, before{x, id};
    out.insert(out.end(), {x[5], x[0], whole.add(), whole.mul(), whole.min(), whole.max(), whole.allBits(0xf0), whole.anyBits(),
                           whole.oddBits(), whole.least(), whole.most(), to.add(), before.add(), to.mul(), before.mul(), to.least(),
                           before.most(), before.min() ^ before.allBits(0), to.oddBits() + before.anyBits()});
    out.insert(out.end(), {x[(id * 3 + 1) % 8], x[id ^ 5], id >= 3 ? x[id - 3] : 0, id < 6 ? x[id + 2] : 0, x[id / 4 * 4 + 2], x[id ^ 1],
                           x[id ^ 2], x[id ^ 3], at + (at + above) * 3, below * 7 + below + at + above * 1000});
  }
  return bytesOf(out);
}

// One subgroup of subgroup_divergent, the numbers of whose invocations start at `first`.
struct Divergent {
  u32 first;
  std::array<std::array<u32, 4>, 8> r{};

  u32 number(u32 lane) const { return first + lane; }

  u32 sum(const Lanes& lanes) const {
    u32 out = 0;
    for (const u32 lane : lanes) out += number(lane);
    return out;
  }

  void thirds(const Lanes& all) {
    Lanes in = those(all, [&](u32 lane) { return number(lane) % 3 != 1; });
    const Lanes out = those(all, [&](u32 lane) { return number(lane) % 3 == 1; });
    for (const u32 lane : in) {
      r[lane][0] = sum(in);
      r[lane][1] = mask(those(in, [&](u32 other) { return number(other) > 10; })) * 16 + (lane == in.front() ? 1 : 0);
      r[lane][2] = static_cast<u32>(in.size()) * 100000;
    }
    for (const u32 lane : out) {
      r[lane][0] = number(out.front()) * 2;
      r[lane][1] = number(out.front()) + (number(out.front()) > 12 ? 1000 : 0);
    }
    for (u32 i = 0; !in.empty(); ++i) turn(in, i);
  }

  // A turn of the loop takes those whose count is not reached, then those that do not break.
  void turn(Lanes& in, u32 i) {
    in = those(in, [&](u32 lane) { return i < number(lane) % 5; });
    for (const u32 lane : in) r[lane][2] += number(in.back()) + i;
    in = those(in, [&](u32 lane) { return (number(lane) + i) % 4 != 2; });
    for (u32 before = 0; before < in.size(); ++before) r[in[before]][2] += before * 100;
  }

  // Case 1 runs on into case 2, where its invocations meet those of case 2.
  void cases(const Lanes& all) {
    const auto with = [&](u32 which) { return those(all, [&](u32 lane) { return number(lane) % 4 == which; }); };
    for (const u32 lane : with(0)) r[lane][3] = sum(with(0));
    for (const u32 lane : with(1)) r[lane][3] = number(with(1).back());
    for (const u32 lane : with(3)) r[lane][3] = mask(with(3));
    u32 rank = 0;
    for (const u32 lane : those(all, [&](u32 lane) { return number(lane) % 4 == 1 || number(lane) % 4 == 2; })) r[lane][3] += ++rank;
    for (const u32 lane : all) r[lane][3] += 8u << 20;
  }
};

Bytes subgroupDivergent(const Inputs&) {
  const Lanes all = {0, 1, 2, 3, 4, 5, 6, 7};
  std::vector<u32> out;
  for (u32 group = 0; group < 2; ++group)
    for (u32 first = 0; first < 32; first += 8) {
      Divergent subgroup{first};
      subgroup.thirds(all);
      subgroup.cases(all);
      for (const auto& r : subgroup.r) out.insert(out.end(), r.begin(), r.end());
    }
  return bytesOf(out);
}

// Subgroups of 8, 8 and 5.
Bytes subgroupPartial(const Inputs&) {
  std::vector<u32> out;
  for (u32 l = 0; l < 21; ++l) {
    const u32 first = l / 8 * 8, size = first == 16 ? 5 : 8;
    out.insert(out.end(), {(1u << size) - 1, size * first + size * (size - 1) / 2, size + 100, first + (l - first) * 3 * 1000});
  }
  return bytesOf(out);
}

// Subgroups 1 and 3 write squares, and read the one at the other end of the subgroup.
Bytes subgroupBarriers(const Inputs&) {
  const auto squared = [](u32 l) { return l / 8 % 2 == 1; };
  std::vector<u32> out;
  for (u32 l = 0; l < 32; ++l) {
    const u32 across = l / 8 * 8 + 7 - l % 8, other = 31 - l;
    out.push_back((squared(l) ? across * across : 1000) + (squared(other) ? other * other : other));
  }
  return bytesOf(out);
}

Bytes subgroupFloats(const Inputs&) {
  std::vector<float> out;
  float before = 0;
  for (u32 l = 0; l < 8; before += static_cast<float>(l++))
    out.insert(out.end(), {28, -28, 14, 8, before, -7, static_cast<float>(l) / 2, -3});
  return bytesOf(out);
}

// Of l * 2^33.
Bytes subgroupLongs(const Inputs&) {
  std::vector<i64> out;
  i64 to = 0;
  for (i64 l = 0; l < 8; ++l) {
    to += l * 8589934592 + 1;
    out.insert(out.end(), {28 * 8589934592, 0, 5, to});
  }
  return bytesOf(out);
}

// The values of subgroup_wide in one of its subgroups of 32, but for those that take no part.
std::vector<u32> wideValues(u32 subgroup) {
  std::vector<u32> x;
  for (u32 l = subgroup * 32; l < subgroup * 32 + 32; ++l)
    if (l % 3 != 0) x.push_back(l * 2654435761u);
  return x;
}

Bytes subgroupWide(const Inputs&) {
  std::vector<u32> out;
  for (u32 subgroup = 0; subgroup < 2; ++subgroup) {
    const std::vector<u32> x = wideValues(subgroup);
    const auto fold = [&](u32 start, auto combine) { return folded(x, x.size(), start, combine); };
    const auto product = [](u32 a, u32 b) { return a * (b | 1); };
    const auto isLess = [](u32 a, u32 b) { return static_cast<i32>(a) < static_cast<i32>(b); };
    i32 least = 127;
    for (const u32 each : x) least = std::min<i32>(least, static_cast<std::int8_t>(each >> 24));
    out.insert(out.end(),
               {fold(0, std::plus<>()), fold(1, product), *std::ranges::min_element(x), *std::ranges::max_element(x),
                *std::ranges::min_element(x, isLess), *std::ranges::max_element(x, isLess),
                fold(~0u, [](u32 a, u32 b) { return a & (b | 0xf0); }), fold(0, [](u32 a, u32 b) { return a | (b & 0xff0f); }),
                fold(0, std::bit_xor<>()), static_cast<u32>(least), fold(0, [](u32 a, u32 b) { return (a + (b >> 16)) % 65536; })});
  }
  return bytesOf(out);
}

Bytes subgroupWideLongs(const Inputs&) {
  std::vector<u64> out;
  for (u32 subgroup = 0; subgroup < 2; ++subgroup) {
    u64 sum = 0, odd = 0;
    for (u32 l = subgroup * 32; l < subgroup * 32 + 32; ++l) {
      const u64 wide = l % 3 == 0 ? 0 : u64{l * 2654435761u} << 20 | l;
      sum += wide;
      odd ^= wide;
    }
    out.insert(out.end(), {sum, odd});
  }
  return bytesOf(out);
}

// The ballot of the odd invocations, the first one's number, its own, whether all are odd or all the same, whether any is odd, and 2.
Bytes khrSubgroup(const Inputs&) {
  std::vector<u32> out;
  for (u32 l = 0; l < 8; ++l) out.insert(out.end(), {0xaa, 0, l, 0, 1, 2});
  return bytesOf(out);
}

constexpr Definition kSubgroups[] = {
    {"builtins.comp", "0 u32", builtins},
    {"khr_subgroup.spvasm", "0 u32", khrSubgroup},
    {"subgroup_all.comp", "0 u32", subgroupAll},
    {"subgroup_barrier.comp", "0 u32", subgroupBarriers},
    {"subgroup_divergent.comp", "0 u32", subgroupDivergent},
    {"subgroup_partial.comp", "0 u32", subgroupPartial},
    {"subgroup_types.comp", "0 f32", subgroupFloats},
    {"subgroup_types.comp", "1 i64", subgroupLongs},
    {"subgroup_wide.comp", "0 u32", subgroupWide},
    {"subgroup_wide.comp", "1 u64", subgroupWideLongs},
};

}  // namespace

std::span<const Definition> subgroups() {
  return kSubgroups;
}

}  // namespace lanewise::text::definitions
