/** Rights of the key file on Windows, as `icacls` saves them. */
import { describe, expect, it } from 'vitest';
import { isPrivateSddl, keepFromOthers } from '#engine/host/file-rights.ts';

const ME = 'S-1-5-21-1004336348-1177238915-682003330-1001';
const OTHER = 'S-1-5-21-1004336348-1177238915-682003330-1002';
const PATH = String.raw`D:\Fieldwright\vault.key`;
const PRIVATE = `vault.key\r\nD:PAI(A;;FA;;;SY)(A;;FA;;;${ME})\r\n`;
/** A new file in a folder of a data disk. */
const INHERITED = `vault.key\r\nD:AI(A;ID;FA;;;BA)(A;ID;FA;;;SY)(A;ID;0x1301bf;;;AU)(A;ID;0x1200a9;;;BU)\r\n`;

it.each([
  ['this user and the system alone', PRIVATE, true],
  ['administrators too', PRIVATE.replace('D:PAI', 'D:PAI(A;;FA;;;BA)'), true],
  ['what a data disk gives', INHERITED, false],
  ['another user', PRIVATE.replace('D:PAI', `D:PAI(A;;FR;;;${OTHER})`), false],
  ['everyone', 'vault.key\r\nD:(A;;FA;;;WD)', false],
  ['a refusal for others', PRIVATE.replace('D:PAI', 'D:PAI(D;;FA;;;BU)'), true],
  ['no list: everyone may do everything', 'vault.key\r\nD:NO_ACCESS_CONTROL', false],
  ['nothing, as on FAT', '', false],
])('%s: %j', (_what, text, isPrivate) => {
  expect(isPrivateSddl(text, ME)).toBe(isPrivate);
});

describe('the key file', () => {
  function createView(saved: readonly (string | undefined)[], profile = String.raw`C:\Users\Jürgen`) {
    const ran: string[] = [];
    const answers = [...saved];
    return {
      ran,
      view: {
        platform: 'win32' as NodeJS.Platform,
        env: { USERPROFILE: profile },
        run: (program: string, args: readonly string[]) => {
          ran.push([program, ...args.filter((arg) => !arg.includes('fieldwright-rights'))].join(' '));
          return Promise.resolve(program === 'whoami' ? `"pc\\j\ufffdrgen","${ME}"\r\n` : '');
        },
        takeSaved: () => answers.shift(),
      },
    };
  }

  // Would catch: a data folder on D:, whose key every user of the computer may read.
  it('outside of the profile is kept for this user', async () => {
    const { ran, view } = createView([INHERITED, PRIVATE]);

    expect(await keepFromOthers(PATH, view)).toBe(true);
    expect(ran).toContain(`icacls ${PATH} /inheritance:r /grant:r *${ME}:F *S-1-5-18:F /q`);
  });

  it('that is private already is left as it is', async () => {
    const { ran, view } = createView([PRIVATE]);

    expect([await keepFromOthers(PATH, view), ran.join()]).toEqual([
      true,
      expect.not.stringContaining('/grant') as string,
    ]);
  });

  it('on a disk without rights is said to be open', async () => {
    expect(await keepFromOthers(PATH, createView([undefined, undefined]).view)).toBe(false);
  });

  it.each([
    ['in the profile', {}, String.raw`D:\fieldwright`],
    ['on another system', { platform: 'linux' as const }, String.raw`C:\Users\Jürgen`],
  ])('%s is not looked at', async (_where, more, profile) => {
    const { ran, view } = createView([], profile);

    expect([await keepFromOthers(PATH, { ...view, ...more }), ran]).toEqual([true, []]);
  });
});
