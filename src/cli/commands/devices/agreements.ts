/** `site status|put-right|accept|later`: what devices show beside what was agreed. */
import type { Action } from '#cli/declarations/all.ts';
import type { Engine } from '#engine/api.ts';
import { isDeviceNamed, type DeviceOptions } from '#cli/declarations/options.ts';
import { carryOut, toApplyOptions } from '#cli/commands/apply/carry-out.ts';
import { EXIT, isNotReached, type ExitCode } from '#cli/exit-codes.ts';
import { awaitPlan } from '#cli/follow-job.ts';
import { selectDevices } from '#cli/input/devices.ts';
import type { Invocation } from '#cli/invocation.ts';
import { createDateFormat } from '#cli/output/date-format.ts';
import {
  formatDifferences,
  formatSettingName,
  formatSettingValue,
  formatSectionPlace,
} from '#cli/output/names.ts';
import type { Output } from '#cli/output/output.ts';
import { printPlan } from '#cli/output/plan-view.ts';
import { tabulate } from '#cli/output/table.ts';
import { createReadingProgress } from '#cli/planning.ts';
import { isPutOff, type DeviceAgreement, type DriftedSetting, type PutRight } from '#shared/agreement.ts';

/** Returns the ids of the devices that were named; undefined for all of the inventory. */
async function chooseDevices(
  invocation: Invocation,
  engine: Engine,
  options: DeviceOptions,
): Promise<readonly string[] | undefined> {
  if (!isDeviceNamed(options)) return undefined;
  return (await selectDevices(invocation, engine, options)).map(({ id }) => id);
}

/** Exit 1 where something differs from what was agreed; with `--read` 3 where no device could be reached. */
export const showStatus: Action<'site status'> = async (invocation, options) => {
  const { out, interrupts, globals } = invocation;
  const engine = await invocation.open();
  const query = { deviceIds: await chooseDevices(invocation, engine, options) };
  if (options.read === true) {
    try {
      for await (const event of engine.agreements.look(query, interrupts.signal))
        if (event.type === 'device')
          out.progress(out.say('cli.look-progress', { done: event.done, total: event.total }));
    } finally {
      out.endProgress();
    }
  }
  const found = engine.agreements.status(query);
  const when = createDateFormat(globals.lang);
  const named = found.map((one) => ({ ...one, device: engine.devices.find(one.deviceId) }));
  return {
    json: named.map(({ device, ...one }) => toScript(device, one)),
    text: [
      tabulate(named, {
        DEVICE: { value: ({ device }) => device.name, flexible: true },
        STATE: {
          value: ({ state, differences }) => out.say(`cli.agreement.${state}`, { n: differences.length }),
          paint: ({ state }) => PAINTS[state],
        },
        READ: ({ readAt }) => (readAt === undefined ? '' : when(readAt)),
      }),
      ...named.flatMap(({ device, differences }) =>
        differences.flatMap((one) => formatDrift(out, device.name, one)),
      ),
    ],
    code: toExitCode(found, options.read === true),
  };
};

const PAINTS = { 'as-agreed': 'good', drifted: 'bad', unknown: 'warn', 'nothing-agreed': 'dim' } as const;

function toExitCode(found: readonly DeviceAgreement[], hasRead: boolean): ExitCode {
  if (found.some(({ state }) => state === 'drifted')) return EXIT.failed;
  const agreed = found.filter(({ state }) => state !== 'nothing-agreed');
  return hasRead && agreed.length > 0 && agreed.every(({ error }) => isNotReached(error))
    ? EXIT.unreachable
    : EXIT.done;
}

function toScript(
  { url, name }: { readonly url: string; readonly name: string },
  { state, readAt, differences, unseen, error }: Omit<DeviceAgreement, 'deviceId'>,
) {
  return {
    device: url,
    name,
    state,
    readAt,
    differences: differences.map(({ set, params, path, agreed, shown, since, changedBy, later }) => ({
      section: set,
      ...(Object.keys(params).length === 0 ? {} : { params }),
      path,
      agreed,
      shown,
      since,
      by: changedBy?.jobId ?? 'outside',
      later,
    })),
    ...(unseen === 0 ? {} : { unseen }),
    error,
  };
}

function formatDrift(out: Output, device: string, one: DriftedSetting): readonly string[] {
  const { set, changes, changedBy } = one;
  const by = [
    changedBy === undefined ? out.say('cli.agreement.outside') : `${changedBy.title} (${changedBy.jobId})`,
    ...(isPutOff(one, new Date()) ? [out.say('cli.agreement.later')] : []),
  ].join('; ');
  return formatDifferences(out, set, changes, (change) => {
    const value = (held: unknown): string => formatSettingValue(out, set, change.path, held);
    return `${formatSettingName(out, set, change)}: ${value(change.to)} → ${value(change.from)}`;
  }).map((line) => `${device}: ${formatSectionPlace(out, one)}: ${line}; ${by}`);
}

/** Puts back what was agreed, in a job for each group of devices that differ alike; without `--yes` at a script only the plans. */
export const putRight: Action<'site put-right'> = async (invocation, options) => {
  const { out } = invocation;
  const engine = await invocation.open();
  const groups = engine.agreements.putRight({
    name: out.say('cli.agreement.put-right-name'),
    deviceIds: await chooseDevices(invocation, engine, options),
    settings: options.section === undefined ? undefined : [{ set: options.section }],
  });
  if (groups.length === 0) return { json: [], note: out.say('cli.agreement.nothing-to-put-right') };
  let worst: ExitCode = EXIT.done;
  for (const group of groups) {
    const code = await applyTemplate(invocation, engine, group, options);
    if (code !== EXIT.done) worst = code;
  }
  return worst;
};

/** Plans a template and carries the plan out; without `--yes` at a script only the plan is printed. */
export async function applyTemplate(
  invocation: Invocation,
  engine: Engine,
  template: PutRight,
  options: Parameters<typeof carryOut>[3],
): Promise<ExitCode> {
  const { out, interrupts } = invocation;
  const plan = await awaitPlan(
    invocation,
    engine.plans.create(template, interrupts.signal),
    createReadingProgress(invocation),
  );
  if (options.yes !== true && out.asJson) {
    out.result(plan, { asLine: true });
    return EXIT.done;
  }
  if (options.yes === true && !out.asJson) printPlan(out, plan);
  const code = await carryOut(
    invocation,
    engine,
    { plan, secrets: {} },
    options,
    toApplyOptions(options, { reviewed: false }),
  );
  return typeof code === 'number' ? code : EXIT.done;
}

export const acceptShown: Action<'site accept'> = async (invocation, options) => {
  const { out } = invocation;
  const engine = await invocation.open();
  const { section: set, path, reason } = options;
  const devices = await selectDevices(invocation, engine, options);
  const accepted = devices.map(({ id, name }) => ({
    name,
    ...engine.agreements.accept({ deviceIds: [id], settings: [{ set, path }], reason }),
  }));
  return {
    json: { accepted: accepted.reduce((sum, one) => sum + one.accepted, 0) },
    text: accepted.map((one) => out.say('cli.agreement.accepted', { n: one.accepted, device: one.name })),
  };
};

export const putOff: Action<'site later'> = async (invocation, options) => {
  const engine = await invocation.open();
  const { section: set, path, until } = options;
  const devices = await selectDevices(invocation, engine, options);
  const answer = engine.agreements.putOff({
    deviceIds: devices.map(({ id }) => id),
    settings: [{ set, path }],
    until,
  });
  return { json: answer, text: invocation.out.say('cli.agreement.put-off', { n: answer.putOff }) };
};
