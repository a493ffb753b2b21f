// Are the conversations what the protocol's own definitions say? Each message becomes a value of its type in TypeScript, and the compiler
// checks it: what is required and missing, what is of another type, what the protocol does not know.
//
// Usage: node conform.js CONVERSATION...   Needs the packages typescript and @vscode/debugprotocol.
const fs = require('fs'), os = require('os'), path = require('path');
const ts = require('typescript');

const lines = [`import { DebugProtocol as P } from '${path.dirname(require.resolve('@vscode/debugprotocol'))}/debugProtocol';`];
const places = [''];
const name = (command) => command[0].toUpperCase() + command.slice(1);
const add = (type, text, place) => {
  lines.push(`{ const m: ${type} = ${text}; void m; }`);
  places.push(place);
};
for (const file of process.argv.slice(2)) {
  let command = '';
  fs.readFileSync(file, 'utf8').split('\n').forEach((line, i) => {
    const [, mark, word, text] = line.match(/^([<>]) (\S+) ?(.*)$/) || [];
    const place = `${path.basename(file)}:${i + 1}: ${line.slice(0, 100)}`;
    if (mark === '>') {
      command = word === 'console' ? 'evaluate' : word;
      // What a launch and a restart take is the adapter's own.
      if (text && command !== 'launch' && command !== 'restart') add(`P.${command === 'initialize' ? 'InitializeRequest' : name(command)}Arguments`, text, place);
    } else if (mark === '<' && word === 'answer') {
      if (text) add(`P.${name(command)}Response['body']`, text, place);
    } else if (mark === '<' && word !== 'refused' && text) {
      add(`P.${name(word)}Event['body']`, text, place);
    }
  });
}
const source = path.join(fs.mkdtempSync(path.join(os.tmpdir(), 'conform-')), 'messages.ts');
fs.writeFileSync(source, lines.join('\n') + '\n');
const program = ts.createProgram([source], { noEmit: true, strict: true, skipLibCheck: true, types: [] });
let wrong = 0;
for (const d of ts.getPreEmitDiagnostics(program)) {
  const line = d.file && d.start !== undefined ? d.file.getLineAndCharacterOfPosition(d.start).line : 0;
  console.log(`${places[line] || ''}\n  ${ts.flattenDiagnosticMessageText(d.messageText, '\n  ')}`);
  ++wrong;
}
console.log(`${lines.length - 1} messages, ${wrong} wrong`);
process.exit(wrong || lines.length < 2 ? 1 : 0);
