#include "tools/arbitrate/capsule.h"

#include <fmt/format.h>

#include <bit>
#include <limits>

#include "golden/store/hash.h"
#include "gpu/wire.h"
#include "model/base/archive.h"

namespace lanewise {
namespace {

constexpr std::string_view kMagic = "lanewise capsule 3\n", kEarlier = "lanewise capsule 2\n";
constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 30;
constexpr std::size_t kChecksumBytes = 16;

Error damaged(std::string what) {
  return {Outcome::kBadInput, "not a whole capsule: " + std::move(what), "", "copy the file again; a capsule is binary"};
}

// The file is complete, but its messages have another form than those of this build.
Error other(const Capsule& c, const char* part) {
  return {Outcome::kBadInput,
          fmt::format("a capsule of lanewise {}, whose {} this lanewise ({}) cannot read", c.tool, part, LANEWISE_VERSION), "",
          "replay it with the build that wrote it"};
}

std::array<std::byte, kChecksumBytes> checksumOf(std::span<const std::byte> bytes) {
  const golden::Hash128 hash = golden::hashBytes(bytes);
  std::array<std::byte, kChecksumBytes> out;
  for (std::size_t i = 0; i < 8; ++i) {
    out[i] = static_cast<std::byte>(hash.high >> (8 * i));
    out[i + 8] = static_cast<std::byte>(hash.low >> (8 * i));
  }
  return out;
}

}  // namespace

namespace wire {

template <class A, class T>
using Either = std::conditional_t<A::kReading, T, const T>;

template <class A>
void fields(A& a, Either<A, golden::Image>& v) {
  a(v.extent.width), a(v.extent.height), a(v.channels), a(v.component), a(v.levels), a(v.bytes);
  if constexpr (A::kReading) {
    // Checks bounds first: the size of an image with arbitrary numbers may not fit 64 bits.
    const bool sane = v.extent.width <= (1u << 24) && v.extent.height <= 65536 && v.channels <= 65536 && v.levels <= 32 &&
                      v.component <= golden::kLastComponent;
    if (!sane || !v.wellFormed()) a.fail();
  }
}

template <class A>
void fields(A& a, Either<A, CapsuleAnswer>& v) {
  a(v.side), a(v.description), a(v.error), a(v.images);
}

template <class A>
void fields(A& a, Either<A, golden::Contract>& v) {
  a(v.name), a(v.tolerance), a(v.proof), a(v.allows), a(v.zerosEqual);
  bool poison = v.poison.has_value();
  std::uint8_t byte = poison ? std::to_integer<std::uint8_t>(*v.poison) : std::uint8_t{0};
  a(poison), a(byte);
  if constexpr (A::kReading) v.poison = poison ? std::optional(std::byte{byte}) : std::nullopt;
}

template <class A>
void fields(A& a, Either<A, golden::MeanLimit>& v) {
  std::uint64_t output = v.output;
  bool has = v.channel.has_value();
  std::uint32_t channel = v.channel.value_or(0);
  std::uint64_t most = std::bit_cast<std::uint64_t>(v.most);
  a(output), a(has), a(channel), a(most);
  if constexpr (A::kReading) {
    v.output = static_cast<std::size_t>(output);
    v.channel = has ? std::optional(channel) : std::nullopt;
    v.most = std::bit_cast<double>(most);
  }
}

struct Line {
  std::string text;
};
template <class A>
void fields(A& a, Either<A, Line>& v) {
  a(v.text);
}

// Messages inside the capsule are those that are sent to a device's worker.
struct Part {
  std::vector<std::byte> bytes;
};
template <class A>
void fields(A& a, Either<A, Part>& v) {
  a(v.bytes);
}

}  // namespace wire

namespace {

// The order of the channels, which the images in the file do not have.
void orderChannels(std::vector<golden::Image>& images, const Job& job) {
  std::size_t output = 0;
  for (const Resource& r : job.resources) {
    if (!r.output || output == images.size()) continue;
    const auto* image = std::get_if<ImageData>(&r.data);
    images[output++].blueFirst = image != nullptr && image->format == Format::B8G8R8A8_UNORM;
  }
}

}  // namespace

std::vector<std::byte> encodeCapsule(const Capsule& c) {
  wire::Writer w;
  for (const char letter : kMagic) w(static_cast<std::uint8_t>(letter));
  w(c.tool), w(c.what), w(c.ruling), w(c.schedule);
  fields(w, c.expected.contract);
  w(encodeProfile(c.profile));
  std::vector<wire::Part> modules;
  for (const auto& module : c.modules) modules.push_back({encodeModule(*module)});
  w(modules);
  w(encodeJob(c.job));
  w(c.expected.images), w(c.expected.high), w(c.expected.contract.means), w(c.expected.centres), w(c.answers);
  std::vector<wire::Line> needs;
  for (const std::string& need : c.needs) needs.push_back({need});
  w(needs);
  const auto checksum = checksumOf(w.bytes);
  w.bytes.insert(w.bytes.end(), checksum.begin(), checksum.end());
  return std::move(w.bytes);
}

Expected<Capsule> decodeCapsule(std::span<const std::byte> bytes) {
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  const bool earlier = text.starts_with(kEarlier);
  if (!earlier && !text.starts_with(kMagic)) return damaged("it does not begin with \"lanewise capsule 3\" or 2");
  if (bytes.size() < kMagic.size() + kChecksumBytes) return damaged("it is cut off");
  const auto body = bytes.first(bytes.size() - kChecksumBytes);
  const auto checksum = checksumOf(body);
  if (!std::equal(checksum.begin(), checksum.end(), bytes.end() - kChecksumBytes)) return damaged("its checksum does not match");
  wire::Reader r(body.subspan(kMagic.size()), kMostBytes);
  Capsule c;
  std::vector<std::byte> profile, job;
  std::vector<wire::Part> modules;
  r(c.tool), r(c.what), r(c.ruling), r(c.schedule);
  fields(r, c.expected.contract);
  r(profile), r(modules), r(job);
  r(c.expected.images), r(c.expected.high), r(c.expected.contract.means), r(c.expected.centres), r(c.answers);
  std::vector<wire::Line> needs;
  if (!earlier) r(needs);
  for (wire::Line& need : needs) c.needs.push_back(std::move(need.text));
  const std::size_t centres = c.expected.centres.size();
  if (!r.complete() || (centres != 0 && centres != c.expected.images.size()) ||
      (!c.expected.high.empty() && c.expected.high.size() != c.expected.images.size()))
    return damaged("its fields do not fit");
  const Expected<Profile> p = decodeProfile(profile);
  if (!p) return other(c, "profile");
  c.profile = *p;
  ModuleTable table;
  for (const wire::Part& part : modules) {
    const auto module = decodeModule(part.bytes);
    if (!module) return other(c, "module");
    c.modules.push_back(*module);
    table[hashModule(**module)] = *module;
  }
  Expected<Job> decoded = decodeJob(job, table, kMostBytes);
  if (!decoded) return other(c, "job");
  c.job = std::move(*decoded);
  for (std::vector<golden::Image>* images : {&c.expected.images, &c.expected.high, &c.expected.centres}) orderChannels(*images, c.job);
  for (CapsuleAnswer& answer : c.answers) orderChannels(answer.images, c.job);
  return c;
}

}  // namespace lanewise
