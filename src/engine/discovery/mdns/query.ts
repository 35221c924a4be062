/**
 * Queries as bytes (RFC 1035, 4.1; RFC 6762, 18). The library takes every dot of a name for the border
 * of a label, so that an instance such as `Gate 2.0` would be asked for under another name.
 */
import { parseLabels } from './packet.ts';

export interface Question {
  /** A service or host as `parseLabels` can take it apart; others are left out. */
  readonly name: string;
  readonly type: 'PTR' | 'SRV' | 'TXT' | 'A' | 'AAAA';
}

const TYPES = { A: 1, PTR: 12, TXT: 16, AAAA: 28, SRV: 33 } as const;
const CLASS_IN = 1;

export function encodeQuery(questions: readonly Question[]): Buffer {
  const written = questions.flatMap(({ name, type }) => {
    const labels = parseLabels(name);
    if (labels === undefined) return [];
    const parts = labels.flatMap((label) => [Buffer.of(Buffer.byteLength(label)), Buffer.from(label)]);
    return [Buffer.concat([...parts, Buffer.of(0, 0, TYPES[type], 0, CLASS_IN)])];
  });
  const head = Buffer.alloc(12);
  head.writeUInt16BE(written.length, 4);
  return Buffer.concat([head, ...written]);
}
