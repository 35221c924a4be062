/** The operations of part 2, 4 that people are read and written with. */
import { findOperation, type Operation } from '../../protocol/index.ts';

function known(id: string): Operation {
  const operation = findOperation(id);
  if (operation === undefined) throw new Error(`no operation ${id}`);
  return operation;
}

export const SEARCH = known('accessControl.users.search');
export const SET_UP = known('accessControl.users.setUp');
export const COUNT = known('accessControl.users.count');
