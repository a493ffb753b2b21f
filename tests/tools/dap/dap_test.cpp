// `lanewise dap` as an editor meets it: whole conversations, which stand in files, and what comes while the run goes.
//
// A conversation has a request a line, "> COMMAND ARGUMENTS", and below it what the program sends: "< answer BODY", "< refused BODY" or
// "< EVENT BODY". "FOLDER" stands for where it runs, "ADDRESS" for where an instruction is in what the installed compiler makes of GLSL;
// the conversation about instructions has SPIR-V of its own. "FILTERS" stands for the kinds of findings, which the conversation about
// findings lists. To write one anew, run with LANEWISE_WRITE_CONVERSATIONS=1 and read what changed.
#include "tests/tools/dap/client.h"

#include <arpa/inet.h>
#include <sys/socket.h>

#include <fstream>
#include <regex>
#include <sstream>

#include "tests/tools/cli/cli_fixture.h"

namespace lanewise {
namespace {

class Dap : public Scratch {
 protected:
  void SetUp() override {
    for (const auto& file : std::filesystem::directory_iterator(LANEWISE_CONVERSATIONS))
      if (file.path().extension() != ".txt") std::filesystem::copy(file.path(), folder_);
  }
  std::string replaced(std::string text, const std::string& what, const std::string& by) const {
    for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + by.size())) text.replace(at, what.size(), by);
    return text;
  }
};

// A message as a line of a conversation.
std::string lineOf(Json m) {
  const bool isEvent = m["type"] == "event";
  const std::string kind = isEvent ? m["event"].get<std::string>() : m["success"].get<bool>() ? "answer" : "refused";
  const Json body = kind == "refused" ? Json(m["body"]["error"]["format"]) : m.value("body", Json());
  return "< " + kind + (body.is_null() ? "" : " " + body.dump());
}

// The words of a module are another compiler's choice.
std::string withoutAddresses(const std::string& text) {
  static const std::regex address(R"re("(instructionReference|instructionPointerReference)":"0x[0-9a-f]+")re");
  return std::regex_replace(text, address, R"("$1":"ADDRESS")");
}

std::string withoutFilters(const std::string& text) {
  static const std::regex filters(R"re("exceptionBreakpointFilters":\[[^\]]*\])re");
  return std::regex_replace(text, filters, R"("exceptionBreakpointFilters":"FILTERS")");
}

// What ends the answers to a request: its response, or for one that moves the stop behind it.
bool isLast(const std::string& command, const Json& m) {
  const bool moves = command == "continue" || command == "reverseContinue" || command == "next" || command == "stepIn" ||
                     command == "stepOut" || command == "stepBack" || command == "restartFrame" || command == "configurationDone" ||
                     command == "restart" || command == "console";
  if (command == "launch" && m["type"] == "event") return m["event"] == "initialized";
  if (m["type"] == "response") return !m["success"].get<bool>() || (!moves && command != "launch" && command != "terminate");
  return m["event"] == "stopped" || m["event"] == "terminated";
}

class Conversation : public Dap, public testing::WithParamInterface<const char*> {};

TEST_P(Conversation, GoesAsItIsWritten) {
  const std::string path = std::string(LANEWISE_CONVERSATIONS) + "/" + GetParam() + ".txt";
  std::ifstream file(path);
  ASSERT_TRUE(file.good()) << path;
  const std::string folder = std::filesystem::canonical(folder_).string();
  Client editor(folder, {"dap"});
  std::string said, expected;
  int answers = 0;
  for (std::string line; std::getline(file, line);) {
    expected += line + "\n";
    if (line.starts_with('<')) continue;
    said += line + "\n";
    if (!line.starts_with('>')) continue;
    std::istringstream words(line.substr(2));
    std::string command, arguments;
    words >> command;
    std::getline(words, arguments);
    const std::string sent = command == "console" ? "evaluate" : command;  // a command that moves
    const Json body = arguments.empty() ? Json::object() : Json::parse(replaced(arguments, "FOLDER", folder));
    editor.seen.clear();
    editor.send(sent, body);
    const Json last = editor.until([&command](const Json& m) { return isLast(command, m); });
    ASSERT_FALSE(last.is_null()) << "no answer to " << line;
    for (const Json& m : editor.seen) {
      const std::string_view about = GetParam();
      std::string told = replaced(lineOf(m), folder, "FOLDER");
      if (about != "instructions") told = withoutAddresses(told);
      if (about != "findings") told = withoutFilters(told);
      said += told + "\n";
      ++answers;
    }
  }
  EXPECT_EQ(editor.end(), 0);
  EXPECT_GT(answers, 5);
  if (::getenv("LANEWISE_WRITE_CONVERSATIONS") != nullptr)
    std::ofstream(path) << said;
  else
    EXPECT_EQ(said, expected);
}

INSTANTIATE_TEST_SUITE_P(Dap, Conversation,
                         testing::Values("steps", "findings", "data", "instructions", "images", "restart", "set", "against", "events",
                                         "pointers"),
                         [](const auto& instance) { return instance.param; });

