/** Human recognition as delivered (part 3, 2.6). */
import { getPlane, formatPlaneSize } from '../areas/plane.ts';
import type { DeviceState } from '../state/device-state.ts';
import { buildXmlDocument } from './xml.ts';

export function buildHumanRecognition(device: DeviceState, channel: string): string {
  const { width, height } = getPlane(device);
  const [right, top] = [Math.round(width * 0.9), Math.round(height * 0.8)];
  return buildXmlDocument(
    device,
    'HumanRecognition',
    `
    <id>${channel}</id>
    ${formatPlaneSize(device)}
    <HumanRecognitionRegionList size="8">
        <HumanRecognitionRegion>
            <id>1</id>
            <regionName>Entrance</regionName>
            <enabled>true</enabled>
            <RegionCoordinatesList>
                <RegionCoordinates>
                    <positionX>100</positionX>
                    <positionY>100</positionY>
                </RegionCoordinates>
                <RegionCoordinates>
                    <positionX>${right}</positionX>
                    <positionY>100</positionY>
                </RegionCoordinates>
                <RegionCoordinates>
                    <positionX>${right}</positionX>
                    <positionY>${top}</positionY>
                </RegionCoordinates>
                <RegionCoordinates>
                    <positionX>100</positionX>
                    <positionY>${top}</positionY>
                </RegionCoordinates>
            </RegionCoordinatesList>
        </HumanRecognitionRegion>
    </HumanRecognitionRegionList>
    <humanMisinfoFilterEnabled>true</humanMisinfoFilterEnabled>
    <picRecognitionEnabled>false</picRecognitionEnabled>
    <analysisParam>
        <analysisMode>normal</analysisMode>
    </analysisParam>
    <InterPupileRegion>
        <positionX>400</positionX>
        <positionY>400</positionY>
        <width>200</width>
        <height>200</height>
    </InterPupileRegion>
    <targetCutout>
        <enabled>true</enabled>
        <size>100</size>
        <zoom>1</zoom>
    </targetCutout>
    <realTimeShowEnabled>true</realTimeShowEnabled>
    <modelHint version="3"/>`,
  );
}

export function buildHumanRecognitionLimits(device: DeviceState, channel: string): string {
  const { width, height } = getPlane(device);
  return buildXmlDocument(
    device,
    'HumanRecognition',
    `
    <id>${channel}</id>
    ${formatPlaneSize(device)}
    <HumanRecognitionRegionList size="8">
        <HumanRecognitionRegion>
            <id min="1" max="8"/>
            <regionName min="1" max="10"/>
            <enabled opt="true,false"/>
            <RegionCoordinatesList min="3" max="10">
                <RegionCoordinates>
                    <positionX min="0" max="${width}"/>
                    <positionY min="0" max="${height}"/>
                </RegionCoordinates>
            </RegionCoordinatesList>
            <LineCoordinatesList min="0" max="2"/>
        </HumanRecognitionRegion>
    </HumanRecognitionRegionList>
    <humanMisinfoFilterEnabled opt="true,false"/>
    <picRecognitionEnabled opt="true,false"/>
    <analysisParam>
        <analysisMode opt="normal,groupBehavior,individualBehavior" def="normal"/>
        <captureInterval min="5" max="3600" def="12"/>
        <maxRegionNum min="1" max="8"/>
        <cruiseLinkageCapture opt="true,false"/>
        <analysisControl opt="auto,non-auto" def="auto"/>
        <timeInterval min="1" max="60"/>
    </analysisParam>
    <InterPupileRegion>
        <positionX min="0" max="${width}"/>
        <positionY min="0" max="${height}"/>
        <width min="0" max="${width}"/>
        <height min="0" max="${height}"/>
    </InterPupileRegion>
    <realTimeShowEnabled opt="true,false"/>
    <isSupportHumanMisinfoFilter>true</isSupportHumanMisinfoFilter>
    <isSupportPicRecognition>true</isSupportPicRecognition>
    <isSupportConfidenceConfig>false</isSupportConfidenceConfig>
    <isSupportRealTimeShow>true</isSupportRealTimeShow>
    <sid min="1" max="8"/>
    <sceneDurationTime min="1" max="86400" def="5"/>
    <HumanRecognitionModeSearchCap>
        <searchTargetsNumMax>5</searchTargetsNumMax>
        <HumanMode>
            <age_group opt="any,child,infant,kid,middle,middleAged,old,prime,teenager,unknown,young"/>
            <gender opt="any,female,male,unknown"/>
            <jacet_color opt="any,black,blue,brown,cyan,deepBlue,deepGray,gray,green,mixture,orange,pink,purple,red,silver,unknown,white,yellow"/>
            <glass opt="no,sunglasses,unknown,yes"/>
            <bag opt="no,unknown,yes"/>
            <ride opt="any,no,unknown,yes"/>
            <similarity min="0" max="100"/>
            <eventType opt="unlimit,humanRecognition"/>
        </HumanMode>
    </HumanRecognitionModeSearchCap>`,
  );
}
