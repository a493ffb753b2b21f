// The operands: values that show errors of integers and of floats of each width, in the low bits of 64.
#include <bit>

#include "tests/model/scalar/reference.h"
#include "tests/operations/operations.h"

namespace lanewise::operations {
namespace {

using reference::Half;
using reference::Random;

template <class T>
std::uint64_t corner(Random& r) {
  static const std::vector<T> all = reference::corners<T>();
  return reference::bits(all[r.next() % all.size()]);
}

template <class T>
Operands close(Random& r) {
  const T a = reference::random(r, T{}), b = reference::random(r, a);
  return {{reference::bits(a), reference::bits(b), reference::bits(reference::random(r, b)), r.next()}};
}

// All bits, none, one, the low n; small numbers of both signs; random numbers of every length.
std::uint64_t integer(Random& r) {
  const std::uint64_t u = r.next(), n = u >> 58;
  switch (u % 6) {
    case 0:
      return std::uint64_t{1} << n;
    case 1:
      return (std::uint64_t{1} << n) - 1;
    case 2:
      return ~(std::uint64_t{1} << n);
    case 3:
      return (r.next() % 41) - 20;
    case 4:
      return r.next() * 0x0101010101010101u;
    default:
      return r.next() >> n;
  }
}

}  // namespace

std::vector<Operands> operandsOf(std::uint32_t round) {
  Random r{1000 + round};
  std::vector<Operands> out;
  const auto each = [&](auto value) { return Operands{{value(r), value(r), value(r), value(r)}}; };
  while (out.size() < kInvocations) {
    out.push_back(each(integer));
    out.push_back({{r.next(), r.next(), r.next(), r.next()}});
    out.push_back(each(corner<float>));
    out.push_back(close<float>(r));
    out.push_back(each(corner<double>));
    out.push_back(close<double>(r));
    out.push_back(each(corner<Half>));
    out.push_back(close<Half>(r));
  }
  return out;
}

}  // namespace lanewise::operations
