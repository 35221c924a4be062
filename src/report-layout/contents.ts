/** The list of its sections at the beginning of a document. */
import type { ReportDocument } from '#shared/report-document.ts';
import type { Reader } from './reader.ts';

export interface ContentsEntry {
  /** Id of the heading. */
  readonly id: string;
  readonly text: string;
}
interface ContentsList {
  readonly title?: string;
  readonly entries: readonly ContentsEntry[];
}

/** Devices beyond which they are listed apart from the chapters, and letters that such a list has of a name. */
const [MOST_AMONG, MOST_LETTERS] = [6, 60];
/** `Door 2` before `Door 10`; the same on every computer. */
const inOrder = new Intl.Collator('en', { numeric: true });

/**
 * Lists the chapters, then the devices that have sections of their own, each once. `entries`: one for each
 * section.
 */
export function buildContents(
  entries: readonly ContentsEntry[],
  { sections }: Pick<ReportDocument, 'sections'>,
  reader: Reader,
): readonly ContentsList[] {
  const chapters: ContentsEntry[] = [];
  const devices: ContentsEntry[] = [];
  const among: ContentsEntry[] = [];
  entries.forEach((entry, at) => {
    const device = sections[at]?.device;
    if (device !== undefined && device === sections[at - 1]?.device) return;
    among.push(entry);
    (device === undefined ? chapters : devices).push(entry);
  });
  if (devices.length <= MOST_AMONG) return [{ entries: among }];
  return [
    { entries: chapters },
    {
      title: reader.phrase('report.device-index'),
      entries: devices
        .map(({ id, text }) => ({ id, text: shortened(text) }))
        .sort((a, b) => inOrder.compare(a.text, b.text)),
    },
  ];
}

function shortened(text: string): string {
  const letters = [...text];
  return letters.length <= MOST_LETTERS ? text : `${letters.slice(0, MOST_LETTERS - 1).join('')}…`;
}
