// What the page asks, without HTTP: each answer is of the moment where the session is, and whatever is asked has one answer.
#include "tools/web/face.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <random>

#include "tools/web/guard.h"
#include "tools/web/picture.h"

namespace lanewise::web {
namespace {

using testing::HasSubstr;

std::unique_ptr<OpenedSession> opened(const std::string& text, const std::string& size = "") {
  SessionArguments a;
  a.subject.text = text;
  a.subject.kernel.size = size;
  Expected<std::unique_ptr<OpenedSession>> out = openForDebugging(a);
  EXPECT_TRUE(out.ok()) << (out ? "" : out.error().text());
  return out ? std::move(*out) : nullptr;
}

class WebFace : public testing::Test {
 protected:
  HttpAnswer raw(const std::string& what, const Json& arguments = Json::object()) { return face().ask(what, arguments.dump()); }
  Json ask(const std::string& what, const Json& arguments = Json::object()) { return Json::parse(raw(what, arguments).body); }
  // Moves, and waits for the end of it.
  Json move(const std::string& line) {
    ask("command", {{"line", line}});
    return settled();
  }
  Json settled() {
    for (;;)
      if (Json state = ask("state"); state["moving"].is_null() && state.contains("time")) return state;
  }
  Face& face() {
    if (!face_) face_ = std::make_unique<Face>(opened(subject_, size_), std::vector<std::string>{});
    return *face_;
  }
  std::string subject_ = "box-blur/double/naive", size_ = "5x3";
  std::unique_ptr<Face> face_;
};

TEST_F(WebFace, TellsWhereItIs) {
  const Json begin = settled();
  EXPECT_EQ(begin["time"], Json({0, 1, begin["time"][2]}));
  EXPECT_EQ(begin["focus"], Json({0, 0, 0}));
  EXPECT_EQ(begin["frames"].size(), 1u);
  EXPECT_GT(begin["steps"].get<int>(), 10);
  const Json job = ask("job");
  EXPECT_EQ(job["dispatches"].size(), 2u);
  const Json file = ask("source", {{"file", begin["frames"][0]["file"]}});
  EXPECT_THAT(file["text"].get<std::string>(), HasSubstr("void main()"));
  EXPECT_THAT(file["lines"], testing::Contains(begin["frames"][0]["line"]));
}

// At every moment of the run, in any order, the picture has the bytes of the model then.
TEST_F(WebFace, PicturesAreOfTheirMoment) {
  const std::unique_ptr<OpenedSession> other = opened(subject_, size_);
  ASSERT_TRUE(other->session->toBegin().ok());
  const Json job = ask("job");
  std::vector<debug::Time> times;
  for (int i = 0; i < 200 && other->session->step(debug::Unit::kInstruction).ok() && !other->session->atEnd(); ++i)
    times.push_back(other->session->time());
  ASSERT_TRUE(other->session->toEnd().ok());
  times.push_back({1, 1, 0});
  std::mt19937 random(3);
  std::ranges::shuffle(times, random);
  times.resize(30);
  int written = 0;
  for (const debug::Time& t : times) {
    ASSERT_TRUE(other->session->toTime(t).ok());
    move("time " + std::to_string(t.dispatch) + "." + std::to_string(t.opened) + "." + std::to_string(t.step));
    for (std::uint32_t r = 0; r < job["resources"].size(); ++r) {
      const Resource& resource = other->session->resources()[r];
      if (!std::holds_alternative<ImageData>(resource.data)) continue;
      const Expected<Painted> whole = paint(resource, {.width = 5, .height = 3});
      ASSERT_TRUE(whole.ok());
      EXPECT_EQ(raw("picture", {{"resource", r}, {"width", 5}, {"height", 3}}).body, whole->bytes) << "resource " << r;
      for (std::size_t i = 3; i < whole->bytes.size(); i += 4) written += whole->bytes[i] == 0 ? 0 : 1;
    }
  }
  EXPECT_GT(written, 0);
}

TEST_F(WebFace, ABreakpointAndItsLastWriter) {
  move("break writeMean");
  Json state = move("continue");
  EXPECT_EQ(state["why"], "breakpoint");
  EXPECT_EQ(state["breakpoints"][0]["enabled"], true);
  const Json at = state["time"];
  move("end");
  state = move("reverse-continue");
  EXPECT_EQ(state["why"], "breakpoint");
  EXPECT_GE(state["time"], at);
  EXPECT_EQ(state["time"][0], 1);
  // All invocations are there at once: nobody has stored.
  state = move("writer blurred 4,2");
  EXPECT_EQ(state["why"], "breakpoint");
  EXPECT_EQ(state["log"].back()["text"], "nobody has written blurred 4,2 before");
  move("end");
  state = move("writer blurred 4,2");
  EXPECT_EQ(state["why"], "writer");
  EXPECT_EQ(state["focus"], Json({4, 2, 0}));
  EXPECT_EQ(state["frames"].size(), 2u);
}

// Whoever has the address reads the job, and no more: also by another run, and by the commands of a breakpoint.
TEST_F(WebFace, WritesNoFiles) {
  const std::filesystem::path file = std::filesystem::path(testing::TempDir()) / "lanewise-web-saved.png";
  std::filesystem::remove(file);
  const std::string save = "save blurred " + file.string();
  move("against schedule reverse");
  move("break writeMean");
  move("commands 1 " + save);
  for (const std::string& line : {save, "other " + save, std::string("continue")}) {
    const Json log = move(line)["log"];
    EXPECT_TRUE(std::ranges::any_of(log, [](const Json& l) {
      return l["text"].get<std::string>().find("the page writes no files") != std::string::npos;
    })) << log;
    EXPECT_FALSE(std::filesystem::exists(file)) << line;
  }
}

TEST_F(WebFace, TheGridHasEveryInvocationOfTheWorkgroup) {
  const Json grid = ask("grid", {{"expression", "gl_LocalInvocationIndex"}});
  const std::size_t count = grid["shape"][0].get<std::size_t>() * grid["shape"][1].get<std::size_t>() * grid["shape"][2].get<std::size_t>();
  ASSERT_EQ(grid["states"].get<std::string>().size(), count);
  for (std::size_t i = 0; i < count; ++i) EXPECT_EQ(grid["numbers"][i], i);
  EXPECT_EQ(ask("grid")["values"], Json());
  EXPECT_EQ(raw("grid", {{"expression", "1 +"}}).status, 400);
  move("end");
  EXPECT_EQ(raw("grid", {{"expression", "gl_LocalInvocationIndex"}}).status, 400);  // no workgroup is open
}

TEST_F(WebFace, WorkgroupMemorySaysWhoWroteIt) {
  subject_ = (std::filesystem::path(testing::TempDir()) / "lanewise-web-reduce.comp").string();
  size_ = "";
  std::ofstream(subject_)
      << "#version 450\nlayout(local_size_x = 4) in;\nlayout(binding = 0) buffer Data { uint data[]; };\nshared uvec2 sums[4];\n"
         "void main() {\n  uint i = gl_LocalInvocationIndex;\n  sums[i].x = i;\n  barrier();\n  if (i == 2) sums[0].x = 7;\n"
         "  barrier();\n  data[i] = sums[i].x;\n}\n";
  SessionArguments a;
  a.subject.text = subject_;
  a.subject.module.run.buffers = {"0:0=zeros:16"};
  Expected<std::unique_ptr<OpenedSession>> session = openForDebugging(a);
  ASSERT_TRUE(session.ok()) << session.error().text();
  face_ = std::make_unique<Face>(std::move(*session), std::vector<std::string>{});
  settled();
  EXPECT_EQ(ask("memory", {{"count", 99}})["known"], false);
  const auto row = [&](std::size_t i) {
    ask("find", {{"what", "stores"}});
    settled();
    const Json memory = ask("memory", {{"count", 99}});
    EXPECT_EQ(memory["known"], true);
    EXPECT_EQ(memory["values"].size(), 8u);
    return memory["values"][i];
  };
  EXPECT_EQ(row(0).value("writer", ""), "");
  move("break 9");
  move("continue");
  EXPECT_THAT(row(0)["writer"].get<std::string>(), HasSubstr("0,0,0 at lanewise-web-reduce.comp:7"));
  EXPECT_EQ(row(2)["name"], "sums[1].x");
  EXPECT_EQ(row(3).value("writer", ""), "");
  move("break 11");
  move("continue");
  EXPECT_THAT(row(0)["writer"].get<std::string>(), HasSubstr("2,0,0 at lanewise-web-reduce.comp:9"));
  EXPECT_EQ(row(0)["value"], "7");
  move("reverse-continue");  // earlier, and so it is again
  EXPECT_THAT(row(0)["writer"].get<std::string>(), HasSubstr("0,0,0 at"));
  const Json numbers = ask("numbers", {{"resource", 0}, {"count", 9}});
  EXPECT_EQ(numbers["values"].size(), 4u);
  EXPECT_EQ(numbers["values"][1]["name"], "data[1]");
}

TEST_F(WebFace, ALongMoveIsToldAndStopped) {
  size_ = "2048x2048";
  move("break writeMean if gl_GlobalInvocationID.x == 9999u");
  Json state = ask("command", {{"line", "continue"}});
  ASSERT_FALSE(state["moving"].is_null());
  EXPECT_EQ(state["moving"]["name"], "continue");
  EXPECT_EQ(raw("command", {{"line", "next"}}).status, 409);
  EXPECT_EQ(raw("grid").status, 503);
  state = ask("state");
  EXPECT_EQ(state["moving"]["name"], "continue");
  ask("stop");
  state = settled();
  EXPECT_EQ(state["why"], "interrupted");
  EXPECT_FALSE(state["atEnd"].get<bool>());
  EXPECT_EQ(raw("grid").status, 200);
}

TEST_F(WebFace, ARunIsComparedWithTheGoldenAndWithAnotherRun) {
  subject_ = "broken/box-blur-shift @ 1x2 radius=1 input=list:0,0,0,255,0,0,0,0";
  size_ = "";
  Json state = move("against golden");
  EXPECT_EQ(state["why"], "writer");
  EXPECT_EQ(state["time"][0], 1);
  EXPECT_THAT(state["log"].dump(), HasSubstr("8 bytes differ from the golden, the first in 'blurred': target[0,0]"));
  state = move("against schedule reverse");
  EXPECT_THAT(state["log"].dump(), HasSubstr("every invocation does the same there"));
}

TEST_F(WebFace, TheSubjectIsCompiledAgain) {
  subject_ = (std::filesystem::path(testing::TempDir()) / "lanewise-web-again.comp").string();
  const auto write = [&](const char* before, const char* value) {
    std::ofstream(subject_)
        << "#version 450\nlayout(local_size_x = 4) in;\nlayout(binding = 0) buffer Data { uint data[]; };\nvoid main() {\n  " << before
        << "uint i = gl_LocalInvocationIndex;\n  i += " << value << ";\n  data[gl_LocalInvocationIndex] = i;\n}\n";
  };
  write("", "1u");
  SessionArguments a;
  a.subject.text = subject_;
  a.subject.module.run.buffers = {"0:0=zeros:16"};
  Expected<std::unique_ptr<OpenedSession>> session = openForDebugging(a);
  ASSERT_TRUE(session.ok()) << session.error().text();
  face_ = std::make_unique<Face>(std::move(*session), std::vector<std::string>{});
  const Json before = move("break 6");
  move("continue");
  move("watch i");
  // The variable lies elsewhere now. It is watched there.
  write("uint other[3]; other[gl_LocalInvocationIndex % 3u] = 5u; ", "70u + other[0]");
  Json state = move("reload");
  EXPECT_EQ(state["compiled"].get<int>(), before["compiled"].get<int>() + 1);
  EXPECT_EQ(state["breakpoints"].size(), 2u);
  EXPECT_EQ(state["frames"][0]["line"], 6);
  EXPECT_THAT(ask("source", {{"file", state["frames"][0]["file"]}})["text"].get<std::string>(), HasSubstr("i += 70u"));
  state = move("continue");
  EXPECT_EQ(state["why"], "breakpoint");
  EXPECT_THAT(state["log"].dump(), HasSubstr("  0 becomes 75"));
  move("end");
  EXPECT_EQ(ask("numbers", {{"resource", 0}, {"count", 9}})["values"][0]["value"], "75");
  std::ofstream(subject_) << "no kernel";
  state = move("reload");
  EXPECT_EQ(state["compiled"].get<int>(), before["compiled"].get<int>() + 1);
  EXPECT_EQ(ask("numbers", {{"resource", 0}, {"count", 9}})["values"][0]["value"], "75");
}

TEST_F(WebFace, FindingsAreLookedForOnRequest) {
  subject_ = "broken/fingerprint-location @ 2x3 input=constant:255";
  size_ = "";
  settled();
  EXPECT_EQ(ask("findings")["known"], false);
  ask("find", {{"what", "findings"}});
  settled();
  const Json found = ask("findings");
  EXPECT_EQ(found["known"], true);
  EXPECT_THAT(found["findings"][0]["text"].get<std::string>(), HasSubstr("out of range"));
  EXPECT_EQ(move("finding 1")["why"], "finding");
}

// Every question with arguments that are changed at random: missing, of another type, out of range.
TEST_F(WebFace, GarbledQuestionsHaveOneAnswer) {
  const std::vector<std::pair<std::string, Json>> good{
      {"state", {{"version", 1}, {"since", 0}}},
      {"source", {{"file", 0}}},
      {"disassembly", {{"address", "0x100000014"}, {"first", -5}, {"count", 9}}},
      {"grid", {{"expression", "at"}, {"hex", true}}},
      {"scopes", Json::object()},
      {"variables", {{"variablesReference", 1}, {"version", 1}, {"start", 0}, {"count", 5}}},
      {"value", {{"expressions", {"at", "1 +"}}, {"hex", false}}},
      {"completions", {{"line", "print a"}}},
      {"findings", Json::object()},
      {"picture",
       {{"resource", 0},
        {"level", 0},
        {"slice", 0},
        {"x", 0},
        {"y", 0},
        {"width", 5},
        {"height", 3},
        {"step", 1},
        {"channels", "rgb"},
        {"low", 0.5},
        {"high", 9}}},
      {"texels", {{"resource", 1}, {"x", 1}, {"y", 1}, {"width", 2}, {"height", 2}}},
      {"numbers", {{"resource", 0}, {"from", 0}, {"count", 9}, {"type", "f32"}}},
      {"memory", {{"from", 0}, {"count", 9}}},
      {"find", {{"what", "steps"}}},
      {"command", {{"line", "info locals"}}},
      {"stop", Json::object()},
  };
  const std::vector<Json> odd{nullptr,
                              -1,
                              1,
                              0,
                              4294967296,
                              1e300,
                              0.5,
                              "",
                              "x",
                              "0x1",
                              true,
                              Json::array(),
                              Json::object(),
                              Json::array({1}),
                              std::string(3000, '(')};
  std::mt19937 random(5);
  for (int i = 0; i < 1500; ++i) {
    auto [name, arguments] = good[random() % good.size()];
    for (auto& [key, value] : arguments.items())
      if (random() % 3 == 0) value = odd[random() % odd.size()];
    if (!arguments.empty() && random() % 8 == 0) arguments.erase(arguments.begin());
    const HttpAnswer answer = raw(name, arguments);
    EXPECT_THAT(answer.status, testing::AnyOf(200, 400, 409, 503)) << name << arguments;
    EXPECT_TRUE(answer.type != "application/json" || Json::accept(answer.body)) << name << arguments;
  }
  EXPECT_EQ(raw("no_such").status, 404);
  settled();
}

TEST(WebPicture, ValuesBecomeColours) {
  Resource r = undefinedImage("r", Format::R32_SFLOAT, {4, 1, 1});
  const float values[] = {-2, 0.5f, NAN};
  std::memcpy(r.bytes().data(), values, sizeof values);
  const auto colours = [&](View v) {
    v.width = 99;
    v.height = 99;
    const Expected<Painted> p = paint(r, v);
    std::vector<int> out;
    for (const char c : p ? p->bytes : "") out.push_back(static_cast<unsigned char>(c));
    return out;
  };
  // From the least to the greatest; NaN is magenta; the last texel is poison.
  EXPECT_EQ(colours({}), (std::vector<int>{0, 0, 0, 255, 255, 255, 255, 255, 255, 0, 255, 255, 0, 0, 0, 0}));
  EXPECT_EQ(colours({.step = 2}), (std::vector<int>{0, 0, 0, 255, 255, 0, 255, 255}));
  EXPECT_EQ(colours({.x = 1, .low = 0, .high = 1}), (std::vector<int>{128, 128, 128, 255, 255, 0, 255, 255, 0, 0, 0, 0}));
  for (const View& bad :
       {View{.level = 1, .width = 1, .height = 1}, View{.slice = 1, .width = 1, .height = 1}, View{.x = 4, .width = 1, .height = 1},
        View{.width = 0, .height = 1}, View{.width = 1, .height = 1, .step = 0}, View{.width = 1, .height = 1, .grey = 4}})
    EXPECT_FALSE(paint(r, bad).ok());
}

// lavapipe divides by multiplying with 1 / max: for some codes the nearest float is another one.
TEST(WebPicture, ValuesAreThoseOfTheProfile) {
  Resource r = undefinedImage("r", Format::R16_UNORM, {1, 1, 1});
  const TexelRules lavapipe{.decode = NormDecode::kReciprocal};
  bool differs = false;
  for (std::uint32_t code = 1; code < 65535 && !differs; ++code) {
    std::memcpy(r.bytes().data(), &code, 2);
    const double exact = static_cast<float>(code) / 65535.0f, other = static_cast<float>(code) * (1.0f / 65535.0f);
    if (exact == other) continue;
    differs = true;
    const View v{.width = 1, .height = 1, .low = std::min(exact, other), .high = std::max(exact, other)};
    const Expected<Painted> strict = paint(r, v), own = paint(r, v, lavapipe);
    ASSERT_TRUE(strict.ok() && own.ok());
    EXPECT_EQ(strict->bytes[0], exact < other ? '\0' : '\xff');
    EXPECT_EQ(own->bytes[0], exact < other ? '\xff' : '\0');
  }
  EXPECT_TRUE(differs);
}

TEST(WebGuard, TokensAreLongAndDiffer) {
  const Expected<std::string> a = makeToken(), b = makeToken();
  ASSERT_TRUE(a.ok() && b.ok());
  EXPECT_EQ(a->size(), 32u);
  EXPECT_NE(*a, *b);
}

}  // namespace
}  // namespace lanewise::web
