// The library as its users see it: its headers alone, against the shared library.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <lanewise/devices.h>
#include <lanewise/gmock.h>
#include <lanewise/session.h>

#include <fstream>
#include <thread>

namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

constexpr const char* kTwice = R"(#version 450
layout(local_size_x = 4) in;
layout(binding = 0) readonly buffer In { uint values[]; };
layout(binding = 1) writeonly buffer Out { uint twice[]; };
void main() {
  uint i = gl_GlobalInvocationID.x;
  uint value = values[i];
  twice[i] = 2u * value;
}
)";

lw::Job jobOf(const std::string& source) {
  const lw::Expected<lw::Module> module = lw::Module::fromSource(source, "twice.comp");
  EXPECT_TRUE(module) << module.error->text();
  lw::Job job;
  job.resources = {lw::buffer<std::uint32_t>("values", {1, 2, 3, 4}), lw::output("twice", 16)};
  job.dispatches = {{*module, {1}, {{0, 0, "values"}, {0, 1, "twice"}}}};
  return job;
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  return text.replace(text.find(from), from.size(), to);
}

std::string explained(const lw::Run& run, const std::vector<std::uint32_t>& expected) {
  testing::StringMatchResultListener listener;
  EXPECT_FALSE(testing::ExplainMatchResult(lw::MatchesWithin(expected), run, &listener));
  return listener.str();
}

TEST(Library, RunsAKernel) {
  const lw::Run run = lw::run(jobOf(kTwice));
  ASSERT_FALSE(run.error) << run.error->text();
  EXPECT_THAT(lw::valuesOf<std::uint32_t>(*run.output("twice")), ElementsAre(2, 4, 6, 8));
  EXPECT_EQ(run.output("values"), nullptr);
  EXPECT_THAT(run, lw::MatchesWithin(std::vector<std::uint32_t>{2, 4, 6, 8}));
  EXPECT_THAT(run, Not(lw::MatchesWithin(std::vector<std::uint32_t>{2, 4, 6, 9})));
  EXPECT_THAT(run, lw::MatchesWithin(std::vector<std::uint32_t>{2, 4, 6, 9}, 1));
}

TEST(Library, SaysWhoStoredTheFirstWrongValue) {
  const lw::Run run = lw::run(jobOf(replaced(kTwice, "2u * value", "i == 2 ? 7u : 2u * value")));
  const std::string said = explained(run, {2, 4, 6, 8});
  EXPECT_THAT(said, HasSubstr("byte 8 of 'twice': 6 expected, 7 got; 1 of 4 values differ, by at most 1"));
  EXPECT_THAT(said, HasSubstr("stored by invocation (2, 0, 0) of dispatch 0 at twice.comp:8 (OpStore)"));
  const lw::Run fewer = lw::run(jobOf(replaced(kTwice, "twice[i]", "if (i != 1u) twice[i]")));
  EXPECT_THAT(explained(fewer, {2, 4, 6, 8}), HasSubstr("nobody stored it"));
}

TEST(Library, AMatcherSaysItsTolerance) {
  const auto said = [](const lw::MatchesWithinMatcher& matcher) {
    std::ostringstream text;
    matcher.DescribeTo(&text);
    return text.str();
  };
  EXPECT_EQ(said(lw::MatchesWithin(std::vector<float>{1})), "has the expected values");
  EXPECT_EQ(said(lw::MatchesWithin(std::vector<float>{1}, 1e-9, "sum")), "has the expected values in 'sum' within 1e-09");
}

TEST(Library, HasFindings) {
  lw::RunOptions options;
  options.findings = true;
  EXPECT_THAT(lw::run(jobOf(kTwice), options), lw::HasNoFindings());
  const lw::Run outside = lw::run(jobOf(replaced(kTwice, "values[i]", "values[i + 1u]")), options);
  ASSERT_EQ(outside.findings.size(), 1u);
  EXPECT_EQ(outside.findings[0].place, "twice.comp:7");
  EXPECT_THAT(outside.findings[0].text, HasSubstr("out of range"));
  EXPECT_EQ(outside.findings[0].invocation.x, 3u);
}

