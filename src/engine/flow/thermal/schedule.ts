/** Reads when the camera alarms and what an alarm does, and puts it on record. */
import type { Operation } from '#protocol/index.ts';
import type { Params } from '#shared/model.ts';
import { listFacts, getOperationText } from '#engine/report-files/facts.ts';
import type { Block } from '#shared/report-document.ts';
import { buildPeriodsBlock } from '../common/periods.ts';
import { readIfAny } from '../common/read-if-any.ts';
import type { FlowStep, StepContext } from '../flow.ts';
import { createField, numberIn } from './questions.ts';
import { getTarget } from './target.ts';
import { getSpecifiedOperation } from '#engine/operations/specified.ts';

const SCHEDULES = ['events.thermometrySchedule.get', 'events.temperatureSchedule.get'] as const;
const TRIGGER = 'events.thermometryPresetTrigger.get';

export const schedule: FlowStep = {
  id: 'schedule',
  title: { id: 'flow-thermal-schedule' },
  async run(step) {
    const { is, params } = getTarget(step);
    if (is === 'terminal') {
      step.record({ block: 'paragraph', text: { id: 'flow-thermal-no-schedule' } });
      return { outcome: 'unchanged', did: 'nothing-to-do' };
    }
    for (const id of SCHEDULES) await record(step, id, params, buildPeriodsBlock);
    const answer = await step.ask('preset', {
      text: [{ id: 'flow-thermal-preset-text' }],
      fields: [createField('preset', 'flow-thermal-preset', 'number', { min: 1, max: 1024 })],
    });
    const presetID = numberIn(answer, 'preset');
    if (presetID !== undefined)
      await record(step, TRIGGER, { ...params, presetID }, (operation, document) => ({
        block: 'facts',
        title: getOperationText(operation),
        facts: listFacts(operation, document, { proof: 'read-back' }),
      }));
    return { outcome: 'unchanged', did: 'checked' };
  },
};

async function record(
  step: StepContext,
  id: string,
  params: Params,
  blockOf: (operation: Operation, document: unknown) => Block,
): Promise<void> {
  const operation = getSpecifiedOperation(id);
  const found = await step.once(id, () => readIfAny(step, id, params));
  step.record(
    'none' in found
      ? {
          block: 'checklist',
          items: [{ label: getOperationText(operation), result: 'skipped', reason: found.none }],
        }
      : blockOf(operation, found.value),
  );
}
