/** `flow list|show|records`: guided flows there are, and the records that they end with. */
import type { Action } from '#cli/declarations/all.ts';
import type { Engine } from '#engine/api.ts';
import { formatEnglish } from '#engine/index.ts';
import type { Invocation } from '#cli/invocation.ts';
import { listRows, type Outcome } from '#cli/outcome.ts';
import { createDateFormat } from '#cli/output/date-format.ts';
import { formatKinds } from '#cli/output/names.ts';
import { tabulate } from '#cli/output/table.ts';
import { formatAnswersFile } from '#cli/output/answers-file.ts';
import { selectDevices } from '#cli/input/devices.ts';
import { createUsageError } from '#cli/usage.ts';
import type { FlowShowOptions } from '#cli/declarations/flow.ts';
import { say } from '#shared/details.ts';
import { userError } from '#shared/errors.ts';
import type { FlowInfo } from '#shared/flows.ts';

export const listFlows: Action<'flow list'> = async ({ open, out }) => {
  const flows = (await open()).flows.list();
  return {
    json: flows.map(({ name, title, about, kinds }) => ({
      name,
      title: formatEnglish(title),
      about: formatEnglish(about),
      kinds,
    })),
    text: tabulate(flows, {
      FLOW: 'name',
      FOR: ({ kinds }) => (kinds === undefined ? out.say('cli.any-device') : formatKinds(out, kinds)),
      DOES: { value: ({ about }) => out.words(about), flexible: true },
    }),
  };
};

/** Finds a flow by its name. @throws `not-found` */
export function findFlow(engine: Engine, name: string): FlowInfo {
  const flow = engine.flows.list().find((each) => each.name === name);
  if (flow === undefined) throw userError('not-found', say('cli.no-flow', { name }));
  return flow;
}

export const showFlow: Action<'flow show'> = async (invocation, name, options) => {
  const { open, out } = invocation;
  const engine = await open();
  const flow = findFlow(engine, name);
  if (options.answers === true) return showAnswers(invocation, engine, flow, options);
  return {
    json: {
      ...flow,
      title: formatEnglish(flow.title),
      about: formatEnglish(flow.about),
      steps: flow.steps.map(({ title, ...step }) => ({ ...step, title: formatEnglish(title) })),
    },
    text: [
      `${out.words(flow.title)}: ${out.words(flow.about)}`,
      tabulate(flow.steps, {
        STEP: 'id',
        TITLE: { value: ({ title }) => out.words(title), flexible: true },
      }),
      ...flow.steps.flatMap(({ title, forbidden }) =>
        forbidden === undefined ? [] : [`${out.words(title)}: ${out.sentence(forbidden)}`],
      ),
    ],
  };
};

/** Prints a file of answers; with a device it asks for what this one has, and sends nothing. */
async function showAnswers(
  invocation: Invocation,
  engine: Engine,
  flow: FlowInfo,
  options: FlowShowOptions,
): Promise<Outcome> {
  const { out } = invocation;
  const isNamed = [options.device, options.devices, options.tag, options.site].some(
    (named) => named !== undefined && named.length > 0,
  );
  const [device, ...others] = isNamed ? await selectDevices(invocation, engine, options) : [];
  if (others.length > 0) throw createUsageError(say('cli.answers-one'), { path: '--device' });
  const rehearsed = await engine.flows.rehearse({ flow: flow.name, deviceId: device?.id });
  const text = formatAnswersFile(out, flow, { rehearsed, device: device?.name });
  return {
    json: {
      flow: flow.name,
      ...(device && { device: device.name }),
      steps: rehearsed.map(({ step, fields, watches, error }) => ({
        step,
        fields: fields.map(({ field: { label, help: _help, options: choices, ...field }, isOccasional }) => ({
          ...field,
          label: formatEnglish(label),
          ...(choices && {
            options: choices.map(({ value, label: words }) => ({ value, label: formatEnglish(words) })),
          }),
          ...(isOccasional && { isOccasional }),
        })),
        watches,
        ...(error && { error }),
      })),
      file: text,
    },
    text: text.trimEnd(),
  };
}

export const listFlowRecords: Action<'flow records'> = async ({ open, out, globals }) => {
  const when = createDateFormat(globals.lang);
  return listRows(
    (await open()).flows.records(),
    {
      RECORD: ({ id }) => id.slice(0, 8),
      MADE: ({ at }) => when(at),
      FLOW: 'flow',
      DEVICE: { value: 'deviceId', flexible: true },
      'SHA-256': ({ sha256 }) => sha256.slice(0, 16),
    },
    out.say('cli.no-records'),
  );
};