TEST(Library, ErrorsAreValues) {
  EXPECT_EQ(lw::Module::load("/nowhere/kernel.comp").error->outcome, lw::Outcome::ioError);
  const auto wrong = lw::Module::fromSource("#version 450\nvoid main() { wrong }\n", "wrong.comp");
  ASSERT_FALSE(wrong);
  EXPECT_THAT(wrong.error->text(), HasSubstr("wrong.comp:2"));
  lw::Job job = jobOf(kTwice);
  // The module of a failure is an empty one, whose use is an error too.
  job.dispatches[0].module = *wrong;
  EXPECT_EQ(lw::run(job).error->outcome, lw::Outcome::badInput);
  EXPECT_FALSE(wrong->entries());
  EXPECT_EQ(lw::run({}).error->outcome, lw::Outcome::badInput);
  job = jobOf(kTwice);
  job.resources.push_back(job.resources[0]);
  EXPECT_THAT(lw::run(job).error->text(), HasSubstr("two resources have this name"));
  job = jobOf(kTwice);
  job.dispatches[0].bindings[1].resource = "nothing";
  EXPECT_EQ(lw::run(job).error->outcome, lw::Outcome::badInput);
  job.dispatches[0].bindings.pop_back();
  EXPECT_THAT(lw::run(job).error->text(), HasSubstr("nothing is bound to 'Out', set 0, binding 1"));
  job = jobOf(kTwice);
  job.resources[1] = lw::image("twice", "rgba8ui", {2, 2}, std::vector<std::uint8_t>(15));
  EXPECT_THAT(lw::run(job).error->text(), HasSubstr("15 bytes, but its shape has 16"));
  lw::RunOptions options;
  options.profile = "no-such";
  EXPECT_EQ(lw::run(jobOf(kTwice), options).error->outcome, lw::Outcome::badInput);
  options = {};
  options.schedule = "no-such";
  EXPECT_EQ(lw::run(jobOf(kTwice), options).error->outcome, lw::Outcome::badInput);
  EXPECT_EQ(lw::Module::fromSpirv({1, 2, 3})->entries().error->outcome, lw::Outcome::badInput);
  EXPECT_FALSE(lw::whoStored(lw::Run{}, "twice", 0));
  EXPECT_FALSE(lw::whoStored(lw::run(jobOf(kTwice)), "twice", 16));
}

// Errors name fields and functions, no options of the command line and no commands of its debugger.
TEST(Library, ErrorsNameWhatIsHere) {
  const auto placed = [](const std::optional<lw::Error>& error) {
    if (!error) return std::string("no error");
    EXPECT_THAT(error->text(), Not(HasSubstr("--"))) << "an option";
    EXPECT_THAT(error->text(), Not(HasSubstr("`"))) << "a command";
    return error->where;
  };
  const auto ran = [](const lw::RunOptions& options) { return lw::run(jobOf(kTwice), options).error; };
  EXPECT_EQ(placed(ran({.profile = "no-such"})), "profile");
  EXPECT_EQ(placed(ran({.profile = "strict,minMax=no-such"})), "profile");
  EXPECT_EQ(placed(ran({.profile = "strict,no-such=1"})), "profile");
  placed(ran({.schedule = "no-such"}));
  lw::Job job = jobOf(kTwice);
  job.dispatches[0].bindings[0].sampler = "no-such";
  EXPECT_EQ(placed(lw::run(job).error), "the binding of 'values'");
  job = jobOf(kTwice);
  job.dispatches[0].bindings.push_back({0, 0, "twice"});
  EXPECT_EQ(placed(lw::run(job).error), "the binding of 'twice'");
  job = jobOf(kTwice);
  job.dispatches[0].constants = {{3, 1}, {3, 1}};
  EXPECT_FALSE(lw::run(job).error) << "one value, said twice";
  job.dispatches[0].constants = {{3, 1}, {3, 2}};
  EXPECT_EQ(placed(lw::run(job).error), "constant 3");
  for (const double seconds : {-1.0, std::numeric_limits<double>::quiet_NaN()}) {
    job = jobOf(kTwice);
    job.timeoutSeconds = seconds;
    EXPECT_EQ(placed(lw::run(job).error), "timeoutSeconds");
  }
  const auto module = lw::Module::fromSource(kTwice);
  const std::string file = testing::TempDir() + "library_test.spv";
  std::ofstream(file, std::ios::binary)
      .write(reinterpret_cast<const char*>(module->words().data()), static_cast<std::streamsize>(4 * module->words().size()));
  EXPECT_EQ(placed(lw::Module::load(file, {.includeFolders = {"."}}).error), "includeFolders");
  EXPECT_EQ(placed(lw::Module::load(file, {.defines = {"A"}}).error), "defines");
  EXPECT_EQ(placed(lw::Module::load(file, {.targetEnvironment = "no-such"}).error), "targetEnvironment");
  EXPECT_EQ(placed(lw::Module::load(file, {.optimise = true}).error), "optimise");
  EXPECT_EQ(placed(lw::Module::load(file, {.entry = "main"}).error), "entry");
  EXPECT_EQ(placed(lw::Module::fromSource(kTwice, "twice.comp", {.entry = "main"}).error), "entry");
  const auto two = lw::Module::fromSource("[numthreads(1,1,1)] void A() {}\n[numthreads(1,1,1)] void B() {}\n", "two.hlsl");
  ASSERT_FALSE(two);
  EXPECT_EQ(two.error->hint, "entry: A, B");
  lw::Expected<lw::Session> session = lw::Session::open(jobOf(kTwice));
  ASSERT_TRUE(session);
  placed(session->breakAt("no-such").error);
  placed(session->breakAt("no-such.comp:7").error);
  placed(session->value("no_such").error);
  placed(session->value("no_such + ").error);
  placed(session->value("values[no_such]").error);
  placed(session->toWriter("no-such", 0).error);
  placed(session->toInvocation({99, 0, 0}).error);
  ASSERT_TRUE(session->toEnd());
  placed(session->value("value").error);
}

