/** Lines of a record that several flows write alike. */
import { listChangeFacts, formatPlainValue } from '#engine/report-files/facts.ts';
import { findOperation } from '#protocol/index.ts';
import type { Change } from '#shared/model.ts';
import { removeUndefined } from '#shared/remove-undefined.ts';
import type { Block, DocumentText, Fact, Tone, Value } from '#shared/report-document.ts';
import type { StepContext, StepEnd, Written } from '../flow.ts';

/**
 * Returns a line for each value that a write set, and the notes on how it went. Of a secret it only says that
 * it is set; of a value whose arrival is unknown, no value at all.
 */
export function buildWrittenBlocks(
  step: StepContext,
  written: Written,
  source: DocumentText,
): readonly Block[] {
  const { changes, outcome, proof, root } = written;
  const operation = findOperation(written.operation ?? '');
  const facts = changes.flatMap((change): readonly Fact[] => {
    const label = {
      root,
      path: change.path,
      label: change.label,
      ...removeUndefined({ items: change.items }),
    };
    if (outcome === 'unknown') return [{ label, value: { id: 'flow-not-known' }, source }];
    // A value that cannot be read back is no better proved than sent.
    const proved = { proof: change.sensitive === true ? ('written' as const) : proof, source };
    // An item of a list is a line for each of its values, as it is read.
    const lines =
      operation === undefined || typeof change.to !== 'object' ? [] : listChangeFacts(operation, change);
    return lines.length > 0
      ? lines.map(({ fact }) => ({ ...fact, ...proved }))
      : [{ label, value: valueOf(change), ...proved }];
  });
  return [{ block: 'facts', facts }, ...buildDoubtBlocks(step, written)];
}

/** Returns what is to be known of how a write went, beside its values. */
export function buildDoubtBlocks(step: StepContext, { outcome, error, restart }: Written): readonly Block[] {
  const paragraph = (text: DocumentText, tone: Tone): Block => ({ block: 'paragraph', text, tone });
  return [
    ...(outcome === 'unknown'
      ? [
          ...(error === undefined ? [] : [paragraph(error.detail ?? error.message, 'warning')]),
          paragraph({ id: 'flow-write-unknown' }, 'warning'),
        ]
      : []),
    ...(restart === 'seen' ? [paragraph({ id: 'flow-restart-seen' }, 'notice')] : []),
    ...(restart === 'attested'
      ? [paragraph({ id: 'flow-restart-attested', values: { name: step.user } }, 'notice')]
      : []),
  ];
}

/** Returns how a step with these writes ended: what is not known of one of them, else what became of the first. */
export function endOf(...all: readonly (Written | undefined)[]): StepEnd {
  const found =
    all.find((written) => written?.outcome === 'unknown') ??
    all.find((written) => written !== undefined && written.outcome !== 'unchanged');
  if (all.every((written) => written === undefined)) return { outcome: 'unchanged', did: 'checked' };
  return {
    outcome: found?.outcome ?? 'unchanged',
    error: found?.error,
    status: found?.status,
    ...(found?.outcome === 'unknown' && { open: true }),
  };
}

function valueOf({ to, unit, sensitive }: Change): Value {
  if (sensitive === true) return { isSet: to !== undefined };
  if (typeof to === 'number') return { number: to, unit };
  if (typeof to === 'boolean') return { yes: to };
  if (to === undefined || to === null) return null;
  return formatPlainValue(to);
}
