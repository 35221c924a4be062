/**
 * Alarms of the storage: when the device watches it, and whom it notifies of bad blocks and of a failing disk
 * (part 3, 2.3). They are read, set if wanted, and read again.
 */
import type { Resource } from '#protocol/index.ts';
import type { Params } from '#shared/model.ts';
import { listFacts, getOperationText } from '#engine/report-files/facts.ts';
import type { Block, DocumentText } from '#shared/report-document.ts';
import { buildDoubtBlocks, endOf, buildWrittenBlocks } from '../common/lines.ts';
import { buildPeriodsBlock } from '../common/periods.ts';
import { readIfAny } from '../common/read-if-any.ts';
import type { FlowField, FlowStep, StepContext, Values, Written } from '../flow.ts';
import { getSpecifiedResource } from '#engine/operations/specified.ts';

const SCHEDULE = 'events.storageSchedule';
const PARAMS: Params = { channelID: 1 };
const TRIGGERS = [
  { name: 'badBlocks', set: 'events.hdBadBlockTrigger' },
  { name: 'diskFailure', set: 'events.severeHdFailureTrigger' },
] as const;
/** Methods by which an unattended recorder can notify a person. */
const METHODS = ['center', 'email', 'beep', 'record'] as const;
const LIST = 'EventTriggerNotificationList';

export const alarms: FlowStep = {
  id: 'alarms',
  title: { id: 'flow-lock-alarms' },
  writes: ['events.hdBadBlockTrigger', 'events.severeHdFailureTrigger', 'events.storageSchedule'],
  async run(step) {
    const all = [await schedule(step)];
    for (const trigger of TRIGGERS) all.push(await linkages(step, trigger));
    return endOf(...all);
  },
};

async function schedule(step: StepContext): Promise<Written | undefined> {
  const { get } = getSpecifiedResource(SCHEDULE);
  const held = await heldOf(step, SCHEDULE, PARAMS);
  if (held === undefined || !step.mayWrite(SCHEDULE)) return undefined;
  const answer = await step.ask('schedule', {
    text: [{ id: 'flow-lock-schedule-text' }],
    fields: [
      {
        name: 'schedule',
        label: getOperationText(get),
        kind: 'choice',
        value: 'keep',
        kept: true,
        options: [
          { value: 'keep', label: { id: 'flow-lock-schedule-keep' } },
          { value: 'always', label: { id: 'flow-lock-schedule-always' } },
        ],
      },
    ],
  });
  if (answer['schedule'] !== 'always') {
    step.record(buildPeriodsBlock(get, held));
    return undefined;
  }
  const TimeBlockList = [1, 2, 3, 4, 5, 6, 7].map((dayOfWeek) => ({
    dayOfWeek,
    TimeRange: { beginTime: '00:00:00', endTime: '24:00:00' },
  }));
  const written = await step.write(
    'schedule',
    { set: SCHEDULE, params: PARAMS, value: { TimeBlockList } },
    { text: [{ id: 'flow-lock-schedule-sends' }] },
  );
  const after = await step.once('schedule-after', () => step.read(get.id, PARAMS));
  step.record(buildPeriodsBlock(get, after), {
    block: 'facts',
    facts: [
      {
        label: getOperationText(get),
        value: { id: 'flow-lock-schedule-always' },
        proof: written.proof,
        source: getOperationText(get),
      },
    ],
  });
  step.record(...buildDoubtBlocks(step, written));
  return written;
}

interface Linkage {
  readonly id: string;
  readonly notificationMethod?: string;
}

async function linkages(
  step: StepContext,
  { name, set }: (typeof TRIGGERS)[number],
): Promise<Written | undefined> {
  const { get } = getSpecifiedResource(set);
  const held = await heldOf(step, set);
  if (held === undefined || !step.mayWrite(set)) return undefined;
  const before = (Array.isArray(held[LIST]) ? held[LIST] : []) as readonly Linkage[];
  const has = (method: string): boolean =>
    before.some(({ notificationMethod }) => notificationMethod === method);
  const answer = await step.ask(name, {
    text: [{ id: 'flow-lock-linkages-text' }, getOperationText(get)],
    fields: METHODS.map((method) => methodField(name, method, has(method))),
  });
  const wanted = METHODS.filter((method) => answer[`${name}-${method}`] === true);
  const known: readonly string[] = METHODS;
  // Other actions of the device on that event stay.
  const list = [
    ...before.filter(
      ({ notificationMethod = '' }) =>
        !known.includes(notificationMethod) || wanted.some((method) => method === notificationMethod),
    ),
    ...wanted
      .filter((method) => !has(method))
      .map((method) => ({ id: method, notificationMethod: method, notificationRecurrence: 'beginning' })),
  ];
  if (list.length === before.length && wanted.every(has)) {
    step.record(factsBlock(get, held));
    return undefined;
  }
  const written = await step.write(
    name,
    { set, value: { [LIST]: list } },
    {
      text: [{ id: 'flow-lock-linkages-sends' }, getOperationText(get)],
    },
  );
  const after = await step.once(`${name}-after`, () => step.read(get.id));
  step.record(factsBlock(get, after), ...buildWrittenBlocks(step, written, getOperationText(get)));
  return written;
}

function methodField(name: string, method: string, value: boolean): FlowField {
  const { get } = getSpecifiedResource('events.hdBadBlockTrigger');
  const path = `${LIST}[0].notificationMethod`;
  const [fact] = listFacts(get, { [LIST]: [{ notificationMethod: method }] }, { path });
  return { name: `${name}-${method}`, label: fact?.value as DocumentText, kind: 'flag', value, kept: true };
}

function factsBlock(get: Resource['get'], document: unknown): Block {
  return {
    block: 'facts',
    title: getOperationText(get),
    facts: listFacts(get, document, { proof: 'read-back' }),
  };
}

/** Reads the values; undefined, and on record with the reason, if the device gives no such thing. */
async function heldOf(step: StepContext, set: string, params: Params = {}): Promise<Values | undefined> {
  const { get } = getSpecifiedResource(set);
  const found = await step.once(set, () => readIfAny<Values>(step, get.id, params));
  if ('value' in found) return found.value;
  step.record({
    block: 'checklist',
    items: [{ label: getOperationText(get), result: 'skipped', reason: found.none }],
  });
  return undefined;
}
