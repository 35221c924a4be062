/** Part of a device that a setting or an answer belongs to: a channel, a preset of it, an engine. */
import type { Detail, DetailId } from './details.ts';
import type { Params } from './model.ts';

/** Words by the parameters of an operation, as the interface names them, in alphabetical order. */
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

/**
 * Returns `Channel 2, preset 1`; the interface's own names if there are no words; undefined if there is
 * nothing to tell apart.
 */
export function placeOf(params: Params): Detail | string | undefined {
  const names = Object.keys(params);
  if (names.length === 0) return undefined;
  const id = WORDS[names.toSorted().join(' ')];
  return id === undefined
    ? names.map((name) => `${name} ${String(params[name])}`).join(', ')
    : { id, values: params };
}
