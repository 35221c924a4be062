/** AI open platform: what it supports, model packages, engines, storage (part 1, 2.1 to 2.6). */
import { choice, flag, int, json, list, object, opaque, text } from '../definition.ts';
import { defineReportedFlags, makeReadOnly } from './fields.ts';

export const aiPlatformCapabilities = json(undefined, '1:2.1', [
  ...defineReportedFlags([
    ['isSupportVideoTask', 'Video tasks'],
    ['isSupportVideoPollingAnalysisTask', 'Video polling tasks'],
    ['isSupportPictureTask', 'Picture tasks'],
    ['isSupportPicturePollingAnalysisTask', 'Picture polling tasks'],
    ['isSupportHistoryVideoTask', 'Tasks on recorded video'],
    ['isSupportResetEngine', 'Engine reset'],
    ['isSupportUploadModelwithURL', 'Model upload by URL'],
    ['isSupportUploadModelwithPushBinaryData', 'Model upload as binary data'],
    ['isSupportAIRuleConfig', 'AI rules'],
    ['isSupportAIIntelligentSearch', 'AI search'],
    ['isSupportAIPictureUpLoad', 'AI picture upload'],
    ['isSupportAuthorizationModel', 'Authorized models'],
    ['isSupportPresetAIRuleConfig', 'AI rules for presets'],
    ['isSupportModelSchedule', 'Model schedule'],
    ['isSupportEventTrigger', 'Linkages'],
    ['isSupportOSDConfig', 'On-screen display'],
  ]),
  flag('isSupportConfidenceConfig', 'Confidence settings', {
    readOnly: true,
    when: [{ path: 'isSupportAIRuleConfig', oneOf: [true] }],
    help: 'Means something only where AI rules are supported.',
  }),
  ...defineReportedFlags([
    ['isSupportOCRDetection', 'Text recognition'],
    ['isSupportAIRuleOverlay', 'Overlay of AI rules'],
    ['isSupportAITargetOverlay', 'Overlay of AI targets'],
    ['isSupportAIRuleCount', 'Counting by AI rule'],
    ['isSupportAIRuleCapabilities', 'AI rule capabilities'],
    ['isSupportContrast', 'Comparison'],
    ['isSupportBehavior', 'Behavior'],
    ['isSupportAIRuleCountManualReset', 'Manual reset of the counts of AI rules'],
    ['isSupportAITargetLibrary', 'Target library'],
    ['isSupportAITargetBP', 'Target comparison'],
    ['isSupportAIRuleTrigger', 'Triggers of AI rules'],
  ]),
]);

const severalModels = 'Reported only where an engine takes several models.';

export const aiPlatformInfo = json(
  undefined,
  '1:2.2',
  makeReadOnly([
    text('algorithmVersion', 'Algorithm version', {
      required: true,
      help: 'Matches model packages to the device.',
    }),
    text('firmware', 'Firmware version', { required: true, help: 'Matches model packages to the device.' }),
    list('engine', 'Engines', int('item', 'Engine'), { required: true }),
    choice(
      'platform',
      'Chip platform',
      [
        [1, 'TX1'],
        [2, 'P4'],
        [3, '3559'],
        [4, '3519'],
        [5, '3516'],
        [6, 'H930 / KT2'],
        [7, 'T4'],
      ],
      { required: true },
    ),
    text('platformName', 'Name of the platform', { required: true }),
    int('loadMPMaxNum', 'Models per engine', { help: severalModels }),
    int('maxRelChannelNum', 'Channels that can be analyzed', { help: severalModels }),
  ]),
);

const MPID = text('MPID', 'Model package id', { required: true, minLength: 0, maxLength: 64 });
const MPName = text('MPName', 'Model package name', { minLength: 0, maxLength: 128 });
const description = list('description', 'Description', opaque('item', 'Part of the description'), {
  help: 'Copied whole from the description of the package.',
});
const algSortingParams = opaque('algSortingParams', 'Parameters for an orchestration platform', {
  help: 'Passed through untouched.',
});
/** Any authentication is part of the address, so the address is a secret. */
const downloadUrl = {
  minLength: 0,
  maxLength: 256,
  sensitive: true,
  help: 'The device must be able to reach it; any authentication is part of the address.',
};

export const modelPackage = json(undefined, '1:2.3', [
  MPID,
  list('engine', 'Engines', int('item', 'Engine'), { help: 'Without engines the package is only stored.' }),
  text('URL', 'Download address', downloadUrl),
  MPName,
  description,
  algSortingParams,
  flag('authorized', 'Authorized model'),
  text('appID', 'Application id', { minLength: 0, maxLength: 64, help: 'Id of the training task.' }),
  text('licenseKeyUrl', 'Download address of the license key', downloadUrl),
]);

export const modelPackageUpdate = json(undefined, '1:2.3', [
  MPID,
  text('URL', 'Download address', downloadUrl),
  MPName,
  description,
  algSortingParams,
]);

export const engineLoad = json(undefined, '1:2.4b', [MPID, MPName]);

export const modelProgress = json(
  undefined,
  '1:2.6',
  makeReadOnly([
    int('percent', 'Download', {
      required: true,
      min: 0,
      max: 100,
      unit: '%',
      help: 'At 100 the device must be restarted for the package to take effect.',
    }),
  ]),
);

const loadedMPName = text('MPName', 'Model package name', { required: true, minLength: 0, maxLength: 128 });

const loadingFields = makeReadOnly([
  choice(
    'status',
    'Engine',
    [
      [0, 'No model loaded yet'],
      [1, 'Model running well'],
      [2, 'Model running abnormally'],
      [3, 'Model decryption failed'],
      [10, 'Initializing'],
      [11, 'Engine abnormal'],
      [12, 'Used for face intelligence'],
    ],
    { required: true },
  ),
  MPID,
  loadedMPName,
  description,
  algSortingParams,
  int('relVideoChannelNum', 'Video channels in use', { min: 0, max: 4, help: severalModels }),
  int('surplusVideoChannelNum', 'Video channels left', { help: severalModels }),
  int('relPictureChannelNum', 'Picture channels in use', { min: 0, max: 4, help: severalModels }),
  int('surplusPictureChannelNum', 'Picture channels left', { help: severalModels }),
]);

export const loadingInfoList = json(
  undefined,
  '1:2.5',
  makeReadOnly([
    list(
      'LoadingInfoList',
      'Engines',
      object('item', 'Engine', [int('engine', 'Engine', { required: true }), ...loadingFields]),
      { key: 'engine' },
    ),
  ]),
);

export const loadingInfo = json('LoadingInfo', '1:2.5', loadingFields);

export const modelStorage = json(
  undefined,
  '1:2.6',
  makeReadOnly([
    int('totalCapacity', 'Total space', { required: true, unit: 'MB' }),
    int('surplusCapacity', 'Free space', { required: true, unit: 'MB' }),
    int('MPNumbers', 'Model packages', { required: true }),
  ]),
);

export const algorithmModels = json(
  undefined,
  '1:2.6',
  makeReadOnly([
    list(
      'AlgorithmModels',
      'Model packages',
      object('item', 'Model package', [
        MPID,
        loadedMPName,
        int('status', 'Status', { required: true }),
        list('engine', 'Engines', int('item', 'Engine'), {
          help: 'Not reported while the package is on no engine.',
        }),
        description,
        algSortingParams,
      ]),
      { required: true, key: 'MPID' },
    ),
  ]),
);
