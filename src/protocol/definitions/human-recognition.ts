/** Human recognition of one channel: rule, regions, analysis (part 3, 2.6). */
import { createDetail } from '#shared/details.ts';
import { choice, flag, int, list, object, text, xml, type Operation, type Rule } from '../definition.ts';
import type { Constraints } from '../capability/types.ts';
import {
  normalizedScreenSize,
  findPlaneLimits,
  PLANE_HEIGHT,
  PLANE_WIDTH,
  point,
  regionCoordinatesList,
  makeReadOnly,
  UNUSED_SLOT,
} from './fields.ts';
import { capabilityOf, resource } from './operation.ts';
import { toObject, toItems, numberOf } from './rules.ts';

const SPEC = '3:2.6';
const BASE = '/API/Intelligent/channels/<channelID>/humanRecognition';

const humanRecognitionRegion = object('HumanRecognitionRegion', 'Region', [
  text('id', 'Region id'),
  text('regionName', 'Region name', { minLength: 1, maxLength: 10, emptyWhen: UNUSED_SLOT }),
  flag('enabled', 'Enabled'),
  regionCoordinatesList,
  list('LineCoordinatesList', 'Line', object('LineCoordinates', 'End of the line', point), {
    minItems: 0,
    maxItems: 2,
  }),
]);

const REGIONS = 'HumanRecognitionRegionList';
/** Number of regions in the capability document (part 3, 8). */
const MOST_REGIONS = 8;
const regionList = list(REGIONS, 'Regions', humanRecognitionRegion, { maxItems: MOST_REGIONS, key: 'id' });

/** An absent mode counts as normal. */
function inMode(...modes: readonly string[]) {
  return [{ path: '^.analysisMode', oneOf: modes, absentAs: 'normal' }];
}

const humanRecognitionFields = [
  text('id', 'Id', { required: true, perDevice: true }),
  normalizedScreenSize,
  regionList,
  flag('humanMisinfoFilterEnabled', 'Filter false alarms'),
  flag('picRecognitionEnabled', 'Recognition in pictures'),
  object('analysisParam', 'Analysis', [
    choice(
      'analysisMode',
      'Analysis mode',
      [
        ['normal', 'Normal'],
        ['groupBehavior', 'Group behavior'],
        ['individualBehavior', 'Individual behavior'],
      ],
      { default: 'normal' },
    ),
    int('captureInterval', 'Capture interval', {
      min: 5,
      max: 3600,
      default: 12,
      unit: 's',
      when: inMode('groupBehavior'),
      help: 'Group behavior only.',
    }),
    int('maxRegionNum', 'Regions allowed', { help: 'One region with individual behavior.' }),
    flag('cruiseLinkageCapture', 'Capture on cruise', {
      when: inMode('individualBehavior'),
      help: 'Individual behavior only.',
    }),
    choice(
      'analysisControl',
      'Pictures come from',
      [
        ['auto', 'Alarms of the camera'],
        ['non-auto', 'Captures of the device'],
      ],
      { default: 'auto', when: inMode('individualBehavior'), help: 'Individual behavior only.' },
    ),
    int('timeInterval', 'Time interval', {
      min: 1,
      max: 60,
      unit: 's',
      when: [
        ...inMode('groupBehavior', 'individualBehavior'),
        {
          path: '^.analysisControl',
          oneOf: ['non-auto'],
          absentAs: 'auto',
          given: { path: '^.analysisMode', oneOf: ['individualBehavior'], absentAs: 'normal' },
        },
      ],
      help: 'Group behavior, or individual behavior with captures of the device.',
    }),
  ]),
  object('InterPupileRegion', 'Region of the pupil distance', [
    int('positionX', 'X', { min: 0, max: 1000, maxAt: PLANE_WIDTH }),
    int('positionY', 'Y', { min: 0, max: 1000, maxAt: PLANE_HEIGHT }),
    int('width', 'Width', { min: 0, max: 1000, maxAt: PLANE_WIDTH }),
    int('height', 'Height', { min: 0, max: 1000, maxAt: PLANE_HEIGHT }),
  ]),
  object('targetCutout', 'Cutout of the target', [
    flag('enabled', 'Enabled'),
    int('size', 'Size'),
    int('zoom', 'Zoom'),
  ]),
  flag('realTimeShowEnabled', 'Show in real time'),
] as const;

const ONE_REGION = createDetail('one-region');

function isIndividual(value: Readonly<Record<string, unknown>>): boolean {
  return toObject(value['analysisParam'])['analysisMode'] === 'individualBehavior';
}

const oneRegionAllowed: Rule = {
  path: 'analysisParam.maxRegionNum',
  spec: SPEC,
  check(value) {
    const allowed = numberOf(toObject(value['analysisParam'])['maxRegionNum']);
    return isIndividual(value) && allowed !== undefined && allowed !== 1 ? ONE_REGION : undefined;
  },
};

