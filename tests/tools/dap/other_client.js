// A client that others wrote (@vscode/debugadapter-testsupport) drives the program: it stops at a breakpoint, looks at a variable, steps
// forwards and back, goes to a finding, and ends.
//
// Usage: node other_client.js LANEWISE FOLDER-WITH-turns.comp
const { spawn } = require('child_process');
const assert = require('assert');
const { DebugClient } = require('@vscode/debugadapter-testsupport');

const [program, folder] = process.argv.slice(2);

async function main(port) {
  const client = new DebugClient('none', 'none', 'lanewise');
  await client.start(port);
  const launch = { program: 'turns.comp', args: ['--buffer', '0:0=zeros:16'] };
  await client.hitBreakpoint(launch, { path: `${folder}/turns.comp`, line: 13 });
  const threads = (await client.threadsRequest()).body.threads;
  assert.strictEqual(threads.length, 4);
  const threadId = threads[3].id;
  const value = async (name) => {
    const frames = (await client.stackTraceRequest({ threadId })).body.stackFrames;
    return (await client.evaluateRequest({ expression: name, frameId: frames[0].id, context: 'watch' })).body.result;
  };
  assert.strictEqual(await value('sum'), '12');
  await Promise.all([client.nextRequest({ threadId }), client.assertStoppedLocation('step', { line: 14 })]);
  await Promise.all([client.stepBackRequest({ threadId }), client.waitForEvent('stopped')]);
  const [, stopped] = await Promise.all([client.reverseContinueRequest({ threadId }), client.waitForEvent('stopped')]);
  assert.strictEqual(stopped.body.reason, 'entry');
  await client.setBreakpointsRequest({ source: { path: `${folder}/turns.comp` }, breakpoints: [] });
  await Promise.all([client.continueRequest({ threadId }), client.waitForEvent('stopped')]);
  await Promise.all([client.continueRequest({ threadId }), client.waitForEvent('terminated')]);
  await client.disconnectRequest();
}

const server = spawn(program, ['dap', '--port', '0'], { cwd: folder, stdio: ['ignore', 'pipe', 'inherit'] });
server.stdout.once('data', (said) =>
  main(Number(String(said).match(/:(\d+)/)[1]))
    .then(() => { console.log('well'); process.exitCode = 0; }, (error) => { console.log(error); process.exitCode = 1; })
    .finally(() => server.kill()));
setTimeout(() => { console.log('too slow'); server.kill(); process.exit(1); }, 60000).unref();
