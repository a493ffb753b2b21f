#include "tests/text/program_text.h"

#include <fmt/format.h>

#include <cmath>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <sstream>

namespace lanewise::text {
namespace {

std::size_t bytesOf(const std::string& type) {
  return type.size() < 2 ? 0 : static_cast<std::size_t>(std::strtoul(type.c_str() + 1, nullptr, 10)) / 8;
}

bool isNan(const std::string& type, const std::byte* p) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, p, bytesOf(type));
  if (type == "f16") return (bits & 0x7fff) > 0x7c00;
  if (type == "f32") return (bits & 0x7fffffff) > 0x7f800000;
  return type == "f64" && (bits & 0x7fffffffffffffff) > 0x7ff0000000000000;
}

void append(std::vector<std::byte>& out, const std::string& type, const std::string& token) {
  std::uint64_t bits = 0;
  if (type == "f32")
    bits = std::bit_cast<std::uint32_t>(std::strtof(token.c_str(), nullptr));
  else if (type == "f64")
    bits = std::bit_cast<std::uint64_t>(std::strtod(token.c_str(), nullptr));
  else if (token == "nan")
    bits = 0x7e00;
  else
    bits = token[0] == '-' ? static_cast<std::uint64_t>(std::strtoll(token.c_str(), nullptr, 0)) : std::strtoull(token.c_str(), nullptr, 0);
  const auto* p = reinterpret_cast<const std::byte*>(&bits);
  out.insert(out.end(), p, p + bytesOf(type));
}

// "5", "3*7" (three sevens), "2..5", of whole numbers in floats too.
std::vector<std::byte> parseValues(const std::string& type, std::istream& in) {
  std::vector<std::byte> out;
  if (type == "poison") {
    std::size_t count = 0;
    in >> count;
    return std::vector<std::byte>(count, kPoisonByte);
  }
  for (std::string token; in >> token;) {
    if (const auto star = token.find('*'); star != std::string::npos) {
      for (long n = std::strtol(token.c_str(), nullptr, 10); n > 0; --n) append(out, type, token.substr(star + 1));
    } else if (const auto dots = token.find(".."); dots != std::string::npos) {
      const long last = std::strtol(token.c_str() + dots + 2, nullptr, 10);
      for (long i = std::strtol(token.c_str(), nullptr, 10); i <= last; ++i) append(out, type, std::to_string(i));
    } else {
      append(out, type, token);
    }
  }
  return out;
}

std::string typeWord(std::istream& in) {
  std::string word;
  in >> word;
  if (!word.empty() && word.back() == ':') word.pop_back();
  return word;
}

Binding bindingOf(const std::string& name) {
  Binding b;
  b.resource = name;
  b.binding = static_cast<std::uint32_t>(std::strtoul(name.c_str(), nullptr, 10));
  if (const auto dot = name.find('.'); dot != std::string::npos)
    b.element = static_cast<std::uint32_t>(std::strtoul(name.c_str() + dot + 1, nullptr, 10));
  return b;
}

// "1" or "1+16" each: the device address of a buffer, and an offset.
std::vector<Address> parseAddresses(std::istream& in, std::vector<std::byte>& bytes) {
  std::vector<Address> out;
  for (std::string token; in >> token;) {
    const auto plus = token.find('+');
    out.push_back({bytes.size(), token.substr(0, plus), plus == std::string::npos ? 0 : std::strtoull(token.c_str() + plus, nullptr, 0)});
    bytes.resize(bytes.size() + 8);
  }
  return out;
}

class Reader {
 public:
  explicit Reader(ProgramText& out) : out_(out) { out_.job.dispatches.emplace_back(); }

