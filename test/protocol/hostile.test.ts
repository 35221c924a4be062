import { createDetail } from '#shared/details.ts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FieldwrightError } from '#shared/errors.ts';
import {
  decode,
  findOperation,
  merge,
  parseXml,
  readConstraints,
  readStatus,
  validate,
  type Payload,
} from '#protocol/index.ts';

function answerOf(id: string): Payload {
  const payload = findOperation(id)?.response;
  if (payload === undefined) throw new Error(`no payload of ${id}`);
  return payload;
}
const schedule = answerOf('events.thermometrySchedule.get');
const mode = answerOf('thermal.thermometryMode.get');
const hostConfig = answerOf('accessControl.hostConfig.get');

const SECRET = 'hunter2-secret';
function failure(payload: Payload, text: string): FieldwrightError {
  try {
    decode(payload, text);
  } catch (thrown) {
    if (thrown instanceof FieldwrightError) return thrown;
    throw thrown;
  }
  throw new Error('was accepted');
}

describe('XML from nowhere', () => {
  const BARE = '<ThermometryMode></ThermometryMode>';
  const doc = (inner: string): string =>
    `<?xml version="1.0"?><ThermometryMode version="2.0">${inner}</ThermometryMode>`;

  it.each([
    ['empty', ''],
    ['white space', ' \r\n\t'],
    ['a byte order mark alone', '\ufeff'],
    ['a web page', `<!DOCTYPE html><html><body>${SECRET}</body></html>`],
    ['a web page without DOCTYPE', `<HTML>${SECRET}</HTML>`],
    ['plain text', `password=${SECRET}`],
    ['JSON', `{"password":"${SECRET}"}`],
    ['cut off', `<ThermometryMode><mode>${SECRET}`],
    ['cut off in a tag', `<ThermometryMode><mode a="${SECRET}`],
    ['cut off in a comment', `<ThermometryMode/><!-- ${SECRET}`],
    ['cut off in CDATA', `<ThermometryMode><![CDATA[${SECRET}`],
    ['mismatched', `<ThermometryMode><mode>${SECRET}</Mode></ThermometryMode>`],
    ['overlapping', '<ThermometryMode><a><b></a></b></ThermometryMode>'],
    ['two roots', '<ThermometryMode/><ThermometryMode/>'],
    ['text after the root', `<ThermometryMode></ThermometryMode>${SECRET}`],
    ['text after an empty root', `<ThermometryMode/>${SECRET}`],
    ['another root', `<Other><mode>${SECRET}</mode></Other>`],
    ['attributes without quotes', '<ThermometryMode a=1/>'],
    ['an attribute twice', '<ThermometryMode a="1" a="2"/>'],
    ['a bare <', doc(`<mode>a < ${SECRET}</mode>`)],
    ['no name', '<><ThermometryMode/></>'],
    ['a closing tag too many', '<ThermometryMode></ThermometryMode></x>'],
    ['DOCTYPE', `<!DOCTYPE x>${doc('')}`],
    [
      'an external entity',
      `<?xml version="1.0"?><!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]><ThermometryMode>&e;</ThermometryMode>`,
    ],
    ['DOCTYPE inside', doc('<!DOCTYPE x>')],
    ['ENTITY inside', doc('<!ENTITY a "b">')],
    ['a hidden root', "<?p '?><ThermometryMode/><!-- '?> --><b/>"],
  ])('%s is a malformed answer that quotes nothing (a crash, or a password in a message)', (_, text) => {
    const error = failure(mode, text);

    expect(error.code).toBe('malformed-answer');
    expect(JSON.stringify(error.shape) + String(error.stack) + String(error.cause)).not.toContain('hunter2');
  });

  it('says what came instead (a person who has to guess)', () => {
    expect(failure(mode, '<html></html>').message).toContain('web page');
    expect(failure(mode, '').message).toContain('empty');
    expect(failure(mode, '<Other/>').message).toContain('<Other>');
    expect(failure(mode, 'no').message).toContain('plain text');
  });

  it('does not expand entities (a bomb of a few bytes)', () => {
    const bomb = `<?xml version="1.0"?><!DOCTYPE l [<!ENTITY a "aaaaaaaaaa">${Array.from({ length: 9 }, (_, n) => `<!ENTITY ${'bcdefghij'[n]} "${`&${'abcdefghi'[n]};`.repeat(10)}">`).join('')}]><ThermometryMode><mode>&j;</mode></ThermometryMode>`;

    expect(failure(mode, bomb).code).toBe('malformed-answer');
    expect(decode(mode, doc('<mode>&j;</mode>')).value).toEqual({ mode: '&j;' });
  });

  it.each([
    ['5 MB', doc(`<mode>${'x'.repeat(5 * 1024 * 1024)}</mode>`)],
    ['depth 10 000', '<a>'.repeat(10_000) + '</a>'.repeat(10_000)],
    ['1,001 bare ampersands', doc(`<mode>${'&'.repeat(1_001)}</mode>`)],
    ['depth 65', '<a>'.repeat(65) + '</a>'.repeat(65)],
    ['150 000 elements', doc('<a/>'.repeat(150_000))],
    ['150 000 attributes', doc(`<a${Array.from({ length: 150_000 }, (_, n) => ` a${n}=""`).join('')}/>`)],
  ])('%s is refused before it is parsed (a window that freezes)', (_, text) => {
    expect(failure(mode, text).code).toBe('answer-too-large');
  });

  it.each([
    [
      'as many bare ampersands as are mended',
      doc(`<mode>${'& '.repeat(1_000)}${' '.repeat(500_000)}</mode>`),
    ],
    ['a long run of spaces in a tag', doc(`<mode${' '.repeat(500_000)}>a</mode>`)],
    ['spaces after the root', doc('') + ' '.repeat(500_000)],
    ['zero bytes after the root', doc('') + '\0'.repeat(500_000)],
    ['many comments before the root', '<!-- -->'.repeat(25_000) + BARE],
    ['many opening comments in one', `<!--${'<!--'.repeat(100_000)}-->${BARE}`],
    ['many brackets in CDATA', doc(`<mode><![CDATA[${']'.repeat(500_000)}]]></mode>`)],
    ['many strangers of different names', doc(Array.from({ length: 20_000 }, (_, n) => `<e${n}/>`).join(''))],
    ['many references', doc(`<mode>${'&#65;'.repeat(29_000)}</mode>`)],
  ])('%s takes linear time (a regular expression that backtracks)', (_, text) => {
    // Quadratic time would take minutes for these: the runner's deadline is the measure, no clock of ours.
    const read = decode(mode, text);

    expect(merge(read.document, mode, { mode: 'expert' }).value).toEqual({ mode: 'expert' });
    expect(read.notes.length).toBeLessThan(110);
  });

  // Would catch: parts that no limit counts, each of which costs as much as an element (a million in one answer).
  it.each(['<?p?>', '<!-- -->', '<![CDATA[]]>', '&#65;', '&amp;'])(
    'counts every %s against the limit',
    (part) => {
      expect(() => decode(mode, doc(`<mode>a</mode>${part.repeat(30_001)}`))).toThrow(
        /more parts than 30000/,
      );
    },
  );

  it('counts an attribute twice, and bounds names (each is looked at letter by letter)', () => {
    const attributes = Array.from({ length: 15_000 }, (_, nth) => `a${nth}=""`).join(' ');
    expect(() => decode(mode, doc(`<mode ${attributes}>a</mode>`))).toThrow(/more parts than 30000/);
    for (const name of ['n'.repeat(1_001), `${'n'.repeat(1_001)} a="1"`])
      expect(() => decode(mode, doc(`<${name}/>`))).toThrow(/longer than 1000 characters/);
    expect(() => decode(mode, doc(`<${'n'.repeat(1_000)} a="${'x'.repeat(2_000)}"/>`))).not.toThrow();
  });

  it('mends bare ampersands outside CDATA and comments, and says so (a device name with "&")', () => {
    const read = decode(mode, doc('<!-- a & b --><mode x="c & d">A&B &amp; &#67; &lt;<![CDATA[&D]]></mode>'));

    expect(read.value).toEqual({ mode: 'A&B & C <&D' });
    expect(read.notes[0]).toEqual(createDetail('read.ampersands', { count: 2 }));
    expect(merge(read.document, mode, {}).text).toBe(
      doc('<!-- a & b --><mode x="c & d">A&B &amp; &#67; &lt;<![CDATA[&D]]></mode>'),
    );
    expect(merge(read.document, mode, { thermometryROIEnabled: true }).text).toContain(
      '<!-- a & b --><mode x="c &amp; d">A&amp;B &amp; &#67; &lt;<![CDATA[&D]]></mode>',
    );
  });
});

