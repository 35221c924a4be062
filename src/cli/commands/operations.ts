/** `operations`: the whole interface as a list, in the specification's order. */
import { listOperations, type OperationEntry } from '#engine/index.ts';
import { EXIT } from '../exit-codes.ts';
import type { Invocation } from '../invocation.ts';

export function printOperations({ out }: Invocation): number {
  const entries = listOperations();
  if (out.asJson) {
    out.json(entries);
    return EXIT.done;
  }
  out.table<OperationEntry>(
    [
      { title: 'OPERATION', cell: ({ id }) => id },
      { title: 'METHOD', cell: ({ method }) => method },
      { title: 'FORMAT', cell: ({ format }) => format },
      { title: 'SPECIFIED', cell: ({ specified }) => out.say(specified ? 'cli.yes' : 'cli.path-only') },
      { title: 'PATH', cell: ({ path }) => path, flexible: true },
    ],
    entries,
  );
  return EXIT.done;
}
