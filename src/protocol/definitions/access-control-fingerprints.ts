/** Fingerprints (part 2, 2.7): biometric data, never logged, reported or shown. */
import { createDetail, type Detail } from '#shared/details.ts';
import { choice, flag, int, json, list, object, text, type Rule } from '../definition.ts';
import { makeReadOnly } from './fields.ts';
import { isBase64 } from './rules.ts';

const SPEC = '2:2.7';

const FINGER_TYPES = [
  ['normalFP', 'Normal'],
  ['hijackFP', 'Duress'],
  ['patrolFP', 'Patrol'],
  ['superFP', 'Super'],
  ['dismissingFP', 'Dismissing'],
] as const;
const employeeNo = text('employeeNo', 'Employee number', { required: true, minLength: 1, maxLength: 32 });
const leaderFP = list('leaderFP', 'First-authentication doors', int('item', 'Door'), {
  help: 'Doors for which the fingerprint has the first-authentication function.',
});

export const fingerPrintCond = json('FingerPrintCond', SPEC, [
  text('searchID', 'Search id', { required: true, minLength: 1, maxLength: 32 }),
  employeeNo,
  int('cardReaderNo', 'Reader'),
  int('fingerPrintID', 'Fingerprint', { min: 1, max: 10 }),
]);

export const fingerPrintInfo = json(
  'FingerPrintInfo',
  SPEC,
  makeReadOnly([
    text('searchID', 'Search id'),
    choice('status', 'Result', [
      ['OK', 'Fingerprints found'],
      ['NoFP', 'No fingerprint'],
    ]),
    list(
      'FingerPrintList',
      'Fingerprints',
      object('item', 'Fingerprint', [
        int('cardReaderNo', 'Reader', { min: 1, max: 10 }),
        int('fingerPrintID', 'Fingerprint'),
        choice('fingerType', 'Type', FINGER_TYPES),
        text('fingerData', 'Fingerprint data', { sensitive: true }),
        leaderFP,
      ]),
    ),
  ]),
);

const dataIsBase64: Rule = {
  path: 'fingerData',
  spec: SPEC,
  check: ({ fingerData }) =>
    typeof fingerData === 'string' && !isBase64(fingerData) ? createDetail('not-base64') : undefined,
};

export const fingerPrintCfg = json(
  'FingerPrintCfg',
  SPEC,
  [
    employeeNo,
    list('enableCardReader', 'Readers', int('item', 'Reader'), {
      required: true,
      minItems: 1,
      help: 'The readers that receive the fingerprint.',
    }),
    int('fingerPrintID', 'Fingerprint', { required: true, min: 1, max: 10 }),
    flag('deleteFingerPrint', 'Delete this fingerprint', { help: 'Only when deleting.' }),
    choice('fingerType', 'Type', FINGER_TYPES, { required: true }),
    text('fingerData', 'Fingerprint data', {
      sensitive: true,
      help: 'Base64; where encryption is used, base64 first and then AES.',
    }),
    leaderFP,
    flag('checkEmployeeNo', 'Check that the person exists'),
  ],
  { rules: [dataIsBase64] },
);

export const fingerPrintStatus = json(
  'FingerPrintStatus',
  SPEC,
  makeReadOnly([
    choice(
      'status',
      'Result',
      [
        ['success', 'Done'],
        ['failed', 'Failed'],
      ],
      { help: 'Only where nothing was sent to a reader.' },
    ),
    list(
      'StatusList',
      'Readers',
      object('item', 'Reader', [
        int('id', 'Reader'),
        choice('cardReaderRecvStatus', 'Result', [
          [0, 'Failed'],
          [1, 'Done'],
          [2, 'Fingerprint module offline'],
          [3, 'Poor quality, try again'],
          [4, 'Memory full'],
          [5, 'Fingerprint already exists'],
          [7, 'Illegal fingerprint id'],
          [8, 'Module needs no configuration'],
          [10, 'Reader version too low'],
        ]),
        text('errorMsg', 'Explanation', {
          minLength: 1,
          maxLength: 32,
          help: 'Where the fingerprint exists: employee number of its owner.',
        }),
      ]),
      { key: 'id', help: 'Only where something was sent to readers.' },
    ),
  ]),
);

/** Answer of one reader (part 2, 2.7). */
export interface ReaderAnswer {
  readonly reader: number;
  /** cardReaderRecvStatus; 1 alone is a success. */
  readonly code: number;
  readonly errorMsg?: string;
}

/** Returns what the readers named in a `FingerPrintStatus` answered, each once. */
export function readReaderAnswers(answered: Readonly<Record<string, unknown>>): readonly ReaderAnswer[] {
  const list: unknown = answered['StatusList'];
  const found = new Map<number, ReaderAnswer>();
  for (const one of Array.isArray(list) ? (list as readonly unknown[]) : []) {
    const { id, cardReaderRecvStatus, errorMsg } = (one ?? {}) as Readonly<Record<string, unknown>>;
    const reader = wholeOf(id);
    const code = wholeOf(cardReaderRecvStatus);
    if (reader === undefined || code === undefined) continue;
    found.set(reader, { reader, code, ...(typeof errorMsg === 'string' ? { errorMsg } : {}) });
  }
  return [...found.values()];
}

/** Some devices send numbers as text. */
function wholeOf(value: unknown): number | undefined {
  const number = typeof value === 'string' && /^\d{1,9}$/.test(value) ? Number(value) : value;
  return typeof number === 'number' && Number.isInteger(number) ? number : undefined;
}

/** Says which readers did not do as asked or, where nothing was sent to a reader, that the device did not. */
export function describeSetUpRefusal(answered: Readonly<Record<string, unknown>>): Detail | undefined {
  const others = readReaderAnswers(answered).filter(({ code }) => code !== 1);
  if (others.length > 0)
    return createDetail('prints-readers-refused', {
      readers: others.map(({ reader, code }) => `${reader}: ${code}`).join(', '),
    });
  const { status } = answered;
  return typeof status === 'string' && status !== '' && status !== 'success'
    ? createDetail('prints-set-up-failed', { status: status.slice(0, 32) })
    : undefined;
}
