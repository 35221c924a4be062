/**
 * Passage gates (part 2, 2.12): live status, infrared beams, parts, dials. Everything is read-only;
 * the configuration of the channel controller is known by its capability alone.
 */
import { choice, flag, float, int, object, text, xml, type Operation } from '../definition.ts';
import { enableDisable, makeReadOnly } from './fields.ts';
import { capabilityOf, operation } from './operation.ts';

const SPEC = '2:2.12';
const BASE = '/API/AccessControl';

/** 32-bit: after 0xFFFFFFFF a counter starts again at 0. */
const counter = { min: 0, max: 0xffffffff, help: 'Starts again at 0 after 4294967295.' };
const PASSAGE_MODES = [
  ['Controlled', 'Controlled'],
  ['Forbid', 'Forbidden'],
  ['Free', 'Free'],
] as const;
const HEALTH = [
  ['Normal', 'Normal'],
  ['Abnormal', 'Abnormal'],
] as const;

const gateStatus = xml(
  'GateStatus',
  SPEC,
  makeReadOnly([
    choice('busSync', 'Internal communication bus', [
      ['Normal', 'Normal'],
      ['DropArmPoorSync', 'Arms poorly synchronized'],
      ['BusCommFailed', 'Bus communication failed'],
    ]),
    int('inDoorPassCount', 'People passed, entering', counter),
    int('inDoorAuthCount', 'Authentications, entering', counter),
    int('outDoorPassCount', 'People passed, leaving', counter),
    int('outDoorAuthCount', 'Authentications, leaving', counter),
    choice('remoteControlRecvModule', 'Remote control receiver', HEALTH),
    choice('caseTempUnit', 'Unit of the case temperature', [
      ['Centigrade', '°C'],
      ['Fahrenheit', '°F'],
    ]),
    choice('currentInDoorMode', 'Passage mode, entering', PASSAGE_MODES),
    choice('currentOutDoorMode', 'Passage mode, leaving', PASSAGE_MODES),
    choice('powerSupplyMode', 'Power supply', [
      ['ACPower', 'Mains'],
      ['Battery', 'Battery'],
    ]),
    choice('gateCurrentStatus', 'Gate', [
      ['InDoorOpen', 'Open for entering'],
      ['OutDoorOpen', 'Open for leaving'],
      ['Close', 'Closed'],
    ]),
  ]),
);

/** Comma separated ids of what is triggered or faulty; empty where nothing is. */
const beams = {
  csv: { min: 1, max: 48 },
  help: 'Numbers 1 to 48 of the beams concerned; empty when there are none.',
};
const adaptors = {
  csv: { min: 1, max: 2 },
  help: 'Numbers 1 and 2 of the adaptors concerned; empty when there are none.',
};

const gateIRStatus = xml(
  'GateIRStatus',
  SPEC,
  makeReadOnly([
    object('IREmitter', 'Infrared beams', [
      text('triggered', 'Triggered', beams),
      text('triggeredTimeout', 'Triggered for too long', beams),
      text('receiveBoardAbnormal', 'Receiving board faulty', beams),
      text('sendBoardAbnormal', 'Sending board faulty', beams),
      text('sendAndReceiveLocateAbnormal', 'Sender and receiver misaligned', beams),
    ]),
    text('masterIRAdaptorCommFailed', 'Master adaptors without communication', adaptors),
    text('slaveIRAdaptorCommFailed', 'Slave adaptors without communication', adaptors),
  ]),
);

function parts(count: number) {
  return {
    csv: { min: 1, max: count },
    help: `Numbers 1 to ${count} of those concerned; empty when there are none.`,
  };
}

const channelController = [
  choice('motorSensor', 'Motor sensor', HEALTH),
  text('dropArmSensorAbnormal', 'Arm sensors faulty', parts(4)),
  choice('dropArm', 'Arm', HEALTH),
  choice('fireInput', 'Fire alarm input', [
    ['Normal', 'Normal'],
    ['Alarm', 'Alarm'],
  ]),
  float('caseTemp', 'Case temperature', {
    min: -2000,
    max: 3000,
    decimals: 1,
    help: 'In the unit that the gate status reports.',
  }),
  text('alarmInTriggered', 'Alarm inputs triggered', parts(8)),
  text('alarmOutTriggered', 'Alarm outputs triggered', parts(4)),
  choice('brakeStatus', 'Brake', [
    ['NotBrake', 'Released'],
    ['Brake', 'Braking'],
  ]),
  choice('fanStatus', 'Fan', [
    ['NotStart', 'Stopped'],
    ['Start', 'Running'],
  ]),
  text('lampBoardCommFailed', 'Lamp boards without communication', parts(4)),
] as const;

