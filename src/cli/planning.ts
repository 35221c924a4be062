/** A plan from the options of a command; shared by `plan` and `apply`. */
import type { Engine } from '#engine/api.ts';
import { FieldwrightError } from '#shared/errors.ts';
import type { Plan } from '#shared/model.ts';
import type { PlanningOptions } from './declarations/template.ts';
import { EXIT, exitCodeOfAll, type ExitCode } from './exit-codes.ts';
import { awaitPlan } from './follow-job.ts';
import { selectDevices } from './input/devices.ts';
import { readSecrets } from './input/secrets.ts';
import { readTemplate, type TemplateSource } from './input/template.ts';
import { readValues } from './input/values.ts';
import type { Invocation } from './invocation.ts';
import { isDeviceNamed } from './declarations/options.ts';

export interface MadePlan {
  readonly plan: Plan;
  readonly secrets: Readonly<Record<string, string>>;
}

/** Reads the devices, writes nothing. Throws before the first request when template or values are wrong. */
export async function makePlan(
  invocation: Invocation,
  engine: Engine,
  options: PlanningOptions & { readonly template: string | TemplateSource },
): Promise<MadePlan> {
  const source =
    typeof options.template === 'string'
      ? await readTemplate(invocation, engine, options.template)
      : options.template;
  const check = engine.templates.check({ text: source.text, file: source.file });
  const [first, ...others] = check.errors;
  if (!check.ok && first) throw new FieldwrightError({ ...first, ...(others.length > 0 ? { others } : {}) });
  const variables = check.summary?.variables ?? [];
  const given = await readValues(invocation, engine, options, options.values ?? [], variables);
  const devices =
    isDeviceNamed(options) || given.devices.length === 0
      ? await selectDevices(invocation, engine, options)
      : given.devices;
  const secrets = await readSecrets(invocation, variables, given.values);
  const selected = new Set(devices.map(({ id }) => id));
  const events = engine.plans.create(
    {
      templateText: source.text,
      file: source.file,
      deviceIds: [...selected],
      values: given.values,
      valuesByDevice: Object.fromEntries(Object.entries(given.byDevice).filter(([id]) => selected.has(id))),
      secrets,
      concurrency: options.concurrency,
    },
    invocation.interrupts.signal,
  );
  return { plan: await awaitPlan(invocation, events, createReadingProgress(invocation)), secrets };
}

/** Returns what shows how many devices are read. */
export function createReadingProgress({ out }: Pick<Invocation, 'out'>) {
  return ({ done, total }: { readonly done: number; readonly total: number }): void =>
    out.progress(out.say('cli.reading', { done, total }));
}

/** Returns how an `apply` would end, as far as it is known beforehand: 1 where a device could not be read, is blocked or lacks what is not optional; 3 where none could be reached. */
export function planExitCode(plan: Plan): ExitCode {
  const unread = exitCodeOfAll(
    plan.devices.map(({ error, state }) => (state === 'failed' ? error : undefined)),
  );
  if (unread !== EXIT.done) return unread === EXIT.usage ? EXIT.failed : unread;
  const wouldFail = plan.devices.some(({ sections }) =>
    sections.some(({ state, optional }) => state === 'blocked' || (state === 'unsupported' && !optional)),
  );
  return wouldFail ? EXIT.failed : EXIT.done;
}
