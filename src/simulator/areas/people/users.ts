/** Counting, searching, setting up and creating people (part 2, 2.2 and 2.6). */
import { answer, replyDone, refuse, type Handlers } from '#simulator/handler.ts';
import { formatJsonBody } from '#simulator/status.ts';
import { isObject } from '#simulator/wire/scalar.ts';
import { FINGERPRINTS } from './fingerprint-readers.ts';
import { PEOPLE, type Filter, type PeopleLimits } from './people.ts';
import { refuseContent } from '../stored.ts';
import type { DeviceState } from '#simulator/state/device-state.ts';

/** Instructions of the set-up request, no properties of the person. */
const INSTRUCTIONS: ReadonlySet<string> = new Set([
  'deleteUser',
  'checkUser',
  'numOfFace',
  'numOfFP',
  'numOfCard',
]);

export const userHandlers: Handlers = {
  'accessControl.users.count': (_call, device) =>
    answer(formatJsonBody({ UserInfoCount: { userNumber: device.part(PEOPLE).count } })),

  'accessControl.users.search': (call, device) => {
    const condition = call.body?.json ?? {};
    const searchID = String(condition['searchID']);
    const position = Number(condition['searchResultPosition'] ?? 0);
    const people = device.part(PEOPLE);
    const most = people.limits.page;
    const wanted = Number(condition['maxResults'] ?? most);
    const { mostAsked = wanted, mostNumbers } = people.limits;
    if (wanted > mostAsked) return refuseContent(call, 'maxResults');
    const numbers = condition['EmployeeNoList'];
    if (mostNumbers !== undefined && Array.isArray(numbers) && numbers.length > mostNumbers)
      return refuseContent(call, 'EmployeeNoList');
    const fingerprints = device.part(FINGERPRINTS);
    const found = people.search(searchID, position, filterOf(condition));
    const uncounted = device.faults.strike('counts-hidden') !== undefined;
    const hidesPin = device.faults.strike('pin-hidden') !== undefined;
    const page = found.page(position, Math.min(wanted, most)).map(({ record, delivered }) => ({
      ...(hidesPin ? withoutPin(record) : record),
      ...(uncounted
        ? {}
        : {
            numOfFace: delivered ? 1 : 0,
            numOfFP: fingerprints.countOf(String(record['employeeNo'])),
            numOfCard: delivered ? 1 : 0,
          }),
    }));
    people.given(page);
    return answer(
      formatJsonBody({
        UserInfoSearch: {
          searchID,
          responseStatusStrg:
            found.total === 0 ? 'NO MATCH' : position + page.length < found.total ? 'MORE' : 'OK',
          numOfMatches: page.length,
          totalMatches: found.total,
          // The list is absent rather than empty, as in devices.
          ...(page.length === 0 ? {} : { UserInfo: page }),
        },
      }),
    );
  },

  'accessControl.users.setUp': (call, device) => {
    const body = call.body?.json ?? {};
    const employeeNo = String(body['employeeNo']);
    const people = device.part(PEOPLE);
    if (employeeNo === '') return refuseContent(call, 'employeeNo is empty.');
    if (body['deleteUser'] === true) {
      if (!people.has(employeeNo)) return refuse('unknownPerson');
      return replyDone(() => {
        people.remove(employeeNo);
        if (device.faults.strike('fingers-leave') !== undefined)
          device.part(FINGERPRINTS).removeEmployee(employeeNo);
      });
    }
    if (isOutside(body['Valid'], people.limits.span)) return refuseContent(call, 'beginTime and endTime');
    // `false` keeps the device from looking for a person with the same number.
    const checked = body['checkUser'] !== false;
    if (people.full && !(checked && people.has(employeeNo))) return refuse('storageFull');
    return replyDone(() => {
      const replaces = device.faults.strike('person-replaced') !== undefined;
      const before = checked && !replaces ? people.recordOf(employeeNo) : {};
      people.put(employeeNo, { ...before, ...personOf(body) }, checked);
    });
  },

  'accessControl.users.record': (call, device) => {
    const body = call.body?.json ?? {};
    const employeeNo = String(body['employeeNo']);
    const people = device.part(PEOPLE);
    if (employeeNo === '') return refuseContent(call, 'employeeNo is empty.');
    if (people.has(employeeNo)) return refuse('alreadyExist', 'A person has this number.');
    if (people.full) return refuse('storageFull');
    return replyDone(() => people.put(employeeNo, personOf(body), true));
  },
};

/** Returns true if a time is outside of the span that the device tells. */
function isOutside(valid: unknown, span: PeopleLimits['span']): boolean {
  if (span === undefined || !isObject(valid)) return false;
  return [valid['beginTime'], valid['endTime']].some((time) => {
    const written = String(time).slice(0, span.begin.length);
    return written < span.begin || written > span.end;
  });
}

function filterOf(condition: Readonly<Record<string, unknown>>): Filter {
  const list = condition['EmployeeNoList'];
  const text = condition['fuzzySearch'];
  return {
    ...(Array.isArray(list) && list.length > 0
      ? { only: new Set(list.filter(isObject).map((item) => String(item['employeeNo']))) }
      : {}),
    ...(typeof text === 'string' && text !== '' ? { text } : {}),
  };
}

function withoutPin(record: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const { password: _pin, dynamicCode: _code, ...rest } = record;
  return rest;
}

function personOf(body: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(body).filter(([name]) => !INSTRUCTIONS.has(name)));
}

/**
 * Capability of people, which the specification names and does not show: devices have it at the usual path of
 * capabilities.
 */
export const PEOPLE_CAPABILITY = '/AccessControl/UserInfo/capabilities';

/** Returns the capability of a device that has one; undefined of others. */
export function buildPeopleCapability(device: DeviceState): string | undefined {
  const { span, capability } = device.part(PEOPLE).limits;
  if (span === undefined && capability === undefined) return undefined;
  const Valid = span && { timeRangeBegin: span.begin, timeRangeEnd: span.end };
  return formatJsonBody({ UserInfo: { Valid, ...capability } });
}
