#include "model/contract/schedule.h"

#include <fmt/format.h>

#include <charconv>
#include <numeric>
#include <utility>

#include "model/base/text.h"

namespace lanewise {

namespace {

std::uint64_t product(std::uint64_t a, std::uint64_t b, std::uint64_t n) {
  return static_cast<std::uint64_t>(static_cast<unsigned __int128>(a) * b % n);
}

// An affine permutation: i * factor + offset modulo n with a factor coprime to n. The products stay below 2^96.
struct Seeded {
  std::uint64_t factor, offset;
  Seeded(std::uint64_t seed, std::uint64_t n)
      : factor((seed * 0x9e3779b97f4a7c15u >> 20 | 1) % n), offset((seed * 0xd1342543de82ef95u >> 24) % n) {
    while (std::gcd(factor, n) != 1) ++factor;
  }
};

// x with a * x = 1 modulo n, of an a coprime to n (Euclid).
std::uint64_t inverse(std::uint64_t a, std::uint64_t n) {
  std::int64_t x = 1, next = 0;
  for (std::uint64_t b = n; b != 0;) {
    x = std::exchange(next, x - static_cast<std::int64_t>(a / b) * next);
    a = std::exchange(b, a % b);
  }
  return static_cast<std::uint64_t>(x < 0 ? x + static_cast<std::int64_t>(n) : x);
}

}  // namespace

std::uint64_t Schedule::at(std::uint64_t i, std::uint64_t n) const {
  switch (order) {
    case Order::kReverse:
      return n - 1 - i;
    case Order::kSeeded: {
      const Seeded by(seed, n);
      return (product(i, by.factor, n) + by.offset) % n;
    }
    case Order::kLast:
      if (seed >= n) return i;
      return i == n - 1 ? seed : i < seed ? i : i + 1;
    default:
      return i;
  }
}

std::uint64_t Schedule::placeOf(std::uint64_t item, std::uint64_t n) const {
  switch (order) {
    case Order::kSeeded: {
      const Seeded by(seed, n);
      return product(item + n - by.offset, inverse(by.factor, n), n);
    }
    case Order::kLast:
      if (seed >= n) return item;
      return item == seed ? n - 1 : item < seed ? item : item - 1;
    default:
      return at(item, n);  // both ways are the same
  }
}

namespace {

// "0.3-1-0/1"
std::string turnsText(const std::vector<std::vector<Schedule::Turns>>& dispatches) {
  std::string text;
  for (const std::vector<Schedule::Turns>& dispatch : dispatches) {
    if (&dispatch != dispatches.data()) text += '/';
    std::uint64_t before = 0;
    for (const Schedule::Turns& t : dispatch) {
      text += fmt::format("{}{}", &t == dispatch.data() ? "" : "-", t.subgroup);
      if (t.end - before != 1) text += fmt::format(".{}", t.end - before);
      before = t.end;
    }
  }
  return text;
}

}  // namespace

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
    case Order::kTurns:
      text += "turns:" + (subject == 0 ? "" : fmt::format("{:04x}:", subject)) + turnsText(turns);
      break;
    default:
      text = lanes ? "lanes" : "in-order";
  }
  if (resident != (switches() ? 0u : 1u)) text += resident == 0 ? "@all" : fmt::format("@{}", resident);
  if (progress != Progress::kNone) text += fmt::format("+{}", progressName(progress));
  if (weak) text += fmt::format("+weak:{}", *weak);
  return text;
}

const char* progressName(Schedule::Progress progress) {
  constexpr const char* kNames[] = {"nothing", "occupancy-bound", "hsa", "lobe", "fair"};
  return kNames[static_cast<std::size_t>(progress)];
}

Expected<Schedule::Progress> parseProgress(const std::string& name) {
  std::vector<std::string> names;
  for (const Schedule::Progress p : kProgressModels) {
    if (name == progressName(p)) return p;
    names.emplace_back(progressName(p));
  }
  return Error{Outcome::kBadInput, "no such model of progress", fmt::format("'{}'", name), eitherOf(names)};
}

