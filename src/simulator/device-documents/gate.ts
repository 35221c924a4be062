/** Passage gate (part 2, 2.12): capability documents and the frames of the live ones. */
import { describeXml } from './xml.ts';

export const buildGateStatusLimits = describeXml(
  'GateStatus',
  `
    <busSync opt="Normal,DropArmPoorSync,BusCommFailed"/>
    <inDoorPassCount min="0" max="4294967295"/>
    <inDoorAuthCount min="0" max="4294967295"/>
    <outDoorPassCount min="0" max="4294967295"/>
    <outDoorAuthCount min="0" max="4294967295"/>
    <remoteControlRecvModule opt="Normal,Abnormal"/>
    <caseTempUnit opt="Centigrade,Fahrenheit"/>
    <currentInDoorMode opt="Controlled,Forbid,Free"/>
    <currentOutDoorMode opt="Controlled,Forbid,Free"/>
    <powerSupplyMode opt="ACPower,Battery"/>
    <gateCurrentStatus opt="InDoorOpen,OutDoorOpen,Close"/>`,
);

export const buildGateIRStatusLimits = describeXml(
  'GateIRStatus',
  (_device, emitters: number) => `
    <IREmitter>
        <triggered min="1" max="${emitters}"/>
        <triggeredTimeout min="1" max="${emitters}"/>
        <receiveBoardAbnormal min="1" max="${emitters}"/>
        <sendBoardAbnormal min="1" max="${emitters}"/>
        <sendAndReceiveLocateAbnormal min="1" max="${emitters}"/>
    </IREmitter>
    <masterIRAdaptorCommFailed min="1" max="2"/>
    <slaveIRAdaptorCommFailed min="1" max="2"/>`,
);

const CONTROLLER_LIMITS = `<motorSensor opt="Normal,Abnormal"/>
        <dropArmSensorAbnormal min="1" max="4"/>
        <dropArm opt="Normal,Abnormal"/>
        <fireInput opt="Normal,Alarm"/>
        <caseTemp min="-2000.0" max="3000.0"/>
        <alarmInTriggered min="1" max="8"/>
        <alarmOutTriggered min="1" max="4"/>
        <brakeStatus opt="NotBrake,Brake"/>
        <fanStatus opt="NotStart,Start"/>
        <lampBoardCommFailed min="1" max="4"/>`;

export const buildGateRelatedPartsLimits = describeXml(
  'GateRelatedPartsStatus',
  `
    <MasterChannelController>
        ${CONTROLLER_LIMITS}
    </MasterChannelController>
    <SlaveChannelController>
        ${CONTROLLER_LIMITS}
    </SlaveChannelController>`,
);

export const buildGateDialLimits = describeXml(
  'GateDialAndInfo',
  `
    <workMode opt="Normal,Origin,Debug"/>
    <memoryModeEnabled opt="enable,disable"/>
    <alarmAreaNoAuth opt="true,false"/>
    <deviceType opt="DropGate,WingGate,ThreeRollerGate"/>
    <DialMode>
        <InDoor opt="Controlled,Forbid,Free"/>
        <OutDoor opt="Controlled,Forbid,Free"/>
    </DialMode>
    <remoteControllerMode opt="Normal,LocalCode"/>`,
);

export const buildChannelControllerLimits = describeXml(
  'ChannelControllerCfg',
  (_device, passingMode: string) => `
    <gatePassingMode opt="ByChannelController,ByRightController">${passingMode}</gatePassingMode>
    <freePassAuthEnabled opt="enable,disable">disable</freePassAuthEnabled>
    <openAndCloseSpeed min="1" max="10">5</openAndCloseSpeed>`,
);
