#include "tools/described/recorded.h"

#include <array>
#include <filesystem>

#include "golden/store/hash.h"
#include "model/base/archive.h"
#include "model/base/file.h"

namespace lanewise {
namespace wire {

template <class A, class T>
using RecordedPart = std::conditional_t<A::kReading, T, const T>;

struct RecordedOutput {
  std::vector<std::byte> bytes;
};
struct RecordedCase {
  std::string name;
  std::vector<RecordedOutput> outputs;
};
template <class A>
void fields(A& a, RecordedPart<A, RecordedOutput>& v) {
  a(v.bytes);
}
template <class A>
void fields(A& a, RecordedPart<A, RecordedCase>& v) {
  a(v.name), a(v.outputs);
}

}  // namespace wire

namespace {

constexpr std::string_view kRecordedMagic = "lanewise recorded 1\n";
constexpr std::uint64_t kMostRecorded = std::uint64_t{1} << 30;

std::string hashOf(std::string_view text) {
  return golden::hashText(golden::hashBytes(std::as_bytes(std::span(text))));
}

}  // namespace

Expected<Recorded> readRecorded(const std::string& file) {
  std::error_code failed;
  if (!std::filesystem::exists(file, failed)) return Recorded{};
  const Expected<std::string> text = readWholeFile(file);
  if (!text) return text.error();
  const Error edited{Outcome::kGoldenTrouble, "these recorded results are edited or cut off", file,
                     "take the file back from version control, or record them again: `lanewise golden approve`"};
  constexpr std::size_t kHash = 32;
  if (!text->starts_with(kRecordedMagic) || text->size() < kRecordedMagic.size() + kHash) return edited;
  const std::string_view body = std::string_view(*text).substr(0, text->size() - kHash);
  if (hashOf(body) != std::string_view(*text).substr(body.size())) return edited;
  wire::Reader reader(std::as_bytes(std::span(body.substr(kRecordedMagic.size()))), kMostRecorded);
  Recorded out;
  std::vector<wire::RecordedCase> cases;
  reader(out.date), reader(out.tool), reader(cases);
  if (!reader.complete()) return edited;
  for (wire::RecordedCase& c : cases)
    for (wire::RecordedOutput& output : c.outputs) out.cases[c.name].push_back(std::move(output.bytes));
  return out;
}

Status writeRecorded(const std::string& file, const Recorded& recorded) {
  wire::Writer writer;
  writer(recorded.date), writer(recorded.tool);
  std::vector<wire::RecordedCase> cases;
  for (const auto& [name, outputs] : recorded.cases) {
    wire::RecordedCase& c = cases.emplace_back();
    c.name = name;
    for (const std::vector<std::byte>& bytes : outputs) c.outputs.push_back({bytes});
  }
  writer(cases);
  std::string text(kRecordedMagic);
  text.append(reinterpret_cast<const char*>(writer.bytes.data()), writer.bytes.size());
  return writeTextFile(file, text + hashOf(text));
}

}  // namespace lanewise