// A run that takes long: no invocation meets the condition.
class LongRun : public Dap {
 protected:
  void start() {
    editor_.ask("initialize", {{"adapterID", "test"}, {"supportsProgressReporting", true}});
    ASSERT_TRUE(editor_
                    .ask("launch", {{"program", "box-blur/double/naive"},
                                    {"args", {"--size", "1024x1024", "--radius", "3"}},
                                    {"stopOnEntry", true}})["success"]
                    .get<bool>());
    editor_.ask("setFunctionBreakpoints", {{"breakpoints", {{{"name", "writeMean"}, {"condition", "gl_GlobalInvocationID.x > 9999u"}}}}});
    editor_.send("configurationDone");
    ASSERT_FALSE(editor_.event("stopped").is_null());
  }
  std::vector<std::string> events() const {
    std::vector<std::string> out;
    for (const Json& m : editor_.seen)
      if (m["type"] == "event") out.push_back(m["event"]);
    return out;
  }
  Client editor_{"/", {"dap"}};
};

TEST_F(LongRun, IsPausedAndGoesOn) {
  start();
  editor_.seen.clear();
  ASSERT_TRUE(editor_.ask("continue", {{"threadId", 1}})["success"].get<bool>());
  ASSERT_FALSE(editor_.event("progressUpdate").is_null());
  const int pause = editor_.send("pause", {{"threadId", 1}});
  const Json stopped = editor_.event("stopped");
  EXPECT_EQ(stopped["body"]["reason"], "pause");
  EXPECT_TRUE(editor_.response(pause)["success"].get<bool>());
  EXPECT_THAT(events(), testing::Contains("progressStart").Times(1));
  EXPECT_THAT(events(), testing::Contains("progressEnd").Times(1));
  const Json frames = editor_.ask("stackTrace", {{"threadId", stopped["body"]["threadId"]}});
  EXPECT_NE(frames["body"]["stackFrames"][0]["name"], "the run is over");
  // Once more, and back to the start: the pause is used up.
  editor_.send("reverseContinue", {{"threadId", 1}});
  EXPECT_EQ(editor_.event("stopped")["body"]["reason"], "entry");
  EXPECT_TRUE(editor_.ask("disconnect")["success"].get<bool>());
  EXPECT_EQ(editor_.end(), 0);
}

TEST_F(LongRun, ItsProgressIsCancelled) {
  start();
  ASSERT_TRUE(editor_.ask("continue", {{"threadId", 1}})["success"].get<bool>());
  const Json progress = editor_.event("progressStart");
  const int waits = editor_.send("threads"), goes = editor_.send("threads");
  editor_.send("cancel", {{"requestId", 999}});  // the near miss: there is none of that number
  editor_.send("cancel", {{"requestId", goes}});
  editor_.send("cancel", {{"progressId", progress["body"]["progressId"]}});
  EXPECT_EQ(editor_.event("stopped")["body"]["reason"], "pause");
  EXPECT_TRUE(editor_.response(waits)["success"].get<bool>());
  EXPECT_EQ(editor_.response(goes)["message"], "cancelled");
}

TEST_F(LongRun, TheEndOfTheInputEndsIt) {
  start();
  editor_.send("continue", {{"threadId", 1}});
  ASSERT_FALSE(editor_.event("progressStart").is_null());
  EXPECT_EQ(editor_.end(), 0);
}

