/** The fields of one person in a form, and what of them is sent. */
import { isSameOpaque } from '#protocol/value.ts';
import type { Payload } from '#protocol/definition.ts';
import { userInfoSetUp } from '#protocol/definitions/access-control-users.ts';

export type Person = Readonly<Record<string, unknown>>;

/** Instructions and what the device counts by itself are no fields of a person. */
const LEFT_OUT: ReadonlySet<string> = new Set(['deleteUser', 'checkUser', 'openDoorTime']);
/** Offered wherever a person is added, whatever others on the terminal have. */
const BASIC: ReadonlySet<string> = new Set([
  'employeeNo',
  'name',
  'userType',
  'Valid',
  'doorRight',
  'password',
]);

/** `known`: members that people on the terminal show; absent: all of the specification. */
export function buildPersonForm(known: ReadonlySet<string> | undefined, isNew: boolean): Payload {
  return {
    ...userInfoSetUp,
    fields: userInfoSetUp.fields.flatMap((field) => {
      const { name, readOnly } = field;
      if (readOnly === true || LEFT_OUT.has(name)) return [];
      if (known !== undefined && !known.has(name) && !BASIC.has(name)) return [];
      return name === 'employeeNo' && !isNew ? { ...field, readOnly: true } : field;
    }),
  };
}

/** Initial values of a new person, who may pass for years. */
export const NEW_PERSON: Person = {
  userType: 'normal',
  Valid: {
    enable: false,
    beginTime: '1970-01-01T00:00:00',
    endTime: '2037-12-31T23:59:59',
    timeType: 'local',
  },
  doorRight: '1',
};

/** Picks the fields that change of a known person, so that terminals keep their other values. */
export function pickChangedFields(before: Person | undefined, after: Person): Person {
  if (before === undefined) return after;
  return Object.fromEntries(
    Object.entries(after).filter(
      ([name, value]) => name === 'employeeNo' || !isSameOpaque(value, before[name]),
    ),
  );
}

/**
 * The interface has nothing that switches a person off: the validity ends, yesterday, so that it is over in every time zone of
 * a terminal.
 */
export function disablePerson(person: Person, now: Date): Person {
  const yesterday = new Date(now.getTime() - 86_400_000).toISOString().slice(0, 10);
  return {
    ...person,
    Valid: {
      enable: true,
      beginTime: '1970-01-01T00:00:00',
      endTime: `${yesterday}T00:00:00`,
      timeType: 'local',
    },
  };
}