describe('JSON from nowhere', () => {
  it.each([
    ['empty', ''],
    ['a web page', `<html>${SECRET}</html>`],
    ['XML', `<a>${SECRET}</a>`],
    ['plain text', SECRET],
    ['cut off', `{"AcsCfg":{"thermalIp":"${SECRET}`],
    ['cut off after a comma', `{"AcsCfg":{"thermalIp":"${SECRET}",`],
    ['a trailing comma', '{"AcsCfg":{"voicePrompt":true,}}'],
    ['a comment', '{"AcsCfg":{/* x */}}'],
    ['NaN', '{"AcsCfg":{"thermalCompensation":NaN}}'],
    ['a number with a leading zero', '{"AcsCfg":{"thermalCompensation":007}}'],
    ['single quotes', "{'AcsCfg':{}}"],
    ['text behind', `{"AcsCfg":{}} ${SECRET}`],
    ['no root', `{"password":"${SECRET}"}`],
    ['a list', `["${SECRET}"]`],
    ['another type under the root', `{"AcsCfg":"${SECRET}"}`],
    ['null under the root', '{"AcsCfg":null}'],
    ['a raw control character', '{"AcsCfg":{"thermalIp":"\u0001"}}'],
  ])('%s is a malformed answer that quotes nothing (a crash, or a password in a message)', (_, text) => {
    const error = failure(hostConfig, text);

    expect(error.code).toBe('malformed-answer');
    expect(JSON.stringify(error.shape) + String(error.stack) + String(error.cause)).not.toContain('hunter2');
  });

  it.each([
    ['5 MB', `{"AcsCfg":{"thermalIp":"${'x'.repeat(5 * 1024 * 1024)}"}}`],
    ['depth 10 000', `{"AcsCfg":${'['.repeat(10_000)}${']'.repeat(10_000)}}`],
    ['depth 10 000, cut off', '{"a":'.repeat(10_000)],
    ['a million values', `{"AcsCfg":[${'1,'.repeat(1_000_000)}1]}`],
    ['a million commas', `[${','.repeat(1_000_000)}]`],
  ])('%s is refused before it is parsed (a stack that overflows)', (_, text) => {
    expect(failure(hostConfig, text).code).toBe('answer-too-large');
  });

  it('reads a byte order mark and keeps it (a device that writes files)', () => {
    const text = '\ufeff{"AcsCfg":{"voicePrompt":true}}';
    const read = decode(hostConfig, text);

    expect(read.value).toEqual({ voicePrompt: true });
    expect(merge(read.document, hostConfig, { voicePrompt: false }).text).toBe(
      '\ufeff{"AcsCfg":{"voicePrompt":false}}',
    );
  });
});