const oneRegionGiven: Rule = {
  path: 'HumanRecognitionRegionList',
  spec: SPEC,
  check: (value) =>
    isIndividual(value) && toItems(value['HumanRecognitionRegionList']).length > 1 ? ONE_REGION : undefined,
};

const humanRecognition = xml('HumanRecognition', SPEC, humanRecognitionFields, {
  rules: [oneRegionAllowed, oneRegionGiven],
});

/** The list is the payload's root: its value is an array of regions. */
const humanRecognitionRegionList = xml(REGIONS, SPEC, [], {
  rootItem: humanRecognitionRegion,
  rootKey: 'id',
  maxItems: MOST_REGIONS,
});

/** The configuration that holds the list also holds the mode and the plane. */
function regionLimits(found: Constraints): Constraints {
  const isSingle = found.get('analysisParam.analysisMode')?.text === 'individualBehavior';
  return new Map([
    ...findPlaneLimits(found),
    ...(isSingle ? [[REGIONS, { state: 'reported', size: 1 }] as const] : []),
  ]);
}

const YES_NO = [
  ['no', 'No'],
  ['unknown', 'Unknown'],
  ['yes', 'Yes'],
] as const;

/** Fields that occur in the capability document only. */
const capabilityExtras = makeReadOnly([
  flag('isSupportHumanMisinfoFilter', 'Filter for false alarms'),
  flag('isSupportPicRecognition', 'Recognition in pictures'),
  flag('isSupportConfidenceConfig', 'Confidence settings'),
  flag('isSupportpicOverlay', 'Overlay on pictures'),
  flag('isSupportRealTimeShow', 'Display in real time'),
  text('sid', 'Scene id', { minLength: 1, maxLength: 8 }),
  int('sceneDurationTime', 'Duration of a scene', { min: 1, max: 86_400, default: 5, unit: 's' }),
  object('HumanRecognitionModeSearchCap', 'Search for people', [
    int('searchTargetsNumMax', 'Targets in one search'),
    object('HumanMode', 'Features of a person', [
      choice('age_group', 'Age', [
        ['any', 'Any'],
        ['child', 'Child'],
        ['infant', 'Infant'],
        ['kid', 'Kid'],
        ['middle', 'Middle'],
        ['middleAged', 'Middle-aged'],
        ['old', 'Old'],
        ['prime', 'Prime'],
        ['teenager', 'Teenager'],
        ['unknown', 'Unknown'],
        ['young', 'Young'],
      ]),
      choice('gender', 'Gender', [
        ['any', 'Any'],
        ['female', 'Female'],
        ['male', 'Male'],
        ['unknown', 'Unknown'],
      ]),
      choice('jacet_color', 'Color of the jacket', [
        ['any', 'Any'],
        ['black', 'Black'],
        ['blue', 'Blue'],
        ['brown', 'Brown'],
        ['cyan', 'Cyan'],
        ['deepBlue', 'Dark blue'],
        ['deepGray', 'Dark gray'],
        ['gray', 'Gray'],
        ['green', 'Green'],
        ['mixture', 'Mixed'],
        ['orange', 'Orange'],
        ['pink', 'Pink'],
        ['purple', 'Purple'],
        ['red', 'Red'],
        ['silver', 'Silver'],
        ['unknown', 'Unknown'],
        ['white', 'White'],
        ['yellow', 'Yellow'],
      ]),
      choice('glass', 'Glasses', [
        ['no', 'No'],
        ['sunglasses', 'Sunglasses'],
        ['unknown', 'Unknown'],
        ['yes', 'Yes'],
      ]),
      choice('bag', 'Bag', YES_NO),
      choice('ride', 'Riding', [['any', 'Any'], ...YES_NO]),
      int('similarity', 'Similarity', { min: 0, max: 100 }),
      choice('eventType', 'Event', [
        ['unlimit', 'Any'],
        ['humanRecognition', 'Human recognition'],
      ]),
    ]),
  ]),
]);

const humanRecognitionCapability = xml('HumanRecognition', SPEC, [
  ...humanRecognitionFields,
  ...capabilityExtras,
]);

export const humanRecognitionOperations: readonly Operation[] = [
  capabilityOf(
    {
      id: 'humanRecognition.capabilities.get',
      path: `${BASE}/capabilities`,
      label: 'Human recognition capabilities',
      spec: SPEC,
    },
    humanRecognitionCapability,
  ),
  ...resource(
    {
      id: 'humanRecognition.config',
      path: BASE,
      label: 'Human recognition',
      spec: SPEC,
      capability: 'humanRecognition.capabilities.get',
    },
    humanRecognition,
  ),
  ...resource(
    {
      id: 'humanRecognition.regions',
      path: `${BASE}/regions`,
      label: 'Human recognition regions',
      spec: SPEC,
      capability: 'humanRecognition.capabilities.get',
      reported: { by: 'humanRecognition.config.get', limits: regionLimits },
    },
    humanRecognitionRegionList,
  ),
];
