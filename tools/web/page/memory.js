// What the page shows of memory: images as pictures, buffers and workgroup memory as numbers, each as it is at this moment.
'use strict';

const kWorkgroup = -1;  // stands for workgroup memory in the list of resources
let shownResource = 0;
let marked = null;      // the texel whose last writer was asked for
let view = {x: 0, y: 0, zoom: 0};  // the texel in the upper left corner; the size of a texel, 0: all of the image

const resource = () => job.resources[shownResource];
const isImage = () => shownResource >= 0 && resource().levels !== undefined;
const extent = () => resource().levels[+$('level').value];

function addResources() {
  const all = [...job.resources.keys(), kWorkgroup];
  $('resources').replaceChildren(...all.map((i) => {
    const r = job.resources[i];
    const tab = el('button', '', r ? r.name : 'workgroup memory');
    tab.title = !r ? 'Memory that the invocations of this workgroup share' : r.levels ? `image ${r.format}, ${r.levels[0].join('×')}` : `buffer of ${r.bytes} bytes`;
    tab.onclick = () => chooseResource(i);
    return tab;
  }));
  const image = job.resources.findLastIndex((r) => r.levels);
  chooseResource(image >= 0 ? image : 0);
}

function chooseResource(i) {
  shownResource = i < job.resources.length ? i : kWorkgroup;
  for (const [k, tab] of [...$('resources').children].entries())
    tab.classList.toggle('chosen', k === (shownResource === kWorkgroup ? job.resources.length : shownResource));
  $('picture-bar').hidden = $('picture').hidden = !isImage();
  $('numbers-bar').hidden = $('numbers').hidden = isImage();
  $('type').parentNode.hidden = shownResource === kWorkgroup;
  if (isImage())
    $('level').replaceChildren(...resource().levels.map((e, l) => {
      const option = el('option', '', `${l}: ${e[0]}×${e[1]}`);
      option.value = l;
      return option;
    }));
  $('slice').value = $('from').value = 0;
  $('texel').textContent = '\u00a0';
  marked = null;
  view = {x: 0, y: 0, zoom: 0};
  if (state.time) drawMemory();
}

const drawMemory = () => isImage() ? drawPicture() : drawNumbers();

// ---- pictures

// A whole number of points a texel, or of texels a point.
function fitZoom() {
  const [w, h] = extent(), box = $('picture'), most = Math.min(box.clientWidth / w, box.clientHeight / h);
  return most >= 1 ? Math.min(64, Math.floor(most)) : 1 / Math.ceil(1 / Math.max(most, 1 / 1024));
}
const zoom = () => view.zoom || fitZoom();

function zoomTo(z, px = $('picture').clientWidth / 2, py = $('picture').clientHeight / 2) {
  const [tx, ty] = texelAt(px, py);
  z = Math.max(fitZoom(), Math.min(64, z));
  view = {x: tx - px / z, y: ty - py / z, zoom: z};
  drawPicture();
}

// Of a point of the canvas, with fractions.
const texelAt = (px, py) => [left() + px / zoom(), top_() + py / zoom()];
const kept = (at, size, box) => Math.max(Math.min(0, (size - box) / 2), Math.min(at, Math.max(size - box, (size - box) / 2)));
const left = () => kept(view.x, extent()[0], $('picture').clientWidth / zoom());
const top_ = () => kept(view.y, extent()[1], $('picture').clientHeight / zoom());
const texelText = (x, y) => `${x},${y}` + (extent()[2] > 1 ? `,${+$('slice').value}` : '') + (resource().levels.length > 1 ? ` level ${$('level').value}` : '');

