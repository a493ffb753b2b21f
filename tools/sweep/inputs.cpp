#include "tools/sweep/inputs.h"

#include <fmt/format.h>

#include "golden/inputs.h"
#include "golden/picture_io.h"

namespace lanewise {

Status Inputs::addPicture(const std::filesystem::path& file) {
  Expected<golden::Picture> picture = golden::readPicture(file);
  if (!picture) return picture.error();
  const std::string name = "picture:" + file.filename().string();
  if (pictures_.contains(name)) return Error{Outcome::kBadInput, "two pictures of one name", name, "give them different names"};
  for (const std::string& note : picture->notes) notes_.push_back(fmt::format("{}: {}", file.filename().string(), note));
  names_.push_back({name, {picture->image.extent.width, picture->image.extent.height}});
  pictures_.emplace(name, std::move(picture->image));
  return {};
}

Expected<golden::Image> Inputs::make(const Case& c) const {
  const auto picture = pictures_.find(c.input);
  if (picture != pictures_.end()) return picture->second;
  return golden::makeInput(c.input, {c.size.width, c.size.height});
}

}  // namespace lanewise
