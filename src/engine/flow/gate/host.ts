/** Configuration of the host: read, shown, and changed if wanted. */
import { listFacts } from '#engine/report-files/facts.ts';
import { buildDeviceFields, buildAnswerDocument } from '../common/device-fields.ts';
import { conclude, createSkippedCheck } from '../common/findings.ts';
import { endOf, buildWrittenBlocks } from '../common/lines.ts';
import type { FlowStep, Values } from '../flow.ts';
import { readIfAny } from '../common/read-if-any.ts';
import { getSpecifiedOperation, getSpecifiedResponse } from '#engine/operations/specified.ts';

const GET = 'accessControl.hostConfig.get';

export const host: FlowStep = {
  id: 'host',
  title: { id: 'flow-gate-host' },
  writes: ['accessControl.hostConfig'],
  async run(step) {
    const found = await step.once('held', () => readIfAny<Values>(step, GET));
    if ('none' in found) return conclude(step, [createSkippedCheck({ id: 'flow-gate-host' }, found.none)]);
    const held = found.value;
    const operation = getSpecifiedOperation(GET);
    const facts = listFacts(operation, held, { proof: 'read-back' });
    const answer = await step.ask('change', {
      text: [{ id: 'flow-gate-host-text' }],
      shows: [{ block: 'facts', facts }],
      fields: [
        { name: 'change', label: { id: 'flow-gate-host-change' }, kind: 'flag', value: false, kept: true },
      ],
    });
    step.record({ block: 'facts', facts });
    if (answer['change'] !== true && step.isRehearsal !== true)
      return { outcome: 'unchanged', did: 'checked' };
    const values = await step.ask('values', {
      text: [{ id: 'flow-gate-host-values' }],
      isOccasional: true,
      fields: buildDeviceFields(getSpecifiedResponse(operation), {
        held,
        wanted: (path) => Object.hasOwn(held, path),
      }),
    });
    const written = await step.write(
      'host',
      { set: 'accessControl.hostConfig', value: buildAnswerDocument(values, held) },
      { text: [{ id: 'flow-gate-host-sends' }] },
    );
    step.record(...buildWrittenBlocks(step, written, { id: 'flow-gate-host' }));
    return endOf(written);
  },
};
