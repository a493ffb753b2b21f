#include "golden/store/store_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>

namespace lanewise::golden {
namespace {

constexpr std::string_view kChecksum = "checksum ";

std::string header(std::string_view family) {
  return fmt::format("lanewise golden 1 {}", family);
}

Hash128 hashOf(std::string_view text) {
  return hashBytes(std::as_bytes(std::span(text)));
}

std::string provenanceText(const Provenance& p) {
  return fmt::format("oracle={} inputs={} contract={} tool={} date={}", p.oracle, p.inputs, p.contract, p.tool, p.date);
}

// Cuts the text before the first `end` off the front, and `end` too; all of the text if there is no `end`.
std::string_view take(std::string_view& text, char end) {
  const std::size_t at = std::min(text.find(end), text.size());
  const std::string_view piece = text.substr(0, at);
  text.remove_prefix(std::min(at + 1, text.size()));
  return piece;
}

std::optional<Provenance> parseProvenance(std::string_view line) {
  Provenance p;
  const std::pair<std::string_view, std::string*> fields[] = {
      {"oracle=", &p.oracle}, {"inputs=", &p.inputs}, {"contract=", &p.contract}, {"tool=", &p.tool}, {"date=", &p.date}};
  for (const auto& [key, value] : fields) {
    const std::string_view word = take(line, ' ');
    if (!word.starts_with(key)) return std::nullopt;
    *value = word.substr(key.size());
  }
  return line.empty() ? std::optional(p) : std::nullopt;
}

// Reads line by line, remembering where it is.
class Parser {
 public:
  Parser(std::string_view family, std::string_view text) : family_(family), rest_(text) {}

  StoreText parse() {
    const std::size_t last = rest_.rfind(kChecksum);
    const std::string_view body = rest_.substr(0, last);
    if (last == std::string_view::npos)
      edited("it does not end with a checksum");
    else if (rest_.substr(last) != fmt::format("{}{}\n", kChecksum, hashText(hashOf(body))))
      edited("its checksum does not match");
    rest_ = body;
    if (next() != header(family_)) edited("it does not begin as a golden file of this family");
    while (!rest_.empty()) {
      const std::string_view line = next();
      if (!(line.starts_with("provenance ") ? provenance(line) : entry(line))) edited(fmt::format("line {} is not understood", line_));
    }
    return std::move(out_);
  }

 private:
  std::string_view next() {
    ++line_;
    return take(rest_, '\n');
  }
  void edited(const std::string& how) { out_.edited += (out_.edited.empty() ? "" : "; ") + how; }

  bool provenance(std::string_view line) {
    take(line, ' ');
    if (take(line, ' ') != std::to_string(provenances_.size() + 1)) return false;
    const auto parsed = parseProvenance(line);
    if (parsed) provenances_.push_back(*parsed);
    return parsed.has_value();
  }

  bool entry(std::string_view line) {
    const auto hash = hashFromText(take(line, ' '));
    const std::string_view number = take(line, ' ');
    std::size_t which = 0;
    const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), which);
    if (!hash || error != std::errc() || end != number.data() + number.size()) return false;
    if (which == 0 || which > provenances_.size() || line.empty()) return false;
    out_.lines.emplace(line, line_);
    return out_.entries.emplace(line, Entry{*hash, provenances_[which - 1]}).second;
  }

  std::string_view family_, rest_;
  std::size_t line_ = 0;
  std::vector<Provenance> provenances_;
  StoreText out_;
};

}  // namespace

std::string storeText(std::string_view family, const Entries& entries) {
  std::map<Provenance, std::size_t> provenances;
  for (const auto& [name, entry] : entries) provenances.emplace(entry.provenance, 0);
  std::string text = header(family) + "\n";
  std::size_t count = 0;
  for (auto& [provenance, number] : provenances) {
    number = ++count;
    text += fmt::format("provenance {} {}\n", number, provenanceText(provenance));
  }
  for (const auto& [name, entry] : entries) text += fmt::format("{} {} {}\n", hashText(entry.hash), provenances.at(entry.provenance), name);
  return text + fmt::format("{}{}\n", kChecksum, hashText(hashOf(text)));
}

StoreText parseStoreText(std::string_view family, std::string_view text) {
  return Parser(family, text).parse();
}

Status checkEntry(const std::string& name, const Entry& entry) {
  const auto has = [](const std::string& text, std::string_view signs) { return text.find_first_of(signs) != std::string::npos; };
  const std::string family = familyOf(name);
  if (family.empty() || family.front() == '.' || has(name, std::string_view("\n\r\0", 3)))
    return Error{Outcome::kBadInput, "a case that the golden store cannot name", fmt::format("'{}'", name), ""};
  const Provenance& p = entry.provenance;
  for (const std::string* field : {&p.oracle, &p.inputs, &p.contract, &p.tool, &p.date})
    if (field->empty() || has(*field, std::string_view(" \n\r\t\0", 5)))
      return Error{Outcome::kBadInput, "a provenance that is empty or has spaces", fmt::format("'{}' of '{}'", *field, name), ""};
  return std::nullopt;
}

}  // namespace lanewise::golden
