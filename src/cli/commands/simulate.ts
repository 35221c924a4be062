/** `simulate`: a virtual site until it is told to stop. */
import { say } from '#shared/details.ts';
import { removeUndefined } from '#shared/remove-undefined.ts';
import { DEVICE_KINDS } from '#shared/model.ts';
import {
  AUTH_MODES,
  MODELS,
  startSite,
  type Site,
  type SiteOptions,
  type Violation,
} from '#simulator/index.ts';
import { makeDevicePassword } from '#simulator/names.ts';
import { EXIT } from '../exit-codes.ts';
import { readText } from '../input/files.ts';
import type { Invocation } from '../invocation.ts';
import { createUsageError, parseWholeNumber } from '../usage.ts';

interface SimulateOptions {
  readonly devices?: string;
  readonly kinds?: string;
  readonly port?: string;
  readonly seed?: string;
  readonly prefix?: string;
  readonly namespace?: string;
  readonly strict?: boolean;
  readonly auth?: string;
  readonly tls?: boolean;
  readonly mdns?: boolean;
  readonly mdnsLocal?: boolean;
  readonly fingerAfter?: string;
  readonly latency?: string;
  readonly models?: string;
  readonly users?: string;
  readonly modelStorage?: string;
  readonly modelsPerEngine?: string;
  readonly downloadRate?: string;
  readonly pushModels?: boolean;
  readonly restartAfter?: string;
  readonly fault?: readonly string[];
  readonly scenario?: string;
}

function oneOf<T extends string>(text: string, allowed: readonly T[], option: string): T {
  const found = allowed.find((each) => each === text);
  if (found === undefined)
    throw createUsageError(say('cli.one-of', { option, allowed: allowed.join(', '), text }), {
      path: option,
    });
  return found;
}

function siteOptions(options: SimulateOptions): SiteOptions {
  const devices = parseWholeNumber(options.devices ?? String(DEVICE_KINDS.length), '--devices', {
    min: 1,
    max: 2000,
  });
  const port = parseWholeNumber(options.port ?? '0', '--port', { min: 0, max: 65_535 });
  if (port > 0 && port + devices - 1 > 65_535)
    throw createUsageError(say('cli.ports-full', { devices, port }), { path: '--port' });
  return {
    devices,
    port,
    kinds:
      options.kinds === undefined
        ? DEVICE_KINDS
        : options.kinds.split(',').map((kind) => oneOf(kind.trim(), DEVICE_KINDS, '--kinds')),
    ...removeUndefined({
      seed:
        options.seed === undefined
          ? undefined
          : parseWholeNumber(options.seed, '--seed', { min: 0, max: 0xffff_ffff }),
      prefix: options.prefix,
      namespace: options.namespace,
      auth: options.auth === undefined ? undefined : oneOf(options.auth, AUTH_MODES, '--auth'),
      latencyMs:
        options.latency === undefined
          ? undefined
          : parseWholeNumber(options.latency, '--latency', { min: 0, max: 600_000 }),
      fingerAfterMs:
        options.fingerAfter === undefined
          ? undefined
          : parseWholeNumber(options.fingerAfter, '--finger-after', { min: 0, max: 600 }) * 1000,
      users:
        options.users === undefined
          ? undefined
          : parseWholeNumber(options.users, '--users', { min: 0, max: 200_000 }),
      modelStorageMb:
        options.modelStorage === undefined
          ? undefined
          : parseWholeNumber(options.modelStorage, '--model-storage', { min: 0, max: 1_000_000 }),
      modelsPerEngine: parseWholeNumber(options.modelsPerEngine ?? '1', '--models-per-engine', {
        min: 1,
        max: 16,
      }),
      downloadRate:
        options.downloadRate === undefined
          ? undefined
          : parseWholeNumber(options.downloadRate, '--download-rate', { min: 1, max: 10_000_000 }) * 1000,
      strict: options.strict,
      pushModels: options.pushModels,
      models:
        options.models === undefined
          ? undefined
          : options.models.split(',').map((model) => oneOf(model.trim(), MODELS, '--models')),
      restartAfterMs:
        options.restartAfter === undefined
          ? undefined
          : parseWholeNumber(options.restartAfter, '--restart-after', { min: 0, max: 86_400 }) * 1000,
    }),
    tls: options.tls === true,
    mdns: options.mdns === true || options.mdnsLocal === true,
    // What is announced to the network must be reachable from it.
    ...(options.mdns === true ? { host: '0.0.0.0' } : {}),
    faults: options.fault ?? [],
  };
}

/** One password for the whole site, so that one FIELDWRIGHT_PASSWORD signs in to all of it. */
export async function simulate(invocation: Invocation, options: SimulateOptions): Promise<number> {
  const checked = siteOptions(options);
  const { scenario } = options;
  const lines =
    scenario === undefined || scenario === '-' ? undefined : await scenarioIn(invocation, scenario);
  const site = await startSite({
    ...checked,
    password: invocation.io.env['FIELDWRIGHT_PASSWORD'] || makeDevicePassword(checked.seed ?? 1, 0),
    onProblem: (reason) => invocation.out.note(reason),
    ...(options.strict === true
      ? { onViolation: (found: Violation) => invocation.out.jsonLine({ violation: found }) }
      : {}),
  });
  try {
    const stopped = invocation.interrupts.wait();
    if (options.mdns === true) invocation.out.note(invocation.out.say('cli.announced'));
    invocation.out.jsonLine({ ready: true, devices: site.devices });
    const over = new AbortController();
    const played =
      scenario === undefined
        ? undefined
        : play(invocation, site, { lines: lines ?? readLines(invocation, over.signal), signal: over.signal });
    await stopped;
    over.abort();
    await played?.catch(() => undefined);
    return EXIT.done;
  } finally {
    await site.close();
  }
}

/** Checked before the site starts: a mistake in the last line is told at once. */
async function scenarioIn(invocation: Invocation, file: string): Promise<readonly string[]> {
  const { parseScenarioLine } = await import('#simulator/scenario.ts');
  const lines = (await readText(invocation.io, file)).split('\n');
  for (const [index, text] of lines.entries())
    try {
      parseScenarioLine(text);
    } catch (thrown) {
      throw createUsageError(
        say('cli.scenario-line', { line: index + 1, reason: (thrown as Error).message }),
        {
          path: '--scenario',
        },
      );
    }
  return lines;
}

async function* readLines({ io }: Invocation, signal: AbortSignal): AsyncGenerator<string> {
  const { createInterface } = await import('node:readline');
  const reader = createInterface({ input: io.stdin });
  signal.addEventListener('abort', () => reader.close(), { once: true });
  yield* reader;
}

/** One line after the other; what became of each is told in a line. A wrong one stops nothing. */
async function play(
  { out }: Invocation,
  site: Site,
  {
    lines,
    signal,
  }: { readonly lines: Iterable<string> | AsyncIterable<string>; readonly signal: AbortSignal },
): Promise<void> {
  const { parseScenarioLine, playStep } = await import('#simulator/scenario.ts');
  let line = 0;
  for await (const text of lines) {
    line += 1;
    try {
      const step = parseScenarioLine(text);
      if (step === undefined) continue;
      await playStep(site, step, signal);
      out.jsonLine({ line, did: step.do, device: step.device });
    } catch (thrown) {
      if (signal.aborted) return;
      out.jsonLine({ line, error: (thrown as Error).message });
    }
  }
}
