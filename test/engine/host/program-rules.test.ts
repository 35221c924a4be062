/** Rules of the Windows firewall, as `reg query` shows them. */
import { describe, expect, it } from 'vitest';
import { judgeRules, lookAtProgramRules } from '#engine/host/program-rules.ts';

const NODE = String.raw`C:\Program Files\nodejs\node.exe`;
const APP = String.raw`C:\Users\Jürgen Müller\AppData\Local\Programs\Fieldwright\Fieldwright.exe`;
/** A line of `reg query`, with the name that Windows gives to rules of its question. */
function line(app: string, action: string, more = 'Active=TRUE|Dir=In', protocol = 6): string {
  return `    TCP Query User{9C8A4F1B-0D0E-4F7A-9A3C-2B1D0E5F6A7B}${app}    REG_SZ    v2.31|Action=${action}|${more}|Protocol=${protocol}|Profile=Public|App=${app}|Name=Node.js JavaScript Runtime|Desc=Node.js JavaScript Runtime|Defer=User|\r`;
}
const KEY = String.raw`HKEY_LOCAL_MACHINE\SYSTEM\CurrentControlSet\Services\SharedAccess\Parameters\FirewallPolicy\FirewallRules`;
const textOf = (...lines: readonly string[]): string =>
  ['', `${KEY}\r`, ...lines, '\r', `End of search: ${lines.length} match(es) found.\r`].join('\n');
const judge = (text: string, program = NODE, env = {}) => judgeRules(text, { program, env });

describe('rules about this program', () => {
  // Would catch: a question that was cancelled once keeps every device hidden, and no doctor says so.
  it('that block it are found, with the command that removes them', () => {
    const text = textOf(line(NODE.toLowerCase(), 'Block'), line(NODE.toLowerCase(), 'Block', undefined, 17));

    expect(judge(text)).toEqual({
      state: 'blocked',
      program: 'node.exe',
      command: `netsh advfirewall firewall delete rule name=all dir=in program="${NODE}"`,
      isPartly: false,
    });
  });

  it('block it though others allow it, on networks of another kind', () => {
    expect(judge(textOf(line(NODE, 'Allow'), line(NODE, 'Block')))).toMatchObject({ isPartly: true });
  });

  it.each([
    ['allow it', [line(NODE, 'Allow')], 'allowed'],
    ['are switched off', [line(NODE, 'Block', 'Active=FALSE|Dir=In')], 'asks'],
    ['are about outgoing connections', [line(NODE, 'Block', 'Active=TRUE|Dir=Out')], 'asks'],
    ['are about a program of that name elsewhere', [line(String.raw`D:\node\node.exe`, 'Block')], 'asks'],
    [
      'are about one with a longer path',
      [line(String.raw`D:\Program Files\nodejs\node.exe`, 'Block')],
      'asks',
    ],
    ['do not exist', [], 'asks'],
    ['name it by variables', [line(String.raw`%ProgramFiles%\nodejs\node.exe`, 'Block')], 'blocked'],
  ])('that %s', (_what, lines, state) => {
    expect(judge(textOf(...lines), NODE, { PROGRAMFILES: String.raw`C:\Program Files` }).state).toBe(state);
  });

  // Would catch: rules of everyone whose name has an umlaut are overlooked, because reg writes in a code page of its own.
  it('are found whatever became of letters beyond ASCII', () => {
    expect(judge(textOf(line(APP.replaceAll('ü', '\ufffd'), 'Block')), APP).state).toBe('blocked');
    expect(judge(textOf(line(APP.replaceAll('ü', 'Ã¼'), 'Block')), APP).state).toBe('blocked');
    expect(judge(textOf(line(APP.replaceAll('Jürgen', 'Georg'), 'Block')), APP).state).toBe('asks');
  });
});

describe('the look at this computer', () => {
  const look = (
    answers: (args: readonly string[]) => string | undefined,
    platform: NodeJS.Platform = 'win32',
  ) => {
    const asked: (readonly string[])[] = [];
    const query = (args: readonly string[]) => {
      asked.push(args);
      return Promise.resolve(answers(args));
    };
    return lookAtProgramRules({ platform, program: NODE, env: {}, query }).then((rules) => ({
      rules,
      asked,
    }));
  };
  const on = '    EnableFirewall    REG_DWORD    0x1\r\n';

  it('reads rules of the organisation too, and only those that name the file', async () => {
    const { rules, asked } = await look((args) =>
      args.includes('EnableFirewall')
        ? on
        : args[0]?.includes('Policies')
          ? textOf(line(NODE, 'Block'))
          : undefined,
    );

    expect(rules).toMatchObject({ state: 'blocked' });
    expect(asked.slice(1).map((args) => args.slice(1))).toEqual([
      ['/f', 'node.exe', '/d'],
      ['/f', 'node.exe', '/d'],
    ]);
  });

  it.each([
    ['off', on.replace('0x1', '0x0'), 'off'],
    ['not to be read', undefined, 'unknown'],
    ['on without a rule', on, 'asks'],
  ])('with a firewall that is %s', async (_what, switches, state) => {
    const { rules } = await look((args) => (args.includes('EnableFirewall') ? switches : textOf()));
    expect(rules.state).toBe(state);
  });

  it('asks nothing on another system', async () => {
    expect(await look(() => on, 'linux')).toEqual({ rules: { state: 'unknown' }, asked: [] });
  });
});
