/** Data of a document in the language of its reader. Invisible characters in a text are shown as escapes. */
import type { BareDetailId, Detail } from '#shared/details.ts';
import { ENGLISH, writeDetail, type Language, type Translation } from '#shared/details/languages.ts';
import { replaceUnseen } from '#shared/text/unseen.ts';
import { formatPath, toGeneralPath, joinPath } from '#protocol/index.ts';
import type { Mark, Proof, Result, Value, DocumentText } from '#shared/report-document.ts';

/** Shapes that tell levels of proof, results and marks apart without colour; the font of PDFs has them. */
const SIGNS = {
  written: '○',
  'read-back': '◎',
  'function-tested': '●',
  attested: '◆',
  done: '✓',
  failed: '×',
  skipped: '△',
  open: '□',
  true: '✓',
  false: '×',
  'not-reported': '–',
  works: '✓',
  refused: '×',
  'no-permission': '△',
  'not-found': '□',
  malformed: '◆',
  'no-answer': '○',
  'not-read': '○',
  same: '○',
  changed: '●',
  added: '◎',
  gone: '×',
} as const satisfies Readonly<Record<Proof | Result | Mark, string>>;
export type Sign = keyof typeof SIGNS;

/** A text of a cell; `sign` where it is a level of proof, a result or a mark, whose shape begins the text. */
export interface Shown {
  readonly text: string;
  readonly sign?: Sign;
}

export class Reader {
  readonly #words: Translation;

  constructor(words: Translation = ENGLISH) {
    this.#words = words;
  }

  get language(): Language {
    return this.#words.language;
  }

  /** Returns an own heading or phrase. */
  phrase(id: BareDetailId): string {
    return this.words({ id });
  }

  words(words: DocumentText | Detail): string {
    if (typeof words === 'string') return seen(words);
    return seen('id' in words ? writeDetail(this.#words, words) : this.#fieldName(words));
  }

  value(value: Value, unit = ''): Shown {
    if (value === null) return { text: '—' };
    if (typeof value === 'string' || 'id' in value || 'root' in value) return { text: this.words(value) };
    if ('number' in value) {
      const number =
        value.decimals === undefined ? String(value.number) : value.number.toFixed(value.decimals);
      // The unit of a column is in its head.
      const own = value.unit === undefined || value.unit === unit ? '' : ` ${seen(value.unit)}`;
      return { text: number + own };
    }
    if ('time' in value) return { text: this.time(value.time) };
    if ('yes' in value) return { text: this.phrase(value.yes ? 'report.yes' : 'report.no') };
    if ('isSet' in value) return { text: this.phrase(value.isSet ? 'report.is-set' : 'report.not-set') };
    if ('mark' in value) return this.#signed(value.mark, `report.mark.${value.mark}`);
    if ('parts' in value)
      return { text: value.parts.map((part) => this.#part(part.label, part.value)).join(' · ') };
    return 'proof' in value ? this.proof(value.proof) : this.result(value.result);
  }

  /** Formats a part of a list item. The item is named before the value, so the label's own name is enough. */
  #part(label: DocumentText, value: Value): string {
    return `${this.words(label).split(' › ').at(-1) ?? ''} ${this.value(value).text}`;
  }

  proof(proof: Proof | undefined): Shown {
    return proof === undefined ? { text: '—' } : this.#signed(proof, `report.proof.${proof}`);
  }

  result(result: Result): Shown {
    return this.#signed(result, `report.result.${result}`);
  }

  /**
   * Returns `2026-03-01 09:30:00 +01:00`: the same in every language, in whole seconds. A day alone stays
   * one.
   */
  time(iso: string): string {
    if (!iso.includes('T')) return iso;
    const [, date = '', clock = '', offset = ''] = /^([\d-]+)T([\d:]+)(?:\.\d+)?(.*)$/.exec(iso) ?? [];
    return `${date} ${clock} ${offset === 'Z' ? 'UTC' : offset}`;
  }

  #signed(sign: Sign, id: BareDetailId): Shown {
    return { text: `${SIGNS[sign]} ${this.phrase(id)}`, sign };
  }

  #fieldName({ root, path = '', option, label, items }: Extract<DocumentText, { root: string }>): string {
    const { fields } = this.#words;
    const fieldWord = (key: string): string | undefined =>
      Object.hasOwn(fields, key) ? fields[key] : undefined;
    if (option !== undefined) return fieldWord(`${joinPath(root, toGeneralPath(path))}=${option}`) ?? label;
    if (path === '') return fieldWord(root) ?? label;
    return formatPath(undefined, path, { root, wordOf: fieldWord, items, itemsAlone: true }) ?? label;
  }
}

/** Replaces invisible characters, except line breaks. */
function seen(text: string): string {
  return replaceUnseen(text.replaceAll('\r\n', '\n').replaceAll('\t', ' '), (mark) =>
    mark === '\n' ? mark : `\\u{${mark.codePointAt(0)?.toString(16) ?? ''}}`,
  );
}
