#include "tools/sweep/journal.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <charconv>
namespace lanewise {
namespace {

constexpr std::string_view kMagic = "lanewise journal 1 ";

std::string checksumOf(std::string_view text) {
  return fmt::format("{:08x}", golden::hashBytes(std::as_bytes(std::span(text))).low & 0xffffffffu);
}

bool passed(const CaseResult& c) {
  const auto good = [](const SideResult& s) { return s.verdict == Verdict::kOk || (s.verdict == Verdict::kNotApplicable && !s.error); };
  return !c.failed() && c.refused.empty() && std::all_of(c.sides.begin(), c.sides.end(), good);
}

std::string_view takeWord(std::string_view& text) {
  const std::size_t end = std::min(text.find(' '), text.size());
  const std::string_view word = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return word;
}

// "agrees ok:0.000123 not-applicable:0": what a line has beside the case.
std::string factsOf(const CaseResult& c) {
  std::string out = c.golden == GoldenState::kAgrees ? "agrees" : "oracle";
  for (const SideResult& s : c.sides) out += fmt::format(" {}:{:.6f}", s.verdict == Verdict::kOk ? "ok" : "not-applicable", s.seconds);
  return out;
}

// The complete lines of a journal after its first, by case. Reading ends at the first line that is not valid.
std::map<std::string, std::string, std::less<>> linesOf(std::string_view text) {
  std::map<std::string, std::string, std::less<>> lines;
  for (std::size_t end; (end = text.find('\n')) != std::string_view::npos; text.remove_prefix(end + 1)) {
    std::string_view line = text.substr(0, end);
    const std::string_view checksum = takeWord(line);
    const std::size_t bar = line.find(" | ");
    if (checksum != checksumOf(line) || bar == std::string_view::npos) break;
    lines.emplace(line.substr(bar + 3), line.substr(0, bar));
  }
  return lines;
}

}  // namespace

golden::Hash128 hashOfWords(std::span<const EmbeddedModule> modules, const ShaderModule* own) {
  std::vector<std::uint32_t> words;
  for (const EmbeddedModule& m : modules) words.insert(words.end(), m.words.begin(), m.words.end());
  if (own != nullptr) words.insert(words.end(), own->words.begin(), own->words.end());
  return golden::hashBytes(std::as_bytes(std::span(words)));
}

Expected<Journal> Journal::open(const std::filesystem::path& file, const std::string& run, bool resume) {
  const std::string first = std::string(kMagic) + run + "\n";
  std::map<std::string, std::string, std::less<>> lines;
  std::error_code failed;
  if (resume && std::filesystem::exists(file, failed)) {
    const Expected<std::string> text = readWholeFile(file);
    if (!text) return text.error();
    if (!text->starts_with(first))
      return Error{Outcome::kBadInput, "the journal is of another run: other cases, sides or another version", file.string(),
                   "give the same options as then, or leave --resume out"};
    lines = linesOf(std::string_view(*text).substr(first.size()));
  }
  std::string text = first;
  for (const auto& [name, facts] : lines) {
    const std::string line = facts + " | " + name;
    text += checksumOf(line) + " " + line + "\n";
  }
  std::filesystem::create_directories(file.parent_path(), failed);
  if (Status bad = writeTextFile(file, text)) return *bad;
  const int fd = ::open(file.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC);
  if (fd < 0) return fileError("write", file, errno);
  Journal journal(Descriptor(fd), file);
  journal.lines_ = std::move(lines);
  return journal;
}

bool Journal::recall(CaseResult& c) const {
  const auto known = lines_.find(c.what.name());
  if (known == lines_.end()) return false;
  std::string_view facts = known->second;
  const GoldenState golden = takeWord(facts) == "agrees" ? GoldenState::kAgrees : GoldenState::kOracleOnly;
  std::vector<SideResult> sides(c.sides.size());
  for (SideResult& side : sides) {
    const std::string_view fact = takeWord(facts);
    const std::size_t colon = fact.find(':');
    if (colon == std::string_view::npos) return false;
    side.verdict = fact.substr(0, colon) == "ok" ? Verdict::kOk : Verdict::kNotApplicable;
    std::from_chars(fact.data() + colon + 1, fact.data() + fact.size(), side.seconds);
  }
  c.golden = golden;
  c.sides = std::move(sides);
  return true;
}

Status Journal::add(const CaseResult& c) {
  if (!passed(c)) return {};
  const std::string line = factsOf(c) + " | " + c.what.name();
  const std::lock_guard lock(*mutex_);
  if (failed_) return failed_;
  const std::string text = fmt::format("{} {}\n", checksumOf(line), line);
  if (const int error = writeAll(file_.get(), std::as_bytes(std::span(text)))) failed_ = fileError("write", path_, error);
  return failed_;
}

}  // namespace lanewise
