/** System capability report and token key limits (part 3, 2.8 and 2.5). */
import type { KindFacts } from '../kinds/facts.ts';
import type { DeviceState } from '../state/device-state.ts';
import { buildXmlDocument, describeXml, formatElements } from './xml.ts';

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

/** The report that a device gives when it is set to leave the sections out. */
export function buildReducedReport(device: DeviceState): string {
  return buildXmlDocument(device, 'DeviceCap', formatElements(listFlags(device.facts)));
}

/** Flags a kind does not have are false where a device says so, and missing where it says nothing. */
function listFlags({ hasPicture }: KindFacts): Record<string, boolean> {
  return { ...BASE_FLAGS, isSupportPreview: hasPicture };
}

export function buildFullReport(device: DeviceState): string {
  const { hasPicture, isRecorder, proxies, networkDisks, diskGroups } = device.facts;
  return buildXmlDocument(
    device,
    'DeviceCap',
    `
    ${formatElements(listFlags(device.facts)).replaceAll('\n', '\n    ')}
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
            <isSupportHDFull>${isRecorder}</isSupportHDFull>
            <isSupportHDError>${isRecorder}</isSupportHDError>
            <isSupportMotionDetection>${hasPicture}</isSupportMotionDetection>
        </EventCap>
        <RacmCap>
            <inputProxyNums>${proxies}</inputProxyNums>
            <nasNums>${networkDisks}</nasNums>
            <diskGroupNums>${diskGroups}</diskGroupNums>
            <isSupportRecordPassback>${isRecorder}</isSupportRecordPassback>
            <pictureSearchType opt="VMD,alarm,manual">VMD</pictureSearchType>
            <recordSearchType opt="timing,VMD,alarm,manual"/>
        </RacmCap>
        <SDCardCtrlCap>
            <isSupportCardLock>${hasPicture}</isSupportCardLock>
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
export const buildTokenKeyLimits = describeXml(
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