// Nothing throws: what there is no memory for, and what no image has, is told when the job runs.
TEST(Library, TellsSizesThatAreTooLarge) {
  const auto said = [](const lw::Resource& resource) {
    lw::Job job = jobOf(kTwice);
    job.resources[1] = resource;
    const lw::Run run = lw::run(job);
    return run.error ? run.error->text() : "no error";
  };
  EXPECT_THAT(said(lw::output("twice", ~std::size_t{0})), HasSubstr("no memory for its 18446744073709551615 bytes"));
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)  // their allocators end the process
  EXPECT_THAT(said(lw::outputImage("twice", "rgba32f", {1u << 23, 1u << 23})), HasSubstr("no memory for its 1125899906842624 bytes"));
#endif
  lw::Resource deep = lw::outputImage("twice", "r8ui", {4, 4, 4});
  EXPECT_THAT(said(deep), AllOf(HasSubstr("no image has this shape"), HasSubstr("dimensions = 3")));
  EXPECT_TRUE(deep.bytes.empty());
  // These sizes are 0 in 64 bits.
  for (const lw::Extent extent : {lw::Extent{0, 4, 1}, {1u << 31, 1u << 31, 1}, {~0u, ~0u, ~0u}}) {
    lw::Resource wrapped = lw::outputImage("twice", "rgba8", extent);
    wrapped.layers = 1u << 31;
    EXPECT_THAT(said(wrapped), HasSubstr("no image has this shape"));
  }
  for (const std::uint32_t levels : {0u, 33u}) EXPECT_THAT(said(lw::outputImage("twice", "r8", {4, 4}, levels)), HasSubstr("no image has"));
}

TEST(Library, ModulesSayWhatTheyDeclare) {
  const auto entries = lw::Module::fromSource(kTwice)->entries();
  ASSERT_TRUE(entries);
  ASSERT_EQ(entries->size(), 1u);
  EXPECT_EQ((*entries)[0].localSize[0], 4u);
  ASSERT_EQ((*entries)[0].bindings.size(), 2u);
  EXPECT_EQ((*entries)[0].bindings[1].kind, "storage buffer");
  EXPECT_TRUE((*entries)[0].bindings[1].written);
  EXPECT_FALSE((*entries)[0].bindings[0].written);
}

TEST(Library, StopsWhenItIsTold) {
  const std::atomic<bool> stop = true;
  lw::RunOptions options;
  options.stop = &stop;
  EXPECT_EQ(lw::run(jobOf(kTwice), options).error->outcome, lw::Outcome::interrupted);
  options.findings = true;
  EXPECT_EQ(lw::run(jobOf(kTwice), options).error->outcome, lw::Outcome::interrupted);
  options.findings = false;
  const std::atomic<bool> goOn = false;
  options.stop = &goOn;
  EXPECT_THAT(lw::run(jobOf(kTwice), options), lw::MatchesWithin(std::vector<std::uint32_t>{2, 4, 6, 8}));
}