  void line(const std::string& text) {
    std::istringstream in(text);
    std::string word, name;
    in >> word;
    Dispatch& d = out_.job.dispatches[0];
    if (word == "buffer") {
      buffer(in);
    } else if (word == "image") {
      image(in);
    } else if (word == "texel-buffer") {
      std::string format;
      in >> name >> format;
      std::vector<std::byte>& bytes = resource(name, BufferData{}).bytes();
      binding(name).viewFormat = formatNamed(format);
      const auto more = parseValues(typeWord(in), in);
      bytes.insert(bytes.end(), more.begin(), more.end());
    } else if (word == "sampler") {
      sampler(in);
    } else if (word == "view") {
      view(in);
    } else if (word == "expect") {
      in >> name;
      const std::string type = typeWord(in);
      expect(name, type, in);
    } else if (word == "print") {
      out_.printed.push_back(text.substr(6));
    } else if (word == "push") {
      const std::string type = typeWord(in);
      if (type == "address") return append(d.pushAddresses, parseAddresses(in, d.push));
      const auto more = parseValues(type, in);
      d.push.insert(d.push.end(), more.begin(), more.end());
    } else if (word == "spec") {
      d.spec.push_back(specConstant(in));
    } else if (word == "groups") {
      in >> d.groups.x >> d.groups.y >> d.groups.z;
    } else if (word == "subgroup-size") {
      in >> out_.job.subgroupSize;
    } else if (word == "subgroup-dependent") {
      out_.subgroupDependent = true;
    } else if (word == "races") {
      out_.races = true;
    } else if (word == "one-order") {
      out_.oneOrder = true;
    } else if (word == "max-steps") {
      in >> out_.job.limits.maxSteps;
    } else if (word == "model-only:") {
      out_.modelOnly = true;
    } else if (word == "unoptimised:") {
      out_.unoptimised = true;
    } else if (word == "differs") {
      differs(in);
    } else if (word == "finding") {
      out_.findings.push_back(text.substr(text.find("finding") + 8));
    } else if (word == "error") {
      error(text.substr(text.find("error") + 6));
    } else {
      out_.problem = "a line with the unknown word '" + word + "'";
    }
  }

 private:
  static void append(std::vector<Address>& list, std::vector<Address> more) { list.insert(list.end(), more.begin(), more.end()); }

  void expect(const std::string& name, const std::string& type, std::istream& in) {
    const auto start = in.tellg();
    std::string word;
    if (in >> word && word == "definition") return out_.expected[name].push_back({type, {}, true});
    in.clear();
    in.seekg(start);
    out_.expected[name].push_back({type, parseValues(type, in)});
  }

  void buffer(std::istream& in) {
    std::string name;
    in >> name;
    Resource& buffer = resource(name, BufferData{});
    std::vector<std::byte>& bytes = buffer.bytes();
    const std::string type = typeWord(in);
    if (type == "address") return append(std::get<BufferData>(buffer.data).addresses, parseAddresses(in, bytes));
    const auto more = parseValues(type, in);
    if (type == "poison") buffer.undefined = true;
    bytes.insert(bytes.end(), more.begin(), more.end());
  }

  void differs(std::istream& in) {
    Differs d;
    std::string condition;
    in >> d.device;
    if (d.device.ends_with(':')) return out_.differs.push_back({d.device.substr(0, d.device.size() - 1)});
    in >> condition;
    const std::string value = typeWord(in);
    Version version;
    const bool versions = std::sscanf(value.c_str(), "%d.%d", &version.first, &version.second) == 2;
    if (condition == "before" && versions) {
      d.before = version;
    } else if (condition == "from" && versions) {
      d.from = version;
    } else if (condition != "without" || value != "avx512f") {
      out_.problem = "'differs' takes DEVICE:, DEVICE before VERSION:, DEVICE from VERSION: or DEVICE without avx512f:";
    } else if (__builtin_cpu_supports("avx512f")) {
      return;
    }
    out_.differs.push_back(d);
  }

  void sampler(std::istream& in) {
    const std::string name = typeWord(in);
    std::string words;
    std::getline(in, words);
    const Expected<SamplerState> sampler = samplerByText(words);
    if (sampler)
      binding(name).sampler = *sampler;
    else
      out_.problem = sampler.error().text();
  }

