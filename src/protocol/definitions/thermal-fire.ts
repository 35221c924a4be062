/**
 * Fire and smoke detection (part 3, 2.7): can be read, not written. Fields of the read form after
 * `fireManualWaitEnabled` are as far as they are named.
 */
import { createDetail } from '#shared/details.ts';
import { choice, flag, int, object, xml, type Rule } from '../definition.ts';
import { toObject } from './rules.ts';

const SPEC = '3:2.7';

const sensitivity = { min: 1, max: 100 };

const oneMasterSwitch: Rule = {
  path: 'smokeFireEnabled',
  spec: SPEC,
  check: (value) =>
    value['smokeFireEnabled'] === true &&
    (value['enabled'] === true || toObject(value['SmokeDetection'])['enabled'] === true)
      ? createDetail('one-master-switch')
      : undefined,
};

export const fireDetection = xml(
  'FireDetection',
  SPEC,
  [
    flag('enabled', 'Fire detection'),
    int('sensitivity', 'Sensitivity', sensitivity),
    int('fireComfirmTime', 'Waiting time before fire is confirmed', { min: 0, max: 120 }),
    flag('fireRegionOverlay', 'Show the fire region'),
    flag('fireFrameDis', 'Show the fire frame'),
    flag('fireMaxTemp', 'Show the highest temperature'),
    flag('fireMaxTempPosition', 'Show where the highest temperature is'),
    flag('fireDistance', 'Show the distance of the fire'),
    choice('detectionMode', 'Detection mode', [
      ['multipleFarme', 'Several frames (second judgement)'],
      ['singleFarme', 'Single frame'],
    ]),
    choice('fireFocusMode', 'Focus on fire', [
      ['auto', 'Automatic'],
      ['cruise', 'Cruise'],
    ]),
    object('FireZoom', 'Zoom on fire', [
      choice('zoomMode', 'Zoom mode', [
        ['auto', 'Automatic'],
        ['manual', 'Manual'],
      ]),
      int('zoomLevel', 'Zoom level', {
        when: [{ path: '^.zoomMode', oneOf: ['manual'] }],
        help: 'Manual zoom only.',
      }),
    ]),
    object('AlarmStrategy', 'Alarm strategy', [
      choice('strategyType', 'Strategy', [
        ['any', 'Any'],
        ['cooperate', 'Cooperation'],
        ['multisystem', 'Several systems'],
        ['appointFire', 'Fire only'],
        ['appointSmoke', 'Smoke only'],
      ]),
    ]),
    object('SmokeDetection', 'Smoke detection', [
      flag('enabled', 'Smoke detection', { required: true }),
      int('sensitivity', 'Sensitivity', sensitivity),
      int('patrolSensitivity', 'Sensitivity on patrol', { ...sensitivity, default: 50 }),
      int('doubleCheckSensitivity', 'Sensitivity of the second check', { ...sensitivity, default: 50 }),
      flag('displaySmokeInfoOnStreamEnabled', 'Smoke information on the stream'),
      choice(
        'mode',
        'Mode',
        [
          ['patrol', 'Patrol'],
          ['scene', 'Scene'],
        ],
        { default: 'patrol' },
      ),
      int('speed', 'Speed', {
        min: 1,
        max: 40,
        when: [{ path: '^.mode', oneOf: ['scene'], absentAs: 'patrol' }],
        help: 'Scene mode only.',
      }),
      flag('darkSmokeDetectionEnabled', 'Dark smoke', { default: false }),
    ]),
    flag('smokeFireEnabled', 'Fire and smoke together', {
      help: 'Master switch: excludes the separate switches for fire and smoke.',
    }),
    object('ApplicationScene', 'Application', [
      choice('mode', 'Scene', [
        ['forest-Fire_Prevention', 'Forest fire prevention'],
        ['strawBurning', 'Straw burning'],
        ['high-building', 'High building'],
        ['Indoor/Perimeter', 'Indoors or perimeter'],
        ['shortDistance', 'Short distance (up to 200 m)'],
        ['longDistance', 'Long distance (over 200 m)'],
      ]),
      int('InstallationHeight', 'Installation height', {
        min: 1,
        max: 500,
        when: [{ path: '^.mode', oneOf: ['strawBurning', 'high-building', 'Indoor/Perimeter'] }],
        help: 'Takes effect for straw burning, high buildings, indoors and perimeter.',
      }),
    ]),
    flag('cancelRepeatedAlarmEnabled', 'Leave out repeated alarms'),
    flag('fireManualWaitEnabled', 'Wait for the operator after a fire alarm'),
    flag('isSupportFireScanStart', 'Fire scan can be started', { readOnly: true }),
    flag('isSupportFireScanState', 'Fire scan reports its state', { readOnly: true }),
    flag('displayFireInfoOnStreamEnabled', 'Fire information on the stream'),
    flag('smokeAuxiliaryDetectionEnabled', 'Smoke as an additional sign'),
    flag('agriculturalMachineryFilterEnabled', 'Filter agricultural machinery'),
    flag('waterReflectionEnabled', 'Filter water reflections'),
    flag('displayFireInOpticalChannelEnabled', 'Fire on the optical channel'),
    choice(
      'fireSourceDetection',
      'Source of fire',
      [
        ['dynamicFire', 'Moving fire'],
        ['smokingMode', 'Smoking'],
      ],
      { help: 'Moving fire is our word; the specification says dynamicFire.' },
    ),
    int('verificationSensitivity', 'Sensitivity of the verification', { ...sensitivity, default: 50 }),
    choice('fireAlgorithmMode', 'Algorithm', [
      ['patternRecognition', 'Pattern recognition'],
      ['machineLearning', 'Machine learning'],
    ]),
    int('alarmInterval', 'Alarm interval', { min: 0, max: 300, default: 0, unit: 's' }),
  ],
  { rules: [oneMasterSwitch] },
);
