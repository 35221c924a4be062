import { describe, expect, it } from 'vitest';
import type { Payload } from '#protocol/definition.ts';
import { ALL_OPERATIONS, operationById, payloadsOf, visitFields } from './definition-walk.ts';

function pathsWhere(
  payload: Payload | undefined,
  mark: 'required' | 'readOnly' | 'sensitive' | 'perDevice' | 'needsEncryption',
): readonly string[] {
  return payload === undefined
    ? []
    : visitFields(payload)
        .filter((visit) => visit.field[mark])
        .map((visit) => visit.path);
}

/** Required fields as the specification marks them (`req`), per payload that is written. */
const REQUIRED_ON_WRITE: readonly (readonly [id: string, spec: string, required: readonly string[]])[] = [
  ['aiPlatform.models.create', '1:2.3', ['MPID']],
  ['aiPlatform.models.update', '1:2.3', ['MPID']],
  ['aiPlatform.engine.load', '1:2.4b', ['MPID']],
  [
    'aiPlatform.picturePollingTasks.create',
    '1:2.8',
    [
      'taskID',
      'engine',
      'Stream.streamType',
      'Stream.streamSourceType',
      'Stream.StreamSourceList[].cameraIndexCode',
      'Stream.StreamSourceList[].URL.URL',
      'Stream.StreamSourceList[].RecordTime.startTime',
      'Stream.StreamSourceList[].RecordTime.endTime',
      'pollingTime',
      'TimeRange[].week',
      'TimeRange[].beginTime',
      'TimeRange[].endTime',
      'EventTrigger[].notificationMethod',
      'Destination[].destinationType',
    ],
  ],
  ['accessControl.eventTotal.query', '2:2.3', ['major', 'minor']],
  ['accessControl.eventOptimization.put', '2:2.4', []],
  ['accessControl.users.search', '2:2.6', ['searchID']],
  [
    'accessControl.users.setUp',
    '2:2.6',
    ['employeeNo', 'userType', 'Valid.enable', 'Valid.beginTime', 'Valid.endTime'],
  ],
  [
    'accessControl.users.record',
    '2:2.6',
    ['employeeNo', 'userType', 'Valid.enable', 'Valid.beginTime', 'Valid.endTime'],
  ],
  ['accessControl.fingerprints.query', '2:2.7', ['searchID', 'employeeNo']],
  [
    'accessControl.fingerprints.setUp',
    '2:2.7',
    ['employeeNo', 'enableCardReader', 'fingerPrintID', 'fingerType'],
  ],
  ['accessControl.hostConfig.put', '2:2.8', []],
  ['accessControl.remoteCheck.put', '2:2.9', ['serialNo', 'checkResult']],
  [
    'accessControl.localController.put',
    '2:2.10',
    ['localControllerID', 'devName', 'devType', 'offlineWorkMode', 'networkEnable', 'portNo'],
  ],
  ['accessControl.controllerAudio.put', '2:2.11', ['audioName', 'playCondition']],
  ['peopleCounting.flashStorage.remove', '3:2.1', []],
  ['peopleCounting.shield.put', '3:2.1', ['enabled', 'RegionList[].id', 'RegionList[].enabled']],
  ['storage.rwLock.put', '3:2.2', ['enabled', 'passwd']],
  ['storage.unlock.put', '3:2.2', ['passwd']],
  ['events.thermometrySchedule.put', '3:2.3', ['id', 'TimeBlockList']],
  [
    'events.thermometryPresetTrigger.put',
    '3:2.3',
    [
      'id',
      'eventType',
      'EventTriggerNotificationList[].id',
      'EventTriggerNotificationList[].notificationMethod',
      'EventTriggerNotificationList[].ptzAction.ptzChannelID',
      'EventTriggerNotificationList[].ptzAction.actionName',
    ],
  ],
  ['passback.basic.put', '3:2.4', ['beginTime', 'endTime', 'maxTotalConcurrenceNum', 'maxDvrConcurrenceNum']],
  ['passback.historyPlan.put', '3:2.4', ['enable']],
  ['token.secretKey.set', '3:2.5', ['keyInfo', 'keyInfo.key']],
  ['humanRecognition.config.put', '3:2.6', ['id']],
  ['humanRecognition.regions.put', '3:2.6', []],
  ['thermal.thermometryBasic.put', '3:2.7', []],
  ['thermal.thermometryMode.put', '3:2.7', ['mode']],
];

