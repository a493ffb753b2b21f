// The look of the HTML report: one style sheet, light and dark by the reader's setting.
#pragma once

namespace lanewise {

inline constexpr const char* kReportStyle = R"css(
:root {
  color-scheme: light dark;
  --page: #f7f7f5; --card: #ffffff; --ink: #1d1f23; --soft: #63676f; --line: #e1e1dd; --good: #1f7a4d; --good-bg: #e3f3ea;
  --bad: #b3261e; --bad-bg: #fbe6e4; --warn: #8a5a00; --warn-bg: #fdf1d7; --code: #f0f0ed;
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #15171a; --card: #1e2125; --ink: #e6e7e9; --soft: #9aa0a8; --line: #32363c; --good: #6fd6a0; --good-bg: #17352a;
    --bad: #ff8f85; --bad-bg: #43201d; --warn: #f0c36a; --warn-bg: #3b2f14; --code: #272b30;
  }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--page); color: var(--ink); font: 15px/1.5 system-ui, sans-serif; }
main { max-width: 1180px; margin: 0 auto; padding: 28px 20px 60px; }
h1 { font-size: 24px; margin: 0 0 4px; letter-spacing: -0.01em; }
h2 { font-size: 17px; margin: 34px 0 10px; }
p { margin: 6px 0; }
.fine, .meta { color: var(--soft); font-size: 13px; }
code { font: 13px/1.45 ui-monospace, monospace; background: var(--code); border-radius: 4px; padding: 1px 5px; overflow-wrap: anywhere; }
.banner { border-radius: 10px; padding: 14px 18px; margin: 18px 0; font-size: 16px; font-weight: 600; }
.banner span { display: block; font-weight: 400; font-size: 14px; }
.good { color: var(--good); background: var(--good-bg); }
.bad { color: var(--bad); background: var(--bad-bg); }
.warn { color: var(--warn); background: var(--warn-bg); }
.wide { overflow-x: auto; }
table { border-collapse: collapse; background: var(--card); border: 1px solid var(--line); border-radius: 8px; font-size: 14px; }
th, td { text-align: left; padding: 7px 14px; border-bottom: 1px solid var(--line); white-space: nowrap; }
th { color: var(--soft); font-weight: 600; font-size: 13px; }
tr:last-child td { border-bottom: 0; }
td.num { text-align: right; font-variant-numeric: tabular-nums; }
details { background: var(--card); border: 1px solid var(--line); border-radius: 10px; margin: 10px 0; padding: 0 16px; }
summary { cursor: pointer; padding: 11px 0; font: 13px/1.5 ui-monospace, monospace; overflow-wrap: anywhere; }
details[open] > summary { border-bottom: 1px solid var(--line); margin-bottom: 10px; }
details > :last-child { margin-bottom: 16px; }
.say { font-weight: 600; color: var(--bad); }
a { color: inherit; }
.row { display: flex; flex-wrap: wrap; gap: 18px; margin: 14px 0 6px; align-items: flex-start; }
figure { margin: 0; }
figcaption { color: var(--soft); font-size: 13px; margin-top: 5px; max-width: 260px; }
.pic { position: relative; border: 1px solid var(--line); cursor: zoom-in; box-sizing: content-box; background: #808080; }
.pic img { display: block; width: 100%; height: 100%; image-rendering: pixelated; }
.pic i { position: absolute; outline: 2px solid #ff2fd0; outline-offset: 1px; min-width: 5px; min-height: 5px; pointer-events: none; }
.pic.big { zoom: 3; cursor: zoom-out; }
h3 { font-size: 14px; margin: 0; }
.card { background: var(--card); border: 1px solid var(--line); border-radius: 10px; margin: 10px 0; padding: 12px 16px; }
.map img { image-rendering: pixelated; display: block; border: 1px solid var(--line); }
.axis { color: var(--soft); font-size: 12px; margin-bottom: 2px; }
.parity td, .parity th { padding: 4px 10px; }
.parity i { display: inline-block; width: 11px; height: 11px; border-radius: 3px; margin-right: 7px; }
.bars { display: flex; align-items: flex-end; gap: 2px; height: 92px; margin-top: 12px; }
.bars span { display: flex; flex-direction: column; justify-content: flex-end; height: 100%; flex: 1 1 auto; min-width: 4px; max-width: 44px; }
.bars b { display: block; border-radius: 2px 2px 0 0; }
.bars u { display: block; text-decoration: none; height: 16px; font-size: 11px; color: var(--soft); text-align: center; overflow: visible; }
.finding { border-left: 3px solid var(--bad); padding: 2px 0 2px 14px; margin: 12px 0; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: 6px 16px; margin: 10px 0; font-size: 14px; }
@media (max-width: 600px) { dl { grid-template-columns: 1fr; } }
dt { color: var(--soft); }
dd { margin: 0; min-width: 0; }
pre { font: 12px/1.5 ui-monospace, monospace; overflow: auto; max-height: 420px; margin: 0; padding: 10px 0; }
.slice { background: var(--code); border: 0; }
.list td { white-space: normal; overflow-wrap: break-word; }
.list td.say { min-width: 16em; }
.list td.num { white-space: nowrap; }
.part { content-visibility: auto; contain-intrinsic-height: auto 7000px; }
.part table, .heads { table-layout: fixed; width: 100%; border-radius: 0; }
input[type=search] { width: min(420px, 100%); padding: 7px 11px; font: inherit; color: inherit; background: var(--card);
  border: 1px solid var(--line); border-radius: 8px; }
[hidden] { display: none !important; }
)css";

// Zoom by a click; a link opens the failure it leads to; a map says which cell the mouse is on; the filter hides the failures that do not
// have the words.
inline constexpr const char* kReportScript = R"js(<script>
document.addEventListener('click', e => { const p = e.target.closest('.pic'); if (p) p.classList.toggle('big'); });
const goTo = () => {
  const target = document.getElementById(location.hash.slice(1));
  if (target && target.tagName == 'DETAILS') { target.open = true; target.scrollIntoView(); }
};
addEventListener('hashchange', goTo);
goTo();
for (const m of document.querySelectorAll('.map img')) m.addEventListener('mousemove', e => {
  const cell = (at, side, count, first) => Math.min(Math.floor(at * count / side), count - 1) + first;
  const d = m.dataset, first = Number(d.first);
  m.title = `width ${cell(e.offsetX, m.width, Number(d.columns), first)}, height ${cell(e.offsetY, m.height, Number(d.rows), first)}`;
});
const filter = document.getElementById('filter');
if (filter) filter.addEventListener('input', () => {
  const words = filter.value.toLowerCase().split(' ').filter(w => w);
  for (const f of document.querySelectorAll('.fail')) {
    const text = f.firstElementChild.textContent.toLowerCase();
    f.hidden = !words.every(w => text.includes(w));
  }
  for (const p of document.querySelectorAll('.part')) p.hidden = !p.querySelector('.fail:not([hidden])');
});
</script>
)js";

}  // namespace lanewise
