// A user's kernel as a description, beside a slow one that it must agree with: texts, and a scratch folder with both.
#pragma once

#include <fstream>

#include "tests/tools/cli/cli_fixture.h"

namespace lanewise {

constexpr const char* kMean =
    "#version 450\nlayout(local_size_x = 8, local_size_y = 8) in;\nlayout(binding = 0, rgba8ui) uniform readonly uimage2D source;\n"
    "layout(binding = 1, rgba8ui) uniform writeonly uimage2D target;\nlayout(push_constant) uniform P { ivec2 size; int radius; };\n"
    "void main() {\n"
    "  ivec2 at = ivec2(gl_GlobalInvocationID.xy);\n"
    "  if (at.x >= size.x || at.y >= size.y) return;\n"
    "  uvec4 sum = uvec4(0);\n"
    "  for (int i = -radius; i <= radius; ++i) sum += imageLoad(source, ivec2(clamp(at.x + i, 0, size.x - LAST), at.y));\n"
    "  uint k = 2u * uint(radius) + 1u;\n"
    "  imageStore(target, at, (2u * sum + k) / (2u * k));\n}\n";
constexpr const char* kMeanDescription =
    "lanewise = 1\nname = \"mean\"\n[size]\nlargest = 200\n[parameters.radius]\nrange = [0, 20]\ndefault = 1\n"
    "[modules.mean]\nfile = \"mean.comp\"\ndefine = [\"LAST=1\"]\n"
    "[resources.source]\nimage = \"rgba8ui\"\ndata = \"input\"\n[resources.target]\nimage = \"rgba8ui\"\noutput = true\n"
    "[[dispatches]]\ngroups = [\"ceil_div(width, 8)\", \"ceil_div(height, 8)\"]\npush = { size = [\"width\", \"height\"], radius = "
    "\"radius\" }\n";
constexpr const char* kSlow =
    "[modules.slow]\nfile = \"slow.comp\"\n[[reference.dispatches]]\nmodule = \"slow\"\ngroups = [\"width\", \"height\"]\n"
    "push = { radius = \"radius\" }\n";

class Described : public Scratch {
 protected:
  void SetUp() override {
    write("mean.comp", kMean);
    write("slow.comp",
          "#version 450\nlayout(binding = 0, rgba8ui) uniform readonly uimage2D source;\nlayout(binding = 1, rgba8ui) uniform writeonly "
          "uimage2D target;\n"
          "layout(push_constant) uniform P { int radius; };\nvoid main() {\n  ivec2 at = ivec2(gl_WorkGroupID.xy); int w = "
          "int(gl_NumWorkGroups.x);\n"
          "  uvec4 sum = uvec4(0); uint k = uint(2 * radius + 1);\n  for (int i = at.x - radius; i <= at.x + radius; ++i)\n"
          "    sum += imageLoad(source, ivec2(i < 0 ? 0 : i >= w ? w - 1 : i, at.y));\n  imageStore(target, at, (2u * sum + k) / (2u * "
          "k));\n}\n");
    write("mean.toml", with("[[dispatches]]", "[[dispatches]]\nmodule = \"mean\"") + kSlow);
  }
  void write(const std::string& name, const std::string& text) const { std::ofstream(folder_ / name, std::ios::binary) << text; }
  std::string read(const std::string& name) const {
    std::ifstream in(folder_ / name, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  static std::string with(const std::string& from, const std::string& to) {
    std::string text = kMeanDescription;
    return text.replace(text.find(from), from.size(), to);
  }
  // The reading beyond the last column, clamped one too late.
  void breakIt() const {
    write("mean.toml", std::string(with("[[dispatches]]", "[[dispatches]]\nmodule = \"mean\"") + kSlow)
                           .replace(std::string(with("[[dispatches]]", "[[dispatches]]\nmodule = \"mean\"")).find("LAST=1"), 6, "LAST=0"));
  }
  Ran in(const std::string& arguments) const {
    return shell(fmt::format("cd '{}' && " LANEWISE_PROGRAM " {} 2>&1", folder_.string(), arguments));
  }
};

}  // namespace lanewise
