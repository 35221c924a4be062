/** Values that came as JSON from a file: whatever walks them later takes a step of its own for each level. */
import { say } from './details.ts';
import { userError } from './errors.ts';

interface JsonBounds {
  /** Levels below the value itself. */
  readonly depth: number;
  /** Values of all levels, the value itself among them. */
  readonly nodes: number;
  /** Names that no object may have. */
  readonly forbidden?: ReadonlySet<string>;
}

/** Throws `input-too-large`, and `unreadable-file` for a forbidden name; `place` goes with either. */
export function checkBounds(
  root: unknown,
  { depth: most, nodes, forbidden }: JsonBounds,
  place: { readonly file?: string },
): void {
  const pending: [value: unknown, depth: number][] = [[root, 0]];
  let seen = 0;
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const [value, depth] = next;
    seen += 1;
    if (seen > nodes) throw userError('input-too-large', say('document-nodes', { limit: nodes }), place);
    if (depth > most) throw userError('input-too-large', say('document-depth', { limit: most }), place);
    if (typeof value !== 'object' || value === null) continue;
    for (const [name, member] of Object.entries(value)) {
      if (forbidden?.has(name) === true)
        throw userError('unreadable-file', say('yaml.forbidden-name', { name }), place);
      pending.push([member, depth + 1]);
    }
  }
}
