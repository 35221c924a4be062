/** Arming schedules and linkage triggers (part 3, 2.3 and 6). */
import { buildAllWeekSchedule, buildCenterTrigger } from '../device-documents/schedule.ts';
import type { Handlers } from '../handler.ts';
import { findChild, getChildText } from '../wire/xml-reader.ts';
import { getPeriodsPerDay, findOverfullDay } from './periods.ts';
import { restrictToChannels, createStoredHandlers } from './stored.ts';

/** `id` is `<eventType>-<channelID>` (part 3, 2.3): a body for another channel is refused. */
function scheduleHandlers(resource: string, eventType: string): Handlers {
  return createStoredHandlers({
    resource,
    variables: ['channelID'],
    initial: restrictToChannels((device, channel) => buildAllWeekSchedule(device, eventType, channel)),
    check: (call, device) => {
      const expected = `${eventType}-${call.params['channelID'] ?? ''}`;
      const type = getChildText(call.body?.xml, 'eventType');
      if (getChildText(call.body?.xml, 'id') !== expected) return `id is not ${expected}.`;
      if (type !== undefined && type !== '' && type !== eventType) return `eventType is not ${eventType}.`;
      const blocks = findChild(call.body?.xml, 'TimeBlockList')?.children ?? [];
      return findOverfullDay(
        blocks.map((block) => getChildText(block, 'dayOfWeek')),
        getPeriodsPerDay(device),
      );
    },
  });
}

/** The trigger of a device-wide event: `id` and `eventType` are its name. */
function deviceTriggerHandlers(resource: string, eventType: string, description: string): Handlers {
  return createStoredHandlers({
    resource,
    initial: (device) => buildCenterTrigger(device, { id: eventType, eventType, description }),
    check: (call) => {
      if (getChildText(call.body?.xml, 'id') !== eventType) return `id is not ${eventType}.`;
      return getChildText(call.body?.xml, 'eventType') === eventType
        ? undefined
        : `eventType is not ${eventType}.`;
    },
  });
}

export const thermalEventHandlers: Handlers = {
  ...scheduleHandlers('events.thermometrySchedule', 'thermometry'),
  ...scheduleHandlers('events.temperatureSchedule', 'temperature'),
  ...createStoredHandlers({
    resource: 'events.thermometryPresetTrigger',
    variables: ['channelID', 'presetID'],
    initial: (device, params) => {
      const { channelID, presetID = '' } = params;
      if (channelID === undefined || !device.hasChannel(channelID)) return undefined;
      if (!/^[1-9]\d{0,8}$/.test(presetID)) return undefined;
      return buildCenterTrigger(device, {
        id: `thermometry-${channelID}`,
        eventType: 'thermometry',
        description: 'Temperature alarm',
        channel: channelID,
        presetID,
      });
    },
    check: (call) => {
      const expected = `thermometry-${call.params['channelID'] ?? ''}`;
      if (getChildText(call.body?.xml, 'id') !== expected) return `id is not ${expected}.`;
      return getChildText(call.body?.xml, 'eventType') === 'thermometry'
        ? undefined
        : 'eventType is not thermometry.';
    },
  }),
};

export const storageEventHandlers: Handlers = {
  ...scheduleHandlers('events.storageSchedule', 'storageDetections'),
  ...deviceTriggerHandlers('events.hdBadBlockTrigger', 'hdBadBlock', 'Bad blocks on a disk'),
  ...deviceTriggerHandlers('events.severeHdFailureTrigger', 'severeHDFailure', 'A disk fails'),
};
