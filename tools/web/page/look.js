// What the page shows of the session: source, invocations, variables, breakpoints, findings. page.js moves.
'use strict';

// ---- source

let shownFile = -1;
const files = new Map();  // by number: a promise of the text and the lines with code

function fileOf(number) {
  if (!files.has(number)) files.set(number, ask('source', {file: number}).catch(() => (files.delete(number), null)));
  return files.get(number);
}

// The function that is looked at, and where it is.
const frame = () => state.frames && state.frames[Math.min(state.frame, state.frames.length - 1)];

async function drawSource() {
  const f = frame();
  if (f && f.file !== undefined) shownFile = f.file;
  $('files').replaceChildren(...job.files.map((path, i) => {
    const tab = el('button', i === shownFile ? 'chosen' : '', path.split('/').pop());
    tab.title = path;
    tab.onclick = () => (shownFile = i, drawFile(true));
    return tab;
  }));
  if (shownFile < 0 && job.files.length) shownFile = 0;
  await drawFile(false);
}

async function drawFile(isChosen) {
  for (const [i, tab] of [...$('files').children].entries()) tab.classList.toggle('chosen', i === shownFile);
  const file = shownFile < 0 ? null : await fileOf(shownFile);
  if (!file || !file.text) {
    $('source').replaceChildren(el('div', 'empty', job.files.length ? ' The source is neither in the module nor at its path.' : ' The module says nothing of lines: see SPIR-V.'));
    return;
  }
  if ($('source').dataset.file !== String(shownFile)) {
    const code = new Set(file.lines);
    $('source').replaceChildren(...file.text.split('\n').map((text, i) => {
      const gutter = el('span', code.has(i + 1) ? 'gutter code' : 'gutter', i + 1);
      gutter.title = code.has(i + 1) ? 'Breakpoint' : '';
      gutter.onclick = () => toggleBreakpoint(shownFile, i + 1);
      return el('div', 'row', null, gutter, el('span', 'text', text));
    }));
    $('source').dataset.file = shownFile;
  }
  const rows = $('source').children;
  const f = frame();
  for (const row of $('source').querySelectorAll('.now, .caller, .stop')) {
    row.classList.remove('now', 'caller', 'stop', 'off');
  }
  for (const b of state.breakpoints)
    if (b.file === shownFile && rows[b.line - 1]) rows[b.line - 1].firstChild.classList.add('stop', ...b.enabled ? [] : ['off']);
  const row = f && f.file === shownFile && !state.atEnd && rows[f.line - 1];
  if (!row) return;
  row.classList.add(state.frame === 0 ? 'now' : 'caller');
  const box = $('source').getBoundingClientRect(), at = row.getBoundingClientRect();
  if (!isChosen && (at.top < box.top + 30 || at.bottom > box.bottom - 50)) $('source').scrollTop += at.top - box.top - box.height / 3;
}

function toggleBreakpoint(file, line) {
  const known = state.breakpoints.find((b) => b.file === file && b.line === line);
  command(known ? `delete ${known.number}` : `break ${job.files[file]}:${line}`);
}

function drawSpirv() {
  $('spirv').hidden = !$('spirv-on').checked;
  if ($('spirv').hidden) return;
  if (!state.address) return $('spirv').replaceChildren(el('div', 'empty', ' The invocation is nowhere now.'));
  show($('spirv'), 'disassembly', {address: state.address, first: -150, count: 400}, ({instructions}) => {
    $('spirv').replaceChildren(...instructions.filter((i) => i.presentationHint !== 'invalid').map((i) => {
      const row = el('div', i.address === state.address ? 'row now' : 'row', null, el('span', 'gutter', i.line || ''), el('span', 'text', i.instruction));
      row.title = `word ${parseInt(i.address, 16) % 2 ** 32 / 4}`;
      return row;
    }));
    const row = $('spirv').querySelector('.now');
    if (row) $('spirv').scrollTop = row.offsetTop - $('spirv').offsetTop - $('spirv').clientHeight / 3;
  });
}
$('spirv-on').addEventListener('change', drawSpirv);

