#include "tools/cli/bench_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "model/base/visible.h"
#include "tools/run/times.h"

namespace lanewise {
namespace {

using Json = nlohmann::ordered_json;

double mebibytes(std::uint64_t bytes) {
  return static_cast<double>(bytes) / (1024 * 1024);
}

// As a field of a table: quoted where it has a comma or a quote, as RFC 4180 says.
std::string field(const std::string& text) {
  if (text.find_first_of(",\"\n") == std::string::npos) return text;
  std::string out = "\"";
  for (const char c : text) out += c == '"' ? "\"\"" : std::string(1, c);
  return out + "\"";
}

std::string field(double number, int digits) {
  return fmt::format("{:.{}f}", number, digits);
}

}  // namespace

void BenchTable::begin(std::uint32_t threads, std::size_t sides) {
  threads_ = threads;
  ratios_.assign(sides, {});
}

// With what was measured first, if that has other threads; and of the same ones, if that has another size.
void BenchTable::compare(Row& row) const {
  const auto threads = std::ranges::find_if(rows_, [&](const Row& r) { return r.name == row.name && r.side == row.side; });
  if (threads != rows_.end() && threads->threads != row.threads)
    row.efficiency = threads->median * threads->threads / (row.median * row.threads);
  const auto size =
      std::ranges::find_if(rows_, [&](const Row& r) { return r.kind == row.kind && r.side == row.side && r.threads == row.threads; });
  if (size != rows_.end() && size->texels != row.texels) row.growth = row.perTexel() / size->perTexel();
}

void BenchTable::add(const Subject& subject, std::span<const Side> sides, const std::vector<Timed>& timed) {
  fmt::print("{}\n", visible(subject.name));
  const MadeCase* made = subject.madeCase();
  for (std::size_t s = 0; s < sides.size(); ++s) {
    Row row;
    row.name = row.kind = subject.name;
    if (made != nullptr) {
      Case other = made->what;
      other.size = {1, 1};
      row.kind = other.name();
      row.size = sizeText(made->what.size);
      row.texels = static_cast<double>(made->what.size.width) * made->what.size.height;
    }
    row.side = sides[s].info.name;
    row.threads = threads_;
    row.timed = timed[s];
    row.median = median(timed[s].seconds);
    row.ratio = row.median / median(timed[0].seconds);
    compare(row);
    ratios_[s].push_back(row.ratio);
    const auto [least, most] = std::ranges::minmax(timed[s].seconds);
    fmt::print("  {:<14} {:>10.3f} ms   ({:.3f} to {:.3f}, before the first {:.1f})", row.side, row.median * 1e3, least * 1e3, most * 1e3,
               row.timed.preparation * 1e3);
    if (row.texels != 0) fmt::print("   {:.3f} ns a texel", row.perTexel() * 1e9);
    if (row.growth) fmt::print(", {:.2f} x the first size's", *row.growth);
    if (row.timed.memory) fmt::print("   {:.1f} MiB", mebibytes(*row.timed.memory));
    if (s != 0) fmt::print("   {:.2f} x the time of {}", row.ratio, sides[0].info.name);
    if (row.efficiency) fmt::print("   efficiency {:.2f}", *row.efficiency);
    fmt::print("\n");
    rows_.push_back(std::move(row));
  }
}

void BenchTable::printMeans(std::span<const Side> sides) const {
  for (std::size_t s = 1; s < ratios_.size() && ratios_[s].size() > 1; ++s) {
    double logarithms = 0;
    for (const double ratio : ratios_[s]) logarithms += std::log(ratio);
    fmt::print("{}: {:.2f} x the time of {} in the geometric mean of {} kernels, at least {:.2f} x\n", sides[s].info.name,
               std::exp(logarithms / static_cast<double>(ratios_[s].size())), sides[0].info.name, ratios_[s].size(),
               std::ranges::min(ratios_[s]));
  }
}

std::string BenchTable::json(const std::vector<std::uint32_t>& threads, std::uint32_t runs) const {
  Json out = {{"schema", "lanewise-bench-1"},
              {"version", LANEWISE_VERSION},
              {"threads", threads.size() == 1 ? Json(threads.front()) : Json(threads)},
              {"runs", runs},
              {"cases", Json::array()}};
  for (const Row& row : rows_) {
    Json& cases = out["cases"];
    if (cases.empty() || cases.back()["case"] != row.name || cases.back()["threads"] != row.threads)
      cases.push_back({{"case", row.name}, {"threads", row.threads}, {"sides", Json::array()}});
    Json side = {{"name", row.side},
                 {"medianSeconds", row.median},
                 {"ratio", row.ratio},
                 {"preparationSeconds", row.timed.preparation},
                 {"seconds", row.timed.seconds}};
    if (row.texels != 0) side["secondsPerTexel"] = row.perTexel();
    if (row.growth) side["growth"] = *row.growth;
    if (row.timed.memory) side["memoryBytes"] = *row.timed.memory;
    if (row.efficiency) side["efficiency"] = *row.efficiency;
    cases.back()["sides"].push_back(std::move(side));
  }
  return out.dump(1) + "\n";
}

std::string BenchTable::csv() const {
  std::string text = "case,size,threads,side,median_ms,least_ms,most_ms,before_first_ms,ns_a_texel,growth,memory_mib,ratio,efficiency\n";
  for (const Row& row : rows_) {
    const auto [least, most] = std::ranges::minmax(row.timed.seconds);
    const std::string texel = row.texels != 0 ? field(row.perTexel() * 1e9, 4) : "";
    const std::string memory = row.timed.memory ? field(mebibytes(*row.timed.memory), 1) : "";
    const std::string growth = row.growth ? field(*row.growth, 3) : "", efficiency = row.efficiency ? field(*row.efficiency, 3) : "";
    text += fmt::format("{},{},{},{},{:.4f},{:.4f},{:.4f},{:.3f},{},{},{},{:.3f},{}\n", field(row.name), row.size,
                        row.threads == 0 ? "all" : std::to_string(row.threads), field(row.side), row.median * 1e3, least * 1e3, most * 1e3,
                        row.timed.preparation * 1e3, texel, growth, memory, row.ratio, efficiency);
  }
  return text;
}

}  // namespace lanewise
