import { describe, expect, it } from 'vitest';
import type { Payload } from '#protocol/definition.ts';
import { operations } from '#protocol/catalogue.ts';
import { operationById, payloadsOf, visitFields } from './definition-walk.ts';

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

describe('required fields', () => {
  // Catches a key that may be left out. What is required without a condition, the two readings of the specification show.
  it('asks for the key of a token', () => {
    expect(pathsWhere(operationById('token.secretKey.set').request, 'required')).toEqual([
      'keyInfo',
      'keyInfo.key',
    ]);
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
      payloadsOf(operations).flatMap((payload) =>
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
    const asking = operations.filter(
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
