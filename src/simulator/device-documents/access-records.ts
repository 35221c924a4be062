/** Documents of access control (part 2, 2.1, 2.3 and 2.5). */
import { formatJsonBody } from '../status.ts';
import { describeXml } from './xml.ts';

export const deployInfo = describeXml(
  'DeployInfo',
  `
    <DeployList size="2">
        <Content>
            <deployNo>1</deployNo>
            <deployType>0</deployType>
            <ipAddr>192.0.2.10</ipAddr>
        </Content>
        <Content>
            <deployNo>2</deployNo>
            <deployType>2</deployType>
            <ipAddr>192.0.2.117</ipAddr>
        </Content>
    </DeployList>`,
);

/**
 * Builds the limits. The length of an address is given as 1..10, which no IPv4 address keeps, in the
 * specification and in devices.
 */
export const deployInfoLimits = describeXml(
  'DeployInfo',
  `
    <DeployList size="10">
        <Content>
            <deployNo min="1" max="10"/>
            <deployType opt="0,1,2"/>
            <ipAddr min="1" max="10"/>
        </Content>
    </DeployList>`,
);

export const snapConfig = describeXml(
  'SnapConfig',
  `
    <snapTimes>2</snapTimes>
    <snapWaitTime>0</snapWaitTime>
    <intervalTimeList size="4">
        <intervalTime>500</intervalTime>
        <intervalTime>500</intervalTime>
        <intervalTime>500</intervalTime>
        <intervalTime>500</intervalTime>
    </intervalTimeList>
    <JPEGParam>
        <pictureSize>0xff</pictureSize>
        <pictureQuality>better</pictureQuality>
    </JPEGParam>`,
);

export const snapConfigLimits = describeXml(
  'SnapConfig',
  `
    <snapTimes min="0" max="5"/>
    <snapWaitTime min="0" max="6000"/>
    <intervalTimeList size="4">
        <intervalTime min="0" max="6000"/>
    </intervalTimeList>
    <JPEGParam>
        <pictureSize opt="5,6,9,0xff"/>
        <pictureQuality opt="best,better,general"/>
    </JPEGParam>
    <isSupportSetSnapConfig>false</isSupportSetSnapConfig>`,
);

export const EVENT_TYPES: Readonly<Record<number, readonly number[]>> = {
  1: [1024, 1025, 1026, 1027],
  2: [39, 58, 59, 1024],
  3: [80, 90, 112, 113],
  5: [1, 2, 3, 4],
};

export function buildEventTotalLimits(): string {
  return formatJsonBody({
    AcsEvent: {
      major: { '@opt': '0,1,2,3,5' },
      minorAlarm: { '@opt': '1024,1025,1026,1027' },
      minorException: { '@opt': '39,58,59,1024' },
      minorOperation: { '@opt': '80,90,112,113' },
      minorEvent: { '@opt': '1,2,3,4' },
      startTime: { '@min': 0, '@max': 2147483647 },
      endTime: { '@min': 0, '@max': 2147483647 },
      cardNo: { '@min': 1, '@max': 32 },
      name: { '@min': 1, '@max': 32 },
      picEnable: 'true,false',
      beginSerialNo: { '@min': 1, '@max': 2147483647 },
      endSerialNo: { '@min': 1, '@max': 2147483647 },
      employeeNoString: { '@min': 1, '@max': 32 },
      totalNum: { '@min': 0, '@max': 100000 },
    },
  });
}
