/** Configuration of the host: read, shown, and changed where somebody wants it. */
import { factsOf } from '../../report/facts.ts';
import { deviceFields, documentOf } from '../common/device-fields.ts';
import { conclude, leftOut } from '../common/findings.ts';
import { writtenFacts } from '../common/lines.ts';
import type { FlowStep, Values } from '../flow.ts';
import { saysNo } from '../../../shared/error-meaning.ts';
import { unless } from '../common/read-if-any.ts';
import { specifiedOperation, specifiedResponse } from '../../specified.ts';

const GET = 'accessControl.hostConfig.get';

export const host: FlowStep = {
  id: 'host',
  title: { id: 'flow-gate-host' },
  async run(step) {
    const held = await step.once(
      'held',
      async () => (await unless(saysNo, () => step.read<Values>(GET))) ?? null,
    );
    if (held === null)
      return conclude(step, [leftOut({ id: 'flow-gate-host' }, { id: 'flow-gate-not-offered' })]);
    const operation = specifiedOperation(GET);
    const facts = factsOf(operation, held, { proof: 'read-back' });
    const answer = await step.ask('change', {
      text: [{ id: 'flow-gate-host-text' }],
      shows: [{ block: 'facts', facts }],
      fields: [
        { name: 'change', label: { id: 'flow-gate-host-change' }, kind: 'flag', value: false, kept: true },
      ],
    });
    step.record({ block: 'facts', facts });
    if (answer['change'] !== true) return { outcome: 'unchanged', did: 'checked' };
    const values = await step.ask('values', {
      text: [{ id: 'flow-gate-host-values' }],
      fields: deviceFields(specifiedResponse(operation), {
        held,
        wanted: (path) => Object.hasOwn(held, path),
      }),
    });
    const written = await step.write(
      'host',
      { set: 'accessControl.hostConfig', value: documentOf(values, held) },
      { text: [{ id: 'flow-gate-host-sends' }] },
    );
    step.record({ block: 'facts', facts: writtenFacts(written, { id: 'flow-gate-host' }) });
    return { outcome: written.outcome };
  },
};