  static SpecConstant specConstant(std::istream& in) {
    std::string equals, value;
    SpecConstant s;
    in >> s.id >> equals >> value;
    s.value = value.find('.') != std::string::npos ? std::bit_cast<std::uint32_t>(std::strtof(value.c_str(), nullptr))
                                                   : static_cast<std::uint64_t>(std::strtoll(value.c_str(), nullptr, 0));
    return s;
  }

  void error(const std::string& text) {
    for (Outcome o : {Outcome::kFinding, Outcome::kBadInput, Outcome::kUnsupported}) {
      const std::string prefix = std::string(outcomeName(o)) + ": ";
      if (!text.starts_with(prefix)) continue;
      out_.errorOutcome = o;
      out_.errorPart = text.substr(prefix.size());
    }
    if (!out_.errorOutcome) out_.problem = "an unknown outcome in '" + text + "'";
  }

  Resource& resource(const std::string& name, std::variant<BufferData, ImageData> data) {
    for (Resource& r : out_.job.resources)
      if (r.name == name) return r;
    out_.job.resources.push_back({name, std::move(data), false, true});
    out_.job.dispatches[0].bindings.push_back(bindingOf(name));
    return out_.job.resources.back();
  }

  // The binding as written; a new one has no resource.
  Binding& binding(const std::string& name) {
    const Binding wanted = bindingOf(name);
    std::vector<Binding>& all = out_.job.dispatches[0].bindings;
    for (Binding& b : all)
      if (b.binding == wanted.binding && b.element == wanted.element) return b;
    all.push_back(wanted);
    all.back().resource.clear();
    return all.back();
  }

  Format formatNamed(const std::string& name) {
    const Format format = formatByName(name);
    if (format == Format::UNDEFINED) out_.problem = "the unknown format '" + name + "'";
    return format;
  }

  void view(std::istream& in) {
    std::string name, word, value;
    in >> name;
    Binding& b = binding(name);
    while (in >> word >> value) {
      const auto number = std::strtoull(value.c_str(), nullptr, 0);
      const auto small = static_cast<std::uint32_t>(number);
      if (word == "of")
        b.resource = value;
      else if (word == "format")
        b.viewFormat = formatNamed(value);
      else if (word == "base-level")
        b.baseLevel = small;
      else if (word == "levels")
        b.levelCount = small;
      else if (word == "base-layer")
        b.baseLayer = small;
      else if (word == "layers")
        b.layerCount = small;
      else if (word == "offset")
        b.offset = number;
      else if (word == "size")
        b.size = number;
      else
        out_.problem = "a view with the unknown word '" + word + "'";
    }
  }

  void image(std::istream& in) {
    std::string name, format, dimensions, size, word;
    in >> name >> format >> dimensions >> size;
    ImageData data;
    data.format = formatNamed(format);
    data.dimensions = dimensions == "1d" ? 1 : dimensions == "3d" ? 3 : 2;
    std::uint32_t* const axes[] = {&data.extent.x, &data.extent.y, &data.extent.z};
    std::istringstream sizes(size);
    for (std::uint32_t* axis : axes)
      if (std::string part; std::getline(sizes, part, 'x')) *axis = static_cast<std::uint32_t>(std::stoul(part));
    if (dimensions == "cube") data.layers = 6;
    while (in >> word && (word == "layers" || word == "levels" || word == "samples"))
      in >> (word == "layers" ? data.layers : word == "levels" ? data.levels : data.samples);
    std::vector<std::byte> bytes;
    if (!word.empty() && word.back() == ':') {
      word.pop_back();
      bytes = parseValues(word, in);
    }
    const bool undefined = bytes.empty();
    bytes.resize(data.levelOffset(data.levels), kPoisonByte);
    data.bytes = std::move(bytes);
    resource(name, std::move(data)).undefined = undefined;
  }

