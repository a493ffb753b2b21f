// The debugger's page over HTTP, asked by friend and foe: who gets an answer, what is refused, and that nothing ends the program but its
// user.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <random>

#include "tests/tools/web/site.h"

namespace lanewise {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

const std::vector<std::string> kBlur{"box-blur/double/naive", "--size", "5x3"};

class WebSite : public testing::Test {
 protected:
  Site site_{kBlur};
};

TEST_F(WebSite, ShowsThePageToWhoHasTheToken) {
  ASSERT_FALSE(site_.address.empty());
  EXPECT_EQ(site_.path.size(), 34u);
  const Site::Answer page = site_.request("GET", site_.path);
  EXPECT_EQ(page.status, 200);
  EXPECT_THAT(page.body, HasSubstr("<title>Lanewise</title>"));
  EXPECT_THAT(page.head, AllOf(HasSubstr("Content-Security-Policy: default-src 'none'"), HasSubstr("frame-ancestors 'none'"),
                               HasSubstr("X-Content-Type-Options: nosniff"), HasSubstr("Referrer-Policy: no-referrer"),
                               HasSubstr("Cache-Control: no-store"), Not(HasSubstr("Access-Control"))));
  for (const char* file : {"page.css", "page.js", "look.js", "memory.js"})
    EXPECT_EQ(site_.request("GET", site_.path + file).status, 200) << file;
  // Nothing from elsewhere is named: it works without a network.
  for (const char* file : {"", "page.css", "page.js", "look.js", "memory.js"})
    EXPECT_THAT(site_.request("GET", site_.path + file).body,
                AllOf(Not(HasSubstr("http:")), Not(HasSubstr("https:")), Not(HasSubstr("//cdn"))))
        << file;
  EXPECT_EQ(site_.ask("state").json()["focus"], Json({0, 0, 0}));
}

TEST_F(WebSite, RefusesEverybodyElse) {
  std::string other = site_.path;
  other[5] = other[5] == '0' ? '1' : '0';
  const std::string ask = "ask/state";
  for (const std::string& path :
       {std::string("/"), std::string("/favicon.ico"), std::string("/page.js"), other, other + ask, site_.path.substr(0, 33),
        site_.path.substr(0, 32) + "/", "/x" + site_.path, std::string("/../") + site_.path}) {
    EXPECT_EQ(site_.request("GET", path).status, 403) << path;
    EXPECT_EQ(site_.request("POST", path, "{}", Site::kJson).status, 403) << path;
  }
  // A name of another site that was made to mean this host, and pages of others that know the address.
  for (const std::string& host : {std::string("evil.example"), "evil.example:" + std::to_string(site_.port), std::string("127.0.0.1"),
                                  std::string("127.0.0.1:1"), "127.0.0.1.evil.example:" + std::to_string(site_.port)})
    EXPECT_EQ(site_.request("GET", site_.path, "", "", host).status, 403) << host;
  EXPECT_EQ(site_.request("GET", site_.path, "", "Host: " + site_.host + "\r\n").status, 403) << "two hosts";
  for (const std::string& origin : {std::string("http://evil.example"), std::string("null"), std::string("http://127.0.0.1"),
                                    "https://" + site_.host, "http://" + site_.host + ".evil.example"})
    EXPECT_EQ(site_.request("POST", site_.path + ask, "{}", Site::kJson + ("Origin: " + origin + "\r\n")).status, 403) << origin;
  // The near misses: the page's own.
  EXPECT_EQ(site_.request("POST", site_.path + ask, "{}", Site::kJson + ("Origin: http://" + site_.host + "\r\n")).status, 200);
  EXPECT_EQ(site_.request("GET", site_.path, "", "", "localhost:" + std::to_string(site_.port)).status, 200);
}

TEST_F(WebSite, ListensOnThisHostAlone) {
  const int s = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in to{};
  to.sin_family = AF_INET;
  to.sin_port = htons(site_.port);
  to.sin_addr.s_addr = htonl(INADDR_LOOPBACK + 1);  // 127.0.0.2: another address of this host
  EXPECT_NE(::connect(s, reinterpret_cast<const sockaddr*>(&to), sizeof to), 0);
  ::close(s);
}

TEST_F(WebSite, SaysWhatIsWrongWithARequest) {
  const auto post = [&](const std::string& what, const std::string& body, const std::string& fields = Site::kJson) {
    return site_.request("POST", site_.path + what, body, fields).status;
  };
  EXPECT_EQ(post("ask/state", "{}"), 200);
  EXPECT_EQ(post("ask/fly", "{}"), 404);
  EXPECT_EQ(post("state", "{}"), 404);
  EXPECT_EQ(site_.request("GET", site_.path + "ask/state").status, 404);
  EXPECT_EQ(site_.request("GET", site_.path + "../page.js").status, 404);
  for (const char* method : {"PUT", "DELETE", "OPTIONS", "PATCH"}) EXPECT_EQ(site_.request(method, site_.path).status, 405) << method;
  for (const char* body : {"", "{", "[]", "7", "{\"since\": }", "\xff\xfe", "{\"since\": \"x\"}", "{\"since\": -1}", "{\"since\": 1e99}"})
    EXPECT_EQ(post("ask/state", body), 400) << body;
  EXPECT_EQ(post("ask/state", std::string(60'000, '[')), 400);
  EXPECT_EQ(post("ask/state", "{}", ""), 415);
  EXPECT_EQ(post("ask/state", "{}", "Content-Type: text/plain\r\n"), 415);
  EXPECT_EQ(post("ask/state", "since=1", "Content-Type: application/x-www-form-urlencoded\r\n"), 415);
  EXPECT_EQ(post("ask/state", "{\"x\": \"" + std::string(100'000, 'x') + "\"}"), 413);
  EXPECT_EQ(site_.request("GET", site_.path + std::string(20'000, 'x')).status, 414);
  const std::string chunked =
      "POST " + site_.path + "ask/state HTTP/1.1\r\nHost: " + site_.host +
      "\r\nContent-Type: application/json\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n";
  EXPECT_THAT(site_.exchange(chunked), HasSubstr("HTTP/1.1 411"));
  EXPECT_THAT(site_.ask("grid", {{"expression", "no_such"}}).json()["error"].get<std::string>(), HasSubstr("no_such"));
}

TEST_F(WebSite, StaysThroughGarbage) {
  std::mt19937 random(13);
  const std::string good = "POST " + site_.path + "ask/state HTTP/1.1\r\nHost: " + site_.host +
                           "\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}";
  for (int i = 0; i < 300; ++i) {
    std::string bytes = good;
    for (int k = 0; k < 3; ++k) {
      const std::size_t at = random() % bytes.size();
      switch (random() % 4) {
        case 0:
          bytes[at] = static_cast<char>(random());
          break;
        case 1:
          bytes.erase(at, random() % 20);
          break;
        case 2:
          bytes.insert(at, bytes.substr(random() % bytes.size(), random() % 40));
          break;
        default:
          bytes.resize(at + 1);
      }
    }
    static_cast<void>(site_.exchange(bytes, 5));  // no answer is waited for: the connection is dropped
  }
  EXPECT_TRUE(site_.isRunning());
  EXPECT_EQ(site_.ask("state").status, 200);
}

TEST_F(WebSite, ManyIdleConnectionsLetTheNextOneIn) {
  std::vector<int> idle;
  for (int i = 0; i < 40; ++i) idle.push_back(site_.connect());
  EXPECT_EQ(site_.ask("state").status, 200);
  for (const int s : idle) ::close(s);
}

TEST(WebSites, EndByCtrlCAndByQuit) {
  for (const int signal : {SIGINT, SIGTERM}) {
    Site site(kBlur);
    ASSERT_EQ(site.ask("state").status, 200);
    EXPECT_EQ(site.end(signal), 0);
  }
  Site site(kBlur);
  EXPECT_EQ(site.ask("command", {{"line", "quit"}}).status, 200);
  EXPECT_EQ(site.end(0), 0);
}

TEST(WebSites, TwoAtOnceKnowNothingOfEachOther) {
  const Site a(kBlur), b(kBlur);
  ASSERT_NE(a.port, b.port);
  ASSERT_NE(a.path, b.path);
  a.ask("command", {{"line", "end"}});
  EXPECT_TRUE(a.ask("state").json()["atEnd"].get<bool>());
  EXPECT_FALSE(b.ask("state").json()["atEnd"].get<bool>());
  EXPECT_EQ(a.request("GET", b.path).status, 403);
}

TEST(WebSites, CommandsOfTheCommandLineRunFirst) {
  std::vector<std::string> words = kBlur;
  words.insert(words.end(), {"-e", "break writeMean", "-e", "continue"});
  const Site site(words);
  Json state = Json::object();
  for (int i = 0; i < 100 && state.value("why", "") != "breakpoint"; ++i) state = site.ask("state").json();
  EXPECT_EQ(state["why"], "breakpoint");
  EXPECT_EQ(state["log"][0]["text"], "break writeMean");
}

TEST(WebSites, OpenACapsule) {
  std::string file = std::filesystem::temp_directory_path() / "lanewise-XXXXXX.capsule";
  ::close(::mkstemps(file.data(), 8));
  const std::string make =
      LANEWISE_PROGRAM " capsule 'broken/box-blur-shift @ 1x2 radius=1 input=list:0,0,0,255,0,0,0,0' --file " + file + " > /dev/null";
  ASSERT_EQ(std::system(make.c_str()), 0);
  const Site site({file});
  EXPECT_EQ(site.ask("command", {{"line", "against golden"}}).status, 200);
  const Json state = site.ask("state").json();
  EXPECT_THAT(state["log"].dump(), HasSubstr("last written by invocation 0,0,0"));
  EXPECT_THAT(state["place"].get<std::string>(), HasSubstr("box_blur.glsl:76 in writeMean"));
  std::filesystem::remove(file);
}

TEST(WebSites, TellWhatIsWrongWithTheCommandLine) {
  EXPECT_EQ(Site({"no/such"}).end(0), 2);
  EXPECT_EQ(Site({"box-blur/double/naive", "--dap"}).end(0), 2);
  const Site site(kBlur);
  std::vector<std::string> words = kBlur;
  words.insert(words.end(), {"--port", std::to_string(site.port)});
  EXPECT_EQ(Site(words).end(0), 6);  // somebody else listens there
}

}  // namespace
}  // namespace lanewise
