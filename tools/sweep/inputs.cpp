#include "tools/sweep/inputs.h"

#include <fmt/format.h>

#include "golden/pictures/picture_io.h"
#include "tools/catalogue/catalogue.h"

namespace lanewise {

Status Inputs::addPicture(const std::filesystem::path& file) {
  Expected<golden::Picture> picture = golden::readPicture(file);
  if (!picture) return picture.error();
  const std::string name = pictureInput(file.filename().string());
  if (pictures_.contains(name)) return Error{Outcome::kBadInput, "two pictures of one name", name, "give them different names"};
  for (const std::string& note : picture->notes) notes_.push_back(fmt::format("{}: {}", file.filename().string(), note));
  names_.push_back({name, {picture->image.extent.width, picture->image.extent.height}});
  pictures_.emplace(name, std::move(picture->image));
  return {};
}

Status Inputs::addPictureOf(const Case& c) {
  if (c.picture().empty() || pictures_.contains(c.input)) return {};
  return addPicture(c.picture());
}

Expected<golden::Image> Inputs::make(const Case& c) const {
  const auto picture = pictures_.find(c.input);
  if (picture == pictures_.end()) return inputOf(c);
  if (inputShape(c).component != golden::Component::kU8)
    return Error{Outcome::kBadInput, "pictures are read as RGBA of 8 bits; this case takes floats", c.name(), "choose another format"};
  return picture->second;
}

}  // namespace lanewise
