/** One set of invisible characters for all code that shows, stores or writes a name. */
import { createDetail } from '#shared/details.ts';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { cleanJson, cleanLine, cleanText } from '#cli/output/clean.ts';
import { reportText } from '#engine/discovery/doctor/text.ts';
import { getInstanceName } from '#engine/discovery/mdns/packet.ts';
import { checkIdentity, requireName } from '#engine/inventory/device-text.ts';
import { quoteText } from '#engine/template/write/yaml-text.ts';
import { reveal } from '#renderer/common/labels/format.ts';
import { quoteShellWord } from '#shared/text/curl.ts';

/** Code points that reorder text, end lines or have no width; by their property, not by the product's own list. */
const MARKS = [
  0x1b, 0x7f, 0x9b, 0xad, 0x34f, 0x61c, 0x115f, 0x180e, 0x200b, 0x200c, 0x200d, 0x200e, 0x200f, 0x2028,
  0x2029, 0x202a, 0x202b, 0x202c, 0x202d, 0x202e, 0x2060, 0x2061, 0x2066, 0x2067, 0x2068, 0x2069, 0x206f,
  0x3164, 0xfeff, 0xfff9, 0xe0041,
].map((code) => String.fromCodePoint(code));

describe('characters nobody sees', () => {
  // Would catch: a neighbour whose name poses as another one's in the one place that has a list of its own.
  it.each(MARKS)('%j is cleaned or refused everywhere', (mark) => {
    const name = `Gate${mark}1`;
    const report = reportText({
      startedAt: '',
      at: '',
      devices: 1,
      vanished: 0,
      others: 0,
      interfaces: [],
      findings: [
        {
          code: 'other-subnet',
          level: 'problem',
          message: '',
          next: '',
          detail: createDetail('doctor.all-well'),
          subjects: [name],
        },
      ],
    });

    for (const shown of [
      cleanLine(name),
      cleanText(name),
      cleanJson(JSON.stringify(name)),
      reveal(name),
      getInstanceName(`${name}._http._tcp.local`),
      quoteShellWord(name),
      quoteText(name),
      report,
    ])
      expect(shown).not.toContain(mark);
    expect(() => requireName(name)).toThrowError(expect.objectContaining({ code: 'not-allowed' }));
    expect(() => checkIdentity(name)).toThrow();
  });

  it('leaves alone what people read: accents, ideographs, right-to-left letters, variants of a sign', () => {
    const name = 'Zoë 大厅 葛\u{e0100} שער ❤\ufe0f';

    expect([
      cleanLine(name),
      reveal(name),
      getInstanceName(`${name}._http._tcp.local`),
      requireName(name),
    ]).toEqual([name, name, name, name]);
    expect(JSON.parse(cleanJson(JSON.stringify('a\u{e0041}\u200bb\u0000')))).toBe('a\u{e0041}\u200bb\u0000');
  });

  // Would catch: the next list of its own, which will lack the marks that the next attack takes.
  it('has no second list in the source', () => {
    const files = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter(
      (file) => /\.(?:ts|vue)$/.test(file) && !file.endsWith('unseen.ts'),
    );
    const lists = files.filter((file) =>
      /\\u20(?:2[ae]|6[69])|\\u200[b-f]|p\{Cf\}.*replace|replace\(.*p\{C[cf]\}/i.test(
        readFileSync(`src/${file}`, 'utf8'),
      ),
    );

    expect(lists).toEqual([]);
  });
});
