/** `operations`: the whole interface as a list, in the specification's order. */
import { listOperations } from '#engine/index.ts';
import type { Invocation } from '../invocation.ts';
import { listRows, type Outcome } from '../outcome.ts';

export function printOperations({ out }: Invocation): Outcome {
  return listRows(listOperations(), {
    OPERATION: 'id',
    METHOD: 'method',
    FORMAT: 'format',
    SPECIFIED: ({ specified }) => out.say(specified ? 'cli.yes' : 'cli.path-only'),
    PATH: { value: 'path', flexible: true },
  });
}