describe('names that objects inherit', () => {
  const POISON = '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},"prototype":1}';

  it('never reach a prototype, and stay on the wire (prototype pollution)', () => {
    const text = `{"AcsCfg":{"__proto__":{"polluted":true,"voicePrompt":true},"constructor":{"prototype":{"polluted":1}},"voicePrompt":false}}`;
    const read = decode(hostConfig, text);
    const merged = merge(read.document, hostConfig, JSON.parse(POISON));

    expect(read.value).toEqual({ voicePrompt: false });
    expect(merged.text).toBe(text);
    expect(merged.value).toEqual({ voicePrompt: false });
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });

  it('are complained about in values (a template that tries)', () => {
    for (const how of ['patch', 'whole'] as const) {
      const paths = validate(hostConfig, JSON.parse(POISON), { mode: how }).map(
        ({ code, path }) => `${code} ${path}`,
      );

      expect(paths).toEqual([
        'unknown-field __proto__',
        'unknown-field constructor',
        'unknown-field prototype',
      ]);
    }
  });

  it('do not stand in for absent fields (an inherited value taken as given)', () => {
    const inherited = Object.create({ voicePrompt: true }) as object;

    expect(merge(decode(hostConfig, '{"AcsCfg":{}}').document, hostConfig, inherited).text).toBe(
      '{"AcsCfg":{}}',
    );
    expect(validate(mode, Object.create({ mode: 'normal' }), { mode: 'whole' })).toMatchObject([
      { code: 'missing-field', path: 'mode' },
    ]);
  });

  it('are ordinary element names (a parser that throws over <constructor>)', () => {
    const text =
      '<ThermometryMode><constructor a="1"/><__proto__>x</__proto__><hasOwnProperty/><mode>AI</mode></ThermometryMode>';
    const read = decode(mode, text);

    expect(read.value).toEqual({ mode: 'AI' });
    expect(parseXml(text).root.children.map((child) => (child.kind === 'element' ? child.name : ''))).toEqual(
      ['constructor', '__proto__', 'hasOwnProperty', 'mode'],
    );
    expect(read.notes).toContainEqual(createDetail('read.unlisted', { field: 'constructor' }));
  });
});

