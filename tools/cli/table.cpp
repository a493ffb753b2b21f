// `lanewise table`: figures that the pages have tables of, made again from any picture: in how many components one rounding and two differ,
// by radius; and how far a pyramid of means is from a chain of blits, by level.
#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "model/base/file.h"
#include "model/base/visible.h"
#include "tools/cli/commands.h"
#include "tools/cli/sides.h"
#include "tools/subject/comma_lists.h"
#include "tools/subject/with.h"

namespace lanewise {
namespace {

// The inputs that the options name: pictures, or generated ones of each size.
struct TableInputs {
  Inputs inputs;
  std::vector<std::pair<std::string, Size>> all;  // input and size
};

Expected<TableInputs> tableInputsOf(const TableOptions& o) {
  TableInputs source;
  for (const std::string& picture : o.pictures)
    if (Status bad = source.inputs.addPicture(picture)) return *bad;
  source.all = source.inputs.pictures();
  if (!source.all.empty()) return source;
  const Expected<std::vector<Size>> sizes = parseSizes("--sizes", o.sizes);
  if (!sizes) return sizes.error();
  const Expected<std::vector<std::string>> names = parseInputs("--inputs", o.inputs);
  if (!names) return names.error();
  for (const Size size : *sizes)
    for (const std::string& name : *names) source.all.push_back({name, size});
  return source;
}

// What two images of one shape differ by, over one level.
struct Differences {
  std::uint64_t components = 0, differing = 0, texels = 0, differingTexels = 0;
  double greatest = 0, sum = 0, magnitudes = 0;

  double mean() const { return magnitudes / static_cast<double>(components); }
  double signedMean() const { return sum / static_cast<double>(components); }
  double share() const { return static_cast<double>(differing) / static_cast<double>(components); }
  double shareOfTexels() const { return static_cast<double>(differingTexels) / static_cast<double>(texels); }
};

Differences between(const golden::Image& a, const golden::Image& b, std::uint32_t level) {
  Differences d;
  const std::size_t size = golden::componentBytes(a.component), texel = size * a.channels;
  std::size_t last = a.levelOffset(level + 1);  // the texel that was counted last
  for (std::size_t at = a.levelOffset(level); at < a.levelOffset(level + 1); at += size) {
    const double difference = golden::valueOf(a.component, golden::bitsAt(a, at)) - golden::valueOf(b.component, golden::bitsAt(b, at));
    const std::size_t its = at / texel;
    d.texels += at % texel == 0 ? 1 : 0;
    if (difference != 0 && std::exchange(last, its) != its) ++d.differingTexels;
    ++d.components;
    d.differing += difference != 0 ? 1 : 0;
    d.greatest = std::max(d.greatest, std::abs(difference));
    d.sum += difference;
    d.magnitudes += std::abs(difference);
  }
  return d;
}

// The kernel's case with these values, and its input.
struct Made {
  Case what;
  golden::Image input;
};
Expected<Made> made(const char* kernel, const TableInputs& source, const std::pair<std::string, Size>& from,
                    const std::vector<NamedValues>& with) {
  Expected<Case> c = parseCase(fmt::format("{} @ {}", kernel, sizeText(from.second)));
  if (!c) return c.error();
  c->input = from.first;
  c = withValues(std::move(*c), with);
  if (!c) return c.error();
  if (Status bad = outsideDomain(*c)) return *bad;
  Expected<golden::Image> input = source.inputs.make(*c);
  if (!input) return input.error();
  return Made{std::move(*c), std::move(*input)};
}

// The first output that the oracle gives.
Expected<golden::Image> expectedOf(const Made& m) {
  Expected<Expectation> expected = expectationOf(m.what, m.input);
  if (!expected) return expected.error();
  return std::move(expected->images[0]);
}

// Prints a line of the table and keeps it.
class Lines {
 public:
  explicit Lines(std::string head) : text_(std::move(head) + "\n") {}
  void add(const std::string& line) {
    if (first_) fmt::print("{}", text_);  // not before an error
    first_ = false;
    fmt::print("{}\n", visible(line));
    std::fflush(stdout);
    text_ += line + "\n";
  }
  Status write(const std::string& file) const { return file.empty() ? Status{} : writeTextFile(file, text_); }