// A socket that is connected to a port of this host, or -1.
int connected(int port) {
  const int out = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return ::connect(out, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0 ? out : -1;
}

TEST_F(Dap, SessionsByTcpGoSideBySide) {
  Client server(folder_.string(), {"dap", "--port", "0"});
  const std::string said = server.line();
  ASSERT_THAT(said, testing::StartsWith("listening on 127.0.0.1:"));
  const int port = std::stoi(said.substr(said.rfind(':') + 1));
  {
    Client one(connected(port)), two(connected(port));
    for (Client* editor : {&one, &two}) {
      editor->ask("initialize", {{"adapterID", "test"}});
      const char* size = editor == &one ? "zeros:16" : "zeros:32";
      ASSERT_TRUE(
          editor
              ->ask("launch",
                    {{"program", "turns.comp"}, {"args", {"--buffer", std::string("0:0=") + size}}, {"stopOnEntry", true}})["success"]
              .get<bool>());
      editor->send("configurationDone");
      EXPECT_EQ(editor->event("stopped")["body"]["reason"], "entry");
    }
    one.send("next", {{"threadId", 1}});
    EXPECT_EQ(one.event("stopped")["body"]["reason"], "step");
    const auto line = [](Client& c) { return c.ask("stackTrace", {{"threadId", 1}})["body"]["stackFrames"][0]["line"].get<int>(); };
    EXPECT_EQ(line(one), 10);
    EXPECT_EQ(line(two), 9);
    const auto bytes = [](Client& c) {
      return c.ask("readMemory", {{"memoryReference", "0x10000000000"}, {"count", 99}})["body"]["unreadableBytes"].get<int>();
    };
    EXPECT_EQ(bytes(one), 83);
    EXPECT_EQ(bytes(two), 67);
    for (const std::string& folder : {std::string("/"), std::string(300, 'a')})
      EXPECT_FALSE(one.ask("launch", {{"program", "turns.comp"}, {"cwd", folder}})["success"].get<bool>());
    ASSERT_TRUE(one.ask("disconnect")["success"].get<bool>());
    EXPECT_EQ(line(two), 9);  // and this one is still there
  }
  ::kill(server.process(), SIGTERM);
  EXPECT_EQ(server.end(), 0);
}

TEST_F(Dap, ExpressionsMayHaveBlanks) {
  Client editor(folder_.string(), {"dap"});
  editor.ask("initialize", {{"adapterID", "test"}});
  const Json launch = {{"program", "box-blur/double/naive"}, {"args", {"--size", "3x2", "--input", "ramp"}}, {"stopOnEntry", true}};
  ASSERT_TRUE(editor.ask("launch", launch)["success"].get<bool>());
  editor.send("configurationDone");
  ASSERT_EQ(editor.event("stopped")["body"]["reason"], "entry");
  for (const char* texel : {"source[1, 0]", "source[1,0]", "source 1,0", "source 1, 0"})
    EXPECT_EQ(editor.ask("evaluate", {{"expression", texel}, {"context", "watch"}})["body"]["result"], "(127, 0, 85, 127)") << texel;
  EXPECT_EQ(editor.ask("evaluate", {{"expression", "max(gl_SubgroupID, 3u)- 1u"}, {"context", "hover"}})["body"]["result"], "2");
  EXPECT_FALSE(editor.ask("evaluate", {{"expression", "sources 1,0"}, {"context", "watch"}})["success"].get<bool>());
  EXPECT_TRUE(editor.ask("disconnect")["success"].get<bool>());
  EXPECT_EQ(editor.end(), 0);
}

// Its sources are in it. The golden is there too.
TEST_F(Dap, ACapsuleIsLaunched) {
  const std::string subject = "'broken/box-blur-shift @ 1x2 radius=1 input=list:0,0,0,255,0,0,0,0'";
  ASSERT_EQ(shell("cd " + folder_.string() + " && " LANEWISE_PROGRAM " capsule " + subject + " --file shift.capsule 2>&1").code, 0);
  Client editor(folder_.string(), {"dap"});
  editor.ask("initialize", {{"adapterID", "test"}});
  ASSERT_TRUE(editor.ask("launch", {{"program", "shift.capsule"}, {"stopOnEntry", true}})["success"].get<bool>());
  editor.send("configurationDone");
  ASSERT_EQ(editor.event("stopped")["body"]["reason"], "entry");
  editor.seen.clear();
  EXPECT_THAT(editor.ask("evaluate", {{"expression", "against golden"}, {"context", "repl"}})["body"]["result"].get<std::string>(),
              testing::HasSubstr("last written by invocation 0,0,0"));
  ASSERT_FALSE(editor.event("stopped").is_null());
  const Json frame = editor.ask("stackTrace", {{"threadId", 1}})["body"]["stackFrames"][0];
  EXPECT_EQ(frame["name"], "writeMean");
  const Json source = editor.ask("source", {{"source", frame["source"]}, {"sourceReference", frame["source"]["sourceReference"]}});
  EXPECT_THAT(source["body"]["content"].get<std::string>(), testing::HasSubstr("imageStore(target, at, high >> push.shift);"));
  EXPECT_TRUE(editor.ask("disconnect")["success"].get<bool>());
  EXPECT_EQ(editor.end(), 0);
}

TEST_F(Dap, WhatIsNoOptionOfASessionIsRefused) {
  Client editor(folder_.string(), {"dap"});
  editor.ask("initialize", {{"adapterID", "test"}});
  const Json answer = editor.ask("launch", {{"program", "box-blur/double/naive"}, {"args", {"--web"}}});
  EXPECT_FALSE(answer["success"].get<bool>());
  EXPECT_THAT(answer.dump(), testing::HasSubstr("--web"));
}

TEST_F(Dap, WhatIsBrokenIsAnsweredAndTheNextIsRead) {
  Client editor(folder_.string(), {"dap"});
  editor.write("Content-Length: 2\r\n\r\n{]Rubbish\r\n\r\nContent-Length: 4\r\n\r\n[{}]");
  for (int i = 0; i < 3; ++i) EXPECT_EQ(editor.receive()["success"], false);
  EXPECT_TRUE(editor.ask("initialize", {{"adapterID", "test"}})["success"].get<bool>());
  editor.write(std::string(9999, 'x'));  // no header can be so long
  EXPECT_EQ(editor.receive()["success"], false);
  EXPECT_EQ(editor.end(), 0);
}

}  // namespace
}  // namespace lanewise
