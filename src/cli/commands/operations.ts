/** `operations`: the whole interface as a list, in the specification's order. */
import type { Action } from '../declarations/all.ts';
import { listOperations } from '#engine/index.ts';
import { listRows } from '../outcome.ts';

export const printOperations: Action<'operations'> = ({ out }) => {
  return listRows(listOperations(), {
    OPERATION: 'id',
    METHOD: 'method',
    FORMAT: 'format',
    SPECIFIED: ({ specified }) => out.say(specified ? 'cli.yes' : 'cli.path-only'),
    PATH: { value: 'path', flexible: true },
  });
};
