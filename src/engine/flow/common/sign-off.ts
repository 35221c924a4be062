/** The last step of every flow: who did it, and for what he stands. */
import { defined } from '../../../shared/defined.ts';
import { localTime } from '../../local-time.ts';
import type { Block } from '../../../shared/report.ts';
import type { FlowStep } from '../flow.ts';

export const signOff: FlowStep = {
  id: 'sign',
  title: { id: 'flow-sign-title' },
  async run(step) {
    const answer = await step.ask('sign', {
      text: [{ id: 'flow-sign-text' }],
      fields: [
        {
          name: 'name',
          label: { id: 'flow-sign-name' },
          kind: 'text',
          required: true,
          maxLength: 100,
          kept: true,
        },
        { name: 'role', label: { id: 'flow-sign-role' }, kind: 'text', maxLength: 100, kept: true },
        { name: 'witness', label: { id: 'flow-sign-witness' }, kind: 'text', maxLength: 100, kept: true },
        { name: 'notes', label: { id: 'flow-sign-notes' }, kind: 'text', maxLength: 2000 },
      ],
    });
    const at = localTime(new Date(await step.once('at', () => step.now().toISOString())));
    const text = (name: string): string | undefined => answer[name] as string | undefined;
    const witness = text('witness');
    const notes = text('notes');
    const signatures: Block = {
      block: 'signatures',
      signatures: [
        {
          name: text('name') ?? '',
          at,
          statement: { id: 'flow-sign-statement' },
          ...defined({ role: text('role') }),
        },
        // His own signature is given on paper.
        ...(witness === undefined
          ? []
          : [{ name: witness, statement: { id: 'flow-sign-witnessed' } as const }]),
      ],
    };
    step.record(...(notes === undefined ? [] : [{ block: 'paragraph', text: notes } as const]), signatures);
    return { outcome: 'unchanged' };
  },
};
