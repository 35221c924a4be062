/** Decisions of a release: whether a tag may go out, and what lies beside packages. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { findReleaseProblems, readReleaseNotes } from '../../build/packaging/release.mjs';
import { keepShipped } from '../../build/packaging/sbom.mjs';
import { writeSums } from '../../build/packaging/sums.mjs';

const CHANGELOG = `# Changelog

## 1.2.0 (2030-01-31)

### Devices
- Something new.

## 1.1.0 (2029-01-31)
- Something old.
`;
const GOOD = {
  tag: 'v1.2.0',
  manifest: {
    version: '1.2.0',
    homepage: 'https://fieldwright.org',
    author: 'People <people@fieldwright.org>',
  },
  lock: { version: '1.2.0' },
  changelog: CHANGELOG,
};

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'fieldwright-release-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('a release', () => {
  it('goes out where tag, version and changelog agree', () => {
    expect(findReleaseProblems(GOOD)).toEqual([]);
    expect(readReleaseNotes(CHANGELOG, '1.2.0')).toBe('### Devices\n- Something new.\n');
  });

  it.each([
    ['a tag of another version', { tag: 'v1.3.0' }, 'The tag is v1.3.0'],
    ['a lock file of another version', { lock: { version: '1.1.0' } }, 'package-lock.json says 1.1.0'],
    ['a version without a section', { changelog: CHANGELOG.replace('1.2.0', '1.2.1') }, 'no section 1.2.0'],
    ['a section without a date', { changelog: CHANGELOG.replace(' (2030-01-31)', '') }, 'no date'],
    [
      'an empty section',
      { changelog: '## 1.2.0 (2030-01-31)\n\n## 1.1.0 (2029-01-31)\n- Old.\n' },
      'is empty',
    ],
    [
      'an address that belongs to nobody',
      { manifest: { ...GOOD.manifest, author: 'People <people@fieldwright.example>' } },
      'fieldwright.example belongs to nobody',
    ],
  ])('%s stops it (else: people get what no document describes)', (_name, change, problem) => {
    expect(findReleaseProblems({ ...GOOD, ...change }).join('\n')).toContain(problem);
  });

  it('of the checkout needs an address of the project, and nothing else that is wrong today', () => {
    const manifest = JSON.parse(readFileSync('package.json', 'utf8')) as { readonly version: string };
    const problems = findReleaseProblems({
      tag: `v${manifest.version}`,
      manifest,
      lock: JSON.parse(readFileSync('package-lock.json', 'utf8')) as { readonly version: string },
      changelog: readFileSync('CHANGELOG.md', 'utf8'),
    });

    expect(problems.filter((problem) => !/belongs to nobody|has no date/.test(problem))).toEqual([]);
  });
});

describe('beside the packages', () => {
  it.skipIf(process.platform !== 'linux')(
    'checksums are read by sha256sum (else: nobody can check a download)',
    async () => {
      writeFileSync(join(folder, 'Fieldwright-1.2.0-linux-amd64.deb'), 'package');
      writeFileSync(join(folder, 'builder-debug.yml'), 'not for people');

      await writeSums(folder, 'linux');

      expect(
        execFileSync('/usr/bin/sha256sum', ['--check', 'SHA256SUMS-linux.txt'], {
          cwd: folder,
          encoding: 'utf8',
        }),
      ).toBe('Fieldwright-1.2.0-linux-amd64.deb: OK\n');
    },
  );

  it('the list of parts has what is in the product, under its own name, and no tools (else: a warning about a tool hides one about the product)', () => {
    const list = {
      metadata: { component: { 'bom-ref': 'fieldwright@1.2.0', name: 'folder' } },
      components: [
        { 'bom-ref': 'ws@8.0.0', name: 'ws', version: '8.0.0' },
        { 'bom-ref': 'eslint@10.0.0', name: 'eslint', version: '10.0.0' },
        { 'bom-ref': 'electron@45.4.1', name: 'electron', version: '45.4.1' },
      ],
      dependencies: [{ ref: 'fieldwright@1.2.0', dependsOn: ['ws@8.0.0', 'eslint@10.0.0'] }],
    };
    const product = { name: 'fieldwright', version: '1.2.0' };

    const { components, metadata } = keepShipped(list, new Set(['ws@8.0.0']), product);

    expect(components.map(({ name }) => name)).toEqual(['ws', 'electron']);
    expect(metadata.component.name).toBe('fieldwright');
    expect(() => keepShipped(list, new Set(['yaml@2.0.0']), product)).toThrow('yaml@2.0.0');
  });
});
