/**
 * How an address can be reached: scheme, port and path prefix, asked without any sign-in. Bounded in
 * requests and time; adds nothing, trusts nothing.
 */
import { say } from '#shared/details.ts';
import type { NamedProfile, ProbeFinding, ProbeReport } from '#shared/access.ts';
import { readStatus } from '#protocol/index.ts';
import { FieldwrightError, isOutOfFiles, toErrorShape, userError } from '#shared/errors.ts';
import { removeUndefined } from '#shared/remove-undefined.ts';
import type { DevicesApi } from '../api/routes.ts';
import { findRootNamespace } from '../device/root-namespace.ts';
import { hasPort, parseAddress } from '../device/transport/address.ts';
import { parseChallenges } from '../device/sign-in/challenge.ts';
import { chooseDigest, formatDigestLabel } from '../device/sign-in/digest.ts';
import { createQueue } from '../device/queue.ts';
import { TLS_PORTS } from './network.ts';
import { SWEEP_PORTS } from './options.ts';
import { getOnce, formatUrl, type GetResult, type Target } from './sweep/get-once.ts';
import { MOST_MOVES, moveOf } from './sweep/moved.ts';
import { isMismatch } from './sweep/probe.ts';
import { recognise, type RawAnswer } from './sweep/recognise.ts';

interface AccessProbeParts {
  readonly profiles: () => readonly NamedProfile[];
  /** Returns further prefixes, of the devices that are known. */
  readonly prefixes: () => readonly string[];
  /** Returns the prefixes below which a device at `url` was found not to have this interface. */
  readonly refuted?: (url: string) => readonly string[];
}

type Tried = ProbeReport['tried'][number];
interface PortReport {
  readonly findings: readonly ProbeFinding[];
  readonly tried: readonly Tried[];
}
/** Refuted prefixes come last, and count only where the interface itself answers. */
interface Candidate {
  readonly prefix: string;
  readonly isRefuted: boolean;
}
type Answered = Extract<GetResult, { readonly kind: 'answer' }>;

const MOST = { ports: 16, prefixes: 16, portsAtOnce: 4 };
const LIMITS = { connectMs: 2_000, totalMs: 5_000 };
const WHOLE_MS = 30_000;
/** Nothing lives here: who asks for a sign-in even below it says nothing about the other prefixes. */
const CONTROL_PREFIX = '/no-such-prefix';

/** Throws `usage` for what is no address, `cancelled`; whatever the network does is in the report. */
export function createAccessProbe({
  profiles,
  prefixes,
  refuted = () => [],
}: AccessProbeParts): DevicesApi['probe'] {
  return async ({ address }, signal) => {
    const { host, port, secure, url } = parseAddress(address);
    const named = profiles();
    const wanted = [
      ...new Set([...named.map(({ profile }) => profile.pathPrefix), '/API', ...prefixes()]),
    ].slice(0, MOST.prefixes);
    const candidates = (target: Target): readonly Candidate[] => {
      const wrong = refuted(formatUrl(target));
      return wanted
        .map((prefix) => ({ prefix, isRefuted: wrong.includes(prefix) }))
        .sort((a, b) => Number(a.isRefuted) - Number(b.isRefuted));
    };
    const ports = hasPort(address)
      ? [port]
      : [
          ...new Set([
            ...(hasScheme(address) ? [port] : []),
            ...named.flatMap((profile) => profile.ports),
            ...SWEEP_PORTS,
          ]),
        ].slice(0, MOST.ports);
    const within = AbortSignal.any([signal, AbortSignal.timeout(WHOLE_MS)]);
    const queue = createQueue(MOST.portsAtOnce);
    const reports = await Promise.all(
      ports.map((each) => {
        const first = each === port && hasScheme(address) ? secure : TLS_PORTS.has(each);
        return queue
          .run(() => followMoves({ host, port: each, secure: first }, candidates, within), { signal: within })
          .catch((thrown: unknown): PortReport => {
            if (!within.aborted) throw thrown;
            return { findings: [], tried: [] };
          });
      }),
    );
    if (signal.aborted) throw userError('cancelled', say('cancelled'));
    // A port that sends on to another one, and that one itself, show the same.
    const found = new Map(
      reports.flatMap((report) => report.findings).map((one) => [`${one.url}${one.pathPrefix}`, one]),
    );
    const findings = [...found.values()].map((finding) => ({
      ...finding,
      profileIds: idsOf(named, finding.pathPrefix),
    }));
    return {
      address: url,
      findings: findings.sort(bestFirst),
      tried: reports.flatMap((report) => report.tried),
    };
  };
}

function idsOf(profiles: readonly NamedProfile[], prefix: string): string[] {
  return profiles.filter(({ profile }) => profile.pathPrefix === prefix).map(({ id }) => id);
}

/** Orders the findings, best first. Stable: equal ones stay in the order of their ports. */
function bestFirst(a: ProbeFinding, b: ProbeFinding): number {
  const rank = ({ recognised, url }: ProbeFinding): number =>
    (recognised === 'interface' ? 0 : 2) + (url.startsWith('https:') ? 0 : 1);
  return rank(a) - rank(b);
}

function hasScheme(address: string): boolean {
  return /^\s*https?:\/\//i.test(address);
}

