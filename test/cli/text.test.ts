/** Output on terminals: widths, control characters, narrow windows. */
import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { cleanLine, formatUnitChange } from '#cli/output/clean.ts';
import { formatError } from '#cli/output/errors.ts';
import type { Io } from '#cli/io.ts';
import { Output } from '#cli/output/output.ts';
import { formatSettingValue } from '#cli/output/names.ts';
import { formatTable } from '#cli/output/table.ts';
import { fitText, padText, measureText } from '#cli/output/width.ts';
import { exitCodeOfAll } from '#cli/exit-codes.ts';
import { hoistGlobals } from '#cli/arguments.ts';
import type { ErrorShape } from '#shared/errors.ts';

const same = (text: string): string => text;
const paint = { good: same, bad: same, warn: same, dim: same, strong: same };

function quiet(stdout = new PassThrough()): Output {
  return new Output({ stdout, stderr: new PassThrough(), env: {} } as unknown as Io, false);
}

describe('text', () => {
  it('counts two columns for wide characters and none for combining ones', () => {
    expect([measureText('abc'), measureText('门禁'), measureText('é'), measureText('Ａ')]).toEqual([
      3, 4, 1, 2,
    ]);
  });

  it('never exceeds the width when it shortens', () => {
    for (let width = 1; width < 12; width += 1)
      expect(measureText(fitText('大门 lobby 一号', width))).toBeLessThanOrEqual(width);
    expect(padText('门', 4)).toBe('门  ');
  });

  it('disarms what a device could make a terminal do', () => {
    expect(cleanLine('ok\u001b[2J\u001b]0;title\u0007\u202Eevil\r\nnext')).toBe('ok\uFFFDevil  next');
  });

  // Would catch: `request` and `template show`, which hand bytes on, letting a device write over the terminal.
  it.each([
    [true, '<a>\n\t\uFFFD[2J\uFFFD大门</a>\n'],
    [false, '<a>\r\n\t\u001b[2J\u009b大门</a>\n'],
  ])('bytes are disarmed for a terminal (%s), and as they are for a script', (isTTY, written) => {
    const stdout = Object.assign(new PassThrough({ encoding: 'utf8' }), { isTTY });
    const out = quiet(stdout);

    out.raw('<a>\r\n\t\u001b[2J\u009b大门</a>\n');

    expect(stdout.read()).toBe(written);
  });

  it('says an item of a list in words (raw JSON in a plan)', () => {
    const period = { dayOfWeek: 1, TimeRange: { beginTime: '06:00:00', endTime: '18:00:00' } };

    expect(formatSettingValue(quiet(), 'events.thermometrySchedule', 'TimeBlockList[0]', period)).toBe(
      'Day Monday · Begin 06:00:00 · End 18:00:00',
    );
    expect(formatSettingValue(quiet(), 'events.thermometrySchedule', 'TimeBlockList[0].dayOfWeek', 1)).toBe(
      '1',
    );
  });

  it('keeps a table inside a narrow terminal and its columns aligned', () => {
    const rows = [
      { name: '门禁 一号 with a very long name indeed', url: 'http://192.0.2.17:8080' },
      { name: 'x', url: 'y' },
    ];
    const lines = formatTable(
      rows,
      { NAME: { value: (row) => row.name, flexible: true }, URL: (row) => row.url },
      { width: 40, paint },
    );

    for (const line of lines) expect(measureText(line)).toBeLessThanOrEqual(40);
    expect(measureText((lines[1] ?? '').split('http')[0] ?? '')).toBe(
      measureText((lines[2] ?? '').split('y')[0] ?? ''),
    );
  });

  it('writes an error with its place, its device words and its further errors', () => {
    const error: ErrorShape = {
      code: 'unknown-field',
      source: 'user',
      message: 'There is no field "mod".',
      file: 't.yaml',
      line: 3,
      column: 9,
      path: 'sections[0].value.mod',
      nearest: 'mode',
      others: [{ code: 'usage', source: 'user', message: 'Second.' }],
    };

    const lines = formatError(error, quiet());

    expect(lines).toEqual([
      't.yaml:3:9 sections[0].value.mod: There is no field "mod". Did you mean mode? [unknown-field]',
      'Second. [usage]',
    ]);
  });
});

describe('exit codes of many', () => {
  const gone: ErrorShape = { code: 'timeout', source: 'device', message: '' };
  const refused: ErrorShape = { code: 'refused', source: 'device', message: '' };

  it.each([
    [[undefined, undefined], 0],
    [[gone, gone], 3],
    [[gone, undefined], 1],
    [[gone, refused], 1],
    [[refused], 1],
    [[], 0],
  ] as const)('%j is %i', (errors, code) => {
    expect(exitCodeOfAll(errors)).toBe(code);
  });
});

describe('global options before the command', () => {
  it('moves them behind it and leaves what follows -- alone', () => {
    expect(hoistGlobals(['--json', '--data-dir', 'd', 'device', 'list'])).toEqual([
      'device',
      'list',
      '--json',
      '--data-dir',
      'd',
    ]);
    expect(hoistGlobals(['--lang=en', 'device', 'remove', '--', '--json'])).toEqual([
      'device',
      'remove',
      '--lang=en',
      '--',
      '--json',
    ]);
  });
});

describe('a change', () => {
  it('names the unit once, or that of each value where it changes', () => {
    expect([
      formatUnitChange({ unit: 'ft', from: 10, to: 12 }, '10', '12'),
      formatUnitChange({ unit: 'ft', fromUnit: 'm', from: 5, to: 5 }, '5', '5'),
      formatUnitChange({ from: 'a', to: 'b' }, 'a', 'b'),
    ]).toEqual(['10 → 12 ft', '5 m → 5 ft', 'a → b']);
  });

  // Would catch: "not named °C".
  it('names no unit of what is not there', () => {
    expect([
      formatUnitChange({ unit: 's', to: 5 }, 'not named', '5'),
      formatUnitChange({ unit: 's', from: 5 }, '5', 'not named'),
      formatUnitChange({ unit: 's', from: 5, to: null }, '5', 'removed'),
    ]).toEqual(['not named → 5 s', '5 s → not named', '5 s → removed']);
  });
});