  ProgramText& out_;
};

// The values of the lines that name a definition, once all inputs are read.
void define(ProgramText& program) {
  const std::string file = program.file.substr(program.file.rfind('/') + 1);
  const std::vector<definitions::Definition> all = definitions::all();
  for (auto& [name, segments] : program.expected)
    for (Segment& s : segments) {
      if (!s.defined) continue;
      const std::string line = name + " " + s.type;
      const auto found = std::ranges::find_if(all, [&](const auto& d) { return d.program == file && d.line == line; });
      if (found == all.end())
        program.problem = "no definition of '" + line + "' in tests/text/definitions";
      else
        s.bytes = found->values(definitionInputs(program.job));
    }
}

}  // namespace

definitions::Inputs definitionInputs(const Job& job) {
  definitions::Inputs out;
  for (const Resource& r : job.resources) out.resources[r.name] = r.bytes();
  out.push = job.dispatches[0].push;
  return out;
}

ProgramText readProgram(const std::string& path) {
  ProgramText out;
  out.file = path;
  out.assembly = path.ends_with(".spvasm");
  const std::string mark = out.assembly ? "; " : "// ";
  std::ifstream in(path);
  if (!in) out.problem = "cannot be read";
  Reader reader(out);
  for (std::string line; std::getline(in, line) && out.problem.empty();) {
    const bool isProse = line.starts_with(mark + "--");
    out.hasProse = out.hasProse || isProse;
    if (isProse || line == "//" || line == ";") continue;
    if (!line.starts_with(mark)) break;
    reader.line(line.substr(mark.size()));
  }
  if (out.problem.empty()) define(out);
  return out;
}

std::string valuesText(const std::string& type, const std::byte* bytes, std::size_t size) {
  std::string out;
  const std::size_t step = bytesOf(type);
  for (std::size_t at = 0; at + step <= size; at += step) {
    std::uint64_t bits = 0;
    std::memcpy(&bits, bytes + at, step);
    const std::uint64_t shift = 64 - 8 * step;
    if (isNan(type, bytes + at))
      out += " nan";
    else if (type == "f32")
      out += fmt::format(" {:.9g}", std::bit_cast<float>(static_cast<std::uint32_t>(bits)));
    else if (type == "f64")
      out += fmt::format(" {:.17g}", std::bit_cast<double>(bits));
    else if (type == "f16")
      out += fmt::format(" 0x{:04x}", bits);
    else if (type[0] == 'i')
      out += fmt::format(" {}", static_cast<std::int64_t>(bits << shift) >> shift);
    else
      out += fmt::format(" {}", bits);
  }
  return out;
}

std::string difference(const std::vector<Segment>& expected, const std::vector<std::byte>& got) {
  std::size_t at = 0, shown = 0;
  std::string out;
  for (const Segment& s : expected) {
    const std::size_t step = bytesOf(s.type);
    if (step == 0) return "a line of the unknown type '" + s.type + "'";
    for (std::size_t i = 0; i + step <= s.bytes.size(); i += step, at += step) {
      if (at + step > got.size()) return out + fmt::format("  {} bytes expected, {} there\n", at + s.bytes.size() - i, got.size());
      const bool anyNan = isNan(s.type, s.bytes.data() + i) && isNan(s.type, got.data() + at);
      if (anyNan || std::memcmp(s.bytes.data() + i, got.data() + at, step) == 0) continue;
      if (++shown <= 8)
        out += fmt::format("  byte {} ({} {}): expected{}, got{}\n", at, s.type, at / step, valuesText(s.type, s.bytes.data() + i, step),
                           valuesText(s.type, got.data() + at, step));
    }
  }
  if (at != got.size()) out += fmt::format("  {} bytes expected, {} there\n", at, got.size());
  return shown > 8 ? out + fmt::format("  and {} more\n", shown - 8) : out;
}

}  // namespace lanewise::text
