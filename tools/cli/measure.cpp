// `lanewise measure`: what the photo statistics say of a picture of one's own, exactly: mean saturation, mean and variance of the edges,
// and of two pictures how similar their fingerprints are. The kernels run on the sides, and their sums have to be those of the oracle.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "model/base/visible.h"
#include "tools/cli/commands.h"
#include "tools/cli/sides.h"

namespace lanewise {
namespace {

using Json = nlohmann::ordered_json;

class Measuring {
 public:
  explicit Measuring(const OpenSides& sides) : sides_(sides) {}

  // The outputs of a case, after every side has given them; its numbers are kept.
  Expected<std::vector<golden::Image>> run(const std::string& of, const char* kernel, const golden::Image& input, std::string name = {}) {
    const Kernel& k = *findKernel(kernel);
    const Case c{&k, {input.extent.width, input.extent.height}, {0}, kPlainInput};
    if (Status bad = outsideDomain(c)) return Error{bad->outcome, bad->what, of, ""};
    const Expected<Expectation> expected = expectationOf(c, input);
    if (!expected) return Error{expected.error().outcome, expected.error().what, of, ""};
    for (const Side& side : sides_.sides) {
      if (!cannotRun(c, side.device->profile()).empty()) continue;
      RunResult result = side.device->run(k.plan(c, kernelModule(k), input));
      if (result.error) return *result.error;
      const Expected<Judged> judged = judge(*expected, result);
      if (!judged) return judged.error();
      if (judged->wrong)
        return Error{Outcome::kFinding, fmt::format("{} gives {} for {}: {}", side.info.name, kernel, of, judged->text()), "", ""};
    }
    if (k.numbers != nullptr)
      for (const golden::ExactNumber& n : k.numbers(c, expected->images))
        json_["numbers"].push_back(
            {{"of", of}, {"name", name.empty() ? n.name : name}, {"fraction", n.fraction()}, {"decimal", n.decimal()}});
    return expected->images;
  }

  Json& json() { return json_; }

 private:
  const OpenSides& sides_;
  Json json_ = {{"schema", "lanewise-measure-1"}, {"version", LANEWISE_VERSION}};
};

// The counts of two fingerprints as the texels of two rows: what photo/cosine takes.
golden::Image asRows(const std::vector<golden::Image>& fingerprints) {
  golden::Image rows = golden::makeImage({2048, 2}, 4, golden::Component::kU8);
  auto to = rows.bytes.begin();
  for (const golden::Image& counts : fingerprints) to = std::copy(counts.bytes.begin(), counts.bytes.end(), to);
  return rows;
}

void print(const Json& json) {
  for (const Json& n : json["numbers"])
    fmt::print("{}, {}: {} = {}\n", visible(n["of"].get<std::string>()), n["name"].get<std::string>(), n["fraction"].get<std::string>(),
               n["decimal"].get<std::string>());
  for (const Json& note : json["notes"]) fmt::print("note: {}\n", visible(note.get<std::string>()));
  fmt::print("the same sums: the oracle, {}\n", fmt::join(json["sides"].get<std::vector<std::string>>(), ", "));
}

}  // namespace

Expected<Outcome> runMeasure(const MeasureOptions& o) {
  if (o.pictures.size() > 2)
    return Error{Outcome::kBadInput, fmt::format("{} pictures", o.pictures.size()), "measure", "name one, or two to compare"};
  SideOptions on;
  on.devices = o.devices.empty() ? "model" : o.devices;
  const Expected<OpenSides> sides = openSides(on);
  if (!sides) return sides.error();
  Inputs inputs;
  Measuring measuring(*sides);
  Json& json = measuring.json();
  json["notes"] = Json::array();
  std::vector<golden::Image> fingerprints;
  for (const std::string& file : o.pictures) {
    if (Status bad = inputs.addPicture(file)) return *bad;
    const auto& [name, size] = inputs.pictures().back();
    const Case c{findKernel("photo/sobel/checked"), size, {0}, name};
    Expected<golden::Image> picture = inputs.make(c);
    if (!picture) return picture.error();
    for (const std::string& note : inputs.notesOn(c)) json["notes"].push_back(note);
    Expected<std::vector<golden::Image>> outputs = std::vector<golden::Image>();
    for (const char* kernel : {"photo/saturation-sums/checked", "photo/sobel/checked", "photo/fingerprint/workgroup"}) {
      outputs = measuring.run(file, kernel, *picture);
      if (!outputs) return outputs.error();
    }
    fingerprints.push_back(std::move((*outputs)[0]));
  }
  if (fingerprints.size() == 2) {
    const auto sums = measuring.run(o.pictures[0] + " and " + o.pictures[1], "photo/cosine/checked", asRows(fingerprints),
                                    "similarity of the fingerprints");
    if (!sums) return sums.error();
  }
  for (const std::string& note : inputs.notes()) json["notes"].push_back(note);
  for (const Side& side : sides->sides) json["sides"].push_back(side.info.name);
  if (o.json)
    fmt::print("{}\n", json.dump(1, ' ', false, Json::error_handler_t::replace));
  else
    print(json);
  return Outcome::kOk;
}

}  // namespace lanewise
