/** The operations of part 2, 4 that people are read and written with. */
import { getSpecifiedOperation } from '../operations/specified.ts';

export const SEARCH = getSpecifiedOperation('accessControl.users.search');
export const SET_UP = getSpecifiedOperation('accessControl.users.setUp');
export const COUNT = getSpecifiedOperation('accessControl.users.count');
