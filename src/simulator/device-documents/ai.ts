/** AI open platform: what it can do (part 1, 2.1, 2.2, 2.7 and 2.8). */
import { formatJsonBody } from '../status.ts';

export const ENGINES = [1, 2];
export const TASKS = 16;

/** Some flags true, some false, some not reported. `push`: the file of a package itself is taken too. */
export function buildAiCapabilities(push: boolean): string {
  return formatJsonBody({
    isSupportVideoTask: true,
    isSupportVideoPollingAnalysisTask: false,
    isSupportPictureTask: false,
    isSupportPicturePollingAnalysisTask: true,
    isSupportHistoryVideoTask: false,
    isSupportResetEngine: true,
    isSupportUploadModelwithURL: true,
    isSupportUploadModelwithPushBinaryData: push,
    isSupportAIRuleConfig: false,
    isSupportAuthorizationModel: true,
    isSupportModelSchedule: false,
    isSupportEventTrigger: true,
    isSupportAIRuleOverlay: true,
    isSupportAITargetOverlay: true,
    isSupportAITargetBP: false,
  });
}

/** `perEngine`: packages that one engine takes; said, with the channels, where it takes several (part 1, 2.2). */
export function buildPlatformInfo(perEngine: number): string {
  return formatJsonBody({
    algorithmVersion: 'V4.2.0',
    firmware: 'V5.7.13',
    engine: ENGINES,
    platform: 6,
    platformName: 'KT2',
    ...(perEngine > 1 ? { loadMPMaxNum: perEngine, maxRelChannelNum: 4 } : {}),
    thermalZone: 2,
  });
}

function channels(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index + 1);
}

export function buildVideoTaskLimits(channelCount: number): string {
  return formatJsonBody({
    tasksNum: TASKS,
    taskIDLen: { '@min': 0, '@max': 64 },
    engine: { '@opt': ENGINES },
    channel: { '@opt': channels(channelCount) },
    Stream: {
      streamType: { '@opt': ['realTime', 'historyVideo'] },
      streamSourceType: { '@opt': ['URL', 'Camera'] },
      StreamSourceList: [sourceLimits()],
    },
    frameRate: { '@opt': [2500, 3000] },
    alertInterval: { '@opt': [0.5, 1], '@def': 0.5 },
    isSupportTimeRange: true,
    alarmTargetOverlay: { '@opt': [true, false] },
    alarmRuleOverlay: { '@opt': [true, false] },
    alarmRuleOverlayCap: { '@opt': ['ruleID', 'ruleName'] },
    EventTrigger: { notificationMethod: { '@opt': ['center', 'HTTP', 'IO', 'record'], '@def': ['center'] } },
  });
}

/** Also the older dialect: options in one string with commas, numbers for truth values. */
export function buildPollingTaskLimits(channelCount: number): string {
  return formatJsonBody({
    tasksNum: TASKS,
    taskIDLen: { '@min': 0, '@max': 64 },
    engine: { '@opt': ENGINES.join(',') },
    channel: { '@opt': channels(channelCount) },
    Stream: {
      streamType: { '@opt': 'realTime,historyVideo' },
      streamSourceType: { '@opt': ['URL', 'Camera'] },
      StreamSourceList: [
        { ...sourceLimits(), AITaskType: { '@opt': ['AITargetBPTask'] }, isSupportTargetAttrs: 0 },
      ],
    },
    pollingTime: { '@min': 1, '@max': 86400, '@def': 1 },
    isSupportTimeRange: 1,
    alarmTargetOverlay: 'true,false',
    maxRelChannelNum: channelCount,
    EventTrigger: {
      notificationMethod: {
        '@opt': [
          'email',
          'IM',
          'IO',
          'syslog',
          'HTTP',
          'FTP',
          'beep',
          'ptz',
          'record',
          'monitorAlarm',
          'center',
          'LightAudioAlarm',
          'focus',
          'trace',
          'cloud',
          'SMS',
          'whiteLight',
        ],
        '@def': ['center'],
      },
    },
    Destination: [
      {
        destinationType: { '@opt': ['AlarmRMQ', 'ServerClient', 'ServerHCS', 'ActiveMQ'] },
        destinationURL: { '@min': 0, '@max': 1024 },
        userName: { '@max': 128 },
        password: { '@max': 128 },
      },
    ],
  });
}

function sourceLimits(): object {
  return {
    cameraIndexCode: { '@min': 0, '@max': 64 },
    URL: {
      URLMode: { '@opt': ['DAC', 'RTSP'] },
      URL: { '@max': 1024 },
      userName: { '@max': 128 },
      password: { '@max': 128 },
    },
    Camera: {
      protocol: { '@opt': ['Private', 'Onvif', 'ISUP'], '@def': 'Private' },
      StreamingViaIP: {
        ipV4Address: { '@max': 32 },
        port: { '@max': 65535 },
        userName: { '@max': 128 },
        password: { '@max': 128 },
        channel: { '@max': 256 },
      },
      StreamingViaDeviceID: { deviceID: { '@max': 256 }, channel: { '@max': 256 } },
    },
  };
}
