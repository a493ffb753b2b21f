// lanewise-worker: one Vulkan device in a process of its own, answering over the socket at descriptor 3 (gpu/wire.h). Started by Lanewise,
// not by hand. It ends when the socket closes, even while a driver hangs.
#include <fcntl.h>
#include <malloc.h>
#include <poll.h>
#include <sched.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <thread>

#include "gpu/features.h"
#include "gpu/process.h"
#include "gpu/vulkan_device.h"

namespace lanewise {
namespace {

constexpr std::uint64_t kMostJobBytes = std::uint64_t{1} << 36;

struct Arguments {
  bool list = false;
  std::uint32_t threads = 0;
  VulkanDeviceOptions device;
};

std::optional<Arguments> parse(int count, char** texts) {
  Arguments out;
  for (int i = 1; i < count; ++i) {
    const std::string_view option = texts[i];
    const char* value = i + 1 < count ? texts[i + 1] : "";
    bool takesValue = true;
    if (option == "--list") {
      out.list = true, takesValue = false;
    } else if (option == "--validation") {
      out.device.validation = true, takesValue = false;
    } else if (option == "--loader") {
      out.device.loader = value;
    } else if (option == "--name") {
      out.device.name = value;
    } else if (option == "--device-name") {
      out.device.deviceName = value;
    } else if (option == "--device") {
      out.device.index = std::uint32_t(std::strtoul(value, nullptr, 10));
    } else if (option == "--descriptor-slack") {
      out.device.descriptorSlack = std::uint32_t(std::strtoul(value, nullptr, 10));
    } else if (option == "--repeat") {
      out.device.repeat = std::uint32_t(std::strtoul(value, nullptr, 10));
    } else if (option == "--threads") {
      out.threads = std::uint32_t(std::strtoul(value, nullptr, 10));
    } else {
      return std::nullopt;
    }
    if (takesValue) ++i;
  }
  return out;
}

// Limits this process to `count` processors: this limits the threads of a driver without a setting for it.
void keepTo(std::uint32_t count) {
  cpu_set_t allowed, chosen;
  CPU_ZERO(&chosen);
  if (count == 0 || sched_getaffinity(0, sizeof allowed, &allowed)) return;
  for (int cpu = 0; cpu < CPU_SETSIZE && count > 0; ++cpu) {
    if (!CPU_ISSET(cpu, &allowed)) continue;
    CPU_SET(cpu, &chosen);
    --count;
  }
  sched_setaffinity(0, sizeof chosen, &chosen);
}

// Ends the process when the other end closes. Exit handlers of drivers are skipped, because they may hang too.
void watchSocket() {
  std::thread([] {
    pollfd fd{kWorkerSocket, 0, 0};
    while (poll(&fd, 1, -1) <= 0 || !(fd.revents & (POLLHUP | POLLERR | POLLNVAL))) {
    }
    _exit(0);
  }).detach();
}

Expected<std::vector<ListedDevice>> listDevices(const std::string& loader) try {
  const Expected<std::unique_ptr<VulkanInstance>> instance = VulkanInstance::create(loader, false);
  if (!instance) return instance.error();
  const Expected<std::vector<vk::raii::PhysicalDevice>> devices = (*instance)->devices();
  if (!devices) return devices.error();
  std::vector<ListedDevice> out;
  for (std::uint32_t i = 0; i < devices->size(); ++i) {
    const vk::raii::PhysicalDevice& device = (*devices)[i];
    const Expected<PhysicalFacts> facts = readFacts(device);
    const std::uint32_t driver = facts ? std::uint32_t(facts->vulkan12.driverID) : 0;
    out.push_back({i, device.getProperties().deviceName.data(), driver, readProfile(device, (*instance)->extensions())});
  }
  return out;
} catch (const std::exception& e) {
  return vulkanError(e, "listing the devices");
}

// One job after the other, until the socket closes.
int serve(Channel& channel, VulkanDevice& device) {
  ModuleTable modules;
  for (;;) {
    auto received = channel.receive(std::nullopt);
    const Message* message = std::get_if<Message>(&received);
    if (!message) return 0;
    if (message->kind == MessageKind::kForget) {
      modules.clear();
    } else if (message->kind == MessageKind::kModule) {
      const Expected<std::shared_ptr<const ShaderModule>> module = decodeModule(message->payload);
      if (!module) return 2;
      modules[hashModule(**module)] = *module;
    } else if (message->kind == MessageKind::kJob) {
      const Expected<Job> job = decodeJob(message->payload, modules, kMostJobBytes);
      if (!job) return 2;
      WorkerResult answer;
      answer.result = device.run(*job);
      answer.usable = device.usable();
      if (channel.send(MessageKind::kResult, encodeResult(answer), std::nullopt)) return 0;
    } else {
      return 2;
    }
  }
}

int work(const Arguments& arguments) {
  Channel channel{FileDescriptor(kWorkerSocket)};
  watchSocket();
  if (arguments.list) {
    channel.send(MessageKind::kDevices, encodeDevices(listDevices(arguments.device.loader)), std::nullopt);
    return 0;
  }
  keepTo(arguments.threads);
  VulkanDeviceOptions options = arguments.device;
  options.onPhase = [&](const std::string& phase, const std::string& pipeline) {
    channel.send(MessageKind::kPhase, encodeText(phase), std::nullopt);
    if (!pipeline.empty()) channel.send(MessageKind::kBuild, encodeText(pipeline), std::nullopt);
  };
  const Expected<std::unique_ptr<VulkanDevice>> device = VulkanDevice::open(std::move(options));
  const Expected<Profile> profile = device ? Expected<Profile>((*device)->profile()) : Expected<Profile>(device.error());
  channel.send(MessageKind::kProfile, encodeProfile(profile), std::nullopt);
  return device ? serve(channel, **device) : 0;
}

}  // namespace
}  // namespace lanewise

int main(int count, char** texts) {
  const auto arguments = lanewise::parse(count, texts);
  if (!arguments || fcntl(lanewise::kWorkerSocket, F_GETFD) < 0) {
    std::fputs("lanewise-worker is started by lanewise, not by hand\n", stderr);
    return 2;
  }
  // Memory of pictures is kept, because new pages cost more than the copies.
  mallopt(M_MMAP_THRESHOLD, 1 << 30);
  mallopt(M_TRIM_THRESHOLD, 1 << 30);
  // Destroys nothing: a driver may still be using it.
  _exit(lanewise::work(*arguments));
}
