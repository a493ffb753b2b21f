#include "tools/sweep/inputs.h"

#include <fmt/format.h>

#include "golden/pictures/picture_io.h"
#include "tools/catalogue/catalogue.h"

namespace lanewise {

Status Inputs::add(const std::filesystem::path& file, const std::string& name) {
  if (pictures_.contains(name)) return Error{Outcome::kBadInput, "a picture is named twice", file.string(), "name it once"};
  Expected<golden::Picture> picture = golden::readPicture(file);
  if (!picture) return picture.error();
  for (const std::string& note : picture->notes) notes_.push_back(fmt::format("{}: {}", file.string(), note));
  names_.push_back({name, {picture->stored.extent.width, picture->stored.extent.height}});
  pictures_.emplace(name, std::move(*picture));
  return {};
}

Status Inputs::addPictureOf(const Case& c) {
  const std::string file = c.picture();
  return file.empty() || pictures_.contains(c.input) ? Status{} : add(file, c.input);
}

Expected<golden::Image> Inputs::make(const Case& c) const {
  const auto picture = pictures_.find(c.input);
  if (picture == pictures_.end()) return inputOf(c);
  const golden::Extent has = picture->second.stored.extent;
  if (has != golden::Extent{c.size.width, c.size.height})
    return Error{Outcome::kBadInput, fmt::format("the picture has {}x{} texels", has.width, has.height), c.name(), "name that size"};
  const InputShape shape = inputShape(c);
  return golden::pictureAs(picture->second, shape.channels, shape.component);
}

std::vector<std::string> Inputs::notesOn(const Case& c) const {
  const auto picture = pictures_.find(c.input);
  if (picture == pictures_.end()) return {};
  const InputShape shape = inputShape(c);
  std::vector<std::string> notes = golden::conversionNotes(picture->second, shape.channels, shape.component);
  for (std::string& note : notes) note = fmt::format("{}: {}", c.picture(), note);
  return notes;
}

}  // namespace lanewise