// The value of the name under the pointer.
let tipFor = '';
function hideTip() {
  tipFor = '';
  $('tip').hidden = true;
}
$('source').addEventListener('mousemove', (event) => {
  const at = document.caretPositionFromPoint ? document.caretPositionFromPoint(event.clientX, event.clientY) : document.caretRangeFromPoint(event.clientX, event.clientY);
  const node = at && (at.offsetNode || at.startContainer), offset = at && (at.offset ?? at.startOffset);
  if (!node || node.nodeType !== Node.TEXT_NODE || !node.parentNode.classList.contains('text')) return hideTip();
  const start = node.data.slice(0, offset).match(/[A-Za-z_][\w.]*$|$/)[0], end = node.data.slice(offset).match(/^\w*/)[0];
  const name = start + end;
  if (!/^[A-Za-z_]/.test(name)) return hideTip();
  if (name === tipFor) return;
  tipFor = name;
  show(null, 'value', {expressions: [name]}, ({values: [v]}) => {
    $('tip').hidden = v.error !== undefined || name !== tipFor;
    $('tip').textContent = `${v.type} ${name} = ${v.value}`;
    $('tip').style.setProperty('left', Math.min(event.clientX + 12, innerWidth - 300) + 'px');
    $('tip').style.setProperty('top', event.clientY + 16 + 'px');
  });
});
$('source').addEventListener('mouseleave', hideTip);

// ---- the lanes of the workgroup

let colouredBy = '';  // an expression; empty: by state
const kStates = {'*': ['next', 'executes next'], 'r': ['ready', 'can go on'], 'd': ['diverged', 'waits for others, who took another way'],
  'b': ['barrier', 'waits at a barrier'], '.': ['returned', 'has returned'], '!': ['fault', 'ended the run'], '-': ['closed', 'not open now']};

function drawLanes() {
  $('by-state').classList.toggle('chosen', !colouredBy);
  $('scale').textContent = '';
  if (!state.open) {
    $('lanes-text').textContent = '';
    $('legend').replaceChildren();
    $('lanes').replaceChildren(el('span', 'empty', state.atEnd ? 'The run is over: no workgroup is open.' : 'This workgroup is not open now.'));
    return;
  }
  const asked = colouredBy;
  show($('lanes'), 'grid', {expression: asked}, (g) => {
    if (asked !== colouredBy) return;  // another answer is on its way
    const [x, y, z] = g.shape;
    const columns = y * z === 1 && x > 32 ? 32 : x, rows = Math.ceil(x / columns) * y;
    const cell = Math.max(9, Math.min(30, Math.floor(($('lanes').clientWidth - 20) / columns) - 1, Math.floor(innerHeight * 0.28 / rows) - 1));
    const first = g.first;
    $('lanes-text').textContent = `${x}×${y}×${z} invocations from ${first.join(',')}, subgroups of ${g.subgroupSize}`;
    const known = (g.numbers || []).filter((n) => n !== null);
    const low = Math.min(...known), high = Math.max(...known);
    if (colouredBy) $('scale').textContent = known.length ? `${colouredBy}: ${low} to ${high}` : colouredBy;
    const slices = [];
    for (let s = 0; s < z; ++s) {
      const slice = el('div', 'slice');
      slice.style.setProperty('grid-template-columns', `repeat(${columns}, ${cell}px)`);
      slice.style.setProperty('--cell', cell + 'px');
      for (let i = s * x * y; i < (s + 1) * x * y; ++i) slice.append(lane(g, i, cell, low, high));
      slices.push(slice);
    }
    $('lanes').replaceChildren(...slices);
    const there = colouredBy ? [] : Object.entries(kStates).filter(([letter]) => g.states.includes(letter));
    $('legend').replaceChildren(...there.map(([letter, [name, text]]) =>
      el('span', '', null, el('i', name), `${letter} ${text}: ${g.states.split(letter).length - 1}`)));
  });
}

function lane(g, i, size, low, high) {
  const [x, y] = g.shape;
  const at = [g.first[0] + i % x, g.first[1] + Math.floor(i / x) % y, g.first[2] + Math.floor(i / (x * y))];
  const value = g.values && g.values[i], number = g.numbers && g.numbers[i];
  const letter = g.states[i];
  const cell = el('div', 'lane', !colouredBy ? letter : value.length * 6.2 < size ? value : '');
  if (!colouredBy) cell.classList.add(kStates[letter][0]);
  else if (number === null) cell.classList.add('unknown');
  else {
    const t = high > low ? (number - low) / (high - low) * 100 : 0;
    cell.classList.add('valued', ...t > 55 ? ['strong'] : []);
    cell.style.setProperty('--t', t);
  }
  if (g.subgroups[i] % 2) cell.classList.add('odd');
  if (at.join() === state.focus.join()) cell.classList.add('focus');
  cell.title = `invocation ${at.join(',')}, subgroup ${g.subgroups[i]}${colouredBy ? `: ${colouredBy} = ${value}` : ''}\n${g.places[g.at[i]]}`;
  cell.onclick = () => command(`focus ${at.join(',')}`);
  return cell;
}