// Some minutes long if nobody stops it; on all cores where no findings are looked for.
TEST(Library, StopsInTheMiddleOfALongRun) {
  lw::Job job = jobOf(replaced(kTwice, "values[i];", "values[i]; for (uint k = 0u; k < 100000u; ++k) value = value * 5u + k;"));
  job.resources[0].bytes.resize(std::size_t{16} << 18);
  job.resources[1] = lw::output("twice", job.resources[0].bytes.size());
  job.dispatches[0].groups = {1u << 18};
  for (const bool findings : {false, true}) {
    std::atomic<bool> stop = false;
    lw::RunOptions options;
    options.findings = findings;
    options.stop = &stop;
    std::thread stopper([&] {
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
      stop = true;
    });
    const lw::Run run = lw::run(job, options);
    stopper.join();
    ASSERT_TRUE(run.error);
    EXPECT_EQ(run.error->outcome, lw::Outcome::interrupted);
    EXPECT_TRUE(run.outputs.empty());
  }
}

// One workgroup whose loop takes hours, in all the ways that the model has to go round it.
TEST(Library, StopsInTheMiddleOfALoop) {
  lw::Job job = jobOf(replaced(kTwice, "values[i];", "values[i]; for (uint k = 0u; k < 4000000000u; ++k) value = value * 5u + k;"));
  job.maxSteps = std::uint64_t{1} << 40;
  const auto stopped = [](const auto& call) {
    std::atomic<bool> stop = false;
    std::thread stopper([&] {
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
      stop = true;
    });
    const std::optional<lw::Error> error = call(stop);
    stopper.join();
    return error ? error->outcome : lw::Outcome::ok;
  };
  for (const char* schedule : {"in-order", "reverse", "lanes", "interleave:seed:1@4", "in-order+weak:1", "in-order@all+fair"})
    for (const bool findings : {false, true}) {
      lw::RunOptions options;
      options.schedule = schedule;
      options.findings = findings;
      const lw::Outcome outcome = stopped([&](const std::atomic<bool>& stop) {
        options.stop = &stop;
        return lw::run(job, options).error;
      });
      EXPECT_EQ(outcome, lw::Outcome::interrupted) << schedule << findings;
    }
}

TEST(Library, StopsASearchAndASession) {
  lw::Job job = jobOf(replaced(kTwice, "values[i];", "values[i]; for (uint k = 0u; k < 100000u; ++k) value = value * 5u + k;"));
  std::atomic<bool> stop = false;
  lw::RunOptions options;
  options.stop = &stop;
  lw::Expected<lw::Session> session = lw::Session::open(job, options);
  ASSERT_TRUE(session) << session.error->text();
  stop = true;
  const lw::Expected<lw::Stop> interrupted = session->toEnd();
  ASSERT_TRUE(interrupted) << interrupted.error->text();
  EXPECT_EQ(interrupted->why, "interrupted");
  EXPECT_FALSE(interrupted->atEnd);
  stop = false;
  const lw::Expected<lw::Stop> end = session->toEnd();
  ASSERT_TRUE(end) << end.error->text();
  EXPECT_TRUE(end->atEnd);
  const lw::Run run = lw::run(job);
  ASSERT_FALSE(run.error);
  stop = true;
  const lw::Expected<lw::Stored> search = lw::whoStored(run, "twice", 4, &stop);
  ASSERT_TRUE(search.error);
  EXPECT_EQ(search.error->outcome, lw::Outcome::interrupted);
  stop = false;
  EXPECT_TRUE(lw::whoStored(run, "twice", 4, &stop)->stored);
}

TEST(Library, RunsInSeveralThreads) {
  const lw::Job job = jobOf(kTwice);
  std::vector<std::thread> threads;
  std::atomic<int> right = 0;
  for (int i = 0; i < 4; ++i)
    threads.emplace_back([&] { right += lw::valuesOf<std::uint32_t>(*lw::run(job).output()) == std::vector<std::uint32_t>{2, 4, 6, 8}; });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(right, 4);
}