/** Follows redirects to another port or scheme of the same host; a redirect to another host is reported and not followed. */
async function followMoves(
  first: Target,
  candidatesOf: (target: Target) => readonly Candidate[],
  signal: AbortSignal,
): Promise<PortReport> {
  const findings: ProbeFinding[] = [];
  const tried: Tried[] = [];
  let target: Target | undefined = first;
  for (let moves = 0; target !== undefined && moves <= MOST_MOVES; moves += 1) {
    const report: PortReport & { readonly next?: Target } = await probePort(target, candidatesOf, signal);
    findings.push(...report.findings);
    tried.push(...report.tried);
    target = report.next;
  }
  return { findings, tried };
}

async function probePort(
  target: Target,
  candidatesOf: (target: Target) => readonly Candidate[],
  signal: AbortSignal,
): Promise<PortReport & { readonly next?: Target }> {
  const candidates = candidatesOf(target);
  const first = await ask(target, candidates[0]?.prefix ?? '/API', signal);
  if (!isMismatch(first)) return judge(target, first, candidates, signal);
  const other = { ...target, secure: !target.secure };
  const others = candidatesOf(other);
  const second = await ask(other, others[0]?.prefix ?? '/API', signal);
  if (second.kind !== 'answer')
    return { findings: [], tried: [{ url: formatUrl(target), result: 'not-http' }] };
  const report = await judge(other, second, others, signal);
  return other.secure
    ? { ...report, tried: [{ url: formatUrl(target), result: 'tls-only' }, ...report.tried] }
    : report;
}

/** @throws too-many-files */
async function ask(target: Target, prefix: string, signal: AbortSignal): Promise<GetResult> {
  const result = await getOnce(target, `${prefix}/System/capabilities`, LIMITS, signal);
  if (isOutOfFiles(result)) throw new FieldwrightError(toErrorShape(result));
  return result;
}

async function judge(
  target: Target,
  first: GetResult,
  candidates: readonly Candidate[],
  signal: AbortSignal,
): Promise<PortReport & { readonly next?: Target }> {
  const url = formatUrl(target);
  const move = first.kind === 'answer' ? moveOf(first.answer, target) : undefined;
  if (move !== undefined) {
    const astray = move.url === undefined ? 'moved-nowhere' : 'moved-elsewhere';
    const result = move.target === undefined ? astray : 'moved';
    return {
      findings: [],
      tried: [{ url, result, ...removeUndefined({ to: move.url }) }],
      ...removeUndefined({ next: move.target }),
    };
  }
  if (first.kind !== 'answer')
    return { findings: [], tried: [{ url, result: first.kind === 'garbled' ? 'not-http' : first.kind }] };
  const findings: ProbeFinding[] = [];
  const tried: Tried[] = [];
  let control: boolean | undefined;
  for (const [index, { prefix: pathPrefix, isRefuted }] of candidates.entries()) {
    const result = index === 0 ? first : await ask(target, pathPrefix, signal);
    if (result.kind !== 'answer') {
      tried.push({ url, pathPrefix, result: 'failed' });
      break;
    }
    const verdict = verdictOf(result.answer);
    if (verdict === 'other-web' || verdict === 'not-found') {
      tried.push({ url, pathPrefix, result: verdict });
      continue;
    }
    if (verdict === 'sign-in') control ??= await asksEverywhere(target, signal);
    const isProven = verdict === 'recognised' || control === false;
    if (isProven || !isRefuted) findings.push(findingOf(url, pathPrefix, isProven, result));
    tried.push({ url, pathPrefix, result: isProven ? 'recognised' : 'sign-in' });
    // It would say the same below any other prefix.
    if (!isProven && !isRefuted) break;
  }
  return { findings, tried };
}

function verdictOf(answer: RawAnswer): 'recognised' | 'sign-in' | 'not-found' | 'other-web' {
  const recognised = recognise(answer);
  if (recognised === 'web') return answer.http === 404 ? 'not-found' : 'other-web';
  if (answer.http === 404) return 'not-found';
  return answer.http === 401 || answer.http === 403 ? 'sign-in' : 'recognised';
}

async function asksEverywhere(target: Target, signal: AbortSignal): Promise<boolean> {
  const result = await ask(target, CONTROL_PREFIX, signal);
  // No answer proves nothing either.
  return result.kind !== 'answer' || result.answer.http === 401 || result.answer.http === 403;
}

function findingOf(
  url: string,
  pathPrefix: string,
  isProven: boolean,
  { answer, certificate }: Answered,
): ProbeFinding {
  const namespace = findRootNamespace(answer.text);
  return {
    url,
    pathPrefix,
    profileIds: [],
    recognised: isActivated(answer) ? (isProven ? 'interface' : 'sign-in') : 'not-activated',
    offers: offersOf(answer.challenge),
    namespace,
    certificate,
  };
}

function isActivated(answer: RawAnswer): boolean {
  return readStatus(answer).kind !== 'not-activated';
}

function offersOf(header: string): string[] {
  const offers = parseChallenges(header).flatMap((challenge) => {
    const digest = chooseDigest([challenge]);
    if (digest !== undefined) return [formatDigestLabel(digest)];
    return challenge.scheme === 'basic' ? ['basic'] : [];
  });
  return [...new Set(offers)];
}
