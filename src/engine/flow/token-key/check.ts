/**
 * The check of a token, as a raw request: the specification names it without its body (part 3, 4), so that only the
 * integrator can say what to send. Nothing here pretends to know what it proves.
 */
import { isContentRefusal } from '#shared/error-meaning.ts';
import { getOperationText } from '#engine/report-files/facts.ts';
import type { Check, DocumentText } from '#shared/report-document.ts';
import type { FlowStep, StepContext, StepEnd } from '../flow.ts';
import { getSpecifiedOperation } from '#engine/operations/specified.ts';

const CHECK = 'token.check';
/** Name of the body in the vault, until it is sent: it may hold a token. */
const BODY = 'token-check';
export const check: FlowStep = {
  id: 'check',
  title: { id: 'flow-token-check' },
  async run(step) {
    await step.ask(
      'check',
      {
        text: [{ id: 'flow-token-check-text' }, { id: 'flow-token-check-unspecified' }],
        fields: [{ name: 'body', label: { id: 'flow-token-check-body' }, kind: 'secret', maxLength: 4000 }],
      },
      ({ body }) => {
        if (typeof body === 'string') step.secrets.keep(BODY, body);
      },
    );
    const isGiven = await step.once('given', () => step.secrets.reveal(BODY, 'pending') !== undefined);
    if (!isGiven)
      return record(step, { result: 'skipped', reason: { id: 'flow-token-check-not-tried' } }, false);
    const { outcome, error } = await step.call(
      'check',
      () => ({
        operation: CHECK,
        raw: true,
        body: step.secrets.reveal(BODY, 'pending'),
        mayRefuse: true,
        isTrial: true,
      }),
      [{ path: 'TokenInfo', label: 'TokenInfo', to: '••••••', sensitive: true }],
      { text: [{ id: 'flow-token-check-sends' }, { id: 'flow-token-check-unspecified' }], tone: 'warning' },
    );
    step.secrets.drop(BODY);
    if (outcome === 'accepted') return record(step, { result: 'done', proof: 'function-tested' });
    const reason: DocumentText = error?.detail ?? error?.message ?? { id: 'flow-arrival-unknown' };
    // The token is judged only by a refusal of the content.
    const isRefused = outcome === 'refused' && error !== undefined && isContentRefusal(error);
    return record(step, { result: isRefused ? 'failed' : 'skipped', reason });
  },
};

function record(step: StepContext, found: Omit<Check, 'label'>, wasSent = true): StepEnd {
  step.record(
    {
      block: 'checklist',
      items: [{ label: getOperationText(getSpecifiedOperation(CHECK)), ...found }],
    },
    ...(wasSent
      ? [{ block: 'paragraph', text: { id: 'flow-token-check-unspecified' }, tone: 'notice' } as const]
      : []),
  );
  return found.result === 'failed'
    ? { outcome: 'failed' }
    : { outcome: 'unchanged', did: found.result === 'done' ? 'checked' : 'not-checked' };
}
