/** `caps`: what a device says it can, and with `--probe` what it really answers. */
import type { Action } from '#cli/declarations/all.ts';
import type { DeviceCapabilities } from '#shared/model.ts';
import { FieldwrightError } from '#shared/errors.ts';
import { askEach } from '#cli/each-device.ts';
import type { Invocation } from '#cli/invocation.ts';
import { printFlagTable, limitTable } from '#cli/output/capability-table.ts';
import { cleanLine } from '#cli/output/clean.ts';
import { noteError, translateError } from '#cli/output/errors.ts';
import { formatKinds } from '#cli/output/names.ts';

function printCapabilities({ out }: Invocation, caps: DeviceCapabilities): void {
  out.line(out.say('cli.kind', { kinds: formatKinds(out, caps.kinds) || out.say('cli.kind-unknown') }));
  printFlagTable(out, caps.flags);
  if (caps.limits.length > 0) {
    out.line();
    limitTable(out, caps.limits);
  }
  if (caps.onlyWhenAskedForAll) {
    out.line();
    out.line(
      out.say('cli.reduced-report', {
        count: caps.onlyWhenAskedForAll.length,
        paths: caps.onlyWhenAskedForAll.map(({ path }) => cleanLine(path)).join(', '),
      }),
    );
  }
  if (caps.probes) {
    out.line();
    out.table(caps.probes, {
      ASKED: 'operation',
      ANSWERED: {
        value: ({ answered }) => out.say(answered ? 'cli.yes' : 'cli.no'),
        paint: ({ answered }) => (answered ? 'good' : 'bad'),
      },
      HTTP: ({ status }) => status.http,
      SAID: {
        value: ({ error }) => (error === undefined ? '' : translateError(error, out).message),
        flexible: true,
      },
    });
  }
  for (const problem of caps.problems) noteError(out, problem);
}

export const showCapabilities: Action<'caps'> = async (invocation, options) => {
  return askEach<DeviceCapabilities>(invocation, options, {
    ask: async (engine, device, signal) => {
      // Its kind decides which documents are asked for; a device seen for the first time is asked for it first.
      const [test] =
        device.kinds.length > 0
          ? []
          : await engine.devices.test({ ids: [device.id], learnsKinds: true }, signal);
      if (test?.error) throw new FieldwrightError(test.error);
      return engine.operations.capabilities({ deviceId: device.id, probe: options.probe === true }, signal);
    },
    print: (answer) => printCapabilities(invocation, answer),
  });
};
