/** How a built command loads its modules. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { runBuilt } from '../../build/tasks/support/built.mjs';

const folder = mkdtempSync(join(tmpdir(), 'fieldwright-built-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it('fault 20: a module that could not be loaded is loaded anew when it is asked for again (else: half of it, and "is not a function")', () => {
  writeFileSync(
    join(folder, 'cli.cjs'),
    [
      "const fs = require('node:fs');",
      "let first = ''; try { require('./part.cjs'); } catch (error) { first = error.code; }",
      `fs.writeFileSync(${JSON.stringify(join(folder, 'inner.cjs'))}, 'exports.inner = 1;');`,
      `fs.writeFileSync(${JSON.stringify(join(folder, 'result.json'))}, JSON.stringify({ first, second: require('./part.cjs') }));`,
    ].join('\n'),
  );
  writeFileSync(join(folder, 'part.cjs'), "exports.early = 1; exports.late = require('./inner.cjs').inner;");

  runBuilt(join(folder, 'cli.cjs'), join(folder, 'compiled'));

  expect(JSON.parse(readFileSync(join(folder, 'result.json'), 'utf8'))).toEqual({
    first: 'ENOENT',
    second: { early: 1, late: 1 },
  });
});