async function drawPicture() {
  if (!job || !state.time || !isImage()) return;
  const canvas = $('picture'), z = zoom(), [w, h, slices] = extent();
  const width = canvas.clientWidth, height = canvas.clientHeight;
  $('slice').max = slices - 1;
  $('slice').parentNode.hidden = slices === 1;
  const step = Math.max(1, Math.round(1 / z));
  const x0 = Math.max(0, Math.floor(left() / step) * step), y0 = Math.max(0, Math.floor(top_() / step) * step);
  const args = {resource: shownResource, level: +$('level').value, slice: +$('slice').value, x: x0, y: y0, step, channels: $('channels').value,
    width: Math.min(w - x0, Math.ceil(width / z) + 2 * step), height: Math.min(h - y0, Math.ceil(height / z) + 2 * step)};
  for (const bound of ['low', 'high'])
    if ($(bound).value !== '' && isFinite($(bound).value)) args[bound] = +$(bound).value;
  const version = state.version, from = left(), down = top_();
  const answer = await post('picture', args).catch((e) => void ($('texel').textContent = e.message || '\u00a0'));
  if (!answer) return;
  const field = (name) => answer.headers.get('Lanewise-' + name);
  const bytes = new Uint8ClampedArray(await answer.arrayBuffer());
  if (version !== state.version) return;
  const texels = new OffscreenCanvas(+field('Width'), +field('Height'));
  texels.getContext('2d').putImageData(new ImageData(bytes, texels.width, texels.height), 0, 0);
  canvas.width = width;
  canvas.height = height;
  canvas.dataset.version = version;
  const c = canvas.getContext('2d');
  c.imageSmoothingEnabled = false;
  const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(name);
  const across = [Math.max(0, -from * z), Math.min(width, (w - from) * z)], along = [Math.max(0, -down * z), Math.min(height, (h - down) * z)];
  c.fillStyle = colour('--check');
  for (let y = along[0]; y < along[1]; y += 8)
    for (let x = across[0] + (y - along[0]) % 16; x < across[1]; x += 16) c.fillRect(x, y, Math.min(8, across[1] - x), Math.min(8, along[1] - y));
  c.drawImage(texels, (x0 - from) * z, (y0 - down) * z, texels.width * step * z, texels.height * step * z);
  $('low').placeholder = Number(field('Low')).toPrecision(4) * 1;
  $('high').placeholder = Number(field('High')).toPrecision(4) * 1;
  c.strokeStyle = colour('--weak');
  c.strokeRect(-from * z - 0.5, -down * z - 0.5, w * z + 1, h * z + 1);
  if (marked && marked.place === JSON.stringify([shownResource, args.level, args.slice])) {
    c.lineWidth = 2;
    c.strokeStyle = colour('--red');
    c.strokeRect((marked.x - from) * z - 1, (marked.y - down) * z - 1, Math.max(3, z) + 2, Math.max(3, z) + 2);
  }
  c.lineWidth = 0.5;
  c.strokeStyle = colour('--weak');
  c.beginPath();
  for (let x = x0; z >= 16 && x < x0 + texels.width; ++x) c.rect((x - from) * z, along[0], 0, along[1] - along[0]);
  for (let y = y0; z >= 16 && y < y0 + texels.height; ++y) c.rect(across[0], (y - down) * z, across[1] - across[0], 0);
  c.stroke();
  if (z >= 32) drawValues(c, args, from, down, z, bytes);
}

// Texels that are large enough have their values in them.
function drawValues(c, {width, height, x, y, level, slice}, from, down, z, colours) {
  if (width * height > 2000) return;
  show(null, 'texels', {resource: shownResource, level, slice, x, y, width, height}, ({values}) => {
    c.font = '10px ui-monospace, monospace';
    c.textBaseline = 'middle';
    for (const [i, text] of values.entries()) {
      if (!colours[i * 4 + 3]) continue;  // nobody wrote it
      const isDark = colours[i * 4] * 0.3 + colours[i * 4 + 1] * 0.6 + colours[i * 4 + 2] * 0.1 < 130;
      c.fillStyle = isDark ? '#fff' : '#000';
      const parts = text.replace(/[()]/g, '').split(', '), lines = Math.min(parts.length, Math.floor(z / 11));
      for (let k = 0; k < lines; ++k)
        c.fillText(parts[k], (x + i % width - from) * z + 3, (y + Math.floor(i / width) - down + (k + 0.5) / lines) * z, z - 5);
    }
  });
}

let pointed = '';
function point(event) {
  const [x, y] = texelAt(event.offsetX, event.offsetY).map(Math.floor), [w, h] = extent();
  if (x < 0 || y < 0 || x >= w || y >= h) return null;
  return [x, y];
}

