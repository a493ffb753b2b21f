#include "tools/cli/subject_options.h"

#include <CLI/CLI.hpp>

#include "tools/subject/comma_lists.h"

namespace lanewise {

void addEach(CLI::App& app, const char* name, std::vector<std::string>& into, const char* help) {
  app.add_option(name, into, help)->expected(1)->take_all()->allow_extra_args(false);
}

void addSource(CLI::App& app, SourceOptions& s) {
  addEach(app, "-I,--include", s.includeFolders, "GLSL: a folder for #include; may be repeated");
  addEach(app, "-D,--define", s.defines, "GLSL: NAME or NAME=VALUE; may be repeated");
  app.add_option("--target-env", s.targetEnvironment, "GLSL and assembly: vulkan1.0 to vulkan1.3 (default: vulkan1.3)");
}

void addModule(CLI::App& app, ModuleArguments& m) {
  addSource(app, m.source);
  app.add_option("--groups", m.groups, "Workgroups: X, X,Y or X,Y,Z (default: 1)");
  addEach(app, "--buffer,--texel-buffer", m.buffers,
          "What a buffer holds: 0:0=in.bin, 0:0=u32:1,2,3, 0:0=zeros:4096; by SET:BINDING[:ELEMENT] or by name");
  addEach(app, "--memory", m.memory,
          "A buffer without a binding, with a name that you choose: nodes=in.bin; addr:nodes is its device address");
  addEach(app, "--image", m.images, "What an image holds: 0:1=photo.png:rgba8ui, 0:1=texels.bin:r32f:64x64, 0:1=zeros:rgba8:64x64");
  addEach(app, "--sampler", m.samplers, "What a sampler does: 0:2=linear,repeat,mip=linear");
  addEach(app, "--out", m.outs, "What to write after the run: 0:2=result.exr:64x64:r32f, 0:3=sums.bin:1024, 0:3=-:u32");
  addEach(app, "--push", m.push, "Push constants: u32:5,f32:0.5 or @bytes.bin");
  addEach(app, "--spec", m.spec, "Specialization constants by id or name: 3=16");
  app.add_flag("--zero", m.zero, "Outputs start as zeros instead of poison (A7)");
  app.add_option("--entry", m.entry, "Entry point (default: main, or the only one)");
  app.add_option("--max-steps", m.maxSteps, "Step limit of an invocation on the model (default: 2^32; check: 2^24)");
}

void addSubject(CLI::App& app, SubjectArguments& s) {
  app.add_option("SUBJECT", s.text, "A kernel by its name, a case as reports name it, a capsule, or a module's file");
  app.add_option("--size", s.kernel.size, "Of a kernel: picture size (default: 1x1)");
  app.add_option("--radius", s.kernel.radius, "Of a kernel: blur radius");
  app.add_option("--edge", s.kernel.edge, "Of a kernel: edge mode");
  app.add_option("--input", s.kernel.input, "Of a kernel: input (default: noise:1)");
  addEach(app, "--with", s.kernel.with, "Of a kernel or a case: a parameter, NAME=VALUE; may be repeated");
  app.add_option("--subgroup-size", s.subgroupSize, "A power of two up to 128 (default: the device's own)");
  addModule(app, s.module);
}

void addWay(CLI::App& app, std::string& profile, std::string& schedule) {
  app.add_option("--profile", profile, profileHelp() + " (default: strict, or a capsule's own)");
  app.add_option("--schedule", schedule,
                 "Order of workgroups, subgroups and lanes, e.g. reverse, seed:7, lanes-reverse (default: in-order, or a capsule's own)");
}

Expected<Way> wayOf(const Subject& subject, const std::string& profileText, const std::string& scheduleText) {
  const Capsule* capsule = subject.capsule.get();
  const Expected<Profile> profile =
      profileText.empty() && capsule ? Expected<Profile>(capsule->profile) : parseProfile(profileText.empty() ? "strict" : profileText);
  if (!profile) return profile.error();
  const Expected<Schedule> schedule = parseSchedule(!scheduleText.empty()                   ? scheduleText
                                                    : capsule && !capsule->schedule.empty() ? capsule->schedule
                                                                                            : "in-order");
  if (!schedule) return schedule.error();
  return Way{*profile, *schedule};
}

}  // namespace lanewise
