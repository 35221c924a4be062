/**
 * Rules of the Windows firewall about this program. Windows asks once, when a program first listens; a question that was
 * cancelled leaves rules that block the program, and is not repeated. Read from the registry, without rights of an administrator.
 */
import { win32 } from 'node:path';
import { runProgram } from './system-programs.ts';

/**
 * `asks`: the firewall is on and has no rule yet, so Windows asks when the program listens. `blocked`: a rule keeps others
 * out, and `command` removes it. `unknown` on other systems, too.
 */
export type ProgramRules =
  | { readonly state: 'unknown' | 'off' | 'allowed' }
  | { readonly state: 'asks'; readonly program: string }
  | {
      readonly state: 'blocked';
      readonly program: string;
      readonly command: string;
      /** Another rule allows it, on networks of another kind. */
      readonly isPartly: boolean;
    };

export type LookAtRules = () => Promise<ProgramRules>;

interface Surroundings {
  readonly platform: NodeJS.Platform;
  readonly program: string;
  readonly env: Readonly<Partial<Record<string, string>>>;
  readonly query: (args: readonly string[]) => Promise<string | undefined>;
}

const FIREWALL = 'HKLM\\SYSTEM\\CurrentControlSet\\Services\\SharedAccess\\Parameters\\FirewallPolicy';
/** Rules of the organisation. */
const POLICY = 'HKLM\\SOFTWARE\\Policies\\Microsoft\\WindowsFirewall';

const HERE: Surroundings = {
  platform: process.platform,
  program: process.execPath,
  env: process.env,
  query: (args) => runProgram('reg', ['query', ...args], { timeoutMs: 3_000, mostBytes: 1024 * 1024 }),
};

/** Reads the rules about this program. Ends within seconds. */
export async function lookAtProgramRules({
  platform,
  program,
  env,
  query,
}: Surroundings = HERE): Promise<ProgramRules> {
  if (platform !== 'win32') return { state: 'unknown' };
  const name = win32.basename(program);
  const [switches, ...rules] = await Promise.all([
    query([FIREWALL, '/s', '/v', 'EnableFirewall']),
    // There are many hundreds of rules: those alone that name the file.
    ...[FIREWALL, POLICY].map((key) => query([`${key}\\FirewallRules`, '/f', name, '/d'])),
  ]);
  if (switches === undefined) return { state: 'unknown' };
  if (!/EnableFirewall\s+REG_DWORD\s+0x0*[1-9a-f]/i.test(switches)) return { state: 'off' };
  return judgeRules(rules.join('\n'), { program, env });
}

/** Concludes from the answer of `reg query` about the rules. A rule that blocks wins over one that allows. */
export function judgeRules(
  text: string,
  { program, env }: Pick<Surroundings, 'program' | 'env'>,
): ProgramRules {
  const isThis = createProgramPattern(program);
  const actions = text.split('\n').flatMap((line) => {
    const rule = parseRule(line);
    const isAbout =
      rule !== undefined &&
      rule.get('active') === 'true' &&
      rule.get('dir') === 'in' &&
      isThis.test(expandNames(rule.get('app') ?? '', env));
    return isAbout ? [rule.get('action')] : [];
  });
  const name = win32.basename(program);
  const isAllowed = actions.includes('allow');
  if (actions.includes('block'))
    return { state: 'blocked', program: name, command: formatCommand(program), isPartly: isAllowed };
  return isAllowed ? { state: 'allowed' } : { state: 'asks', program: name };
}

/** Parses `v2.31|Action=Block|Active=TRUE|Dir=In|…`; names and values in lower case. Undefined for another line. */
function parseRule(line: string): ReadonlyMap<string, string> | undefined {
  const rule = /\bREG_SZ\s+(v\d[\d.]*\|.*)/i.exec(line)?.[1];
  if (rule === undefined) return undefined;
  return new Map(
    rule
      .trim()
      .toLowerCase()
      .split('|')
      .map((part) => {
        const at = part.indexOf('=');
        return [part.slice(0, at), part.slice(at + 1)] as const;
      }),
  );
}

function expandNames(path: string, env: Surroundings['env']): string {
  return path.replaceAll(
    /%([^%]+)%/g,
    (whole, name: string) =>
      Object.entries(env).find(([known]) => known.toLowerCase() === name.toLowerCase())?.[1] ?? whole,
  );
}

/** Matches the path in any case. `reg` answers in a code page of its own, so that letters beyond ASCII cannot be compared. */
function createProgramPattern(program: string): RegExp {
  const parts = program
    .split(/([^\x20-\x7e]+)/u)
    .map((part, at) =>
      at % 2 === 0 ? part.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`) : `.{1,${4 * part.length}}`,
    );
  return new RegExp(`^${parts.join('')}$`, 'iu');
}

/** Returns the command that removes all incoming rules about the program, for a terminal of an administrator. */
function formatCommand(program: string): string {
  return `netsh advfirewall firewall delete rule name=all dir=in program="${program}"`;
}