const gateRelatedPartsStatus = xml(
  'GateRelatedPartsStatus',
  SPEC,
  makeReadOnly([
    object('MasterChannelController', 'Master channel controller', channelController),
    object('SlaveChannelController', 'Slave channel controller', channelController),
  ]),
);

const gateDialAndInfo = xml(
  'GateDialAndInfo',
  SPEC,
  makeReadOnly([
    choice(
      'workMode',
      'Work mode',
      [
        ['Normal', 'Normal'],
        ['Origin', 'Homing'],
        ['Debug', 'Debugging'],
      ],
      { help: 'Homing is our word; the specification says Origin.' },
    ),
    enableDisable('memoryModeEnabled', 'Memory mode'),
    flag('alarmAreaNoAuth', 'No authentication in the alarm area'),
    choice(
      'deviceType',
      'Gate type',
      [
        ['DropGate', 'Swing barrier'],
        ['WingGate', 'Flap barrier'],
        ['ThreeRollerGate', 'Tripod turnstile'],
      ],
      { help: 'The words are ours; the specification says DropGate, WingGate and ThreeRollerGate.' },
    ),
    object('DialMode', 'Passage mode set by the dial', [
      choice('InDoor', 'Entering', PASSAGE_MODES),
      choice('OutDoor', 'Leaving', PASSAGE_MODES),
    ]),
    choice('remoteControllerMode', 'Remote control mode', [
      ['Normal', 'Normal'],
      ['LocalCode', 'Local code'],
    ]),
  ]),
);

/** Fields seen; further fields of the channel controller configuration are not shown. */
const channelControllerCfg = xml(
  'ChannelControllerCfg',
  SPEC,
  makeReadOnly([
    choice('gatePassingMode', 'Passage mode comes from', [
      ['ByChannelController', 'Local dial'],
      ['ByRightController', 'Access controller configuration'],
    ]),
    enableDisable('freePassAuthEnabled', 'Authentication in free passage'),
    int('openAndCloseSpeed', 'Opening and closing speed', { min: 1, max: 10 }),
  ]),
);

export const gateOperations: readonly Operation[] = [
  capabilityOf(
    {
      id: 'gate.status.capabilities.get',
      path: `${BASE}/GateStatus/capabilities`,
      label: 'Gate status capabilities',
      spec: SPEC,
    },
    gateStatus,
  ),
  operation({
    id: 'gate.status.get',
    method: 'GET',
    path: `${BASE}/GateStatus`,
    label: 'Gate status',
    spec: SPEC,
    response: gateStatus,
    capability: 'gate.status.capabilities.get',
  }),
  capabilityOf(
    {
      id: 'gate.irStatus.capabilities.get',
      path: `${BASE}/GateIRStatus/capabilities`,
      label: 'Infrared status capabilities',
      spec: SPEC,
    },
    gateIRStatus,
  ),
  operation({
    id: 'gate.irStatus.get',
    method: 'GET',
    path: `${BASE}/GateIRStatus`,
    label: 'Infrared status',
    spec: SPEC,
    response: gateIRStatus,
    capability: 'gate.irStatus.capabilities.get',
  }),
  capabilityOf(
    {
      id: 'gate.relatedParts.capabilities.get',
      path: `${BASE}/GateRelatedPartsStatus/capabilities`,
      label: 'Status capabilities of gate parts',
      spec: SPEC,
    },
    gateRelatedPartsStatus,
  ),
  operation({
    id: 'gate.relatedParts.get',
    method: 'GET',
    path: `${BASE}/GateRelatedPartsStatus`,
    label: 'Status of gate parts',
    spec: SPEC,
    response: gateRelatedPartsStatus,
    capability: 'gate.relatedParts.capabilities.get',
  }),
  capabilityOf(
    {
      id: 'gate.dialAndInfo.capabilities.get',
      path: `${BASE}/GateDialAndInfo/capabilities`,
      label: 'Limits of gate dials and information',
      spec: SPEC,
    },
    gateDialAndInfo,
  ),
  operation({
    id: 'gate.dialAndInfo.get',
    method: 'GET',
    path: `${BASE}/GateDialAndInfo`,
    label: 'Gate dials and information',
    spec: SPEC,
    response: gateDialAndInfo,
    capability: 'gate.dialAndInfo.capabilities.get',
  }),
  capabilityOf(
    {
      id: 'gate.channelController.capabilities.get',
      path: `${BASE}/ChannelControllerCfg/capabilities`,
      label: 'Channel controller capabilities',
      spec: SPEC,
    },
    channelControllerCfg,
  ),
];
