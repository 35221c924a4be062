/** Host of access control: AcsCfg, event optimization, remote check (part 2, 2.4, 2.8 and 2.9). */
import { choice, flag, float, int, json, text } from '../definition.ts';
import { warnIfAbove } from './rules.ts';

export const eventOptimizationCfg = json('EventOptimizationCfg', '2:2.4', [
  flag('enable', 'Event optimization'),
  flag('isCombinedLinkageEvents', 'Merge linked events'),
]);

export const acsCfg = json(
  'AcsCfg',
  '2:2.8',
  [
    flag('RS485Backup', 'RS-485 backup'),
    flag('showCapPic', 'Show the captured picture'),
    flag('showUserInfo', 'Show person information'),
    flag('overlayUserInfo', 'Overlay person information'),
    flag('voicePrompt', 'Voice prompts'),
    flag('uploadCapPic', 'Upload the linked capture'),
    flag('saveCapPic', 'Save the linked capture'),
    flag('inputCardNo', 'Card number entry on the keypad'),
    flag('enable3G4G', '3G/4G', { cutsOff: true }),
    choice(
      'protocol',
      'Card reader protocol',
      [
        ['Private', 'Private'],
        ['OSDP', 'OSDP'],
      ],
      { cutsOff: true },
    ),
    flag('enableCaptureCertificate', 'Capture ID documents'),
    flag('showPicture', 'Show the picture of the person'),
    flag('showEmployeeNo', 'Show the employee number'),
    flag('showName', 'Show the name'),
    flag('thermalEnabled', 'Temperature measurement'),
    flag('thermalMode', 'Temperature-only mode', {
      help: 'Only measures temperature; does not authenticate people.',
    }),
    flag('thermalPictureEnabled', 'Upload thermal pictures'),
    text('thermalIp', 'IP address of the thermal device', { perDevice: true }),
    float('highestThermalThreshold', 'Highest temperature', { unit: '°C' }),
    float('lowestThermalThreshold', 'Lowest temperature', { unit: '°C' }),
    flag('thermalDoorEnabled', 'Open door when temperature is out of range', { default: false }),
    flag('QRCodeEnabled', 'QR codes'),
    flag('remoteCheckDoorEnabled', 'Remote verification before opening', { cutsOff: true }),
    choice(
      'checkChannelType',
      'Channel of the remote verification',
      [
        ['Cloud', 'Cloud'],
        ['ISUP', 'ISUP'],
        ['API', 'API'],
        ['PrivateSDK', 'Private SDK'],
        ['APIListen', 'API listening'],
      ],
      {
        when: [{ path: 'remoteCheckDoorEnabled', oneOf: [true], absentAs: false }],
        cutsOff: true,
        help: 'Takes effect only with remote verification.',
      },
    ),
    text('channelIp', 'IP address of the verification channel', {
      when: [{ path: 'checkChannelType', oneOf: ['PrivateSDK'] }],
      perDevice: true,
      cutsOff: true,
      help: 'Takes effect only when the channel is the private SDK.',
    }),
    flag('uploadVerificationPic', 'Upload the verification picture'),
    flag('saveVerificationPic', 'Save the verification picture'),
    flag('saveFacePic', 'Save the face picture'),
    choice('thermalUnit', 'Temperature unit', [
      ['celsius', '°C'],
      ['fahrenheit', '°F'],
    ]),
    float('highestThermalThresholdF', 'Highest temperature in Fahrenheit', {
      unit: '°F',
      decimals: 1,
      help: '0 means unused.',
    }),
    float('lowestThermalThresholdF', 'Lowest temperature in Fahrenheit', {
      unit: '°F',
      decimals: 1,
      help: '0 means unused.',
    }),
    float('thermalCompensation', 'Temperature compensation', {
      unitFrom: { path: 'thermalUnit', absent: 'celsius', isDifference: true },
      help: 'In the temperature unit; Celsius when no unit is set.',
    }),
  ],
  {
    rules: [
      warnIfAbove({
        path: 'lowestThermalThreshold',
        spec: '2:2.8',
        low: 'lowestThermalThreshold',
        high: 'highestThermalThreshold',
      }),
      warnIfAbove({
        path: 'lowestThermalThresholdF',
        spec: '2:2.8',
        low: 'lowestThermalThresholdF',
        high: 'highestThermalThresholdF',
        unused: 0,
      }),
    ],
  },
);

export const remoteCheck = json('RemoteCheck', '2:2.9', [
  int('serialNo', 'Serial number of the event', {
    required: true,
    help: 'The serial number of the uploaded event that is answered.',
  }),
  choice(
    'checkResult',
    'Result',
    [
      ['success', 'Passed'],
      ['failed', 'Failed'],
    ],
    { required: true },
  ),
  text('info', 'Remark', { minLength: 1, maxLength: 32 }),
]);
