#include "model/contract/schedule.h"

#include <fmt/format.h>

#include <charconv>
#include <numeric>

namespace lanewise {

std::uint64_t Schedule::at(std::uint64_t i, std::uint64_t n) const {
  switch (order) {
    case Order::kReverse:
      return n - 1 - i;
    case Order::kSeeded: {
      // An affine permutation: i * a + b modulo n with a coprime to n. The products stay below 2^96.
      std::uint64_t a = (seed * 0x9e3779b97f4a7c15u >> 20 | 1) % n;
      while (std::gcd(a, n) != 1) ++a;
      const std::uint64_t b = (seed * 0xd1342543de82ef95u >> 24) % n;
      return static_cast<std::uint64_t>((static_cast<unsigned __int128>(i) * a + b) % n);
    }
    case Order::kLast:
      if (seed >= n) return i;
      return i == n - 1 ? seed : i < seed ? i : i + 1;
    default:
      return i;
  }
}

std::string Schedule::token() const {
  const std::string prefix = lanes ? "lanes-" : "";
  switch (order) {
    case Order::kReverse:
      return prefix + "reverse";
    case Order::kSeeded:
      return fmt::format("{}seed:{}", prefix, seed);
    case Order::kLast:
      return fmt::format("{}last:{}", prefix, seed);
    default:
      return lanes ? "lanes" : "in-order";
  }
}

Expected<Schedule> parseSchedule(const std::string& token) {
  if (token == "in-order") return Schedule{};
  if (token == "lanes") return Schedule{Schedule::Order::kInOrder, 0, true};
  const bool lanes = token.starts_with("lanes-");
  const std::string_view order = std::string_view(token).substr(lanes ? 6 : 0);
  if (order == "reverse") return Schedule{Schedule::Order::kReverse, 0, lanes};
  std::uint64_t value = 0;
  if (order.starts_with("seed:") || order.starts_with("last:")) {
    const std::string_view digits = order.substr(5);
    const auto [stop, error] = std::from_chars(digits.begin(), digits.end(), value);
    if (error == std::errc() && stop == digits.end())
      return Schedule{order.starts_with("seed:") ? Schedule::Order::kSeeded : Schedule::Order::kLast, value, lanes};
  }
  return Error{Outcome::kBadInput, "no such schedule", fmt::format("'{}'", token),
               "in-order, reverse, seed:N, last:WORKGROUP, lanes, lanes-reverse, lanes-seed:N or lanes-last:WORKGROUP"};
}

}  // namespace lanewise
