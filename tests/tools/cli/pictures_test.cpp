// Pictures of one's own: every kernel takes each, or says why not; and what is measured and tabulated of them.
#include <fstream>
#include <nlohmann/json.hpp>

#include "tests/tools/cli/cli_fixture.h"

namespace lanewise {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

class Pictures : public Scratch {
 protected:
  // A picture as another case's kept file, which has a known size and type.
  std::string kept(const std::string& subject, const std::string& file, const std::string& as) {
    const Ran ran = lanewise("golden image " + subject + " --out " + path("made"));
    EXPECT_EQ(ran.code, 0) << ran.text;
    for (const auto& entry : fs::recursive_directory_iterator(path("made")))
      if (entry.path().filename() == file) fs::copy_file(entry.path(), path(as));
    fs::remove_all(path("made"));
    return path(as);
  }
};

// Codes, our own EXR of depths with its levels, and a name that is no word.
TEST_F(Pictures, EveryKernelTakesThemOrSaysWhyNot) {
  kept("box-blur/double/naive --size 37x20 --input noise:5", "expected.png", "a photo, 100%.png");
  kept("depth/floor/spd --size 37x20 --input noise:5", "expected.exr", "depth.exr");
  for (const std::string& picture : {path("a photo, 100%.png"), path("depth.exr")}) {
    const Ran ran = lanewise("validate --devices model --with levels=full --picture '" + picture + "' --report " + path("report"));
    EXPECT_NE(ran.code, 0) << "AMD's have no levels=full";
    const Ran all = lanewise("validate --devices model --picture '" + picture + "'");
    EXPECT_EQ(all.code, 0) << all.text;
    EXPECT_THAT(all.text, AllOf(HasSubstr("PASSED: "), HasSubstr(" 0 failed"), Not(HasSubstr("not applicable"))));
  }
  const Ran depth = lanewise("validate 'depth/*' 'pyramid/*' --devices model --picture " + path("depth.exr"));
  EXPECT_EQ(depth.code, 0) << depth.text;
  EXPECT_THAT(depth.text, HasSubstr("depth.exr: only the first level or image of the file"));
  // A case that was printed is given back.
  const Ran list = lanewise("validate depth/floor/spd --picture '" + path("a photo, 100%.png") + "' --list");
  const std::string name = list.text.substr(0, list.text.find('\n'));
  EXPECT_THAT(name, HasSubstr("a%20photo,%20100%25.png"));
  for (const char* command : {"replay", "run", "validate"}) {
    const Ran ran = lanewise(std::string(command) + " '" + name + "'" + (std::string(command) == "run" ? "" : " --devices model"));
    EXPECT_EQ(ran.code, 0) << command << ran.text;
  }
  const std::string other = name.substr(0, name.find("37x20")) + "36x20" + name.substr(name.find("37x20") + 5);
  EXPECT_THAT(lanewise("replay '" + other + "' --devices model").text, HasSubstr("the picture has 37x20 texels"));
}

// As RenderDoc saves a texture: the header is no texel.
TEST_F(Pictures, ADdsFileIsOne) {
  constexpr std::uint32_t kHead[32] = {0x20534444, 124, 0x100f, 1,  2,    8, 0,  0,    0,      0,        0,          0,      0, 0, 0, 0,
                                       0,          0,   0,      32, 0x41, 0, 32, 0xff, 0xff00, 0xff0000, 0xff000000, 0x1000, 0, 0, 0, 0};
  std::ofstream(path("a.dds"), std::ios::binary).write(reinterpret_cast<const char*>(kHead), sizeof kHead) << "\1\2\3\4\5\6\7\x08";
  std::ofstream(path("a.comp")) << "#version 450\nlayout(binding = 0, rgba8ui) uniform readonly uimage2D a;\n"
                                   "layout(binding = 1) buffer B { uvec4 b[2]; };\n"
                                   "void main() { b[0] = imageLoad(a, ivec2(0)); b[1] = imageLoad(a, ivec2(1, 0)); }\n";
  EXPECT_THAT(lanewise("run " + path("a.comp") + " --image 0:0=" + path("a.dds") + ":rgba8ui --out 0:1=-:u32").text,
              HasSubstr("1 2 3 4 5 6 7 8"));
}

TEST_F(Pictures, OneThatIsTooLargeIsNotApplicable) {
  kept("checksum/sum/shuffle --size 4100x1 --input ramp", "input.png", "wide.png");
  const Ran ran = lanewise("validate 'photo/*' --devices model --picture " + path("wide.png"));
  EXPECT_EQ(ran.code, 0) << ran.text;
  EXPECT_THAT(ran.text, AllOf(HasSubstr("photo/cosine/checked with "), HasSubstr("takes pictures of up to 4096 texels a side")));
  EXPECT_EQ(lanewise("validate 'photo/cosine/*' --devices model --picture " + path("wide.png")).code, 2);
}

TEST_F(Pictures, AreMeasuredExactly) {
  kept("photo/sobel/checked --size 2x2 --input list:255,0,0,9,10,20,40,9,0,0,0,9,100,75,50,9", "input.png", "a.png");
  kept("photo/sobel/checked --size 2x2 --input constant:7", "input.png", "b.png");
  const Ran ran = lanewise("measure " + path("a.png") + " " + path("b.png"));
  EXPECT_EQ(ran.code, 0) << ran.text;
  EXPECT_THAT(ran.text, AllOf(HasSubstr("a.png, mean saturation: 9/16 = 0.562500000"), HasSubstr("b.png, mean saturation: 0 = 0.000000000"),
                              HasSubstr("b.png, variance of the edges: 0 = 0.000000000"), HasSubstr("the same sums: the oracle, model")));
  // Four texels in the quarters, the black one alike: 1 of 2 x 2.
  EXPECT_THAT(ran.text, HasSubstr("similarity of the fingerprints: the square root of 1/16 = 0.250000000"));
  const Ran json = lanewise("measure --json " + path("a.png"));
  const auto numbers = nlohmann::json::parse(json.text)["numbers"];
  ASSERT_EQ(numbers.size(), 3u);
  EXPECT_EQ(numbers[0]["fraction"], "9/16");
  EXPECT_EQ(lanewise("measure " + path("none.png")).code, 6);
  EXPECT_EQ(lanewise("measure a b c").code, 2);
  // A sweep tells the same.
  const Ran sweep =
      lanewise("validate photo/saturation-sums/checked --devices model --picture " + path("a.png") + " --report " + path("report"));
  EXPECT_THAT(sweep.text, HasSubstr("  mean saturation: 9/16 = 0.562500000"));
  std::ifstream file(path("report/report.json"));
  EXPECT_EQ(nlohmann::json::parse(file)["cases"][0]["numbers"][0]["fraction"], "9/16");
}

TEST_F(Pictures, TheTablesOfThePagesAreMadeAgain) {
  const Ran roundings = lanewise("table roundings --sizes 64x64 --radii 0,1,8 --csv " + path("r.csv"));
  EXPECT_EQ(roundings.code, 0) << roundings.text;
  EXPECT_THAT(roundings.text, AllOf(HasSubstr("noise:1,64x64,clamp,0,16384,0,0.0000,0,4096,0,0.0000\n"),
                                    HasSubstr("noise:1,64x64,clamp,1,16384,"), HasSubstr(",1,4096,")));
  std::ifstream file(path("r.csv"));
  EXPECT_EQ(std::string(std::istreambuf_iterator<char>(file), {}), roundings.text);
  // With sides that are even down to 1 blits are the means, but for the rounding of ties; odd ones differ by what they leave out.
  const Ran even = lanewise("table blits --sizes 64x64"), odd = lanewise("table blits --sizes 63x63");
  EXPECT_EQ(even.code, 0) << even.text;
  EXPECT_THAT(even.text, HasSubstr("input,size,blits on,level,components,mean,greatest,signed mean\nnoise:1,64x64,model,1,4096,"));
  EXPECT_THAT(odd.text, HasSubstr("noise:1,63x63,model,5,4,"));
  EXPECT_EQ(lanewise("table roundings --edge wrap").code, 2);
  EXPECT_EQ(lanewise("table").code, 2);
}

}  // namespace
}  // namespace lanewise
