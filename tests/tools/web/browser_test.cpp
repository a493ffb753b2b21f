// The debugger's page in a browser, with mouse and keys, as a person meets it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/tools/web/browser.h"

namespace lanewise {
namespace {

using testing::IsEmpty;

// docs/debug.md, "A wrong texel", by clicks: from the wrong texel to the store that wrote it, and the value that is wrong there.
TEST(WebPage, LeadsFromAWrongTexelToTheLine) {
  if (Browser::program().empty()) GTEST_SKIP() << "Debian's chromium is not installed (a snap of it sees no folder of ours)";
  const Site site({"broken/box-blur-shift @ 1x2 radius=1 input=list:0,0,0,255,0,0,0,0"});
  Browser browser(1500, 950);
  ASSERT_TRUE(browser.isOpen());
  browser.open(site.address);
  ASSERT_TRUE(browser.becomes("document.querySelector('#source .row.now')"));
  EXPECT_TRUE(browser.becomes("document.querySelector('#source .row.now').innerText.includes('gl_GlobalInvocationID')"));

  browser.click("[data-do=end]");
  ASSERT_TRUE(browser.becomes("document.getElementById('place').innerText === 'the end of the run'"));
  // The picture shows the image as it is then: the upper texel is black but for alpha. Its lower half is the other texel.
  ASSERT_TRUE(browser.becomes("document.querySelector('#resources .chosen').innerText === 'blurred'"));
  ASSERT_TRUE(browser.becomes("document.getElementById('picture').dataset.version === String(state.version)"));
  // A little above the middle: however high the picture's place is, that is the upper texel.
  browser.click("#picture", 0.5, 0.45);
  ASSERT_TRUE(browser.becomes("document.querySelector('#log').innerText.includes('last written by invocation 0,0,0')"));
  ASSERT_TRUE(browser.becomes("document.querySelector('#source .row.now')?.innerText.includes('imageStore')"));
  EXPECT_EQ(browser.value("document.querySelectorAll('#stack .item').length"), 2);

  browser.click("#stack .item:nth-child(2)");
  ASSERT_TRUE(
      browser.becomes("[...document.querySelectorAll('#variables .item')].some(i => i.querySelector('.name').innerText === 'line' && "
                      "i.querySelector('.value').innerText === '-1')"));
  EXPECT_TRUE(browser.becomes("document.querySelector('#source .row.caller')?.innerText.includes('writeMean(at')"));
  EXPECT_THAT(browser.complaints, IsEmpty());
}

// Who does not know the address reads what it needs, and nothing of the session.
TEST(WebPage, WithoutItsTokenSaysWhatItNeeds) {
  if (Browser::program().empty()) GTEST_SKIP() << "Debian's chromium is not installed (a snap of it sees no folder of ours)";
  const Site site({"box-blur/double/naive", "--size", "5x3"});
  Browser browser(600, 400);
  ASSERT_TRUE(browser.isOpen());
  const std::string root = "http://" + site.host + "/";
  std::string other = site.address;
  other[root.size()] = other[root.size()] == '0' ? '1' : '0';
  for (const std::string& address : {root, other}) {
    browser.open(address);
    ASSERT_TRUE(
        browser.becomes("location.href === " + Json(address).dump() + " && document.body?.innerText.includes('needs the address')"));
    EXPECT_EQ(browser.value("document.body.innerText.trim()"), "This needs the address that `lanewise debug --web` printed.");
  }
}

// On a busy host a question may come while others have the session. The page asks again, and shows no half of a state.
TEST(WebPage, AsksAgainWhatHadToWait) {
  if (Browser::program().empty()) GTEST_SKIP() << "Debian's chromium is not installed (a snap of it sees no folder of ours)";
  const Site site({"box-blur/double/naive", "--size", "5x3"});
  Browser browser(1500, 950);
  ASSERT_TRUE(browser.isOpen());
  browser.open(site.address);
  ASSERT_TRUE(browser.becomes("document.querySelectorAll('.lane').length > 0"));
  browser.value(
      "globalThis.refusals = {grid: 2, variables: 2, picture: 2}; const real = fetch; globalThis.fetch = (to, how) => "
      "--refusals[to.split('/').pop()] >= 0 ? "
      "Promise.resolve(new Response('{\"error\":\"a move goes on\"}', {status: 503})) : real(to, how); true");
  browser.click("[data-do=next]");
  ASSERT_TRUE(browser.becomes("refusals.grid < 0 && refusals.variables < 0 && refusals.picture < 0"));
  EXPECT_TRUE(browser.becomes("document.getElementById('picture').dataset.version === String(state.version)"));
  EXPECT_TRUE(browser.becomes("document.querySelectorAll('.lane.next').length > 0"));
  EXPECT_TRUE(browser.becomes("document.querySelectorAll('#variables .item').length > 0"));
  EXPECT_EQ(browser.value("document.body.innerText.includes('a move goes on')"), false);
  // The letters are in small cells too.
  EXPECT_EQ(browser.value("[...document.querySelectorAll('.lane')].every(l => l.innerText.length === 1)"), true);
  EXPECT_THAT(browser.complaints, IsEmpty());
}

TEST(WebPage, StepsBothWaysAndStopsAtBreakpoints) {
  if (Browser::program().empty()) GTEST_SKIP() << "Debian's chromium is not installed (a snap of it sees no folder of ours)";
  const Site site({"box-blur/double/naive", "--size", "5x3"});
  Browser browser(1500, 950);
  ASSERT_TRUE(browser.isOpen());
  browser.open(site.address);
  const std::string line = "document.querySelector('#source .row.now .gutter').innerText";
  ASSERT_TRUE(browser.becomes("document.querySelector('#source .row.now')"));
  const std::string first = browser.value(line).get<std::string>();

  browser.press("F10");
  ASSERT_TRUE(browser.becomes(line + " !== '" + first + "'"));
  browser.press("F10", true);
  ASSERT_TRUE(browser.becomes(line + " === '" + first + "'"));

  // A breakpoint by a click; then there, back to the start, and there again.
  browser.value("[...document.querySelectorAll('#source .gutter.code')].at(-1).id = 'last'");
  browser.click("#last", 0.2);
  ASSERT_TRUE(browser.becomes("document.querySelectorAll('#source .gutter.stop').length === 1"));
  browser.click("[data-do=continue]");
  ASSERT_TRUE(browser.becomes("document.querySelector('#source .row.now .gutter.stop')"));
  const Json there = browser.value("state.time");
  ASSERT_TRUE(there.is_array());
  browser.click("[data-do=start]");
  ASSERT_TRUE(browser.becomes("state.time[2] === 0 || state.why === 'step' && " + line + " === '" + first + "'"));
  browser.click("[data-do=continue]");
  ASSERT_TRUE(browser.becomes("JSON.stringify(state.time) === '" + there.dump() + "'"));
  browser.click("[data-do=reverse-next]");
  ASSERT_TRUE(browser.becomes("state.time[1] < " + there[1].dump() + " || state.time[2] < " + there[2].dump()));
  browser.click("#last", 0.2);
  ASSERT_TRUE(browser.becomes("document.querySelectorAll('#source .gutter.stop').length === 0"));

  // The slider, to the last workgroup of the second dispatch and back to the first.
  browser.value("$('groups').value = $('groups').max, $('groups').dispatchEvent(new Event('input'))");
  ASSERT_TRUE(browser.becomes("state.time[0] === 1"));
  browser.value("$('groups').value = 1, $('groups').dispatchEvent(new Event('input'))");
  ASSERT_TRUE(browser.becomes("state.time[0] === 0 && state.time[1] === 1"));

  // The workgroup, coloured by an expression; another invocation is looked at.
  browser.click("#expression");
  browser.type("gl_LocalInvocationID.x");
  browser.press("Enter");
  ASSERT_TRUE(browser.becomes(
      "document.querySelectorAll('.lane.valued').length === state.lanes || document.querySelectorAll('.lane.valued').length > 1"));
  browser.click(".lane:nth-child(3)");
  ASSERT_TRUE(browser.becomes("state.focus[0] === 2"));

  // The console says what is wrong, and the help opens and closes.
  browser.click("#command");
  browser.type("prnt x");
  browser.press("Enter");
  ASSERT_TRUE(browser.becomes("document.querySelector('#log .error')?.innerText.includes('prnt')"));
  browser.click("#source");
  browser.press("?");
  EXPECT_TRUE(browser.becomes("document.getElementById('help').open"));
  EXPECT_THAT(browser.complaints, IsEmpty());
}

}  // namespace
}  // namespace lanewise
