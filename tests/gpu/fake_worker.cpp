// A worker process without a device: answers jobs through the model, and misbehaves on demand.
//
// fake_worker HOW WIDTH [MARKER]: with a job whose first image is WIDTH texels wide it does HOW: crash, exit, hang, lose, garble, short,
// flip, build, starve, spin. "refuse": crashes there, and never starts again once MARKER exists.
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fstream>

#include "gpu/process.h"
#include "model/model.h"

namespace lanewise {
namespace {

bool isWanted(const Job& job, std::uint32_t width) {
  const auto* image = std::get_if<ImageData>(&job.resources[0].data);
  return image != nullptr && image->extent.x == width;
}

// False: the job is answered as usual.
bool misbehave(const std::string& how, Channel& channel, const std::string& key, WorkerResult& answer) {
  if (how == "crash" || how == "refuse") std::raise(SIGABRT);
  if (how == "exit") _exit(9);
  if (how == "hang") pause();
  for (int i = 0; how == "starve" && i < 60; ++i) {  // slow work, as on a machine that others keep busy
    const std::clock_t begin = std::clock();
    while (std::clock() - begin < CLOCKS_PER_SEC / 1000) {
    }
    usleep(25000);
  }
  for (volatile bool spinning = how == "spin"; spinning;) {
  }
  if (how == "build") {  // for ever
    channel.send(MessageKind::kPhase, encodeText("building the pipeline of slow.comp"), std::nullopt);
    channel.send(MessageKind::kBuild, encodeText(key), std::nullopt);
    pause();
  }
  if (how == "garble") {
    const char text[] = "this is no message, and long enough to be read as the head of one";
    return ::write(channel.socket(), text, sizeof text) > 0;
  }
  if (how == "lose") {
    answer.result = {Error{Outcome::kDeviceTrouble, "the device is lost", "fake", ""}, {}, 0};
    answer.usable = false;
  }
  if (how == "short") answer.result.outputs[0].bytes().pop_back();
  if (how == "flip") answer.result.outputs[0].bytes()[0] ^= std::byte{1};
  return false;
}

int serve(const std::string& how, std::uint32_t width) {
  Channel channel{FileDescriptor(kWorkerSocket)};
  Model model;
  channel.send(MessageKind::kProfile, encodeProfile(model.profile()), std::nullopt);
  ModuleTable modules;
  for (;;) {
    auto received = channel.receive(std::nullopt);
    const Message* message = std::get_if<Message>(&received);
    if (message == nullptr) return 0;
    if (message->kind == MessageKind::kModule) {
      const auto module = decodeModule(message->payload);
      if (!module) return 2;
      modules[hashModule(**module)] = *module;
    }
    if (message->kind != MessageKind::kJob) continue;
    const Expected<Job> job = decodeJob(message->payload, modules, std::uint64_t{1} << 30);
    if (!job) return 2;
    WorkerResult answer;
    answer.result = model.run(*job);
    if (isWanted(*job, width) && misbehave(how, channel, pipelineKey(job->dispatches[0], job->subgroupSize), answer)) continue;
    if (channel.send(MessageKind::kResult, encodeResult(answer), std::nullopt)) return 0;
  }
}

}  // namespace
}  // namespace lanewise

int main(int count, char** texts) {
  if (count < 3) return 2;
  const std::string how = texts[1];
  if (how == "refuse" && count > 3) {
    if (std::filesystem::exists(texts[3])) return 7;
    std::ofstream(texts[3]) << "started once";
  }
  return lanewise::serve(how, static_cast<std::uint32_t>(std::strtoul(texts[2], nullptr, 10)));
}
