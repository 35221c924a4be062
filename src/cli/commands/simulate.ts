/** `simulate`: a virtual site until a signal ends it. */
import type { Action } from '../declarations/all.ts';
import type { OptionsOf } from '../declarations/declaration.ts';
import type { SITE } from '../declarations/site.ts';
import { EXIT } from '../exit-codes.ts';
import { readText } from '../input/files.ts';
import type { Invocation } from '../invocation.ts';
import { createUsageError } from '../usage.ts';
import { say } from '#shared/details.ts';
import { userError } from '#shared/errors.ts';
import { DEVICE_KINDS } from '#shared/model.ts';
import { startSite, type Site, type SiteOptions, type Violation } from '#simulator/index.ts';
import type { Twin } from '#simulator/options.ts';
import { makeDevicePassword } from '#simulator/names.ts';

type SimulateOptions = OptionsOf<typeof SITE.simulate>;

const toMs = (seconds: number | undefined): number | undefined =>
  seconds === undefined ? undefined : seconds * 1000;

/** Reads the files of snapshots that devices are made of. */
async function readTwins({ io }: Invocation, files: readonly string[]): Promise<readonly Twin[]> {
  const { parseTwin } = await import('#simulator/twin.ts');
  const twins: Twin[] = [];
  for (const file of files) {
    const twin = parseTwin(await readText(io, file));
    if (twin === 'newer' || twin === undefined)
      throw userError(
        'unreadable-file',
        twin === 'newer' ? say('cli.snapshot-newer') : say('cli.not-a-snapshot'),
        {
          file,
        },
      );
    twins.push(twin);
  }
  return twins;
}

function toSiteOptions(options: SimulateOptions, twins: readonly Twin[] = []): SiteOptions {
  const { port, kinds = DEVICE_KINDS, mdns = false } = options;
  const devices = twins.length || (options.devices ?? DEVICE_KINDS.length);
  if (port > 0 && port + devices - 1 > 65_535)
    throw createUsageError(say('cli.ports-full', { devices, port }), { path: '--port' });
  const { seed, prefix, namespace, auth, users, modelsPerEngine, strict, pushModels, models } = options;
  return {
    devices,
    port,
    kinds,
    twins,
    seed,
    prefix,
    namespace,
    auth,
    latencyMs: options.latency,
    fingerAfterMs: toMs(options.fingerAfter),
    users,
    modelStorageMb: options.modelStorage,
    modelsPerEngine,
    downloadRate: options.downloadRate === undefined ? undefined : options.downloadRate * 1000,
    strict,
    pushModels,
    models,
    restartAfterMs: toMs(options.restartAfter),
    // Devices that are announced to the network must be reachable from it.
    host: mdns ? '0.0.0.0' : undefined,
    tls: options.tls === true,
    mdns: mdns || options.mdnsLocal === true,
    faults: options.fault ?? [],
  };
}

/** Starts a site with one password for all of it, so that one FIELDWRIGHT_PASSWORD signs in everywhere. */
export const simulate: Action<'simulate'> = async (invocation, options) => {
  const twins = await readTwins(invocation, options.twin ?? []);
  for (const name of ['devices', 'kinds', 'models', 'namespace'] as const)
    if (twins.length > 0 && options[name] !== undefined)
      throw createUsageError(say('cli.twin-beside', { option: `--${name}` }), { path: `--${name}` });
  const checked = toSiteOptions(options, twins);
  const { out } = invocation;
  const { scenario } = options;
  const lines =
    scenario === undefined || scenario === '-' ? undefined : await readScenario(invocation, scenario);
  const site = await startSite({
    ...checked,
    password: invocation.io.env['FIELDWRIGHT_PASSWORD'] || makeDevicePassword(checked.seed ?? 1, 0),
    onProblem: (reason) => out.note(reason),
    ...(options.strict === true && {
      onViolation: (found: Violation) => out.jsonLine({ violation: found }),
    }),
  });
  try {
    const stopped = invocation.interrupts.wait();
    if (options.mdns === true) out.note(out.say('cli.announced'));
    out.jsonLine({ ready: true, devices: site.devices });
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
};

/** Reads and checks a scenario before the site starts, so that a mistake in the last line is found at once. */
async function readScenario(invocation: Invocation, file: string): Promise<readonly string[]> {
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

/** Plays one line after the other and prints what became of each; a wrong one stops nothing. */
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