function colourBy(expression) {
  colouredBy = expression.trim();
  $('expression').value = colouredBy;
  drawLanes();
}
$('expression').addEventListener('change', () => colourBy($('expression').value));
$('by-state').addEventListener('click', () => colourBy(''));
$('global').addEventListener('change', () => (command(`global ${$('global').value}`), $('global').value = ''));

// ---- the side: call stack, variables, watch, breakpoints, findings

function drawStack() {
  const rows = (state.frames || []).map((f, i) => {
    const row = el('div', 'item link' + (i === state.frame ? ' bold' : ''), `${f.function}${f.line ? ':' + f.line : ''}`);
    row.title = 'Look at its variables';
    row.onclick = () => command(`frame ${i}`);
    return row;
  });
  $('stack').replaceChildren(...rows.length ? rows : [el('span', 'empty', state.standing)]);
}

const unfolded = new Set(['Arguments', 'Locals']);  // by their paths: they stay so when the session moves

function drawVariables() {
  show($('variables'), 'scopes', {}, ({scopes}) => {
    const lists = scopes.map((s) => variable({name: s.name, value: '', variablesReference: s.variablesReference}, s.name));
    $('variables').replaceChildren(...lists);
  });
}

function tool(sign, title, run) {
  const b = el('button', 'tool', sign);
  b.title = title;
  b.onclick = run;
  return b;
}

function variable(v, path) {
  const twist = el('span', 'twist', v.variablesReference ? '▸' : '');
  const row = el('div', 'item', null, twist, el('span', 'name', v.name), el('span', 'value', v.value));
  row.title = v.type ? `${v.type} ${v.name} = ${v.value}` : '';
  if (v.evaluateName) {
    row.append(tool('↶', 'To the store that wrote it last', () => command(`why ${v.evaluateName}`)));
    row.append(tool('▦', 'Colour the workgroup by it', () => colourBy(v.evaluateName)));
  }
  const inner = el('div', 'nested');
  const unfold = () => {
    twist.textContent = '▾';
    show(inner, 'variables', {variablesReference: v.variablesReference, version: state.version}, ({variables}) =>
      inner.replaceChildren(...variables.map((part) => variable(part, path + '/' + part.name))));
  };
  if (v.variablesReference && unfolded.has(path)) unfold();
  twist.onclick = () => {
    if (!v.variablesReference) return;
    if (unfolded.delete(path)) return (twist.textContent = '▸', inner.replaceChildren());
    unfolded.add(path);
    unfold();
  };
  return el('div', '', null, row, inner);
}

const watched = [];

function drawWatch() {
  if (!watched.length) return $('watch').replaceChildren();
  show($('watch'), 'value', {expressions: watched}, ({values}) => $('watch').replaceChildren(...values.map((v, i) => {
    const row = el('div', 'item', null, el('span', 'name', watched[i]), el('span', v.error ? 'value empty' : 'value', v.error || v.value));
    row.append(tool('×', 'No more', () => (watched.splice(i, 1), drawWatch())));
    return row;
  })));
}
$('watch-add').addEventListener('change', () => {
  if ($('watch-add').value.trim()) watched.push($('watch-add').value.trim());
  $('watch-add').value = '';
  drawWatch();
});

function drawBreakpoints() {
  const rows = state.breakpoints.map((b) => {
    const on = el('input');
    on.type = 'checkbox';
    on.checked = b.enabled;
    on.title = 'Stops there';
    on.onchange = () => command(`${b.enabled ? 'disable' : 'enable'} ${b.number}`);
    const condition = el('input');
    condition.size = 12;
    condition.placeholder = 'if …';
    condition.value = b.condition;
    condition.title = 'Stops only where this is true';
    condition.onchange = () => command(`condition ${b.number} ${condition.value}`);
    return el('div', 'item', null, on, el('span', 'value', b.text), condition, tool('×', 'Delete', () => command(`delete ${b.number}`)));
  });
  $('breakpoints').replaceChildren(...rows);
}

let findings = [];
function drawFindings() {
  $('find').hidden = state.hasFindings;
  if (!state.hasFindings) return $('findings').replaceChildren();
  show($('findings'), 'findings', {}, (answer) => {
    findings = answer.findings;
    $('findings').replaceChildren(...findings.length ? findings.map((f, i) => {
      const row = el('div', 'item link', f.text);
      row.title = 'Go there';
      row.onclick = () => command(`finding ${i + 1}`);
      return row;
    }) : [el('span', 'empty', 'Nothing was found. Races are told by lanewise check.')]);
    drawTime();
  });
}
$('find').addEventListener('click', () => find('findings'));