 private:
  bool first_ = true;
  std::string text_;
};

std::string fileOf(const std::pair<std::string, Size>& from) {
  return fmt::format("{},{}", from.first, sizeText(from.second));
}

}  // namespace

Expected<Outcome> runTableRoundings(const TableOptions& o) {
  const Expected<TableInputs> source = tableInputsOf(o);
  if (!source) return source.error();
  const Expected<std::vector<std::string>> radii = parseNumbers("--radii", o.radii);
  if (!radii) return radii.error();
  Lines lines("input,size,edge,radius,components,differing,percent,greatest,texels,differing texels,percent of texels");
  for (const auto& from : source->all)
    for (const std::string& radius : *radii) {
      const std::vector<NamedValues> with = {{kRadiusParameter, {radius}, "--radii"}, {kEdgeParameter, {o.edge}, "--edge"}};
      const Expected<Made> once = made("box-blur/single/two-pass", *source, from, with),
                           twice = made("box-blur/double/naive", *source, from, with);
      if (!once) return once.error();
      if (!twice) return twice.error();
      const Expected<golden::Image> one = expectedOf(*once), two = expectedOf(*twice);
      if (!one) return one.error();
      if (!two) return two.error();
      const Differences d = between(*one, *two, 0);
      lines.add(fmt::format("{},{},{},{},{},{:.4f},{},{},{},{:.4f}", fileOf(from), o.edge, radius, d.components, d.differing,
                            100 * d.share(), d.greatest, d.texels, d.differingTexels, 100 * d.shareOfTexels()));
    }
  if (Status bad = lines.write(o.csv)) return *bad;
  return Outcome::kOk;
}

Expected<Outcome> runTableBlits(const TableOptions& o) {
  const Expected<TableInputs> source = tableInputsOf(o);
  if (!source) return source.error();
  SideOptions on;
  on.devices = o.devices.empty() ? "model" : o.devices;
  const Expected<OpenSides> sides = openSides(on);
  if (!sides) return sides.error();
  Lines lines("input,size,blits on,level,components,mean,greatest,signed mean");
  for (const auto& from : source->all) {
    const Expected<Made> exact = made("pyramid/energy/nvpro-hybrid", *source, from, {}),
                         blits = made("pyramid/filter-float/blit", *source, from, {});
    if (!exact) return exact.error();
    if (!blits) return blits.error();
    const Expected<golden::Image> pyramid = expectedOf(*exact);
    if (!pyramid) return pyramid.error();
    const Expected<Expectation> bounds = expectationOf(blits->what, blits->input);
    if (!bounds) return bounds.error();
    for (const Side& side : sides->sides) {
      if (const std::string why = cannotRun(blits->what, side.device->profile()); !why.empty()) {
        fmt::print(stderr, "note: {} is left out: {}\n", side.info.name, why);
        continue;
      }
      RunResult run = side.device->run(blits->what.kernel->plan(blits->what, kernelModule(*blits->what.kernel), blits->input));
      if (run.error) return *run.error;
      const Expected<Judged> judged = judge(*bounds, run);
      if (!judged) return judged.error();
      if (judged->wrong) return Error{Outcome::kFinding, judged->text(), side.info.name, "its blits are outside of what Vulkan allows"};
      for (std::uint32_t level = 1; level < pyramid->levels; ++level) {
        const Differences d = between(judged->got[0], *pyramid, level);
        lines.add(fmt::format("{},{},{},{},{:.4f},{},{:+.4f}", fileOf(from), side.info.name, level, d.components, d.mean(), d.greatest,
                              d.signedMean()));
      }
    }
  }
  if (Status bad = lines.write(o.csv)) return *bad;
  return Outcome::kOk;
}

}  // namespace lanewise
