import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseAuthorization } from '#simulator/auth/header.ts';
import { createRandom, deriveSeed, pickInt } from '#simulator/random.ts';
import { escapeXml } from '#simulator/wire/text.ts';
import { getChildText, readXml } from '#simulator/wire/xml-reader.ts';

describe('chance', () => {
  it('is the same for a seed, evenly spread, and apart for each purpose', () => {
    const one = createRandom(5);
    const same = createRandom(5);
    const draws = Array.from({ length: 10_000 }, () => one());
    const buckets = [0, 0, 0, 0];
    for (const draw of draws) buckets[Math.floor(draw * 4)] = (buckets[Math.floor(draw * 4)] ?? 0) + 1;

    expect(draws.slice(0, 20)).toEqual(Array.from({ length: 20 }, () => same()));
    expect(Math.min(...buckets)).toBeGreaterThan(2300);
    expect(deriveSeed(1, 'a', 'b')).not.toBe(deriveSeed(1, 'ab'));
    expect(new Set(Array.from({ length: 100 }, () => pickInt(one, 1, 3)))).toEqual(new Set([1, 2, 3]));
  });
});

describe('the XML reader', () => {
  it('reads back any text that was escaped', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        const clean = text.replace(/[^\t\n\r\u0020-\uFFFD\u{10000}-\u{10FFFF}]/gu, '\uFFFD');

        const reading = readXml(`<a><b x="${escapeXml(text)}">${escapeXml(text)}</b></a>`);

        expect(reading.ok && getChildText(reading.root, 'b')).toBe(clean.trim());
        expect(reading.ok && reading.root.children[0]?.attributes.get('x')).toBe(clean);
      }),
    );
  });

  it('never throws, whatever it is given', () => {
    const bits = fc.constantFrom(
      '<',
      '>',
      '/',
      'a',
      '<a>',
      '</a>',
      '<a/>',
      '"',
      "'",
      '=',
      '&',
      '&amp;',
      '&#0;',
      '&#x41;',
      '<!--',
      '-->',
      '<![CDATA[',
      ']]>',
      '<?',
      '?>',
      '<!',
      ' x="1"',
      '\u0000',
      ' ',
    );
    fc.assert(
      fc.property(fc.array(bits, { maxLength: 30 }), (parts) => {
        expect(typeof readXml(parts.join('')).ok).toBe('boolean');
      }),
      { numRuns: 2000 },
    );
  });

  it('knows prefixes, CDATA and comments, and where an element stands', () => {
    const text =
      '<?xml version="1.0"?><!-- x --><n:a xmlns:n="u"><!-- <b> --><n:b>1<![CDATA[<&]]>2</n:b></n:a>\n';

    const reading = readXml(text);

    expect(reading.ok && reading.root.name).toBe('a');
    expect(reading.ok && getChildText(reading.root, 'b')).toBe('1<&2');
    expect(reading.ok && text.slice(reading.root.children[0]?.start, reading.root.children[0]?.end)).toBe(
      '<n:b>1<![CDATA[<&]]>2</n:b>',
    );
  });
});

describe('the Authorization reader', () => {
  it('never throws, and gives back what was quoted', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const quoted = Buffer.from(
          text.replace(/[^\u0020-\u{10FFFF}]/gu, ' ').toWellFormed(),
          'utf8',
        ).toString('utf8');
        const header = `Digest a="${quoted.replace(/["\\]/g, '\\$&')}", b=2`;

        const read = parseAuthorization(Buffer.from(header, 'utf8').toString('latin1'));

        expect(read?.params.get('a')).toBe(quoted);
        expect(read?.params.get('b')).toBe('2');
      }),
    );
    fc.assert(
      fc.property(fc.string(), (text) => {
        parseAuthorization(text);
      }),
    );
  });
});
