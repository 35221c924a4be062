/** The owner of a job: the very process that began it, and not one that has its number now. */
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { isAlive, release, takeOwnership, type Owner } from '#engine/jobs/owner.ts';

const own = { pid: process.pid, platform: process.platform };
const opened: Owner[] = [];
afterEach(() => {
  pretend(own);
  vi.restoreAllMocks();
  for (const owner of opened.splice(0)) release(owner);
});

function pretend(facts: Partial<Record<'pid', number> & Record<'platform', string>>): void {
  for (const [name, value] of Object.entries(facts))
    Object.defineProperty(process, name, { value, configurable: true, enumerable: true, writable: true });
}
/** Returns the owner that the process of this number would write. */
function ownerIn(pid: number): Owner {
  pretend({ pid });
  const owner = takeOwnership('engine');
  opened.push(owner);
  pretend({ pid: own.pid });
  return owner;
}

describe('an engine of this process', () => {
  // Would catch: a job that cannot be resumed until the app is quit, because its engine was of the same
  // process.
  it('works until it gives up what it owns', () => {
    const owner = ownerIn(own.pid);
    expect(owner).toMatchObject({ process: own.pid, engine: 'engine' });
    expect(isAlive(owner)).toBe(true);
    expect(isAlive({ ...owner, engine: 'other' })).toBe(false);
    release(owner);
    expect(isAlive(owner)).toBe(false);
  });
});

// Would catch: a job taken for one at work for good, because some other program was given the number; or one that is at
// work given to a second engine, which writes to the same devices.
describe.each([
  [own.platform, own.platform === 'linux' || own.platform === 'darwin'],
  // Wine shows the files of the system below it.
  ['darwin', own.platform !== 'win32' && existsSync('/bin/ps')],
] as const)('another process on %s', (platform, tells) => {
  it.skipIf(!tells)('is known by when it began', () => {
    pretend({ platform });
    const [mine, other] = [ownerIn(own.pid), ownerIn(process.ppid)];

    expect(typeof mine.started).toBe('string');
    expect(isAlive(other)).toBe(true);
    expect(isAlive({ ...other, started: `${other.started} ` })).toBe(false);
    expect(ownerIn(process.ppid)).toEqual(other);
    // Processes of one second differ on some systems only.
    if (platform === 'linux') expect(mine.started).not.toBe(other.started);
    expect(mine.started).toBe(mine.started?.trim());
  });
});

describe('another process', () => {
  it('is known by its number alone where the system tells no more', () => {
    pretend({ platform: 'win32' });
    const other = ownerIn(process.ppid);
    expect(other.started).toBeUndefined();
    expect(isAlive(other)).toBe(true);
    expect(isAlive({ ...other, started: 'before' })).toBe(true);
  });

  // Would catch: the sign is made, and the owner that is journalled does not name it.
  it('is known by its sign of life there, if it has a data folder', () => {
    const folder = mkdtempSync(join(tmpdir(), 'fieldwright-owner-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    pretend({ platform: 'win32' });
    const owner = takeOwnership('engine', folder);

    expect(owner.started).toMatch(/^sign:/);
    const elsewhere = { ...owner, process: process.ppid };
    expect(isAlive(elsewhere, folder)).toBe(true);
    release(owner, folder);
    expect(isAlive(elsewhere, folder)).toBe(false);
  });

  it('that wrote no time of its own is known by its number, also where the system tells more', () => {
    const { started: _started, ...other } = ownerIn(process.ppid);
    expect(isAlive(other)).toBe(true);
  });

  // Would catch: the job of another user of this computer taken over while it is at work.
  it.each([
    ['exists where it may not be signalled', 'EPERM', true],
    ['is gone where there is none', 'ESRCH', false],
  ])('%s', (_what, code, alive) => {
    const kill = vi.spyOn(process, 'kill').mockImplementation(() => {
      throw Object.assign(new Error(code), { code });
    });
    expect(isAlive({ process: 999_999_999, engine: 'engine' })).toBe(alive);
    expect(kill.mock.calls).toEqual([[999_999_999, 0]]);
  });
});
