/** Fingerprints (part 2, 2.7): biometric data, never logged, reported or shown. */
import { detailOf } from '../../shared/details.ts';
import { choice, flag, int, json, list, object, text, type Rule } from '../definition.ts';
import { returned } from './fields.ts';
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
  returned([
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
    typeof fingerData === 'string' && !isBase64(fingerData) ? detailOf('not-base64') : undefined,
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
  returned([
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
