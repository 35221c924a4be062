/**
 * The system capability report DeviceCap (part 3, 2.8): flags and sections as far as they are named.
 * A device reports many more; they stay in the document as it came.
 */
import { flag, int, object, text, xml, type Operation } from '../definition.ts';
import { defineReportedFlags, makeReadOnly } from './fields.ts';
import { operation } from './operation.ts';

const SPEC = '3:2.8';

const networkCap = object('NetworkCap', 'Network', [
  object('SnmpCap', 'SNMP', []),
  object('GB28181Cap', 'GB28181', []),
  object('WPS', 'WPS', []),
  object('WPSCap', 'WPS options', []),
  object('NetWorkMode', 'Network mode', []),
  object('VerificationCodeModification', 'Changing the verification code', []),
  object('Adaption', 'Adaption', []),
  object('RTDROverWebSocket', 'Real-time data over WebSocket', []),
]);

const racmCap = object('RacmCap', 'Storage and recording', [
  int('inputProxyNums', 'Digital channels', { min: 0 }),
  int('nasNums', 'Network disks', { min: 0 }),
  int('diskGroupNums', 'Disk groups', { min: 0 }),
  object('SecurityLog', 'Security log', []),
  object('CloudStorageServerCap', 'Cloud storage server', []),
  object('ExternalDevice', 'External devices', [object('USB', 'USB', [])]),
  text('pictureSearchType', 'Search types for pictures', { help: 'An option list.' }),
  text('recordSearchType', 'Search types for recordings', { help: 'An option list.' }),
]);

const eventCap = object('EventCap', 'Events', []);
const itcCap = object('ITCCap', 'Traffic', []);
const iotCap = object('IOTCap', 'Non-video devices', [
  object('channelConfigList', 'Channels', [], {
    help: 'Ranges of unit type, floor, room, period and building.',
  }),
]);

const deviceCap = xml(
  'DeviceCap',
  SPEC,
  makeReadOnly([
    ...defineReportedFlags([
      ['isSupportPreview', 'Live view'],
      ['isSupportSystemMaintain', 'System maintenance'],
      ['isSupportReboot', 'Restart'],
      ['isSupportFactoryReset', 'Factory reset'],
      ['isSupportConfigurationData', 'Import and export of the configuration'],
      ['isSupportUpdatefirmware', 'Firmware update'],
      ['isSupportDeviceInfo', 'Device information'],
      ['isSupportTime', 'Time settings'],
    ]),
    object('SysCap', 'System', [
      flag('isSupportDst', 'Daylight saving time'),
      networkCap,
      eventCap,
      itcCap,
      object('ImageCap', 'Picture', []),
      racmCap,
      object('SensorCap', 'Sensors', []),
      object('SDCardCtrlCap', 'Storage card', []),
      iotCap,
      object('MixedTargetDetection', 'Mixed target detection', []),
    ]),
    networkCap,
    eventCap,
    itcCap,
    racmCap,
    iotCap,
    text('AIDEventSupport', 'Incident detection events', { help: 'An option list.' }),
    text('TFSEventSupport', 'Traffic enforcement events', { help: 'An option list.' }),
    text('VQDEventSupport', 'Video quality events', { help: 'An option list.' }),
    text('supportImageChannel', 'Picture channels', { help: 'An option list.' }),
  ]),
);

export const systemOperations: readonly Operation[] = [
  operation({
    id: 'system.capabilities.get',
    method: 'GET',
    path: '/API/System/capabilities?type=<type>',
    label: 'System capabilities',
    spec: SPEC,
    response: deviceCap,
  }),
];
