/** Lines of a record that several flows write alike. */
import type { Change } from '../../../shared/model.ts';
import type { Fact, Value, DocumentText } from '../../../shared/report.ts';
import type { Written } from '../flow.ts';

/** A line for each value that a write set; of a secret is told that it is set. */
export function writtenFacts({ changes, proof, root }: Written, source: DocumentText): readonly Fact[] {
  return changes.map((change) => ({
    label: { root, path: change.path, label: change.label },
    value: valueOf(change),
    // What cannot be read back is no better proved than sent.
    proof: change.sensitive === true ? 'written' : proof,
    source,
  }));
}

function valueOf({ to, unit, sensitive }: Change): Value {
  if (sensitive === true) return { isSet: to !== undefined };
  if (typeof to === 'number') return { number: to, ...(unit !== undefined && { unit }) };
  if (typeof to === 'boolean') return { yes: to };
  if (to === undefined || to === null) return null;
  return typeof to === 'string' ? to : JSON.stringify(to);
}
