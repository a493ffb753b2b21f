#include "model/schedule.h"

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
  switch (order) {
    case Order::kReverse:
      return "reverse";
    case Order::kSeeded:
      return "seed:" + std::to_string(seed);
    case Order::kLast:
      return "last:" + std::to_string(seed);
    default:
      return "in-order";
  }
}

Expected<Schedule> parseSchedule(const std::string& token) {
  const auto number = [&token](std::size_t prefix) -> std::optional<std::uint64_t> {
    std::uint64_t value = 0;
    const char* end = token.data() + token.size();
    const auto [stop, error] = std::from_chars(token.data() + prefix, end, value);
    if (error != std::errc() || stop != end) return {};
    return value;
  };
  if (token == "in-order") return Schedule{};
  if (token == "reverse") return Schedule{Schedule::Order::kReverse, 0};
  if (token.starts_with("seed:"))
    if (const auto value = number(5)) return Schedule{Schedule::Order::kSeeded, *value};
  if (token.starts_with("last:"))
    if (const auto value = number(5)) return Schedule{Schedule::Order::kLast, *value};
  return Error{Outcome::kBadInput, "no such schedule", "'" + token + "'", "in-order, reverse, seed:N or last:WORKGROUP"};
}

}  // namespace lanewise
