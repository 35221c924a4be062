/** Record passback (part 3, 2.4): the detection window, and a plan for each stream and channel. */
import {
  buildBasicLimits,
  buildBasicConfig,
  getDownloadLimits,
  buildHistoryPlan,
  buildHistoryPlanLimits,
} from '../device-documents/passback.ts';
import type { Handlers } from '../handler.ts';
import { findChild, getChildText, type XmlNode } from '../wire/xml-reader.ts';
import { getPeriodsPerDay, findOverfullDay } from './periods.ts';
import { createFixedHandler, createStoredHandlers } from './stored.ts';

const MOST_CHANNELS = 1024;
const LONGEST_STREAM_ID = 32;

export const passbackHandlers: Handlers = {
  ...createFixedHandler('passback.basic.capabilities.get', buildBasicLimits),
  // nothing is said about the order of the two times of the window
  ...createStoredHandlers({
    resource: 'passback.basic',
    initial: buildBasicConfig,
    check: (call, device) => {
      const most = getDownloadLimits(device);
      const above =
        Number(getChildText(call.body?.xml, 'maxTotalConcurrenceNum') ?? 0) > most.total ||
        Number(getChildText(call.body?.xml, 'maxDvrConcurrenceNum') ?? 0) > most.each;
      return above ? 'The device does not do so many at a time.' : undefined;
    },
  }),

  ...createFixedHandler('passback.historyPlan.capabilities.get', buildHistoryPlanLimits),
  ...createStoredHandlers({
    resource: 'passback.historyPlan',
    variables: ['streamID', 'channelID'],
    initial: (device, params) => {
      const { streamID = '', channelID = '' } = params;
      if (streamID === '' || [...streamID].length > LONGEST_STREAM_ID) return undefined;
      // 0xffffffff, and whatever else is no channel (part 3, 2.4)
      if (!/^[1-9]\d{0,3}$/.test(channelID) || Number(channelID) > MOST_CHANNELS) return undefined;
      return buildHistoryPlan(device);
    },
    check: (call, device) => checkActions(call.body?.xml, getPeriodsPerDay(device)),
  }),
};

function checkActions(root: XmlNode | undefined, most: number): string | undefined {
  const actions =
    findChild(root, 'ScheduleActionList')?.children.filter((child) => child.name === 'ScheduleAction') ?? [];
  const ids = actions.flatMap((action) => getChildText(action, 'id') ?? []);
  if (new Set(ids).size < ids.length) return 'Two actions have the same id.';
  return findOverfullDay(
    actions.map((action) => getChildText(findChild(action, 'ScheduleActionStartTime'), 'DayOfWeek')),
    most,
  );
}
