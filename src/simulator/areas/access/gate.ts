/** Gate status and configuration (part 2, 2.12): everything is read, nothing is written. */
import * as documents from '#simulator/device-documents/gate.ts';
import { describeXml } from '#simulator/device-documents/xml.ts';
import type { Handlers } from '#simulator/handler.ts';
import { GATE_PARTS } from './gate-parts.ts';
import { createFixedHandler } from '../stored.ts';

export const gateHandlers: Handlers = {
  ...createFixedHandler('gate.status.capabilities.get', documents.buildGateStatusLimits),
  ...createFixedHandler(
    'gate.status.get',
    describeXml('GateStatus', (device) => {
      const gate = device.part(GATE_PARTS);
      const counters = gate.counters();
      return `
      <busSync>${gate.busSync}</busSync>
      <inDoorPassCount>${counters.inDoorPassCount}</inDoorPassCount>
      <inDoorAuthCount>${counters.inDoorAuthCount}</inDoorAuthCount>
      <outDoorPassCount>${counters.outDoorPassCount}</outDoorPassCount>
      <outDoorAuthCount>${counters.outDoorAuthCount}</outDoorAuthCount>
      <remoteControlRecvModule>Normal</remoteControlRecvModule>
      <caseTempUnit>Centigrade</caseTempUnit>
      <currentInDoorMode>${gate.currentInDoorMode}</currentInDoorMode>
      <currentOutDoorMode>${gate.currentOutDoorMode}</currentOutDoorMode>
      <powerSupplyMode>${gate.powerSupplyMode}</powerSupplyMode>
      <gateCurrentStatus>${gate.position()}</gateCurrentStatus>`;
    }),
  ),

  ...createFixedHandler('gate.irStatus.capabilities.get', (device) =>
    documents.buildGateIRStatusLimits(device, device.part(GATE_PARTS).emitters),
  ),
  ...createFixedHandler(
    'gate.irStatus.get',
    describeXml('GateIRStatus', (device) => {
      const gate = device.part(GATE_PARTS);
      return `
      <IREmitter>
          <triggered>${gate.triggeredBeams().join(',')}</triggered>
          <triggeredTimeout>${gate.blockedBeams.join(',')}</triggeredTimeout>
          <receiveBoardAbnormal></receiveBoardAbnormal>
          <sendBoardAbnormal/>
          <sendAndReceiveLocateAbnormal></sendAndReceiveLocateAbnormal>
      </IREmitter>
      <masterIRAdaptorCommFailed></masterIRAdaptorCommFailed>
      <slaveIRAdaptorCommFailed></slaveIRAdaptorCommFailed>`;
    }),
  ),

  ...createFixedHandler('gate.relatedParts.capabilities.get', documents.buildGateRelatedPartsLimits),
  ...createFixedHandler(
    'gate.relatedParts.get',
    describeXml('GateRelatedPartsStatus', (device) => {
      const gate = device.part(GATE_PARTS);
      const controller = (side: 'master' | 'slave'): string =>
        Object.entries({
          motorSensor: 'Normal',
          dropArmSensorAbnormal: '',
          dropArm: 'Normal',
          fireInput: gate.fireInput(),
          caseTemp: gate.caseTemperature(side),
          alarmInTriggered: '',
          alarmOutTriggered: '',
          brakeStatus: gate.position() === 'Close' ? 'Brake' : 'NotBrake',
          fanStatus: Number(gate.caseTemperature(side)) > 30 ? 'Start' : 'NotStart',
          lampBoardCommFailed: '',
          ...gate.controllers[side],
        })
          .map(([name, value]) => `<${name}>${value}</${name}>`)
          .join('\n          ');
      return `
      <MasterChannelController>
          ${controller('master')}
      </MasterChannelController>
      <SlaveChannelController>
          ${controller('slave')}
      </SlaveChannelController>`;
    }),
  ),

  ...createFixedHandler('gate.dialAndInfo.capabilities.get', documents.buildGateDialLimits),
  ...createFixedHandler(
    'gate.dialAndInfo.get',
    describeXml('GateDialAndInfo', (device) => {
      const gate = device.part(GATE_PARTS);
      return `
      <workMode>${gate.workMode}</workMode>
      <memoryModeEnabled>disable</memoryModeEnabled>
      <alarmAreaNoAuth>false</alarmAreaNoAuth>
      <deviceType>${gate.deviceType}</deviceType>
      <DialMode>
          <InDoor>${gate.dial.in ?? gate.currentInDoorMode}</InDoor>
          <OutDoor>${gate.dial.out ?? gate.currentOutDoorMode}</OutDoor>
      </DialMode>
      <remoteControllerMode>Normal</remoteControllerMode>
      <dialBoardRevision>03</dialBoardRevision>`;
    }),
  ),

  ...createFixedHandler('gate.channelController.capabilities.get', (device) =>
    documents.buildChannelControllerLimits(device, device.part(GATE_PARTS).passingMode),
  ),
};
