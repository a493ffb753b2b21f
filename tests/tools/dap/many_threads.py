#!/usr/bin/env python3
"""How long an editor waits in a dispatch of a million invocations, in milliseconds of processor time of `lanewise dap` and by the clock.

Usage: many_threads.py LANEWISE. Exit code 1: an answer is wrong, or took more than a second of processor time."""
import json, os, subprocess, sys, tempfile, time

KERNEL = """#version 450
layout(local_size_x = 1024) in;
layout(binding = 0) buffer Data { uint data[]; };
shared uint tile[1024];
void main() {
  uint i = gl_GlobalInvocationID.x, sum = 0u;
  tile[gl_LocalInvocationIndex] = data[i] + i;
  barrier();
  for (uint k = 0u; k < 4u; ++k) sum += tile[(gl_LocalInvocationIndex + k) % 1024u];
  data[i] = sum;
}
"""


class Editor:
    def __init__(self, program, folder):
        self.process = subprocess.Popen([program, "dap"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=folder)
        self.number, self.events = 0, []

    def receive(self):
        length = 0
        while (line := self.process.stdout.readline().strip()) or not length:
            if line.lower().startswith(b"content-length:"):
                length = int(line.split(b":")[1])
        return json.loads(self.process.stdout.read(length))

    def send(self, command, **arguments):
        self.number += 1
        text = json.dumps({"seq": self.number, "type": "request", "command": command, "arguments": arguments}).encode()
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(text) + text)
        self.process.stdin.flush()
        return self.number

    def ask(self, command, **arguments):
        number = self.send(command, **arguments)
        while True:
            message = self.receive()
            if message["type"] == "response" and message["request_seq"] == number:
                assert message["success"], message
                return message.get("body", {})
            self.events.append(message)

    def until(self, event):
        while not any(e.get("event") == event for e in self.events):
            self.events.append(self.receive())
        self.events = [e for e in self.events if e.get("event") != event]

    def spent(self):
        with open(f"/proc/{self.process.pid}/stat") as f:
            fields = f.read().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def main():
    folder = tempfile.mkdtemp()
    with open(os.path.join(folder, "many.comp"), "w") as f:
        f.write(KERNEL)
    editor = Editor(os.path.abspath(sys.argv[1]), folder)
    slow = []

    def timed(what, *steps):
        cpu, clock = editor.spent(), time.monotonic()
        for step in steps:
            out = step()
        cpu, clock = editor.spent() - cpu, time.monotonic() - clock
        print(f"{what:<58} {cpu * 1000:6.0f} ms  {clock * 1000:6.0f} ms by the clock")
        if cpu > 1:
            slow.append(what)
        return out

    def threads():
        return editor.ask("threads")["threads"]

    def console(line):
        return editor.ask("evaluate", expression=line, context="repl")["result"]

    editor.ask("initialize", adapterID="many", supportsVariablePaging=True)
    timed("launch, to the first line", lambda: editor.send("launch", program="many.comp", stopOnEntry=True,
                                                           args=["--groups", "1024", "--buffer", "0:0=zeros:4194304"]),
          lambda: editor.until("initialized"), lambda: editor.ask("configurationDone"), lambda: editor.until("stopped"))
    all_threads = timed("the list of threads", threads)
    assert len(all_threads) == 128, len(all_threads)
    timed("an invocation in the middle: global 524800,0,0", lambda: console("global 524800,0,0"), lambda: editor.until("stopped"))
    all_threads = timed("the list of threads there", threads)
    assert any(t["name"].startswith("524800,0,0 ") for t in all_threads), all_threads[:2]
    timed("the last one: global 1048575,0,0", lambda: console("global 1048575,0,0"), lambda: editor.until("stopped"))
    all_threads = timed("the list of threads there", threads)
    thread = next(t["id"] for t in all_threads if t["name"].startswith("1048575,0,0 "))
    timed("a step", lambda: editor.ask("next", threadId=thread), lambda: editor.until("stopped"))
    frame = timed("its stack", lambda: editor.ask("stackTrace", threadId=thread))["stackFrames"][0]["id"]
    scopes = timed("its scopes", lambda: editor.ask("scopes", frameId=frame))["scopes"]
    resources = next(s for s in scopes if s["name"] == "Resources")["variablesReference"]
    block = editor.ask("variables", variablesReference=resources)["variables"][0]
    while not block.get("indexedVariables"):
        block = editor.ask("variables", variablesReference=block["variablesReference"])["variables"][0]
    assert block["indexedVariables"] == 1048576, block
    page = timed("100 of a million elements, from the middle", lambda: editor.ask(
        "variables", variablesReference=block["variablesReference"], filter="indexed", start=524288, count=100))["variables"]
    assert len(page) == 100 and page[0]["name"] == "[524288]", page[0]
    lanes = next(s for s in scopes if s["name"] == "Lanes")["variablesReference"]
    one = editor.ask("variables", variablesReference=lanes)["variables"][0]
    page = timed("a variable in 1024 lanes", lambda: editor.ask("variables", variablesReference=one["variablesReference"]))["variables"]
    assert len(page) >= 128, len(page)
    timed("the first step back", lambda: editor.ask("stepBack", threadId=thread), lambda: editor.until("stopped"))
    timed("the next step", lambda: editor.ask("next", threadId=thread), lambda: editor.until("stopped"))
    timed("the next step back", lambda: editor.ask("stepBack", threadId=thread), lambda: editor.until("stopped"))
    timed("a look at another lane: focus 1048000,0,0", lambda: console("focus 1048000,0,0"), lambda: editor.until("stopped"))
    editor.ask("disconnect")
    editor.process.stdin.close()
    editor.process.wait()
    if slow:
        print("too slow:", ", ".join(slow))
    return 1 if slow else 0


sys.exit(main())