describe('required fields', () => {
  // Catches a write that the device must refuse, or one that is refused here without reason.
  it.each(REQUIRED_ON_WRITE)('%s (%s)', (id, _spec, required) => {
    expect(pathsWhere(operationById(id).request, 'required')).toEqual(required);
  });

  it.each([
    ['aiPlatform.info.get', ['algorithmVersion', 'firmware', 'engine', 'platform', 'platformName']],
    ['aiPlatform.modelStorage.get', ['totalCapacity', 'surplusCapacity', 'MPNumbers']],
    [
      'aiPlatform.models.list',
      ['AlgorithmModels', 'AlgorithmModels[].MPID', 'AlgorithmModels[].MPName', 'AlgorithmModels[].status'],
    ],
    [
      'aiPlatform.engines.list',
      [
        'LoadingInfoList[].engine',
        'LoadingInfoList[].status',
        'LoadingInfoList[].MPID',
        'LoadingInfoList[].MPName',
      ],
    ],
    [
      'accessControl.snapConfig.get',
      ['snapTimes', 'snapWaitTime', 'JPEGParam.pictureSize', 'JPEGParam.pictureQuality'],
    ],
    ['peopleCounting.status.get', ['status', 'time']],
  ])('%s returns them', (id, required) => {
    expect(pathsWhere(operationById(id).response, 'required')).toEqual(required);
  });
});

describe('marks', () => {
  // Catches a secret that would be in a log, a report, a capture or on the screen.
  it('keep every secret of the specification', () => {
    const marked = new Set(
      payloadsOf(ALL_OPERATIONS).flatMap((payload) =>
        pathsWhere(payload, 'sensitive').map((path) => path.slice(path.lastIndexOf('.') + 1)),
      ),
    );

    expect([...marked].sort()).toEqual([
      'URL',
      'dynamicCode',
      'fingerData',
      'key',
      'licenseKeyUrl',
      'originalPasswd',
      'passwd',
      'password',
      'userName',
    ]);
  });

  // Catches a password of a stream or receiver that leaves unencrypted without consent, and a consent asked for something else.
  it('ask for encryption of stream and receiver credentials alone', () => {
    const asking = ALL_OPERATIONS.filter(
      (operation) => operation.request && pathsWhere(operation.request, 'needsEncryption').length > 0,
    );

    expect(asking.map((operation) => operation.id)).toEqual([
      'aiPlatform.picturePollingTasks.create',
      'aiPlatform.picturePollingTasks.update',
    ]);
    expect(pathsWhere(asking[0]?.request, 'needsEncryption')).toEqual([
      'Stream.StreamSourceList[].URL.userName',
      'Stream.StreamSourceList[].URL.password',
      'Stream.StreamSourceList[].Camera.StreamingViaIP.userName',
      'Stream.StreamSourceList[].Camera.StreamingViaIP.password',
      'Destination[].userName',
      'Destination[].password',
    ]);
  });

  // Catches a value that the device alone sets being offered for writing.
  it.each([
    ['storage.unlock.put', ['SDCardUnlockTime']],
    ['accessControl.users.setUp', ['numOfFace', 'numOfFP', 'numOfCard']],
    ['thermal.thermometryBasic.put', []],
  ])('%s has its read-only fields', (id, readOnly) => {
    expect(pathsWhere(operationById(id).request, 'readOnly')).toEqual(readOnly);
  });

  it.each([
    ['accessControl.deployInfo.get'],
    ['accessControl.snapConfig.get'],
    ['gate.status.get'],
    ['gate.irStatus.get'],
    ['gate.relatedParts.get'],
    ['gate.dialAndInfo.get'],
    ['peopleCounting.status.get'],
    ['storage.status.get'],
    ['thermal.capabilities.get'],
    ['system.capabilities.get'],
    ['aiPlatform.capabilities.get'],
    ['aiPlatform.engine.get'],
    ['accessControl.users.search'],
  ])('%s returns read-only fields only', (id) => {
    const writable = visitFields(
      operationById(id).response ?? { format: 'xml', root: '', version: '2.0', fields: [], spec: '' },
    ).filter((visit) => !visit.field.readOnly);

    expect(writable.map((visit) => visit.path)).toEqual([]);
  });

  // Catches a template captured from one device that carries its addresses to the next.
  it('call the addresses and names of a local controller its own', () => {
    expect(pathsWhere(operationById('accessControl.localController.put').request, 'perDevice')).toEqual([
      'localControllerID',
      'devName',
      'ipAddress',
      'subnetMask',
      'ipv6Address',
      'bitMask',
      'DefaultGateway.ipAddress',
      'DefaultGateway.ipv6Address',
    ]);
  });
});

