/** Last step of every flow: the signature, with name, role and witness. */
import { formatLocalTime } from '#engine/host/local-time.ts';
import type { Block } from '#shared/report-document.ts';
import type { Flow, FlowField, FlowStep, StepContext, StepEnd } from '../flow.ts';

const ID = 'sign';
const KEY = 'sign';
/** Step and key under which `signOffWithIdentity` stores the identity of the device. */
export const SIGN_IDENTITY: Flow['identity'] = { step: ID, key: KEY };
const IDENTITY: readonly FlowField[] = [
  { name: 'model', label: { id: 'report.model' }, kind: 'text', maxLength: 100, kept: true },
  { name: 'serial', label: { id: 'report.serial' }, kind: 'text', maxLength: 100 },
  { name: 'firmware', label: { id: 'report.firmware' }, kind: 'text', maxLength: 100, kept: true },
];

export const signOff: FlowStep = stepWith([]);
/** Signature for a flow that has not asked before which device it is. */
export const signOffWithIdentity: FlowStep = stepWith(IDENTITY);

function stepWith(identity: readonly FlowField[]): FlowStep {
  return { id: ID, title: { id: 'flow-sign-title' }, run: (step) => sign(step, identity) };
}

async function sign(step: StepContext, identity: readonly FlowField[]): Promise<StepEnd> {
  const answer = await step.ask(KEY, {
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
      ...identity,
    ],
  });
  const at = formatLocalTime(new Date(await step.once('at', () => step.now().toISOString())));
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
        role: text('role'),
      },
      // His own signature is given on paper.
      ...(witness === undefined
        ? []
        : [{ name: witness, statement: { id: 'flow-sign-witnessed' } as const }]),
    ],
  };
  step.record(...(notes === undefined ? [] : [{ block: 'paragraph', text: notes } as const]), signatures);
  return { outcome: 'unchanged', did: 'signed-off' };
}
