/** A document as one HTML file: nothing is loaded, nothing runs but the search of a report, and the content lies inside as JSON. */
import { hash } from 'node:crypto';
import { escapeUnseen } from '#shared/text/unseen.ts';
import { endMark } from './end-mark.ts';
import { isSearchable, SEARCH_POLICY, SEARCH_SCRIPT, SEARCH_STYLE, searchBar } from './html-search.ts';
import { INKS, type Figure, type Mark, type Outlined } from '#report-layout/figure.ts';
import { getReader } from './reader.ts';
import type { Reader, Shown, Sign } from '#report-layout/reader.ts';
import type { Language } from '#shared/details/languages.ts';
import { layOut } from '#report-layout/lay-out.ts';
import type { Grid, Piece } from '#report-layout/pieces.ts';
import type { SealedDocument } from '#shared/report-document.ts';
import { toCanonicalJson } from './seal.ts';

/** Beyond these a table may be wider than a screen, and is scrolled for itself. */
const WIDE = 3;
const LONG_WORD = /\S{17}/;

/** Colours of the inks, by day and by night. */
export const COLOURS: Readonly<Record<(typeof INKS)[number], readonly [day: string, night: string]>> = {
  plain: ['#1f2933', '#e4e7eb'],
  off: ['#616e7c', '#9aa5b1'],
  good: ['#18794e', '#4cc38a'],
  warning: ['#8a5a00', '#f1a10d'],
  bad: ['#b42318', '#ff8b7e'],
  grid: ['#d5dae1', '#3e4c59'],
  one: ['#0b5cad', '#70b8ff'],
  two: ['#7a5c00', '#e3c04c'],
  three: ['#6b3fa0', '#c4a1f5'],
  four: ['#00695c', '#4fd1c5'],
};

const STYLE = `
:root{color-scheme:light dark;--ground:#fff;--soft:#f3f5f8;${inks(0)}}
@media (prefers-color-scheme:dark){:root{--ground:#15191e;--soft:#1f252c;${inks(1)}}}
body{margin:0 auto;padding:1.5rem;max-width:62rem;background:var(--ground);color:var(--plain);font:15px/1.5 system-ui,"Noto Sans SC","Microsoft YaHei","PingFang SC",sans-serif;overflow-wrap:anywhere}
h1{font-size:1.7rem;line-height:1.25}h2{margin-top:2rem;font-size:1.25rem;border-bottom:1px solid var(--grid)}h3{font-size:1.05rem}
p,td,th,li{white-space:pre-line}
p.notice,p.good,p.warning,p.danger{border-inline-start:4px solid var(--one);background:var(--soft);padding:.5rem .75rem}
p.good{border-color:var(--good)}p.warning{border-color:var(--warning)}p.danger{border-color:var(--bad)}
.wide{overflow-x:auto}
table{border-collapse:collapse;width:100%;margin:.75rem 0}
caption{text-align:start;font-weight:600;padding:.25rem 0}
th,td{border:1px solid var(--grid);padding:.3rem .5rem;min-width:4.5rem;text-align:start;vertical-align:top;overflow-wrap:break-word}
th{background:var(--soft);word-break:keep-all}.long{overflow-wrap:anywhere}
.end{text-align:end;font-variant-numeric:tabular-nums}td.end,td span{white-space:nowrap}
.tall{table-layout:fixed}.tall td{height:3.5rem}
a{color:var(--one)}
nav a{display:inline-block;padding-block:2px}.index p{font-weight:600;margin:1rem 0 0}.index ol{columns:15rem;padding-inline-start:3em;margin-top:.25rem}
figure{margin:1rem 0}figcaption{font-weight:600}svg{max-width:100%;height:auto}
svg text{font-family:system-ui,"Noto Sans SC","Microsoft YaHei","PingFang SC",sans-serif}
${INKS.map((ink) => `.${ink}{--ink:var(--${ink})}`).join('')}
svg :not(text){fill:none;stroke:var(--ink);stroke-width:1.5}svg .filled{fill:var(--ink);fill-opacity:.3}svg text{fill:var(--ink)}svg .code{fill:#000;stroke:none}svg .paper{fill:#fff;stroke:none}
.logo{max-width:16rem;max-height:6rem}
.written,.open,.skipped{color:var(--plain)}.read-back{color:var(--one)}.function-tested,.attested,.done,.true,.works{color:var(--good)}.failed,.refused,.malformed,.no-answer,.gone{color:var(--bad);font-weight:600}.no-permission,.changed{color:var(--warning);font-weight:600}.added{color:var(--one)}.false,.not-reported,.not-found{color:var(--off)}
@media (max-width:30rem){:not(.wide)>table :is(th,td){min-width:0;overflow-wrap:anywhere}}
@page{size:A4;margin:18mm 16mm;@bottom-right{content:counter(page) " / " counter(pages);font:9pt sans-serif}}
@media print{:root{color-scheme:light;--ground:#fff;--soft:#f3f5f8;${inks(0)}}body{padding:0;max-width:none;font-size:10pt}
h1,h2,h3,caption,thead,.index p{break-after:avoid}.page{break-before:page}tr,figure,.tall,table:not(:has(tr:nth-child(9))),p.notice,p.good,p.warning,p.danger{break-inside:avoid}tr:last-child{break-before:avoid}thead{display:table-header-group}.wide{overflow:visible}th,td{min-width:3em;padding:.2rem .35rem}}
`;