describe('forms of one thing', () => {
  // Catches a written user with a mode that only devices return.
  it('has fewer verification modes for writing than for reading', () => {
    const written = operationById('accessControl.users.setUp').request?.fields.find(
      (field) => field.name === 'userVerifyMode',
    );
    const list = operationById('accessControl.users.search').response?.fields.find(
      (field) => field.name === 'UserInfo',
    );
    const returned =
      list?.kind === 'list' && list.item.kind === 'object'
        ? list.item.fields.find((field) => field.name === 'userVerifyMode')
        : undefined;

    expect(written?.kind === 'choice' && written.options).toHaveLength(25);
    expect(returned?.kind === 'choice' && returned.options.slice(25).map((option) => option.value)).toEqual([
      'faceOrPw',
      'employeeNoAndFaceAndPw',
      'cardOrFaceOrFaceAndCard',
    ]);
  });

  // Catches an update that would send what only the creation may carry.
  it('update a task without taskID and engine', () => {
    const created = operationById('aiPlatform.picturePollingTasks.create').request?.fields.map(
      (field) => field.name,
    );
    const updated = operationById('aiPlatform.picturePollingTasks.update').request?.fields.map(
      (field) => field.name,
    );

    expect(created).toEqual(['taskID', 'engine', ...(updated ?? [])]);
    expect(updated).toEqual([
      'channel',
      'Stream',
      'pollingTime',
      'TimeRange',
      'alarmTargetOverlay',
      'EventTrigger',
      'Destination',
    ]);
  });

  // Catches a limit of the capability that was written into the body, or the reverse.
  it('keep the limits of the body and of the capability apart', () => {
    const body = operationById('aiPlatform.picturePollingTasks.create').request?.fields.find(
      (field) => field.name === 'pollingTime',
    );
    const limits = operationById('aiPlatform.picturePollingTask.capabilities.get').response?.fields.find(
      (field) => field.name === 'pollingTime',
    );

    expect(body).toMatchObject({ min: 1, max: 65_535 });
    expect(limits).toMatchObject({ min: 1, max: 86_400, default: 1 });
  });

  // Catches a template that offers what only a capability document holds.
  it('keep what only capabilities report out of the bodies', () => {
    const extras = [
      ['humanRecognition.config.get', 'humanRecognition.capabilities.get'],
      ['storage.rwLock.get', 'storage.rwLock.capabilities.get'],
      ['passback.historyPlan.get', 'passback.historyPlan.capabilities.get'],
      ['accessControl.snapConfig.get', 'accessControl.snapConfig.capabilities.get'],
    ].map(([value = '', capability = '']) => {
      const known = operationById(value).response?.fields.map((field) => field.name);
      return operationById(capability)
        .response?.fields.map((field) => field.name)
        .filter((name) => !known?.includes(name));
    });

    expect(extras).toEqual([
      [
        'isSupportHumanMisinfoFilter',
        'isSupportPicRecognition',
        'isSupportConfidenceConfig',
        'isSupportpicOverlay',
        'isSupportRealTimeShow',
        'sid',
        'sceneDurationTime',
        'HumanRecognitionModeSearchCap',
      ],
      ['SDCardType'],
      ['streamID', 'channel', 'maxSchedulePeriodOfDay'],
      ['isSupportSetSnapConfig'],
    ]);
  });
});
