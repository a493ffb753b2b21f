#include "model/check/line_coverage.h"

#include <fmt/format.h>

#include <numeric>

#include "model/check/place_text.h"
#include "model/ir/branches.h"
#include "model/state/lane_masks.h"
#include "model/state/lane_value.h"

namespace lanewise {
namespace {

void addWays(std::vector<std::uint64_t>& all, const std::vector<std::uint64_t>& more) {
  all.resize(std::max(all.size(), more.size()));
  for (std::size_t way = 0; way < more.size(); ++way) all[way] += more[way];
}

}  // namespace

void addTo(LineCoverage& all, const LineCoverage& more) {
  for (const auto& [file, lines] : more)
    for (const auto& [line, hits] : lines) {
      LineHits& own = all[file][line];
      own.count += hits.count;
      for (const auto& [branch, ways] : hits.branches) addWays(own.branches[branch], ways);
    }
}

std::string lcovText(const LineCoverage& coverage) {
  std::string out;
  for (const auto& [file, lines] : coverage) {
    out += fmt::format("TN:lanewise\nSF:{}\n", file);
    std::size_t branches = 0, taken = 0, hit = 0;
    for (const auto& [line, hits] : lines) {
      std::size_t block = 0;
      for (const auto& [branch, ways] : hits.branches) {
        const bool reached = std::accumulate(ways.begin(), ways.end(), std::uint64_t{0}) != 0;
        for (std::size_t way = 0; way < ways.size(); ++way)
          out += fmt::format("BRDA:{},{},{},{}\n", line, block, way, reached ? std::to_string(ways[way]) : "-");
        branches += ways.size();
        taken += static_cast<std::size_t>(std::ranges::count_if(ways, [](std::uint64_t count) { return count != 0; }));
        ++block;
      }
    }
    out += fmt::format("BRF:{}\nBRH:{}\n", branches, taken);
    for (const auto& [line, hits] : lines) {
      out += fmt::format("DA:{},{}\n", line, hits.count);
      hit += hits.count != 0 ? 1 : 0;
    }
    out += fmt::format("LF:{}\nLH:{}\nend_of_record\n", lines.size(), hit);
  }
  return out;
}

std::string missedLines(const LineCoverage& coverage) {
  std::string out;
  for (const auto& [file, lines] : coverage) {
    std::string own;
    for (auto it = lines.begin(); it != lines.end(); ++it) {
      if (it->second.count != 0) continue;
      const std::uint32_t first = it->first;
      std::uint32_t last = first;
      while (std::next(it) != lines.end() && std::next(it)->second.count == 0) last = (++it)->first;
      own += fmt::format("{}{}", own.empty() ? "" : ", ", first);
      if (last != first) own += fmt::format("-{}", last);
    }
    if (!own.empty()) out += fmt::format("{}{}:{}", out.empty() ? "" : "; ", file, own);
  }
  return out;
}

namespace {

// What the module calls the binding that an access names: the variable, or its block. A pointer that is a value names none.
std::string boundName(const Program& program, std::uint32_t pc) {
  const ir::ImageAccess* image = program.imageAccessOf(pc);
  const ir::Access* access = program.accessOf(pc);
  if (!image && (!access || access->space != ir::Space::kBuffer)) return "";
  const ir::ResourceDeclaration& declared = program.resources[image ? image->resource : access->resource];
  for (const std::uint32_t id : {declared.variable, declared.type->id})
    if (const auto name = program.module.names.find(id); name != program.module.names.end() && !name->second.empty()) return name->second;
  return "";
}

}  // namespace

CoverageObserver::CoverageObserver(const Job& job) : job_(job), read_(job.resources.size()), bound_(job.resources.size()) {}

Answer CoverageObserver::beforeInstruction(const InstructionEvent& event) {
  const Program& program = *event.batch.env->program;
  Counted& counted = counted_[&program];
  if (counted.times.empty()) {
    counted.times.resize(program.info.size());
    counted.ways.resize(program.info.size());
    for (std::uint32_t pc = 0; pc < program.info.size(); ++pc) counted.ways[pc].resize(targetsOf(program, pc).size());
  }
  counted.times[event.pc] += laneCount(event.lanes);
  if (!isBranch(program, event.pc) || event.arguments.empty()) return Answer::kGoOn;
  forLanes(event.lanes, [&](std::uint32_t lane) {
    ++counted.ways[event.pc][targetTaken(program, event.pc, bitsOf(event.batch, event.arguments[0], lane))];
  });
  return Answer::kGoOn;
}

void CoverageObserver::read(std::uint32_t resource, std::uint64_t offset, std::uint64_t size) {
  const Resource& r = job_.resources[resource];
  if (r.undefined) return;
  auto& shadow = read_[resource];
  if (!shadow) shadow.emplace(placeBytes(r), placeBitsOf(r.bytes().size(), placeBytes(r)));
  shadow->rows(offset, size, [](const auto& row) { std::memset(row.cells.data() + row.first, 1, row.count); });
}

Answer CoverageObserver::access(const AccessEvent& event) {
  if (event.place != Place::kBuffer && event.place != Place::kImage && event.place != Place::kPhysical) return Answer::kGoOn;
  std::optional<std::string> name;  // of all lanes
  forEachLane(event, [&](std::uint32_t, const LaneRun& run, std::uint64_t offset) {
    if (reads(event.kind)) read(run.resource, offset, run.size);
    if (bound_[run.resource].empty() && event.place != Place::kPhysical) {
      if (!name) name = boundName(*event.batch.env->program, event.pc);
      bound_[run.resource] = *name;
    }
    if (writes(event.kind)) written_.insert(run.resource);
  });
  return Answer::kGoOn;
}

Answer CoverageObserver::moment(const Moment& moment) {
  const auto* made = std::get_if<BlitTexel>(&moment);
  if (!made) return Answer::kGoOn;
  const auto resource = static_cast<std::uint32_t>(resourceNamed(job_.resources, made->blit.resource));
  for (const std::uint64_t byte : made->read) read(resource, byte, placeBytes(job_.resources[resource]));
  written_.insert(resource);
  return Answer::kGoOn;
}

LineCoverage CoverageObserver::coverage() const {
  LineCoverage out;
  for (const auto& [program, counted] : counted_)
    for (std::uint32_t pc = 0; pc < program->info.size(); ++pc) {
      const std::uint32_t origin = program->info[pc].origin;
      if (origin == 0 || program->isRecord(pc)) continue;
      const std::uint32_t instruction = program->origins[origin].instruction;
      const spirv::SourceLine source = program->module.instructions[instruction].source;
      if (source.line == 0) continue;
      const std::string text = program->module.lineText(source);
      LineHits& hits = out[text.substr(0, text.rfind(':'))][source.line];
      hits.count = std::max(hits.count, counted.times[pc]);
      if (isBranch(*program, pc)) addWays(hits.branches[instruction], counted.ways[pc]);
    }
  return out;
}

std::vector<std::string> CoverageObserver::unread() {
  std::vector<std::string> out;
  for (std::uint32_t resource = 0; resource < read_.size(); ++resource) {
    if (!read_[resource] || written_.contains(resource)) continue;
    const Resource& r = job_.resources[resource];
    const std::uint64_t size = r.bytes().size();
    const std::uint32_t unit = placeBytes(r);
    std::vector<std::uint8_t> missing(size, 1);
    read_[resource]->rows(0, size, [&](const auto& row) {
      for (std::uint64_t i = 0; i < row.count; ++i)
        if (row.cells[row.first + i] != 0) std::memset(missing.data() + row.byte + i * row.unit, 0, row.unit);
    });
    const auto count = static_cast<std::uint64_t>(std::ranges::count(missing, 1));
    if (count == 0) continue;
    const auto first = static_cast<std::uint64_t>(std::ranges::find(missing, 1) - missing.begin());
    const bool image = std::holds_alternative<ImageData>(r.data);
    const std::string& bound = bound_[resource];
    out.push_back(fmt::format("{} of {} {} of '{}'{}, first {}", count / (image ? unit : 1), size / (image ? unit : 1),
                              image ? "texels" : "bytes", r.name, bound.empty() || bound == r.name ? "" : fmt::format(" ({})", bound),
                              image ? texelText(r, first) : fmt::format("byte {}", first)));
  }
  return out;
}

}  // namespace lanewise