function policyOf(style: string, isSearched: boolean, hasPicture: boolean): string {
  const styles = `style-src 'sha256-${hash('sha256', style, 'base64')}'`;
  const scripts = isSearched ? ` ${SEARCH_POLICY};` : '';
  const pictures = hasPicture ? ' img-src data:;' : '';
  return `default-src 'none'; ${styles};${scripts}${pictures} base-uri 'none'; form-action 'none'`;
}

function inks(at: 0 | 1): string {
  return INKS.map((ink) => `--${ink}:${COLOURS[ink][at]}`).join(';');
}

export const DATA_OPENS = '<script type="application/json" id="fieldwright-report">';
export const DATA_CLOSES = '</script>';

/** Renders the same bytes for the same document, language and version. */
export function renderHtml(sealed: SealedDocument, language: Language): string {
  const reader = getReader(language);
  const isSearched = isSearchable(sealed.document);
  const style = isSearched ? STYLE + SEARCH_STYLE : STYLE;
  const signs = new Map<Sign, string>();
  const body: string[] = [];
  let isOpen = false;
  for (const piece of layOut(sealed, reader)) {
    // Sections far from the screen are laid out when the reader gets there.
    if (piece.piece === 'heading' && piece.level === 2) {
      body.push(isOpen ? '</section>\n<section>\n' : '<section>\n');
      isOpen = true;
    }
    addPiece(body, piece, reader, signs);
  }
  if (isOpen) body.push('</section>\n');
  const parts = [
    `<!doctype html>\n<html lang="${language}">\n<head>\n<meta charset="utf-8">\n`,
    `<meta http-equiv="Content-Security-Policy" content="${policyOf(style, isSearched, sealed.document.cover?.logo !== undefined)}">\n`,
    `<meta name="viewport" content="width=device-width, initial-scale=1">\n`,
    `<title>${escaped(reader.words(sealed.document.title))}</title>\n<style>${style}</style>\n</head>\n<body>\n${isSearched ? searchBar(signs, reader, escaped) : ''}<main${isSearched ? ' class="long"' : ''}>\n`,
  ];
  for (const part of body) parts.push(part);
  // The JSON text is safe in a script: nothing in it closes one, and nothing in it is invisible.
  const json = escapeUnseen(toCanonicalJson(sealed)).replaceAll('<', '\\u003c');
  parts.push(
    '</main>\n',
    DATA_OPENS,
    json,
    DATA_CLOSES,
    '\n',
    isSearched ? SEARCH_SCRIPT : '',
    '</body>\n</html>\n',
  );
  const html = parts.join('');
  return html + endMark('html', hash('sha256', html, 'hex'));
}

type Signs = Map<Sign, string>;

function addPiece(parts: string[], piece: Piece, reader: Reader, signs: Signs): void {
  switch (piece.piece) {
    case 'heading': {
      const id = piece.id === undefined ? '' : ` id="${piece.id}"`;
      const page = piece.isPage === true ? ' class="page"' : '';
      parts.push(`<h${piece.level}${id}${page}>${escaped(piece.text)}</h${piece.level}>\n`);
      return;
    }
    case 'picture':
      parts.push(
        `<p><img class="logo" alt="${escaped(piece.text)}" src="data:${piece.type};base64,${piece.base64}"></p>\n`,
      );
      return;
    case 'contents':
      parts.push(
        piece.title === undefined
          ? `<nav aria-label="${escaped(reader.phrase('report.contents'))}">\n<ol>\n`
          : `<nav class="index" aria-labelledby="index">\n<p id="index">${escaped(piece.title)}</p>\n<ol>\n`,
      );
      for (const { id, text } of piece.entries)
        parts.push(`<li><a href="#${id}">${escaped(text)}</a></li>\n`);
      parts.push('</ol>\n</nav>\n');
      return;
    case 'text':
      parts.push(`<p class="${piece.tone}">${escaped(piece.text)}</p>\n`);
      return;
    case 'figure':
      parts.push(
        piece.isPlain === true
          ? '<figure>\n'
          : `<figure>\n<figcaption>${escaped(piece.title)}</figcaption>\n`,
      );
      addFigure(parts, piece.figure, piece.title);
      parts.push('</figure>\n');
      return;
    case 'table':
      addTable(parts, piece, reader, signs);
  }
}

