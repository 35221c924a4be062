/** `caps`: what a device says it can, and with `--probe` what it really answers. */
import type { CapabilityFlag, CapabilityLimit, DeviceCapabilities } from '../../shared/model.ts';
import { FieldwrightError } from '../../shared/errors.ts';
import { askEach } from '../each-device.ts';
import type { Invocation } from '../invocation.ts';
import type { DeviceOptions } from '../options.ts';
import { cleanLine } from '../output/clean.ts';
import { errorLines } from '../output/errors.ts';

export interface CapsOptions extends DeviceOptions { readonly probe?: boolean }

function limitWords(limit: CapabilityLimit): string {
  const range = limit.min === undefined && limit.max === undefined ? '' : `${limit.min ?? ''} … ${limit.max ?? ''}`;
  return [limit.count === undefined ? '' : `${limit.count} of them`, range, limit.options?.join(', ') ?? '', limit.size === undefined ? '' : `at most ${limit.size} items`, limit.default === undefined ? '' : `default ${limit.default}`].filter(Boolean).join('; ');
}

function printCapabilities({ out }: Invocation, caps: DeviceCapabilities): void {
  out.line(`Kind: ${caps.kinds.join(', ') || 'unknown'}`);
  out.table<CapabilityFlag>([
    { title: 'STATE', cell: ({ state }) => state, paint: ({ state }) => (state === 'true' ? 'good' : state === 'false' ? 'bad' : 'dim') },
    { title: 'CAPABILITY', cell: ({ label, needs }) => (needs === undefined ? label : `${label} (only with ${needs})`), flexible: true },
    { title: 'FIELD', cell: ({ operation, path }) => `${operation} ${path}`, flexible: true },
  ], caps.flags);
  if (caps.limits.length > 0) {
    out.line();
    out.table<CapabilityLimit>([
      { title: 'LIMIT', cell: limitWords, flexible: true },
      { title: 'FIELD', cell: ({ label }) => label, flexible: true },
      { title: 'PATH', cell: ({ operation, path }) => `${operation} ${path}`, flexible: true },
    ], caps.limits);
  }
  if (caps.onlyWhenAskedForAll) {
    out.line();
    out.line(`Reduced report: ${caps.onlyWhenAskedForAll.length} flags are left out unless all are asked for (${caps.onlyWhenAskedForAll.map(({ path }) => cleanLine(path)).join(', ')}).`);
  }
  if (caps.probes) {
    out.line();
    out.table([
      { title: 'ASKED', cell: ({ operation }) => operation },
      { title: 'ANSWERED', cell: ({ answered }) => (answered ? 'yes' : 'no'), paint: ({ answered }) => (answered ? 'good' : 'bad') },
      { title: 'HTTP', cell: ({ status }) => String(status.http) },
      { title: 'SAID', cell: ({ error }) => error?.message ?? '', flexible: true },
    ], caps.probes);
  }
  for (const problem of caps.problems) for (const line of errorLines(problem)) out.note(line);
}

export async function caps(invocation: Invocation, options: CapsOptions): Promise<number> {
  return askEach<DeviceCapabilities>(invocation, options, {
    ask: async (engine, device, signal) => {
      // What kind it is decides which documents are asked for; a device seen for the first time is asked that first.
      const [test] = device.kinds.length > 0 ? [] : await engine.devices.test([device.id], signal);
      if (test?.error) throw new FieldwrightError(test.error);
      return engine.capabilities(device.id, { probe: options.probe === true }, signal);
    },
    print: (answer) => printCapabilities(invocation, answer),
  });
}
