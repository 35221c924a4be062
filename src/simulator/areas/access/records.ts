/** Arming clients, event totals, snapshots, remote verification (part 2, 2.1, 2.3, 2.5 and 2.9). */
import * as documents from '#simulator/device-documents/access-records.ts';
import { answer, replyDone, refuse, type Call, type Handlers } from '#simulator/handler.ts';
import { formatJsonBody } from '#simulator/status.ts';
import { ACCESS_EVENTS, type AccessEvent } from './events.ts';
import { createFixedHandler, refuseContent } from '../stored.ts';

export const accessRecordHandlers: Handlers = {
  ...createFixedHandler('accessControl.deployInfo.capabilities.get', documents.deployInfoLimits),
  ...createFixedHandler('accessControl.deployInfo.get', documents.deployInfo),
  ...createFixedHandler('accessControl.snapConfig.capabilities.get', documents.snapConfigLimits),
  ...createFixedHandler('accessControl.snapConfig.get', documents.snapConfig),
  ...createFixedHandler('accessControl.eventTotal.capabilities.get', documents.buildEventTotalLimits),

  'accessControl.eventTotal.query': (call, device) => {
    const condition = call.body?.json ?? {};
    const complaint = unknownType(condition);
    if (complaint) return refuseContent(call, complaint);
    const total = device.part(ACCESS_EVENTS).count(matcher(condition));
    return answer(formatJsonBody({ AcsEventTotalNum: { totalNum: total } }));
  },

  'accessControl.remoteCheck.put': (call, device) => {
    const serialNo = Number(call.body?.json?.['serialNo']);
    const events = device.part(ACCESS_EVENTS);
    if (!events.isWaiting(serialNo))
      return refuse('badParameters', 'No event with this serial number waits for an answer.');
    return replyDone(() => events.answer(serialNo));
  },
};

type Condition = NonNullable<NonNullable<Call['body']>['json']>;

/** Codes that the capability does not list (part 2, 2.3); 0 means all. */
function unknownType(condition: Condition): string | undefined {
  const major = Number(condition['major']);
  const minor = Number(condition['minor']);
  if (major !== 0 && !Object.hasOwn(documents.EVENT_TYPES, major)) return 'major is none of the event types.';
  const minors =
    major === 0 ? Object.values(documents.EVENT_TYPES).flat() : (documents.EVENT_TYPES[major] ?? []);
  return minor === 0 || minors.includes(minor) ? undefined : 'minor is none of the sub types.';
}

function matcher(condition: Condition): (event: AccessEvent) => boolean {
  const from = timeOf(condition['startTime'], '00:00:00');
  const to = timeOf(condition['endTime'], '23:59:59.999');
  const { major, minor, cardNo, name, picEnable, beginSerialNo, endSerialNo, employeeNoString } = condition;
  return (event) =>
    (major === 0 || event.major === major) &&
    (minor === 0 || event.minor === minor) &&
    (from === undefined || event.at >= from) &&
    (to === undefined || event.at <= to) &&
    (cardNo === undefined || event.cardNo === cardNo) &&
    (name === undefined || event.name === name) &&
    (picEnable !== true || event.picture) &&
    (typeof beginSerialNo !== 'number' || event.serialNo >= beginSerialNo) &&
    (typeof endSerialNo !== 'number' || event.serialNo <= endSerialNo) &&
    (employeeNoString === undefined || event.employeeNo === employeeNoString);
}

/** UTC, as a day or with a time; a day alone reaches from its first to its last moment. */
function timeOf(value: unknown, timeOfDay: string): number | undefined {
  if (typeof value !== 'string') return undefined;
  const full = value.includes('T') ? value : `${value}T${timeOfDay}`;
  return Date.parse(/(Z|[+-]\d{2}:\d{2})$/.test(full) ? full : `${full}Z`);
}
