#include "tools/dap/memory.h"

#include <fmt/format.h>

#include <algorithm>

#include "model/base/text.h"
#include "tools/dap/instructions.h"

namespace lanewise::dap {
namespace {

constexpr std::uint64_t kResource = std::uint64_t{1} << 40, kWorkgroupMemory = 0x7fffff;

// Empty: there is no such memory.
std::span<const std::byte> memoryAt(debug::Session& s, std::uint64_t number) {
  if (number == kWorkgroupMemory) {
    const debug::Standing at = s.standing();
    if (at.state == debug::Standing::State::kNotOpen) return {};
    return std::as_bytes(std::span(s.residents()[at.slot].memory));
  }
  const std::vector<Resource>& all = s.resources();
  if (number == 0 || number > all.size()) return {};
  return all[number - 1].bytes();
}

}  // namespace

bool isReadable(const debug::Region& r) {
  return r.place == Place::kBuffer || r.place == Place::kImage || r.place == Place::kWorkgroup;
}

std::string addressText(const debug::Region& r) {
  return addressText((r.place == Place::kWorkgroup ? kWorkgroupMemory : r.resource + std::uint64_t{1}) * kResource + r.begin);
}

Expected<Json> readMemory(debug::Session& session, Arguments a) {
  constexpr std::int64_t kMost = 1 << 20;
  const std::string reference = a.text("memoryReference");
  const std::int64_t offset = a.numberOr("offset", 0, -(std::int64_t{1} << 40), std::int64_t{1} << 40);
  const std::int64_t count = a.number("count", 0, kMost);
  if (a.bad()) return *a.bad();
  const Expected<std::uint64_t> at = parseAddress(reference);
  if (!at) return at.error();
  const std::span<const std::byte> all = memoryAt(session, *at / kResource);
  const std::int64_t begin = static_cast<std::int64_t>(*at % kResource) + offset, size = static_cast<std::int64_t>(all.size());
  if (all.empty()) return Error{Outcome::kBadInput, fmt::format("no memory is at {}", reference), "", ""};
  const std::int64_t first = std::clamp<std::int64_t>(begin, 0, size), last = std::clamp<std::int64_t>(begin + count, first, size);
  const auto bytes = all.subspan(static_cast<std::size_t>(first), static_cast<std::size_t>(last - first));
  return Json{{"address", addressText(*at / kResource * kResource + static_cast<std::uint64_t>(first))},
              {"unreadableBytes", count - (last - first)},
              {"data", base64(bytes)}};
}

Expected<Json> writeMemory(debug::Session& session, Arguments a) {
  const std::string reference = a.text("memoryReference"), data = a.text("data");
  const std::int64_t offset = a.numberOr("offset", 0, -(std::int64_t{1} << 40), std::int64_t{1} << 40);
  if (a.bad()) return *a.bad();
  const Expected<std::uint64_t> at = parseAddress(reference);
  if (!at) return at.error();
  const std::optional<std::vector<std::byte>> bytes = fromBase64(data);
  if (!bytes) return Error{Outcome::kBadInput, "the data is no base64", "data", ""};
  const std::uint64_t number = *at / kResource;
  const std::span<const std::byte> all = memoryAt(session, number);
  const std::int64_t begin = static_cast<std::int64_t>(*at % kResource) + offset;
  if (all.empty() || begin < 0 || bytes->size() > all.size() || static_cast<std::uint64_t>(begin) > all.size() - bytes->size())
    return Error{Outcome::kBadInput, fmt::format("no {} bytes are at {}", bytes->size(), reference), "", ""};
  debug::Region region;
  region.begin = static_cast<std::uint64_t>(begin);
  region.end = region.begin + bytes->size();
  if (number == kWorkgroupMemory) {
    region.place = Place::kWorkgroup;
    region.who.group = session.residents()[session.standing().slot].id;
  } else {
    region.resource = static_cast<std::uint32_t>(number - 1);
    if (std::holds_alternative<ImageData>(session.job().resources[region.resource].data)) region.place = Place::kImage;
  }
  if (Status bad = session.setBytes(region, *bytes)) return *bad;
  return Json{{"bytesWritten", bytes->size()}};
}

}  // namespace lanewise::dap
