/** People counting: state, recommended width, reset, stored data, masked areas (part 3, 2.1). */
import { choice, flag, int, list, object, text, when, xml, type Operation } from '../definition.ts';
import { findPlaneLimits, regionCoordinatesList, makeReadOnly } from './fields.ts';
import { operation, resource } from './operation.ts';

const SPEC = '3:2.1';
const COUNTING = '/API/System/Video/inputs/channels/<channelID>/counting';

const countingStatus = xml(
  'CountingStatus',
  SPEC,
  makeReadOnly([
    choice(
      'status',
      'Counting',
      [
        ['counting', 'Counting'],
        ['stopped', 'Stopped'],
        ['paused', 'Paused'],
      ],
      { required: true },
    ),
    when('time', 'time', 'Time', {
      required: true,
      help: 'Local time of the device with its offset from UTC.',
    }),
    choice('doorStatus', 'Bus door', [
      ['open', 'Open'],
      ['close', 'Closed'],
      ['N_A', 'Not available'],
    ]),
  ]),
);

const countingRecommendValue = xml(
  'CountingRecommendValue',
  SPEC,
  makeReadOnly([int('width', 'Recommended shoulder width')]),
);

const flashStorageRemove = xml('FlashStorageRemove', SPEC, [
  flag('coutingRemove', 'Clear the stored counting data', {
    help: 'The counts stored on the device are lost.',
  }),
]);

/** This payload alone carries version 1.0 (part 3, 9). */
const shield = xml(
  'Shield',
  SPEC,
  [
    flag('enabled', 'Masking', { required: true }),
    list(
      'RegionList',
      'Masked areas',
      object('Region', 'Region', [
        text('id', 'Region id', { required: true }),
        flag('enabled', 'Enabled', { required: true }),
        regionCoordinatesList,
      ]),
      { key: 'id' },
    ),
  ],
  { version: '1.0' },
);

export const peopleCountingOperations: readonly Operation[] = [
  // A second reset also loses what was counted since the first one.
  operation({
    id: 'peopleCounting.count.reset',
    method: 'PUT',
    path: `${COUNTING}/resetCount`,
    label: 'Reset the count',
    spec: '3:4',
    idempotent: false,
    destroys: true,
  }),
  operation({
    id: 'peopleCounting.flashStorage.remove',
    method: 'PUT',
    path: '/API/ContentMgmt/FlashStorage/remove/channels/<channelID>',
    label: 'Remove stored counting data',
    spec: SPEC,
    request: flashStorageRemove,
    idempotent: false,
    destroys: true,
  }),
  operation({
    id: 'peopleCounting.recommendedWidth.get',
    method: 'GET',
    path: `${COUNTING}/RecommendValue`,
    label: 'Recommended shoulder width',
    spec: SPEC,
    response: countingRecommendValue,
  }),
  operation({
    id: 'peopleCounting.status.get',
    method: 'GET',
    path: `${COUNTING}/status`,
    label: 'Counting status',
    spec: SPEC,
    response: countingStatus,
  }),
  ...resource(
    {
      id: 'peopleCounting.shield',
      path: '/API/Intelligent/channels/<channelID>/Shield/peopleCounting',
      label: 'Masked areas for counting',
      spec: SPEC,
      // The capability that the plane is said to stand in has no address in the specification: the document itself is asked.
      reported: { by: 'peopleCounting.shield.get', limits: findPlaneLimits },
    },
    shield,
  ),
];
