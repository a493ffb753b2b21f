#include "tests/model/check/litmus.h"

#include <algorithm>
#include <fstream>
#include <map>
#include <sstream>

namespace lanewise::memory_model {
namespace {

// What the lines of a file say besides events.
struct Reader {
  Litmus litmus;
  std::map<std::string, std::uint32_t> references;
  std::vector<std::string> variables;      // by event
  std::vector<int> readValue, writeValue;  // by event; -1: not said
  std::map<int, std::vector<std::uint32_t>> threads;
  std::vector<std::pair<std::string, std::string>> sameLocation;
  std::vector<std::pair<int, int>> synchronizes;
  std::uint32_t family = 0, workgroup = 0, subgroup = 0, invocation = 0;
  int thread = 0;

  void line(const std::string& text) {
    std::istringstream in(text);
    std::string first;
    if (!(in >> first) || first.starts_with("//")) return;
    if (first == "NEWQF") return void(++family);
    if (first == "NEWWG") return void(++workgroup);
    if (first == "NEWSG") return void(++subgroup);
    if (first == "NEWTHREAD") return newThread(in);
    if (first == "SATISFIABLE" || first == "NOSOLUTION") return check(first == "SATISFIABLE", in);
    std::string a, b;
    if (first == "SLOC" && in >> a >> b) return void(sameLocation.emplace_back(a, b));
    if (first == "SSW" && in >> a >> b) return void(synchronizes.emplace_back(std::stoi(a), std::stoi(b)));
    instruction(first, in);
  }

  void newThread(std::istringstream& in) {
    ++invocation;
    int number = 0;
    thread = in >> number ? number : thread + 1;
  }

  void check(bool satisfiable, std::istringstream& in) {
    Check c{satisfiable, false, {}};
    for (std::string word; in >> word && !word.starts_with("//");) {
      if (word == "NOCHAINS")
        c.noChains = true;
      else
        c.condition += word.substr(0, word.find("//"));
    }
    litmus.checks.push_back(std::move(c));
  }

  void instruction(const std::string& words, std::istringstream& in) {
    Event e;
    std::istringstream tokens(words);
    for (std::string token; std::getline(tokens, token, '.');) word(token, e);
    e.fence = e.fence || (e.controlBarrier && (e.acquire || e.release));
    e.available = e.available || (e.atomic && e.write);
    e.visible = e.visible || (e.atomic && e.read);
    e.nonPrivate = e.nonPrivate || e.available || e.visible || e.atomic;
    e.queueFamily = family;
    e.workgroup = workgroup;
    e.subgroup = subgroup;
    e.invocation = invocation;
    std::string variable, equals;
    int value = -1, second = -1;
    if (e.controlBarrier) {
      in >> e.instance;
    } else if (in >> variable) {
      e.reference = e.location = references.try_emplace(variable, static_cast<std::uint32_t>(references.size())).first->second;
      if (in >> equals && equals == "=" && in >> value) in >> second;
      if (!in && second < 0) second = -1;
    }
    threads[thread].push_back(static_cast<std::uint32_t>(litmus.program.events.size()));
    litmus.program.events.push_back(e);
    variables.push_back(variable);
    readValue.push_back(e.read ? value : -2);
    writeValue.push_back(e.read && e.write ? second : e.write ? value : -2);
  }

  static void word(const std::string& w, Event& e) {
    const std::map<std::string, bool Event::*> flags = {{"st", &Event::write},
                                                        {"ld", &Event::read},
                                                        {"membar", &Event::fence},
                                                        {"atom", &Event::atomic},
                                                        {"acq", &Event::acquire},
                                                        {"rel", &Event::release},
                                                        {"cbar", &Event::controlBarrier},
                                                        {"avdevice", &Event::deviceAvailability},
                                                        {"visdevice", &Event::deviceVisibility},
                                                        {"semav", &Event::semanticsAvailable},
                                                        {"semvis", &Event::semanticsVisible},
                                                        {"av", &Event::available},
                                                        {"vis", &Event::visible},
                                                        {"nonpriv", &Event::nonPrivate}};
    const std::map<std::string, Scope> scopes = {
        {"scopesg", Scope::kSubgroup}, {"scopewg", Scope::kWorkgroup}, {"scopeqf", Scope::kQueueFamily}, {"scopedev", Scope::kDevice}};
    if (const auto flag = flags.find(w); flag != flags.end()) e.*flag->second = true;
    if (const auto scope = scopes.find(w); scope != scopes.end()) e.scope = scope->second;
    if (w == "rmw") e.read = e.write = e.atomic = true;
    if (w == "sc0" || w == "sc1") e.storageClass = w == "sc1";
    if (w == "semsc0") e.semanticsClasses |= 1;
    if (w == "semsc1") e.semanticsClasses |= 2;
  }

