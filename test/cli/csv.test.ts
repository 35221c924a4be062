/** Lists of devices from a spreadsheet: the cost of a small file. */
import { describe, expect, it } from 'vitest';
import { readCsv } from '#cli/input/csv.ts';
import { growth } from '../helpers/growth.ts';

describe('a list of devices', () => {
  // Would catch: a file of 300 KB, many headings above many short rows, that fills the memory with empty cells.
  it('costs its own cells, not its headings times its rows', () => {
    const headings = ['device', ...Array.from({ length: 900 }, (_, at) => `c${at}`)];
    const table = (size: number): string => `${headings.join(',')}\n${'http://192.0.2.1\n'.repeat(size)}`;

    const { names, rows } = readCsv(table(2_000), 'list.csv');

    expect([names.length, rows.length]).toEqual([901, 2_000]);
    expect(rows[7]?.cells).toEqual({ device: 'http://192.0.2.1' });
    expect(growth((size) => readCsv(table(size), 'list.csv'), 40_000)).toBeLessThan(3);
  });

  it('is refused where a heading stands twice, however it is written', () => {
    expect(() => readCsv('Device,name,NAME\nx,y,z\n', 'list.csv')).toThrow(/NAME/);
  });
});
