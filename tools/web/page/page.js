// The debugger's page: moves and time; look.js and memory.js draw what there is. It keeps nothing of the session: after each move it asks what to show (tools/web/face.h), and draws that.
'use strict';

const $ = (id) => document.getElementById(id);
let job = null;        // what stays the same
let state = {version: 0, log: []};
let lastLine = 0;      // of the log
const history = [];
let historyAt = 0;

// An element with classes, text and children.
function el(tag, classes = '', text = null, ...children) {
  const e = document.createElement(tag);
  if (classes) e.className = classes;
  if (text !== null) e.textContent = text;
  e.append(...children);
  return e;
}

class Refused extends Error {}
const later = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));
let isMoving = false;
let compiled = 0;      // how often the subject was

// While others have the session for long, as on a busy host, a question is asked again, unless the page has moved on: then nobody waits.
async function post(what, args = {}) {
  const version = state.version;
  for (;;) {
    const answer = await send(what, args);
    if (answer.ok) return answer;
    const {error} = await answer.json();
    if (answer.status !== 503) throw new Refused(error);
    do await later(200);
    while (isMoving && version === state.version);
    if (version !== state.version) throw new Refused(error);
  }
}

async function send(what, args) {
  try {
    return await fetch('ask/' + what, {method: 'POST', headers: {'Content-Type': 'application/json'}, body: JSON.stringify(args)});
  } catch {
    $('place').textContent = 'lanewise has ended';
    throw new Refused('');
  }
}
const ask = async (what, args) => (await post(what, args)).json();

// Draws with an answer if the session is still where it was; says in `where` why there is none.
async function show(where, what, args, draw) {
  const version = state.version;
  try {
    const answer = await ask(what, args);
    if (version === state.version) draw(answer);
  } catch (e) {
    if (!(e instanceof Refused)) throw e;
    if (where && version === state.version) where.replaceChildren(el('span', 'empty', e.message));
  }
}

// ---- moves and state

let sending = false, next = null;  // at most one command waits: the newest

async function command(line) {
  if (sending) {
    next = line;
    return;
  }
  sending = true;
  try {
    await ask('command', {line});
  } catch (e) {
    log([{kind: 'error', text: e.message}]);
  }
  sending = false;
  await poll();
  if (next !== null) {
    const line = next;
    next = null;
    command(line);
  }
}

async function find(what) {
  await ask('find', {what}).catch(() => {});
  poll();
}

let polling = null;

async function poll() {
  clearTimeout(polling);
  try {
    const s = await ask('state', {version: state.version, since: lastLine});
    isMoving = s.moving !== null;
    log(s.log);
    $('moving').hidden = !isMoving || s.moving.seconds < 0.2;
    if (isMoving) {
      const groups = job.dispatches[s.moving.dispatch].groups;
      const of = job.dispatches.length > 1 ? `dispatch ${s.moving.dispatch}, ` : '';
      $('progress').textContent = `${s.moving.name}: ${of}workgroup ${s.moving.opened} of ${groups[0] * groups[1] * groups[2]}, ${s.moving.seconds.toFixed(1)} s`;
    }
    if (s.time && s.version !== state.version) {
      if (s.compiled !== compiled) {  // by `reload`
        compiled = s.compiled;
        job = await ask('job');
        files.clear();
        delete $('source').dataset.file;
        addResources();
      }
      state = s;
      refresh();
    }
  } catch (e) {
    if (!(e instanceof Refused)) throw e;
  }
  clearTimeout(polling);
  polling = setTimeout(poll, isMoving ? 150 : document.hidden ? 5000 : 1000);
}

function log(lines) {
  for (const line of lines) {
    if (line.number && line.number <= lastLine) continue;
    if (line.number) lastLine = line.number;
    $('log').append(el('div', line.text.startsWith('error: ') ? 'error' : line.kind, line.text));
  }
  while ($('log').childElementCount > 1000) $('log').firstChild.remove();
  if (lines.length) $('log').scrollTop = $('log').scrollHeight;
}

function refresh() {
  const [dispatch] = state.time;
  $('place').textContent = state.atEnd ? 'the end of the run' : `${state.place || state.standing}`;
  $('whose').textContent = `invocation ${state.focus.join(',')}` + (job.dispatches.length > 1 ? ` of dispatch ${dispatch}` : '');
  for (const b of document.querySelectorAll('[data-do]'))
    b.disabled = b.dataset.do === 'end' ? state.atEnd : state.atEnd && !b.dataset.do.startsWith('reverse') && b.dataset.do !== 'start';
  drawTime();
  drawStack();
  drawSource();
  drawSpirv();
  drawLanes();
  drawVariables();
  drawWatch();
  drawBreakpoints();
  drawFindings();
  drawMemory();
}

// ---- time

const groupsOf = (d) => d.groups[0] * d.groups[1] * d.groups[2];
const before = (dispatch) => job.dispatches.slice(0, dispatch).reduce((sum, d) => sum + groupsOf(d), 0);

