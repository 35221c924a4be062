/** Where on a device a setting or an answer stands: a channel, a preset of it, an engine. */
import type { Detail, DetailId } from './details.ts';
import type { Params } from './model.ts';

/** By what tells the places of one operation apart, as the interface names it, in the order of the alphabet. */
const WORDS: Readonly<Record<string, DetailId>> = {
  channelID: 'reports.at-channel',
  'channelID presetID': 'reports.at-preset',
  'channelID streamID': 'reports.at-stream',
  engineID: 'reports.at-engine',
  localControllerID: 'reports.at-controller',
  MPID: 'reports.at-package',
  taskID: 'reports.at-task',
  audioID: 'reports.at-audio',
};

/** `Channel 2, preset 1`; as the interface names it where there are no words; undefined where there is nothing to tell apart. */
export function placeOf(params: Params): Detail | string | undefined {
  const names = Object.keys(params);
  if (names.length === 0) return undefined;
  const id = WORDS[names.toSorted().join(' ')];
  return id === undefined
    ? names.map((name) => `${name} ${String(params[name])}`).join(', ')
    : { id, values: params };
}
