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
  std::string text = lanes ? "lanes-" : "";
  switch (order) {
    case Order::kReverse:
      text += "reverse";
      break;
    case Order::kSeeded:
      text += fmt::format("seed:{}", seed);
      break;
    case Order::kLast:
      text += fmt::format("last:{}", seed);
      break;
    case Order::kInterleave:
      text += fmt::format("interleave:seed:{}", seed);
      break;
    default:
      text = lanes ? "lanes" : "in-order";
  }
  if (resident != (order == Order::kInterleave ? 0u : 1u)) text += resident == 0 ? "@all" : fmt::format("@{}", resident);
  return text;
}

namespace {

template <class Number>
bool readNumber(std::string_view digits, Number& value) {
  const auto [stop, error] = std::from_chars(digits.begin(), digits.end(), value);
  return error == std::errc() && stop == digits.end();
}

// The token without the part after '@'.
bool readOrder(std::string_view text, Schedule& s) {
  using enum Schedule::Order;
  if (text == "in-order") return true;
  if (text.starts_with("interleave:seed:")) {
    s.order = kInterleave;
    s.resident = 0;
    return readNumber(text.substr(16), s.seed);
  }
  s.lanes = text.starts_with("lanes");
  if (text == "lanes") return true;
  if (s.lanes && !text.starts_with("lanes-")) return false;
  if (s.lanes) text.remove_prefix(6);
  s.order = text == "reverse" ? kReverse : text.starts_with("seed:") ? kSeeded : kLast;
  if (text == "reverse") return true;
  return (text.starts_with("seed:") || text.starts_with("last:")) && readNumber(text.substr(5), s.seed);
}

}  // namespace

Expected<Schedule> parseSchedule(const std::string& token) {
  Schedule s;
  const std::size_t at = token.find('@');
  const std::string_view resident = at == std::string::npos ? std::string_view() : std::string_view(token).substr(at + 1);
  bool good = readOrder(std::string_view(token).substr(0, at), s);
  if (at != std::string::npos && resident == "all")
    s.resident = 0;
  else if (at != std::string::npos)
    good = good && readNumber(resident, s.resident) && s.resident != 0;
  if (good) return s;
  return Error{Outcome::kBadInput, "no such schedule", fmt::format("'{}'", token),
               "in-order, reverse, seed:N, last:WORKGROUP, lanes, lanes-reverse, lanes-seed:N, lanes-last:WORKGROUP or interleave:seed:N; "
               "@4 or @all behind it for workgroups that are resident together"};
}

}  // namespace lanewise
