/** System capability report and token key limits (part 3, 2.8 and 2.5). */
import type { DeviceKind } from '../../shared/model.ts';
import type { DeviceState } from '../state/device-state.ts';
import { elements, xmlDocument } from './xml.ts';

/** Flags that every device has, in the order of the specification. */
const BASE_FLAGS = {
  isSupportPreview: true,
  isSupportSystemMaintain: true,
  isSupportReboot: true,
  isSupportFactoryReset: true,
  isSupportConfigurationData: true,
  isSupportUpdatefirmware: true,
  isSupportDeviceInfo: true,
  isSupportTime: true,
};

/** Digital channels, network disks, disk groups. */
const RECORDING: Readonly<Record<DeviceKind, readonly [proxies: number, disks: number, groups: number]>> = {
  gate: [0, 0, 0],
  thermal: [0, 8, 1],
  ai: [16, 8, 4],
  counter: [0, 8, 1],
  recorder: [32, 16, 16],
};

/** The report that a device gives when it is set to leave the sections out. */
export function reducedReport(device: DeviceState): string {
  return xmlDocument(device, 'DeviceCap', elements(flagsOf(device.kind)));
}

/** Flags a kind does not have are false where a device says so, and missing where it says nothing. */
function flagsOf(kind: DeviceKind): Record<string, boolean> {
  const { isSupportPreview, ...rest } = BASE_FLAGS;
  if (kind === 'gate') return { isSupportPreview: false, ...rest };
  return { isSupportPreview, ...rest };
}

export function fullReport(device: DeviceState): string {
  const [proxies, disks, groups] = RECORDING[device.kind];
  return xmlDocument(
    device,
    'DeviceCap',
    `
    ${elements(flagsOf(device.kind)).replaceAll('\n', '\n    ')}
    <SysCap>
        <isSupportDst>true</isSupportDst>
        <NetworkCap>
            <isSupportWireless>false</isSupportWireless>
            <isSupportPPPoE>true</isSupportPPPoE>
            <isSupportBond>false</isSupportBond>
            <isSupport802_1x>true</isSupport802_1x>
            <isSupportNtp>true</isSupportNtp>
            <isSupportFtp>true</isSupportFtp>
            <isSupportUpnp>true</isSupportUpnp>
            <isSupportDdns>true</isSupportDdns>
            <isSupportHttps>true</isSupportHttps>
            <SnmpCap>
                <isSupport>true</isSupport>
            </SnmpCap>
        </NetworkCap>
        <EventCap>
            <isSupportHDFull>${device.kind === 'recorder'}</isSupportHDFull>
            <isSupportHDError>${device.kind === 'recorder'}</isSupportHDError>
            <isSupportMotionDetection>${device.kind !== 'gate'}</isSupportMotionDetection>
        </EventCap>
        <RacmCap>
            <inputProxyNums>${proxies}</inputProxyNums>
            <nasNums>${disks}</nasNums>
            <diskGroupNums>${groups}</diskGroupNums>
            <isSupportRecordPassback>${device.kind === 'recorder'}</isSupportRecordPassback>
            <pictureSearchType opt="VMD,alarm,manual">VMD</pictureSearchType>
            <recordSearchType opt="timing,VMD,alarm,manual"/>
        </RacmCap>
        <SDCardCtrlCap>
            <isSupportCardLock>${device.kind !== 'gate'}</isSupportCardLock>
        </SDCardCtrlCap>
    </SysCap>
    <VQDEventSupport opt="lum,chroma,blur"/>
    ${device.model === 'dual' ? '' : `<supportImageChannel opt="${channelList(device.channels)}"/>`}
    <boardRevision>B07</boardRevision>`,
  );
}

function channelList(channels: number): string {
  return Array.from({ length: channels }, (_, index) => index + 1).join(',');
}

/** Limits of the token key; the one element with a value and the ones without are both seen on devices. */
export function tokenKeyLimits(device: DeviceState): string {
  return xmlDocument(
    device,
    'TokenSecretKeyCap',
    `
    <tokenAuthenticateEnable opt="true,false"/>
    <authenticateMode opt="shareKey">shareKey</authenticateMode>
    <keyInfo>
        <key min="1" max="256"/>
    </keyInfo>
    <digesType opt="sha256">sha256</digesType>
    <iterationTimes opt="50000,80000,100000" def="50000"/>
    <encryptAlgorithmType opt="AES">AES</encryptAlgorithmType>
    <keyLen opt="128,256" def="256"/>
    <encryptAlgorithmMode opt="ECB,CBC,CFB,OFB" def="CBC"/>
    <encryptAlgorithmFill opt="yes,no" def="yes"/>`,
  );
}
