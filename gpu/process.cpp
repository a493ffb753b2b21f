// See process.h.
#include "gpu/process.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <thread>

namespace lanewise {
namespace {

// The parent's environment with the command's added, as NAME=value.
std::vector<std::string> environmentOf(const WorkerCommand& command) {
  std::vector<std::string> out;
  for (char** entry = environ; *entry; ++entry) {
    const std::string text = *entry;
    if (!command.environment.contains(text.substr(0, text.find('=')))) out.push_back(text);
  }
  for (const auto& [name, value] : command.environment) out.push_back(name + "=" + value);
  return out;
}

std::vector<char*> pointersTo(std::vector<std::string>& texts) {
  std::vector<char*> out;
  for (std::string& text : texts) out.push_back(text.data());
  out.push_back(nullptr);
  return out;
}

// The child's descriptors: stdin is empty, stdout and stderr go to the text pipe, the socket is 3. All others close on exec.
int spawn(int* pid, const WorkerCommand& command, int socket, int text) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, text, 1);
  posix_spawn_file_actions_adddup2(&actions, text, 2);
  posix_spawn_file_actions_adddup2(&actions, socket, kWorkerSocket);
  // Signals as in a new process, and its own process group: an interrupt at the terminal is for the program, which ends its workers.
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  sigset_t none, all;
  sigemptyset(&none);
  sigfillset(&all);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setsigdefault(&attributes, &all);
  posix_spawnattr_setpgroup(&attributes, 0);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);

  std::vector<std::string> arguments{command.program};
  arguments.insert(arguments.end(), command.arguments.begin(), command.arguments.end());
  std::vector<std::string> environment = environmentOf(command);
  const int failed =
      posix_spawn(pid, command.program.c_str(), &actions, &attributes, pointersTo(arguments).data(), pointersTo(environment).data());
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  return failed;
}

std::string endOf(int status) {
  if (WIFSIGNALED(status)) {
    const char* name = sigabbrev_np(WTERMSIG(status));
    return "crashed with " + (name ? std::string("SIG") + name : "signal " + std::to_string(WTERMSIG(status)));
  }
  return "ended with exit code " + std::to_string(WEXITSTATUS(status));
}

// A descriptor at or above 10, so that placing the child's 0 to 3 overwrites none of the sources.
FileDescriptor highDescriptor(int fd) {
  FileDescriptor low(fd);
  return FileDescriptor(fcntl(fd, F_DUPFD_CLOEXEC, 10));
}

}  // namespace

double processorSeconds(int pid) {
  clockid_t clock{};
  timespec used{};
  if (clock_getcpuclockid(pid, &clock) != 0 || clock_gettime(clock, &used) != 0) return 0;
  return double(used.tv_sec) + double(used.tv_nsec) * 1e-9;
}

Expected<std::unique_ptr<WorkerProcess>> WorkerProcess::start(const WorkerCommand& command) {
  const auto trouble = [&](const char* what, int number) {
    const char* hint = number == ENOENT ? "it comes with the program (Debian: the package lanewise-devices)" : "";
    return Error{Outcome::kDeviceTrouble, std::string(what) + ": " + std::strerror(number), command.program, hint};
  };
  int sockets[2], pipes[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets)) return trouble("cannot make a socket for a worker process", errno);
  FileDescriptor ours(sockets[0]), theirs = highDescriptor(sockets[1]);
  if (pipe2(pipes, O_CLOEXEC)) return trouble("cannot make a pipe for a worker process", errno);
  FileDescriptor textOut(pipes[0]), textIn = highDescriptor(pipes[1]);
  if (theirs.get() < 0 || textIn.get() < 0) return trouble("cannot make a pipe for a worker process", errno);

  int pid = 0;
  if (const int failed = spawn(&pid, command, theirs.get(), textIn.get())) return trouble("cannot start a device's worker process", failed);
  return std::unique_ptr<WorkerProcess>(new WorkerProcess(pid, Channel(std::move(ours), std::move(textOut))));
}

void WorkerProcess::kill() {
  channel_.close();
  if (pid_ == 0) return;
  ::kill(pid_, SIGKILL);
  while (waitpid(pid_, nullptr, 0) < 0 && errno == EINTR) {
  }
  pid_ = 0;
}

std::string WorkerProcess::howItEnded() {
  // Writing a core file may take a moment after the channel has closed.
  for (int i = 0; i < 200 && pid_ != 0; ++i) {
    int status = 0;
    if (waitpid(pid_, &status, WNOHANG) == pid_) {
      pid_ = 0;
      return endOf(status);
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  kill();
  return "closed its channel";
}

}  // namespace lanewise
