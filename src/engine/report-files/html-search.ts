/** Search and filter inside an HTML report: a small script that the page's own policy names by its hash; records have none. */
import { hash } from 'node:crypto';
import { isRecord } from '#report-layout/lay-out.ts';
import type { Reader, Sign } from '#report-layout/reader.ts';
import type { ReportDocument } from '#shared/report-document.ts';

/** Records are short, and shown as they are signed. */
export function isSearchable(document: Pick<ReportDocument, 'kind'>): boolean {
  return !isRecord(document);
}

/** Hides lines and entries of the contents that do not match, then what is left empty; never loads, stores or sends anything. */
const SCRIPT = `
'use strict';
const bar = document.getElementById('bar');
const [words, only, found] = [bar.querySelector('input'), bar.querySelector('select'), bar.querySelector('output')];
const main = document.querySelector('main');
let pieces;
function show() {
  pieces ??= [...main.querySelectorAll(':scope > :not(section), :scope > section > *')].map((piece) => ({
    piece,
    level: /^H[123]$/.test(piece.tagName) ? Number(piece.tagName[1]) : 0,
    text: piece.textContent.toLowerCase(),
    rows: [...piece.querySelectorAll('tbody tr, li')].map((row) => ({ row, text: row.textContent.toLowerCase() })),
  }));
  const wanted = words.value.trim().toLowerCase().split(/\\s+/);
  const sign = only.value;
  const all = sign === '' && wanted.join('') === '';
  const fits = (text, element) =>
    wanted.every((word) => text.includes(word)) && (sign === '' || element.querySelector('.' + sign) !== null);
  // What is left of a long report stands together: nothing keeps room for what is not shown.
  main.classList.toggle('long', all);
  let count = 0;
  let heads = [];
  let within = [];
  for (const { piece, level, text, rows } of pieces) {
    if (level > 0) {
      heads = heads.filter((head) => head.level < level);
      within = within.filter((above) => above < level);
      piece.hidden = !all && level > 1;
      heads.push({ piece, level });
      if (!all && sign === '' && level > 1 && fits(text, piece)) within.push(level);
      continue;
    }
    let shown = 0;
    for (const { row, text: line } of rows) {
      const fit = all || within.length > 0 || fits(line, row);
      if (row.hidden === fit) row.hidden = !fit;
      if (fit) shown += 1;
    }
    if (piece.tagName !== 'NAV') count += shown;
    piece.hidden = !all && (rows.length > 0 ? shown === 0 : within.length === 0 && !(sign === '' && fits(text, piece)));
    if (!piece.hidden) for (const head of heads) head.piece.hidden = false;
  }
  found.textContent = found.dataset.words.replace('{count}', String(count));
}
let timer;
words.addEventListener('input', () => {
  clearTimeout(timer);
  timer = setTimeout(show, 120);
});
only.addEventListener('change', show);
bar.hidden = false;
`;
export const SEARCH_POLICY = `script-src 'sha256-${hash('sha256', SCRIPT, 'base64')}'`;
export const SEARCH_SCRIPT = `<script>${SCRIPT}</script>\n`;
export const SEARCH_STYLE = `
[hidden]{display:none!important}
main.long>section{content-visibility:auto;contain-intrinsic-size:auto 60rem}
#bar{position:sticky;top:0;z-index:1;display:flex;flex-wrap:wrap;gap:.5rem 1rem;align-items:end;padding:.5rem 0;background:var(--ground);border-bottom:1px solid var(--grid)}
#bar label{display:grid;gap:.15rem;font-size:.85rem}
#bar input,#bar select{min-height:2.25rem;padding:.25rem .5rem;border:1px solid var(--off);border-radius:4px;background:var(--ground);color:var(--plain);font:inherit}
#bar :focus-visible{outline:2px solid var(--one);outline-offset:1px}
:target{scroll-margin-top:5rem}
@media print{#bar{display:none}main.long>section{content-visibility:visible}}
`;

/** `signs`: those that stand in the document; `label`: text with its sign. */
export function searchBar(
  signs: ReadonlyMap<Sign, string>,
  reader: Reader,
  escaped: (text: string) => string,
): string {
  const options = [...signs].map(([sign, label]) => `<option value="${sign}">${escaped(label)}</option>`);
  const phrase = (id: Parameters<Reader['phrase']>[0]): string => escaped(reader.phrase(id));
  return [
    '<search id="bar" hidden>\n',
    `<label>${phrase('report.search')}<input type="search" autocomplete="off"></label>\n`,
    `<label>${phrase('report.only')}<select><option value="">${phrase('report.everything')}</option>${options.join('')}</select></label>\n`,
    `<output data-words="${escaped(reader.words({ id: 'report.found' }))}"></output>\n`,
    '</search>\n',
  ].join('');
}