function drawTime() {
  const [dispatch, opened, step] = state.time;
  const all = before(job.dispatches.length);
  $('groups').max = all;
  if (!$('groups').matches(':active')) $('groups').value = before(dispatch) + opened;
  const of = job.dispatches.length > 1 ? `dispatch ${dispatch}, ` : '';
  $('groups-text').textContent = `${of}workgroup ${opened} of ${groupsOf(job.dispatches[dispatch])}`;
  $('steps').disabled = state.steps === undefined;
  $('steps').max = state.steps || 0;
  if (!$('steps').matches(':active')) $('steps').value = step === null ? state.steps || 0 : step;
  $('steps-text').textContent = state.atEnd ? 'the end' : state.steps === undefined ? `step ${step}` : `step ${step} of ${state.steps}`;
  const ticks = [];
  for (let d = 1; d < job.dispatches.length; ++d) ticks.push(tick(before(d) / all, '', `dispatch ${d}`));
  for (const f of findings) ticks.push(tick((before(f.time[0]) + f.time[1]) / all, 'finding', f.text));
  $('ticks').replaceChildren(...ticks);
}

function tick(part, classes, title) {
  const t = el('i', classes);
  t.style.setProperty('left', part * 100 + '%');
  t.title = title;
  return t;
}

function toGroup(position) {
  const all = before(job.dispatches.length);
  let left = Math.max(1, Math.min(all, Math.round(position)));
  let d = 0;
  while (d + 1 < job.dispatches.length && left > groupsOf(job.dispatches[d])) left -= groupsOf(job.dispatches[d++]);
  command(`time ${d}.${left}.0`);
}

function toStep(step) {
  const [dispatch, opened] = state.time;
  if (step < 0 && opened > 1) return toGroup(before(dispatch) + opened - 1);
  command(`time ${dispatch}.${opened}.${Math.max(0, step)}`);
}

$('groups').addEventListener('input', () => toGroup(+$('groups').value));
$('steps').addEventListener('input', () => toStep(+$('steps').value));
for (const b of document.querySelectorAll('[data-time]'))
  b.addEventListener('click', () => {
    const [which, by] = b.dataset.time.split(':');
    if (which === 'groups') return toGroup(+$('groups').value + +by);
    toStep((state.time[2] === null ? state.steps || 1 : state.time[2]) + +by);
  });


// ---- console, keys, start

$('command').addEventListener('keydown', (event) => {
  const box = $('command');
  if (event.key === 'Enter') {
    if (box.value.trim() && history[history.length - 1] !== box.value) history.push(box.value);
    historyAt = history.length;
    command(box.value);
    box.value = '';
  } else if (event.key === 'ArrowUp' || event.key === 'ArrowDown') {
    historyAt = Math.max(0, Math.min(history.length, historyAt + (event.key === 'ArrowUp' ? -1 : 1)));
    box.value = history[historyAt] || '';
    event.preventDefault();
  }
});
$('command').addEventListener('input', () => {
  const line = $('command').value, head = line.slice(0, line.search(/[^ .[(,+\-*/%]*$/));
  show(null, 'completions', {line}, ({completions}) =>
    $('completions').replaceChildren(...completions.slice(0, 50).map((c) => {
      const option = el('option');
      option.value = head + c;
      return option;
    })));
});

const stopMove = () => ask('stop').then(poll, () => {});
$('stop').addEventListener('click', stopMove);
for (const b of document.querySelectorAll('[data-do]')) b.addEventListener('click', () => command(b.dataset.do));

const kKeys = {F5: 'continue', F10: 'next', F11: 'step', c: 'continue', n: 'next', s: 'step', o: 'finish', i: 'stepi', b: 'barrier'};
document.addEventListener('keydown', (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey || $('help').open) return;
  const isWriting = /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName) && !/^(range|checkbox)$/.test(event.target.type);
  if (event.key === 'Escape') return isWriting ? event.target.blur() : stopMove();
  const isFunctionKey = /^F\d+$/.test(event.key);
  if (isWriting && !isFunctionKey) return;
  const move = kKeys[isFunctionKey ? event.key : event.key.toLowerCase()];
  const onRange = event.target.type === 'range';
  if (move) command((event.shiftKey ? 'reverse-' : '') + move);
  else if (event.key === 'Home' && !onRange) command('start');
  else if (event.key === 'End' && !onRange) command('end');
  else if (event.key === 'PageDown' && !onRange) toGroup(+$('groups').value + 1);
  else if (event.key === 'PageUp' && !onRange) toGroup(+$('groups').value - 1);
  else if (event.key === '/') $('command').focus();
  else if (event.key === '?') $('help').showModal();
  else return;
  event.preventDefault();
});
$('help-open').addEventListener('click', () => $('help').showModal());

// The choice is kept where the browser allows it.
const root = document.documentElement;
function theme(name) {
  root.dataset.theme = name;
  drawPicture();
}
$('theme').addEventListener('click', () => {
  theme(root.dataset.theme === 'dark' ? 'light' : 'dark');
  try { localStorage.setItem('lanewise-theme', root.dataset.theme); } catch {}
});

addEventListener('DOMContentLoaded', async () => {
  let kept = null;
  try { kept = localStorage.getItem('lanewise-theme'); } catch {}
  theme(kept || (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light'));
  job = await ask('job').catch(() => new Promise((again) => setTimeout(() => again(null), 500)));
  if (!job) return location.reload();  // the commands that run first take long
  $('subject').textContent = $('subject').title = job.subject;
  document.title = job.subject + ' - Lanewise';
  poll();
});
addEventListener('resize', () => (drawLanes(), drawPicture()));
