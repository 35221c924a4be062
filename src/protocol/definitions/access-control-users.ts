/**
 * People of access control (part 2, 2.2 and 2.6). A person has three forms: as returned, as set up, and
 * as created. They differ in the verification modes, in the form of the validity times, and in fields
 * that only one of them knows.
 */
import { createDetail, type Detail } from '#shared/details.ts';
import { choice, flag, int, json, list, object, text, when, type Rule } from '../definition.ts';
import { makeReadOnly } from './fields.ts';
import { toObject } from './rules.ts';

const SPEC = '2:2.6';

export const userInfoCount = json('UserInfoCount', '2:2.2', [
  int('userNumber', 'Number of people', { required: true, readOnly: true }),
]);

export const userInfoSearchCond = json('UserInfoSearchCond', SPEC, [
  text('searchID', 'Search id', {
    required: true,
    help: 'The same for every page of one search: the device answers repeated searches faster.',
  }),
  int('searchResultPosition', 'Start position', { min: 0 }),
  int('maxResults', 'People in one answer', {
    min: 1,
    help: 'The device silently returns fewer when this is more than it can.',
  }),
  list(
    'EmployeeNoList',
    'Only these people',
    object('item', 'Person', [text('employeeNo', 'Employee number')]),
    { key: 'employeeNo' },
  ),
  text('fuzzySearch', 'Search text'),
]);

/** Values of `userVerifyMode` that may be written. */
const WRITTEN_VERIFY_MODES = [
  ['cardAndPw', 'Card and password'],
  ['card', 'Card'],
  ['cardOrPw', 'Card or password'],
  ['fp', 'Fingerprint'],
  ['fpAndPw', 'Fingerprint and password'],
  ['fpOrCard', 'Fingerprint or card'],
  ['fpAndCard', 'Fingerprint and card'],
  ['fpAndCardAndPw', 'Fingerprint, card and password'],
  ['faceOrFpOrCardOrPw', 'Face, fingerprint, card or password'],
  ['faceAndFp', 'Face and fingerprint'],
  ['faceAndPw', 'Face and password'],
  ['faceAndCard', 'Face and card'],
  ['face', 'Face'],
  ['employeeNoAndPw', 'Employee number and password'],
  ['fpOrPw', 'Fingerprint or password'],
  ['employeeNoAndFp', 'Employee number and fingerprint'],
  ['employeeNoAndFpAndPw', 'Employee number, fingerprint and password'],
  ['faceAndFpAndCard', 'Face, fingerprint and card'],
  ['faceAndPwAndFp', 'Face, password and fingerprint'],
  ['employeeNoAndFace', 'Employee number and face'],
  ['faceOrfaceAndCard', 'Face, or face and card'],
  ['fpOrface', 'Fingerprint or face'],
  ['cardOrfaceOrPw', 'Card, face or password'],
  ['cardOrFace', 'Card or face'],
  ['cardOrFaceOrFp', 'Card, face or fingerprint'],
] as const;

/** Values that a device returns beside those. */
const RETURNED_VERIFY_MODES = [
  ...WRITTEN_VERIFY_MODES,
  ['faceOrPw', 'Face or password'],
  ['employeeNoAndFaceAndPw', 'Employee number, face and password'],
  ['cardOrFaceOrFaceAndCard', 'Card, face, or face and card'],
] as const;

const employeeNo = text('employeeNo', 'Employee number', {
  required: true,
  minLength: 1,
  help: 'Identifies the person.',
});
const name = text('name', 'Name');
const userType = choice(
  'userType',
  'Type',
  [
    ['normal', 'Normal (owner)'],
    ['visitor', 'Visitor'],
    ['blackList', 'Unauthorized person'],
  ],
  { required: true },
);
const closeDelayEnabled = flag('closeDelayEnabled', 'Delayed door closing');

const validityEnable = flag('enable', 'Limit validity', {
  required: true,
  help: 'Off: no expiry.',
});
const timeType = choice('timeType', 'Form of the times', [
  ['local', 'Local time of the device'],
  ['UTC', 'With the offset from UTC'],
]);
const VALIDITY_HELP = 'From 1970-01-01 to 2037-12-31. Local time has no offset, UTC has one.';

/** Times as text: their form follows `timeType`. */
const validity = object('Valid', 'Validity', [
  validityEnable,
  text('beginTime', 'Valid from', { required: true, help: VALIDITY_HELP }),
  text('endTime', 'Valid until', { required: true, help: VALIDITY_HELP }),
  timeType,
]);

/** The create body names its times as dates with times. */
const validityOnCreate = object('Valid', 'Validity', [
  validityEnable,
  when('datetime', 'beginTime', 'Valid from', { required: true, help: VALIDITY_HELP }),
  when('datetime', 'endTime', 'Valid until', { required: true, help: VALIDITY_HELP }),
  timeType,
]);

const groupsToOpenDoorTime = [
  text('belongGroup', 'Groups', { csv: { min: 0 }, help: 'Group numbers, separated by commas.' }),
  text('password', 'Password', { sensitive: true }),
  text('doorRight', 'Doors', {
    csv: { min: 0 },
    help: 'Numbers of the doors this person may open, separated by commas.',
  }),
  list(
    'RightPlan',
    'Schedules of the doors',
    object('item', 'Door', [
      int('doorNo', 'Door'),
      text('planTemplateNo', 'Schedule templates', {
        csv: { min: 0 },
        help: 'Separated by commas; one of them is enough.',
      }),
    ]),
    { key: 'doorNo' },
  ),
  int('maxOpenDoorTime', 'Authentications allowed', { help: '0 means unlimited.' }),
  int('openDoorTime', 'Authentications used'),
] as const;