  Litmus finish() {
    std::vector<Event>& events = litmus.program.events;
    for (const auto& [a, b] : sameLocation)
      for (Event& e : events)
        if ((e.read || e.write) && e.location == references[b]) e.location = references[a];
    for (const auto& [a, b] : synchronizes)
      for (const std::uint32_t i : threads[a])
        for (const std::uint32_t j : threads[b]) litmus.program.systemSynchronizes.emplace_back(i, j);
    for (std::uint32_t r = 0; r < events.size(); ++r) {
      if (!events[r].read) continue;
      if (readValue[r] == 0) litmus.forced.push_back({r, Execution::kInitial});
      for (std::uint32_t w = 0; w < events.size(); ++w)
        if (events[w].write && variables[w] == variables[r] && writeValue[w] == readValue[r])
          litmus.forced.push_back({r, static_cast<std::int32_t>(w)});
    }
    return std::move(litmus);
  }
};

bool conditionHolds(const std::string& condition, const Judgement& j) {
  std::string left = condition;
  std::erase_if(left, [](char c) { return c == '(' || c == ')'; });
  for (std::size_t at = 0; at <= left.size();) {
    const std::size_t end = std::min(left.find("&&", at), left.size());
    const std::string part = left.substr(at, end - at);
    at = end + 2;
    if ((part == "consistent[X]" && !j.consistent) || (part == "#dr=0" && !j.races.empty()) || (part == "#dr>0" && j.races.empty()) ||
        (part == "#rs=2" && j.releaseSequence.count() != 2) || (part == "#rs>1" && j.releaseSequence.count() <= 1))
      return false;
  }
  return true;
}

// Every way to order the pairs of atomic writes that must be ordered.
class Orders {
 public:
  Orders(const Program& program, const std::function<bool(const Relation&)>& visit) : events_(program.events), visit_(visit) {
    const Relation wanted = mutuallyOrdered(program);
    for (std::uint32_t a = 0; a < count(); ++a)
      for (std::uint32_t b = a + 1; b < count(); ++b)
        if (wanted.has(a, b) && events_[a].write && events_[b].write) pairs_.emplace_back(a, b);
  }
  bool run(std::size_t next = 0) {
    if (next == pairs_.size()) return !isTransitive() || !order_.acyclic(count()) || visit_(order_);
    const auto [a, b] = pairs_[next];
    for (const auto& [from, to] : {std::pair(a, b), std::pair(b, a)}) {
      const Relation before = order_;
      order_.add(from, to);
      const bool goOn = run(next + 1);
      order_ = before;
      if (!goOn) return false;
    }
    return true;
  }

 private:
  std::uint32_t count() const { return static_cast<std::uint32_t>(events_.size()); }
  bool isTransitive() const {
    for (std::uint32_t a = 0; a < count(); ++a)
      for (std::uint32_t b = 0; b < count(); ++b)
        if (order_.has(a, b) && (order_.row(b) & ~order_.row(a)) != 0) return false;
    return true;
  }

  const std::vector<Event>& events_;
  const std::function<bool(const Relation&)>& visit_;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs_;
  Relation order_;
};

}  // namespace

void allExecutions(const Program& program, const std::vector<Forced>& forced, const std::function<bool(const Execution&)>& visit) {
  const std::vector<Event>& events = program.events;
  if (events.size() > kMaxEvents) return;
  std::vector<std::vector<std::int32_t>> choices(events.size(), {Execution::kInitial});
  for (std::uint32_t r = 0; r < events.size(); ++r) {
    if (!events[r].read) continue;
    for (std::uint32_t w = 0; w < events.size(); ++w)
      if (w != r && events[w].write && events[w].location == events[r].location) choices[r].push_back(static_cast<std::int32_t>(w));
    for (const Forced& f : forced)
      if (f.read == r) std::erase_if(choices[r], [&](std::int32_t w) { return w != f.from; });
  }
  Execution execution;
  execution.readsFrom.assign(events.size(), Execution::kInitial);
  const std::function<bool(std::size_t)> choose = [&](std::size_t r) {
    if (r == choices.size()) {
      const std::function<bool(const Relation&)> ordered = [&](const Relation& order) {
        execution.modificationOrder = order;
        return visit(execution);
      };
      return Orders(program, ordered).run();
    }
    for (const std::int32_t from : choices[r]) {
      execution.readsFrom[r] = from;
      if (!choose(r + 1)) return false;
    }
    return true;
  };
  static_cast<void>(choose(0));
}

Litmus parseLitmus(std::string name, const std::string& text) {
  Reader reader;
  reader.litmus.name = std::move(name);
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) reader.line(line);
  return reader.finish();
}

std::vector<Litmus> allLitmus(const std::filesystem::path& folder) {
  std::vector<Litmus> all;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() != ".test") continue;
    std::ifstream file(entry.path());
    std::ostringstream text;
    text << file.rdbuf();
    all.push_back(parseLitmus(entry.path().stem().string(), text.str()));
  }
  std::sort(all.begin(), all.end(), [](const Litmus& a, const Litmus& b) { return a.name < b.name; });
  return all;
}

bool holds(const Litmus& litmus, const Check& check, Rules rules) {
  rules.noChains = check.noChains;
  bool found = false;
  allExecutions(litmus.program, litmus.forced, [&](const Execution& execution) {
    const Judgement j = judge(litmus.program, execution, rules);
    found = j.wellFormed && conditionHolds(check.condition, j);
    return !found;
  });
  return found;
}

}  // namespace lanewise::memory_model