namespace {

template <class Number>
bool readNumber(std::string_view digits, Number& value) {
  const auto [stop, error] = std::from_chars(digits.begin(), digits.end(), value);
  return error == std::errc() && stop == digits.end();
}

std::vector<std::string_view> split(std::string_view text, char at) {
  std::vector<std::string_view> parts;
  for (std::size_t end = text.find(at); end != std::string_view::npos; end = text.find(at)) {
    parts.push_back(text.substr(0, end));
    text.remove_prefix(end + 1);
  }
  parts.push_back(text);
  return parts;
}

// Four digits and a colon, of Schedule::subject. False: there is something else in front of a colon.
bool takeSubject(std::string_view& text, std::uint16_t& subject) {
  constexpr std::size_t kDigits = 4;
  const std::size_t colon = text.find(':');
  if (colon == std::string_view::npos) return true;
  const std::string_view digits = text.substr(0, colon);
  text.remove_prefix(colon + 1);
  const auto [stop, error] = std::from_chars(digits.begin(), digits.end(), subject, 16);
  return digits.size() == kDigits && error == std::errc() && stop == digits.end() && subject != 0;
}

// What turnsText() writes.
bool readTurns(std::string_view text, std::vector<std::vector<Schedule::Turns>>& dispatches) {
  for (const std::string_view dispatch : split(text, '/')) {
    std::vector<Schedule::Turns>& turns = dispatches.emplace_back();
    if (dispatch.empty()) continue;
    for (const std::string_view one : split(dispatch, '-')) {
      const std::size_t dot = one.find('.');
      std::uint32_t subgroup = 0, count = 1;
      if (!readNumber(one.substr(0, dot), subgroup)) return false;
      if (dot != std::string_view::npos && (!readNumber(one.substr(dot + 1), count) || count == 0)) return false;
      turns.push_back({subgroup, (turns.empty() ? 0 : turns.back().end) + count});
    }
  }
  while (!dispatches.empty() && dispatches.back().empty()) dispatches.pop_back();
  return true;
}

// What is wrong with recorded turns, or how they are written.
std::string turnsHint(std::string_view text) {
  std::uint16_t subject = 0;
  if (!takeSubject(text, subject))
    return "what stands before the second colon are the four hexadecimal digits that check prints there, not all of them 0: "
           "turns:9c2f:2-0.3";
  return "turns:SUBGROUP.TURNS-..., with / before those of the next dispatch, and the four hexadecimal digits in front that check prints: "
         "turns:2-0.3/1, turns:9c2f:2-0.3";
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
  if (text.starts_with("turns:")) {
    s.order = kTurns;
    s.resident = 0;
    text.remove_prefix(6);
    return takeSubject(text, s.subject) && readTurns(text, s.turns);
  }
  s.lanes = text.starts_with("lanes");
  if (text == "lanes") return true;
  if (s.lanes && !text.starts_with("lanes-")) return false;
  if (s.lanes) text.remove_prefix(6);
  s.order = text == "reverse" ? kReverse : text.starts_with("seed:") ? kSeeded : kLast;
  if (text == "reverse") return true;
  return (text.starts_with("seed:") || text.starts_with("last:")) && readNumber(text.substr(5), s.seed);
}

bool readProgress(std::string_view text, Schedule& s) {
  if (const Expected<Schedule::Progress> progress = parseProgress(std::string(text))) s.progress = *progress;
  return s.progress != Schedule::Progress::kNone;
}

// "+occupancy-bound, +hsa, +lobe or +fair"
std::string progressHint() {
  std::vector<std::string> all;
  for (const Schedule::Progress p : kProgressModels)
    if (p != Schedule::Progress::kNone) all.push_back(fmt::format("+{}", progressName(p)));
  return eitherOf(all);
}

}  // namespace

Expected<Schedule> parseSchedule(const std::string& given) {
  Schedule s;
  const std::size_t plus = given.find('+');
  const std::string token = given.substr(0, plus);
  const std::size_t at = token.find('@');
  const std::string_view resident = at == std::string::npos ? std::string_view() : std::string_view(token).substr(at + 1);
  const std::string_view order = std::string_view(token).substr(0, at);
  const bool isOrder = readOrder(order, s);
  bool good = isOrder;
  if (at != std::string::npos && resident == "all")
    s.resident = 0;
  else if (at != std::string::npos)
    good = good && readNumber(resident, s.resident) && s.resident != 0;
  for (std::size_t from = plus; from != std::string::npos;) {
    const std::size_t next = given.find('+', from + 1);
    const std::string_view part = std::string_view(given).substr(from + 1, next == std::string::npos ? next : next - from - 1);
    good = good && (part.starts_with("weak:") ? !s.weak && readNumber(part.substr(5), s.weak.emplace())
                                              : s.progress == Schedule::Progress::kNone && readProgress(part, s));
    from = next;
  }
  if (good) return s;
  Error wrong{
      Outcome::kBadInput, "no such schedule", fmt::format("'{}'", given),
      fmt::format(
          "in-order, reverse, seed:N, last:WORKGROUP, lanes, lanes-reverse, lanes-seed:N, lanes-last:WORKGROUP, interleave:seed:N or "
          "turns:[SUBJECT:]SUBGROUP.TURNS-..., SUBJECT four hexadecimal digits that check prints; "
          "@4 or @all behind it for workgroups that are resident together; then {} for who runs where an invocation waits; "
          "+weak:N for stale memory",
          progressHint())};
  if (!isOrder && order.starts_with("turns:")) {
    wrong.what = "no such turns";
    wrong.hint = turnsHint(order.substr(6));
  }
  return wrong;
}

Expected<std::optional<std::uint64_t>> parseMemory(const std::string& text) {
  std::uint64_t seed = 0;
  if (text == "strong") return std::optional<std::uint64_t>();
  if (text.starts_with("weak:seed:") && readNumber(std::string_view(text).substr(10), seed)) return std::optional(seed);
  return Error{Outcome::kBadInput, "no such memory", fmt::format("'{}'", text), "strong, weak:seed:N, or a buffer: nodes=zeros:4096"};
}

}  // namespace lanewise