function addTable(
  parts: string[],
  { title, columns, rows, isTall }: Grid,
  reader: Reader,
  signs: Signs,
): void {
  const name = escaped(title ?? reader.words(columns.map(({ label }) => label).join(', ')));
  const isWide = columns.length > WIDE;
  if (isWide) parts.push(`<div class="wide" role="group" tabindex="0" aria-label="${name}">\n`);
  parts.push(isTall === true ? '<table class="tall">\n' : '<table>\n');
  if (title !== undefined) parts.push(`<caption>${name}</caption>\n`);
  const classes = columns.map(({ align }) => (align === 'end' ? ' class="end"' : ''));
  const heads = columns.map(({ label }, at) => `<th scope="col"${classes[at] ?? ''}>${escaped(label)}</th>`);
  // Room to write by hand, which an empty column would not get by itself.
  if (isTall === true) parts.push(colgroup(columns));
  parts.push(`<thead>\n<tr>${heads.join('')}</tr>\n</thead>\n<tbody>\n`);
  for (const row of rows) {
    const cells = row.map((cell, at) => {
      // A word is broken only where it is longer than words are.
      const ownClass = LONG_WORD.test(cell.text) ? ' class="long"' : '';
      return `<td${(classes[at] ?? '') || ownClass}>${cellHtml(cell, signs)}</td>`;
    });
    parts.push(`<tr>${cells.join('')}</tr>\n`);
  }
  parts.push('</tbody>\n</table>\n');
  if (isWide) parts.push('</div>\n');
}

function colgroup(columns: Grid['columns']): string {
  const all = columns.reduce((sum, { weight }) => sum + weight, 0);
  const cols = columns.map(({ weight }) => `<col width="${Math.round((100 * weight) / all)}%">`);
  return `<colgroup>${cols.join('')}</colgroup>\n`;
}

function cellHtml({ text, sign }: Shown, signs: Signs): string {
  if (sign === undefined) return escaped(text);
  signs.set(sign, text);
  return `<span class="${sign}"><span aria-hidden="true">${text.slice(0, 1)}</span>${escaped(text.slice(1))}</span>`;
}

function addFigure(parts: string[], { width, height, marks }: Figure, title: string): void {
  parts.push(
    `<svg role="img" aria-label="${escaped(title)}" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">\n`,
  );
  for (const mark of marks) parts.push(markSvg(mark), '\n');
  parts.push('</svg>\n');
}

function markSvg(mark: Mark): string {
  switch (mark.mark) {
    case 'text':
      return `<text class="${mark.ink}" x="${mark.x}" y="${mark.y}" font-size="${mark.size}" text-anchor="${mark.anchor}">${escaped(mark.text)}</text>`;
    case 'rect':
      return `<rect x="${mark.x}" y="${mark.y}" width="${mark.width}" height="${mark.height}"${lookSvg(mark)}/>`;
    case 'circle':
      return `<circle cx="${mark.x}" cy="${mark.y}" r="${mark.r}"${lookSvg(mark)}/>`;
    case 'path':
      return `<poly${mark.closed === true ? 'gon' : 'line'} points="${mark.points.map((point) => point.join(',')).join(' ')}"${lookSvg(mark)}/>`;
    case 'code':
      return `<rect x="${mark.x}" y="${mark.y}" width="${mark.size}" height="${mark.size}" class="paper"/><path d="${mark.path}" class="code"/>`;
  }
}

function lookSvg({ ink, filled, dash }: Outlined): string {
  const dashes = dash === undefined ? '' : ` stroke-dasharray="${dash.join(' ')}"`;
  return ` class="${ink}${filled === true ? ' filled' : ''}"${dashes}`;
}

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (mark) => ESCAPES[mark] ?? mark);
}