TEST(Library, StepsInBothDirections) {
  lw::Expected<lw::Session> session = lw::Session::open(jobOf(kTwice));
  ASSERT_TRUE(session) << session.error->text();
  ASSERT_TRUE(session->breakAt("8"));
  const auto stop = session->go();
  ASSERT_TRUE(stop) << stop.error->text();
  EXPECT_EQ(stop->why, "breakpoint");
  EXPECT_EQ(stop->place, "twice.comp:8");
  EXPECT_EQ(stop->function, "main");
  for (const char* text : {"value * 10", "value* 10", "max(value, 10u)", "- 10+ 20"}) {
    const auto ten = session->value(text);
    ASSERT_TRUE(ten) << ten.error->text();
    EXPECT_EQ(*ten, "10") << text;
  }
  EXPECT_EQ(session->step(false)->place, "twice.comp:7");
  EXPECT_FALSE(session->value("nothing"));
  EXPECT_FALSE(session->breakAt("no-such-function"));
  EXPECT_TRUE(session->toEnd()->atEnd);
  const auto writer = session->toWriter("twice", 8);
  ASSERT_TRUE(writer) << writer.error->text();
  EXPECT_EQ(writer->why, "stored");
  EXPECT_EQ(writer->invocation.x, 2u);
  EXPECT_FALSE(session->toWriter("twice", 16));
  EXPECT_FALSE(lw::Session().go());
  EXPECT_FALSE(lw::Session::open({}));
}

TEST(Library, ComparesByType) {
  const auto compared = [](auto expected, auto got, double tolerance) {
    return lw::compare(lw::buffer("x", expected), lw::buffer("x", got), tolerance, lw::scalarOf<typename decltype(got)::value_type>());
  };
  const float nan = std::numeric_limits<float>::quiet_NaN(), infinity = std::numeric_limits<float>::infinity();
  EXPECT_EQ(compared(std::vector<float>{1, nan}, std::vector<float>{1, -nan}, 0)->differing, 0u);
  EXPECT_EQ(compared(std::vector<float>{0.0f, infinity}, std::vector<float>{-0.0f, infinity}, 0)->differing, 0u);
  EXPECT_EQ(compared(std::vector<float>{1, 2}, std::vector<float>{1, nan}, 1e30)->differing, 1u);
  EXPECT_EQ(compared(std::vector<float>{1, infinity}, std::vector<float>{1, 2}, 1e30)->differing, 1u);
  EXPECT_EQ(compared(std::vector<std::int8_t>{-1}, std::vector<std::int8_t>{1}, 2)->differing, 0u);
  EXPECT_EQ(compared(std::vector<std::int8_t>{-1}, std::vector<std::int8_t>{1}, 1)->differing, 1u);
  EXPECT_EQ(compared(std::vector<std::uint64_t>{~0ull}, std::vector<std::uint64_t>{~0ull - 1}, 0)->got, "18446744073709551614");
  EXPECT_FALSE(compared(std::vector<float>{1}, std::vector<float>{1, 2}, 0));
  lw::Resource a = lw::image("a", "rgba8ui", {2, 1}, std::vector<std::uint8_t>(8)), b = a;
  b.bytes[5] = std::byte{3};
  EXPECT_THAT(lw::compare(a, b, 0)->text, HasSubstr("texel 1,0 channel g of 'a': 0 expected, 3 got; 1 of 8 values differ, by at most 3"));
  EXPECT_THAT(lw::compare(a, b, 3)->text, IsEmpty());
  b.format = "rgba8";
  EXPECT_FALSE(lw::compare(a, b, 0));
}

#ifdef LANEWISE_GPU
TEST(Library, RunsOnADevice) {
  const auto device = lw::Device::open();
  if (!device && device.error->outcome == lw::Outcome::deviceTrouble) GTEST_SKIP() << device.error->text();
  ASSERT_TRUE(device);
  EXPECT_THAT(device->run(jobOf(kTwice)), lw::MatchesWithin(std::vector<std::uint32_t>{2, 4, 6, 8}));
  lw::Job job = jobOf(kTwice);
  job.timeoutSeconds = 0;
  EXPECT_THAT(device->run(job), lw::MatchesWithin(std::vector<std::uint32_t>{2, 4, 6, 8})) << "no limit";
  EXPECT_EQ(lw::Device::open("no-such").error->outcome, lw::Outcome::deviceTrouble);
  EXPECT_EQ(lw::Device().run(jobOf(kTwice)).error->outcome, lw::Outcome::badInput);
}
#endif

}  // namespace