describe('every truncation of real answers', () => {
  const xml =
    '<?xml version="1.0" encoding="UTF-8"?>\r\n<Schedule version="2.0" xmlns="urn:any">\r\n<id>t-1</id><!-- c --><TimeBlockList size="8"><TimeBlock><dayOfWeek>1</dayOfWeek></TimeBlock></TimeBlockList>\r\n</Schedule>';
  const json = '{"AcsCfg":{"voicePrompt":true,"thermalIp":"a\\"b","thermalCompensation":-1.5e1}}';

  it.each([
    ['XML', schedule, xml],
    ['JSON', hostConfig, json],
  ] as const)('%s is refused, never half read (a network that drops)', (_, payload, text) => {
    for (let length = 0; length < text.length; length += 1) {
      expect(failure(payload, text.slice(0, length)).code, text.slice(0, length)).toBe('malformed-answer');
      expect(() => readStatus({ http: 200, text: text.slice(0, length) })).not.toThrow();
    }
    expect(decode(payload, text).value).toBeDefined();
  });
});

describe('documents with damage in them', () => {
  const seeds = [
    [
      schedule,
      '<?xml version="1.0"?>\r\n<s:Schedule xmlns:s="u"><s:id>a&amp;b</s:id><!-- c --><s:TimeBlockList size=\'8\'><s:TimeBlock/><s:TimeBlock><s:dayOfWeek>1</s:dayOfWeek></s:TimeBlock></s:TimeBlockList><![CDATA[x]]></s:Schedule>\n',
    ],
    [
      hostConfig,
      '{ "AcsCfg": {"voicePrompt": true, "thermalIp": "a\\"b\\u0041", "thermalCompensation": -1.5e1, "odd": [1, {"a": null}] } }\n',
    ],
  ] as const;
  const shard = fc.constantFrom(
    '<',
    '>',
    '/',
    '&',
    '"',
    "'",
    '=',
    '<!--',
    '-->',
    '<![CDATA[',
    ']]>',
    '<?',
    '?>',
    '</',
    '/>',
    '{',
    '}',
    '[',
    ']',
    ',',
    ':',
    '\\',
    '\0',
    '\r',
    ' ',
    '\ufeff',
    '\ud800',
    '<a>',
    '</s:id>',
    '&#x110000;',
    '1e999',
    'null',
  );
  const damage = fc.array(
    fc.record({
      at: fc.nat(400),
      cut: fc.nat(3),
      put: fc.oneof(shard, fc.string({ maxLength: 2 }), fc.constant('')),
    }),
    { minLength: 1, maxLength: 4 },
  );

  it.each([0, 1])(
    'are read losslessly or refused as ours, nothing else (an exception that ends the program): %i',
    (index) => {
      const [payload, seed] = seeds[index] as (typeof seeds)[number];
      fc.assert(
        fc.property(damage, (changes) => {
          const text = changes.reduce(
            (current, { at, cut, put }) =>
              current.slice(0, at % current.length) + put + current.slice((at % current.length) + cut),
            `${seed} `,
          );

          readStatus({ http: 200, text });
          try {
            const read = decode(payload, text);
            expect(merge(read.document, payload, {}).text).toBe(text);
            expect(merge(read.document, payload, read.value).text).toBe(text);
            const changed = merge(
              read.document,
              payload,
              payload === schedule
                ? { id: 'new', inputIOPortID: '1' }
                : { voicePrompt: false, thermalEnabled: true },
            );
            expect(decode(payload, changed.text).value).toEqual(changed.value);
            readConstraints(payload, text);
          } catch (thrown) {
            if (!(thrown instanceof FieldwrightError)) throw thrown;
            expect(['malformed-answer', 'answer-too-large']).toContain(thrown.code);
          }
        }),
        { numRuns: Number(process.env['FUZZ_RUNS'] ?? 300) },
      );
    },
  );
});