let drag = null;
$('picture').addEventListener('pointerdown', (event) => {
  drag = {px: event.offsetX, py: event.offsetY, x: left(), y: top_(), moved: false};
  $('picture').setPointerCapture(event.pointerId);
});
$('picture').addEventListener('pointermove', (event) => {
  if (drag && event.buttons && Math.hypot(event.offsetX - drag.px, event.offsetY - drag.py) > 3) drag.moved = true;
  if (drag && drag.moved) {
    view = {x: drag.x - (event.offsetX - drag.px) / zoom(), y: drag.y - (event.offsetY - drag.py) / zoom(), zoom: zoom()};
    return drawPicture();
  }
  const at = point(event), name = at ? texelText(...at) : '';
  if (name === pointed) return;
  pointed = name;
  if (!at) return ($('texel').textContent = '\u00a0');
  show(null, 'texels', {resource: shownResource, level: +$('level').value, slice: +$('slice').value, x: at[0], y: at[1]}, ({values}) => {
    if (pointed === name) $('texel').textContent = `${resource().name} ${name} = ${values[0]}`;
  });
});
$('picture').addEventListener('pointerup', (event) => {
  const isClick = drag && !drag.moved, at = point(event);
  drag = null;
  if (!isClick || !at) return;
  if (event.shiftKey) return command(`global ${at.join(',')},${+$('slice').value}`);
  marked = {x: at[0], y: at[1], place: JSON.stringify([shownResource, +$('level').value, +$('slice').value])};
  command(`writer ${resource().name} ${texelText(...at)}`);
});
$('picture').addEventListener('wheel', (event) => {
  event.preventDefault();
  zoomTo(zoom() * (event.deltaY < 0 ? 2 : 0.5), event.offsetX, event.offsetY);
}, {passive: false});
$('zoom-in').addEventListener('click', () => zoomTo(zoom() * 2));
$('zoom-out').addEventListener('click', () => zoomTo(zoom() / 2));
$('zoom-fit').addEventListener('click', () => (view = {x: 0, y: 0, zoom: 0}, drawPicture()));
$('level').addEventListener('change', () => (view = {x: 0, y: 0, zoom: 0}, drawPicture()));
for (const id of ['slice', 'channels', 'low', 'high']) $(id).addEventListener('change', drawPicture);

// ---- numbers

const kPage = 128;
let nextByte = 0;

function drawNumbers() {
  const isShared = shownResource === kWorkgroup;
  const from = Math.max(0, Math.floor(+$('from').value) || 0);
  const args = isShared ? {from, count: kPage} : {resource: shownResource, from, count: kPage, ...$('type').value === 'auto' ? {} : {type: $('type').value}};
  show($('numbers'), isShared ? 'memory' : 'numbers', args, (answer) => {
    nextByte = answer.next;
    $('numbers-text').textContent = answer.bytes ? `to ${Math.max(from, answer.next) - 1} of ${answer.bytes} bytes` : '';
    if (!answer.values.length) return $('numbers').replaceChildren(el('span', 'empty', answer.bytes ? 'Nothing is there.' : 'This kernel has none.'));
    const table = el('table');
    for (const v of answer.values) {
      const row = el('tr', '', null, el('td', 'name', v.name), el('td', v.poison ? 'poison' : '', v.value + (v.poison ? ' (nobody wrote it)' : '')));
      if (isShared) row.append(el('td', 'empty', v.writer || (answer.known ? 'nobody yet' : '')));
      row.title = `byte ${v.byte}: click to go to the store that wrote it last`;
      row.onclick = () => command(isShared ? `why ${v.name}` : `writer ${resource().name} ${v.byte}`);
      table.append(row);
    }
    $('numbers').replaceChildren(table);
    if (isShared && !answer.known && answer.values.length && soughtAt !== state.version) {
      soughtAt = state.version + 1;
      find('stores');
    }
  });
}
let soughtAt = 0;  // the version for which the last writers were asked for: not again, where they are not found

$('type').addEventListener('change', drawNumbers);
$('from').addEventListener('change', drawNumbers);
$('page-on').addEventListener('click', () => ($('from').value = nextByte, drawNumbers()));
$('page-back').addEventListener('click', () => ($('from').value = Math.max(0, +$('from').value - (nextByte - +$('from').value)), drawNumbers()));
