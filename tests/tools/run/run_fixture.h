// A kernel with every kind of argument, in a folder of its own.
#pragma once

#include <fstream>

#include "tests/tools/cli/cli_fixture.h"

namespace lanewise {

inline constexpr const char* kKernel = R"(#version 460
#extension GL_GOOGLE_include_directive : require
layout(local_size_x = 4) in;
layout(constant_id = 3) const uint SCALE = 2;
layout(binding = 0) readonly buffer In { uint a[]; } source;
layout(binding = 1) buffer Out { uint b[]; } result;
layout(binding = 2, rgba8ui) uniform readonly uimage2D photo;
layout(binding = 3, r32f) uniform writeonly image2D grey;
layout(push_constant) uniform Push { uint n; float f; } push;
#include "twice.glsl"
void main() {
  uint i = gl_GlobalInvocationID.x;
  if (i >= push.n) return;
  result.b[i] = twice(source.a[i]) * SCALE;
  imageStore(grey, ivec2(i, 0), vec4(float(imageLoad(photo, ivec2(i, 0)).x) * push.f));
}
)";

class Run : public Scratch {
 protected:
  void SetUp() override {
    write("k.comp", kKernel);
    write("twice.glsl", "uint twice(uint x) { return x + x; }\n");
  }

  void write(const std::string& name, const std::string& text) const { std::ofstream(folder_ / name, std::ios::binary) << text; }
  std::string read(const std::string& name) const {
    std::ifstream in(folder_ / name, std::ios::binary);
    return std::string((std::istreambuf_iterator<char>(in)), {});
  }
  // `2>&1` in the arguments mixes stderr in; without it only stdout is there.
  Ran lanewise(const std::string& arguments, const std::string& before = "") const {
    return shell(fmt::format("cd '{}' && {} " LANEWISE_PROGRAM " {}", folder_.string(), before, arguments));
  }
};

inline constexpr const char* kWhole =
    "--groups 2 --push u32:7,f32:0.5 --buffer 0:0=u32:1,2,3,4,5,6,7 --image 0:2=u8:28*10:rgba8ui:7x1 --out 0:3=grey.bin ";

}  // namespace lanewise
