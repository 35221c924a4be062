/** Record passback (part 3, 2.4): the detection window, and a plan for each stream and channel. */
import {
  basicLimits,
  basicConfig,
  concurrence,
  historyPlan,
  historyPlanLimits,
} from '../device-documents/passback.ts';
import type { Handlers } from '../handler.ts';
import { childOf, childText, type XmlNode } from '../wire/xml-reader.ts';
import { periodsPerDay, tooManyADay } from './periods.ts';
import { fixedHandler, storedHandlers } from './stored.ts';

const MOST_CHANNELS = 1024;
const LONGEST_STREAM_ID = 32;

export const passbackHandlers: Handlers = {
  ...fixedHandler('passback.basic.capabilities.get', basicLimits),
  // nothing is said about the order of the two times of the window
  ...storedHandlers({
    resource: 'passback.basic',
    initial: basicConfig,
    check: (call, device) => {
      const most = concurrence(device);
      const above =
        Number(childText(call.body?.xml, 'maxTotalConcurrenceNum') ?? 0) > most.total ||
        Number(childText(call.body?.xml, 'maxDvrConcurrenceNum') ?? 0) > most.each;
      return above ? 'The device does not do so many at a time.' : undefined;
    },
  }),

  ...fixedHandler('passback.historyPlan.capabilities.get', historyPlanLimits),
  ...storedHandlers({
    resource: 'passback.historyPlan',
    variables: ['streamID', 'channelID'],
    initial: (device, params) => {
      const { streamID = '', channelID = '' } = params;
      if (streamID === '' || [...streamID].length > LONGEST_STREAM_ID) return undefined;
      // 0xffffffff, and whatever else is no channel (part 3, 2.4)
      if (!/^[1-9]\d{0,3}$/.test(channelID) || Number(channelID) > MOST_CHANNELS) return undefined;
      return historyPlan(device);
    },
    check: (call, device) => checkActions(call.body?.xml, periodsPerDay(device)),
  }),
};

function checkActions(root: XmlNode | undefined, most: number): string | undefined {
  const actions =
    childOf(root, 'ScheduleActionList')?.children.filter((child) => child.name === 'ScheduleAction') ?? [];
  const ids = actions.flatMap((action) => childText(action, 'id') ?? []);
  if (new Set(ids).size < ids.length) return 'Two actions have the same id.';
  return tooManyADay(
    actions.map((action) => childText(childOf(action, 'ScheduleActionStartTime'), 'DayOfWeek')),
    most,
  );
}
