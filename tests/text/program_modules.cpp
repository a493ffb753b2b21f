#include "tests/text/program_modules.h"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <spirv-tools/libspirv.hpp>
#include <spirv-tools/optimizer.hpp>
#include <sstream>

namespace lanewise::text {
namespace {

constexpr spv_target_env kEnvironment = SPV_ENV_VULKAN_1_3;

bool assemble(const std::string& text, spv_target_env environment, std::vector<std::uint32_t>& words, std::string& messages) {
  spvtools::SpirvTools tools(environment);
  tools.SetMessageConsumer([&](spv_message_level_t, const char*, const spv_position_t& at, const char* message) {
    messages += "line " + std::to_string(at.line + 1) + ": " + message + "\n";
  });
  return tools.Assemble(text, &words);
}

bool hasOneOrder(const std::string& file) {
  std::ifstream in(programPath(file));
  for (std::string line; std::getline(in, line) && line.starts_with("//");)
    if (line == "// one-order") return true;
  return false;
}

}  // namespace

std::vector<std::string> programFiles() {
  std::vector<std::string> files = allProgramFiles();
  std::erase_if(files, hasOneOrder);
  return files;
}

std::vector<std::string> allProgramFiles() {
  std::vector<std::string> files;
  for (const auto& entry : std::filesystem::directory_iterator(LANEWISE_PROGRAMS))
    if (const std::string name = entry.path().filename(); name.ends_with(".comp") || name.ends_with(".spvasm")) files.push_back(name);
  std::sort(files.begin(), files.end());
  return files;
}

std::string programPath(const std::string& file) {
  return fmt::format("{}/{}", LANEWISE_PROGRAMS, file);
}

Expected<std::shared_ptr<const ShaderModule>> programModule(const std::string& file) {
  ShaderModule module;
  module.name = file;
  std::string messages;
  if (file.ends_with(".spvasm")) {
    std::ifstream in(programPath(file));
    std::ostringstream text;
    text << in.rdbuf();
    if (!assemble(text.str(), kEnvironment, module.words, messages)) return Error{Outcome::kBadInput, messages, file, ""};
  } else {
    const std::string path = fmt::format("{}/{}.spv", LANEWISE_COMPILED_PROGRAMS, file);
    std::ifstream in(path, std::ios::binary);
    if (!in) return Error{Outcome::kIoError, "the program has not been compiled", path, "build again: CMake lists the programs"};
    const std::string bytes((std::istreambuf_iterator<char>(in)), {});
    module.words.resize(bytes.size() / 4);
    std::memcpy(module.words.data(), bytes.data(), module.words.size() * 4);
  }
  return std::make_shared<const ShaderModule>(std::move(module));
}

std::shared_ptr<const ShaderModule> assembled(const std::string& text, spv_target_env environment) {
  auto module = std::make_shared<ShaderModule>();
  module->name = "assembled";
  std::string messages;
  if (!assemble(text, environment, module->words, messages)) module->name = messages;
  return module;
}

std::shared_ptr<const ShaderModule> optimised(const ShaderModule& module, bool forSize) {
  spvtools::Optimizer optimizer(kEnvironment);
  if (forSize)
    optimizer.RegisterSizePasses();
  else
    optimizer.RegisterPerformancePasses();
  auto out = std::make_shared<ShaderModule>();
  out->name = module.name + (forSize ? " after -Os" : " after -O");
  spvtools::OptimizerOptions options;
  options.set_run_validator(false);
  if (!optimizer.Run(module.words.data(), module.words.size(), &out->words, options)) return nullptr;
  return out;
}

}  // namespace lanewise::text
