/** The operations of part 2, 4 that people are read and written with. */
import { specifiedOperation } from '../operations/specified.ts';

export const SEARCH = specifiedOperation('accessControl.users.search');
export const SET_UP = specifiedOperation('accessControl.users.setUp');
export const COUNT = specifiedOperation('accessControl.users.count');