const roomToUi = [
  int('roomNumber', 'Room'),
  int('floorNumber', 'Floor'),
  flag('doubleLockRight', 'May open a double-locked door'),
  flag('localUIRight', 'May use the menu of the device'),
] as const;

const VERIFY_HELP = 'Comes before the mode of the reader; empty leaves it to the reader.';
const writtenVerifyMode = choice('userVerifyMode', 'Verification mode', WRITTEN_VERIFY_MODES, {
  emptyWhen: [],
  help: VERIFY_HELP,
});
const returnedVerifyMode = choice('userVerifyMode', 'Verification mode', RETURNED_VERIFY_MODES, {
  emptyWhen: [],
  help: VERIFY_HELP,
});

const genderToGroup = [
  choice('gender', 'Gender', [
    ['male', 'Male'],
    ['female', 'Female'],
    ['unknown', 'Unknown'],
  ]),
  list('PersonInfoExtends', 'Further information', object('item', 'Entry', [text('value', 'Value')])),
  text('dynamicCode', 'Dynamic code', { sensitive: true }),
  list('callNumbers', 'Call numbers', text('item', 'Call number', { help: 'As in 1-1-1-401.' }), {
    help: 'More rooms of the person.',
  }),
  list('floorNumbers', 'Floors', int('item', 'Floor'), { help: 'More floors of the person.' }),
  text('groupName', 'Organization', { minLength: 1, maxLength: 64 }),
] as const;

const counts = [
  int('numOfFace', 'Faces', { readOnly: true, help: 'Not reported where the device does not support them.' }),
  int('numOfFP', 'Fingerprints', {
    readOnly: true,
    help: 'Not reported where the device does not support them.',
  }),
  int('numOfCard', 'Cards', { readOnly: true, help: 'Not reported where the device does not support them.' }),
] as const;

const LOCAL_TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}$/;
const ZONED_TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:Z|[+-]\d{2}:\d{2})$/;
const FIRST_TIME = '1970-01-01T00:00:00';
const LAST_TIME = '2037-12-31T23:59:59';

function timeComplaint(time: unknown, form: unknown): Detail | undefined {
  if (typeof time !== 'string') return undefined;
  const local = LOCAL_TIME.test(time);
  const zoned = ZONED_TIME.test(time);
  if (form === 'local' && !local) return createDetail('local-time-form');
  if (form === 'UTC' && !zoned) return createDetail('utc-time-form');
  if (!local && !zoned) return createDetail('either-time-form');
  const written = time.slice(0, FIRST_TIME.length);
  return written < FIRST_TIME || written > LAST_TIME
    ? createDetail('validity-span', { first: FIRST_TIME.slice(0, 10), last: LAST_TIME.slice(0, 10) })
    : undefined;
}

/** Form and span of one of the two times. */
function timeRule(end: 'beginTime' | 'endTime'): Rule {
  return {
    path: `Valid.${end}`,
    spec: SPEC,
    check: (value) => timeComplaint(toObject(value['Valid'])[end], toObject(value['Valid'])['timeType']),
  };
}

const endsAfterBegin: Rule = {
  path: 'Valid.endTime',
  spec: SPEC,
  warns: true,
  check(value) {
    const { enable, beginTime, endTime } = toObject(value['Valid']);
    // Valid for long: the times say nothing.
    if (enable === false) return undefined;
    if (
      typeof beginTime !== 'string' ||
      typeof endTime !== 'string' ||
      ZONED_TIME.test(beginTime) !== ZONED_TIME.test(endTime)
    )
      return undefined;
    return Date.parse(endTime) < Date.parse(beginTime) ? createDetail('validity-ends-too-early') : undefined;
  },
};

const validityRules = [timeRule('beginTime'), timeRule('endTime'), endsAfterBegin];

/** The person as a device returns it. */
const returnedUser = makeReadOnly([
  employeeNo,
  name,
  userType,
  closeDelayEnabled,
  validity,
  ...groupsToOpenDoorTime,
  ...roomToUi,
  returnedVerifyMode,
  ...genderToGroup,
  ...counts,
]);

export const userInfoSearch = json(
  'UserInfoSearch',
  SPEC,
  makeReadOnly([
    text('searchID', 'Search id'),
    choice('responseStatusStrg', 'Search', [
      ['OK', 'Finished'],
      ['MORE', 'More to come'],
      ['NO MATCH', 'Nobody found'],
    ]),
    int('numOfMatches', 'People in this answer'),
    int('totalMatches', 'People found'),
    list('UserInfo', 'People', object('item', 'Person', returnedUser), { key: 'employeeNo' }),
  ]),
);

/** Adds, changes and deletes a person. */
export const userInfoSetUp = json(
  'UserInfo',
  SPEC,
  [
    employeeNo,
    flag('deleteUser', 'Delete this person'),
    name,
    userType,
    closeDelayEnabled,
    validity,
    ...groupsToOpenDoorTime,
    ...roomToUi,
    writtenVerifyMode,
    flag('checkUser', 'Check for duplicates', {
      help: 'The device checks unless this is off. Turn it off only while no people are on the device: it is faster.',
    }),
    ...genderToGroup,
    ...counts,
  ],
  { rules: validityRules },
);

/** Creates a person: the same fields, without those of setting up alone. What follows `openDoorTime` is not shown in detail. */
export const userInfoRecord = json(
  'UserInfo',
  SPEC,
  [
    employeeNo,
    name,
    userType,
    closeDelayEnabled,
    validityOnCreate,
    ...groupsToOpenDoorTime,
    ...roomToUi,
    writtenVerifyMode,
    ...genderToGroup,
  ],
  { rules: validityRules },
);
