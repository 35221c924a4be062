/** The Node that tasks run programs with, where the registry has none for the computer. */
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

let checkout = '';
beforeEach(() => {
  checkout = mkdtempSync(join(tmpdir(), 'fieldwright-node-'));
  cpSync('build/tasks/support/paths.mjs', join(checkout, 'build/tasks/support/paths.mjs'));
});
afterEach(() => rmSync(checkout, { recursive: true, force: true }));

describe("the checkout's Node", () => {
  it('is the running one where none was installed (else: nothing can be built or tested on a Mac)', async () => {
    const { ownNode } = (await import(
      pathToFileURL(join(checkout, 'build/tasks/support/paths.mjs')).href
    )) as { readonly ownNode: string };

    expect(ownNode).toBe(process.execPath);
  });
});
