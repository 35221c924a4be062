/** Thermal imaging as delivered (part 3, 2.7); elements in the order of the specification. */
import type { SilentAlarm } from '../faults.ts';
import { formatPlaneSize } from '../areas/plane.ts';
import type { DeviceState } from '../state/device-state.ts';
import { buildXmlDocument, describeXml } from './xml.ts';

/** Builds flags in three states on purpose: some true, some false, some not reported. */
export const buildThermalCap = describeXml(
  'ThermalCap',
  `
    <isSupportFireDetection>true</isSupportFireDetection>
    <isFireFocusZoomSupport>false</isFireFocusZoomSupport>
    <isSupportThermometry>true</isSupportThermometry>
    <isSupportRealtimeThermometry>true</isSupportRealtimeThermometry>
    <isSupportNVR>false</isSupportNVR>
    <isSupportThermometrySchedule>true</isSupportThermometrySchedule>
    <isSupportTemperatureSchedule>true</isSupportTemperatureSchedule>
    <isSupportFireDetectionSchedule>false</isSupportFireDetectionSchedule>
    <isSupportPower>false</isSupportPower>
    <isSupportManualThermBasic>true</isSupportManualThermBasic>
    <isSupportThermometryMode>true</isSupportThermometryMode>
    <isSupportThermalPip>true</isSupportThermalPip>
    <isSupportFaceThermometry>true</isSupportFaceThermometry>
    <isSupportThermalBlackBody>false</isSupportThermalBlackBody>
    <isSupportBodyTemperatureCompensation>true</isSupportBodyTemperatureCompensation>
    <isSupportClickToThermometry>true</isSupportClickToThermometry>
    <isSupportJpegPicWithAppendData>true</isSupportJpegPicWithAppendData>
    <isSupportRealTimethermometryForHTTP>true</isSupportRealTimethermometryForHTTP>
    <isSupportthermometryOffLineCapture>false</isSupportthermometryOffLineCapture>
    <isSupportTemperatureIntervalMeasurement>true</isSupportTemperatureIntervalMeasurement>
    <ManualThermCap>
        <manualThermRuleNum>10</manualThermRuleNum>
    </ManualThermCap>
    <AlgVersionInfo>
        <thermometryAlgName>THERM-A 2.1.0</thermometryAlgName>
    </AlgVersionInfo>
    <sensorWindow>uncoated</sensorWindow>`,
);

export function buildThermometryBasic(device: DeviceState, channel: string): string {
  const ambient = 18 + Math.floor(device.random(`ambient/${channel}`)() * 8);
  // The compact camera counts in meters and degrees Celsius and offers no choice.
  const has = (cause: SilentAlarm): boolean => device.faults.strike(cause) !== undefined;
  const choice = (line: string): string => (device.model === 'compact' ? '' : line);
  return buildXmlDocument(
    device,
    'ThermometryBasicParam',
    `
    <id>${channel}</id>
    <enabled>${!has('detection-off')}</enabled>
    <streamOverlay>true</streamOverlay>
    <pictureOverlay>false</pictureOverlay>
    <temperatureRange>30~45</temperatureRange>
    ${choice('<temperatureUnit>degreeCentigrade</temperatureUnit>')}
    <temperatureCurve>close</temperatureCurve>
    <emissivity>0.95</emissivity>
    ${choice('<distanceUnit>meter</distanceUnit>')}
    <TemperatureColor>
        <type>highTemperature</type>
        <highTemperature>38</highTemperature>
        <lowTemperature>0</lowTemperature>
    </TemperatureColor>
    <enviroTemperature>${ambient}</enviroTemperature>
    <enviroHumidity>45</enviroHumidity>
    <specialPointThermType>highestPoint</specialPointThermType>
    <distance>5</distance>
    <reflectiveEnable>false</reflectiveEnable>
    <reflectiveTemperature>20.0</reflectiveTemperature>
    <alert>37.0</alert>
    <alarm>${has('alarm-outside') ? '180.0' : '37.50'}</alarm>
    <showTempStripEnable>true</showTempStripEnable>
    <AlertOutputIOPortList>
        <OutputIOPort>
            <portID>1</portID>
            <enabled>false</enabled>
        </OutputIOPort>
    </AlertOutputIOPortList>
    <AlarmOutputIOPortList>
        <OutputIOPort>
            <portID>1</portID>
            <enabled>${!has('not-told')}</enabled>
        </OutputIOPort>
    </AlarmOutputIOPortList>
    <alertFilteringTime>5</alertFilteringTime>
    <alarmFilteringTime>${has('long-filter') ? 60 : 5}</alarmFilteringTime>
    <displayMaxTemperatureEnabled>true</displayMaxTemperatureEnabled>
    <displayMinTemperatureEnabled>false</displayMinTemperatureEnabled>
    <displayAverageTemperatureEnabled>false</displayAverageTemperatureEnabled>
    <thermometryInfoDisplayposition>rules_around</thermometryInfoDisplayposition>
    ${choice('<calibrationCoefficientEnabled>false</calibrationCoefficientEnabled>')}
    ${choice('<calibrationCoefficient>0.0</calibrationCoefficient>')}
    <emissivityMode>rougher</emissivityMode>
    <distanceMode>fixed</distanceMode>
    <faceTemperatureInfoUploadEnabled>true</faceTemperatureInfoUploadEnabled>
    <alarmInterval>10</alarmInterval>
    ${choice('<rulesOverlayMode>all</rulesOverlayMode>')}
    <toleranceTemperature>1.0</toleranceTemperature>
    <alarmMode>alarm_alert</alarmMode>
    <lensCoating code="007">1.50</lensCoating>`,
  );
}

export const buildThermometryMode = describeXml(
  'ThermometryMode',
  `
    <mode>normal</mode>
    <thermometryROIEnabled>false</thermometryROIEnabled>`,
);

/**
 * Builds the limits of the mode: the compact camera knows one of the three modes of the specification, the
 * others two.
 */
export const buildThermometryModeLimits = describeXml(
  'ThermometryMode',
  (device) => `
    <mode opt="${listThermometryModes(device).join(',')}" def="normal">normal</mode>
    <thermometryROIEnabled opt="true,false">false</thermometryROIEnabled>`,
);

export function listThermometryModes({ model }: Pick<DeviceState, 'model'>): readonly string[] {
  return model === 'compact' ? ['normal'] : ['normal', 'expert'];
}

export const buildFireDetection = describeXml(
  'FireDetection',
  `
    <enabled>true</enabled>
    <sensitivity>50</sensitivity>
    <fireComfirmTime>3</fireComfirmTime>
    <fireRegionOverlay>true</fireRegionOverlay>
    <fireFrameDis>true</fireFrameDis>
    <fireMaxTemp>true</fireMaxTemp>
    <fireMaxTempPosition>false</fireMaxTempPosition>
    <fireDistance>false</fireDistance>
    <detectionMode>multipleFarme</detectionMode>
    <fireFocusMode>auto</fireFocusMode>
    <FireZoom>
        <zoomMode>auto</zoomMode>
        <zoomLevel>1</zoomLevel>
    </FireZoom>
    <AlarmStrategy>
        <strategyType>any</strategyType>
    </AlarmStrategy>
    <SmokeDetection>
        <enabled>false</enabled>
        <sensitivity>50</sensitivity>
        <patrolSensitivity>50</patrolSensitivity>
        <doubleCheckSensitivity>50</doubleCheckSensitivity>
        <displaySmokeInfoOnStreamEnabled>true</displaySmokeInfoOnStreamEnabled>
        <mode>patrol</mode>
    </SmokeDetection>
    <smokeFireEnabled>false</smokeFireEnabled>
    <ApplicationScene>
        <mode>Indoor/Perimeter</mode>
        <InstallationHeight>6</InstallationHeight>
    </ApplicationScene>
    <cancelRepeatedAlarmEnabled>false</cancelRepeatedAlarmEnabled>
    <fireManualWaitEnabled>false</fireManualWaitEnabled>
    <fireSourceDetection>dynamicFire</fireSourceDetection>
    <verificationSensitivity>50</verificationSensitivity>
    <alarmInterval>0</alarmInterval>`,
);

export const buildFireDetectionLimits = describeXml(
  'FireDetection',
  `
    <enabled opt="true,false">true</enabled>
    <sensitivity min="1" max="100" def="50">50</sensitivity>
    <fireComfirmTime min="0" max="120">3</fireComfirmTime>
    <fireRegionOverlay opt="true,false"/>
    <fireFrameDis opt="true,false"/>
    <fireMaxTemp opt="true,false"/>
    <fireMaxTempPosition opt="true,false"/>
    <fireDistance opt="true,false"/>
    <detectionMode opt="multipleFarme,singleFarme"/>
    <fireFocusMode opt="auto,cruise"/>
    <FireZoom>
        <zoomMode opt="auto,manual"/>
        <zoomLevel min="1" max="32"/>
    </FireZoom>
    <AlarmStrategy>
        <strategyType opt="any,cooperate,multisystem,appointFire,appointSmoke"/>
    </AlarmStrategy>
    <SmokeDetection>
        <enabled opt="true,false"/>
        <sensitivity min="1" max="100"/>
        <patrolSensitivity min="1" max="100" def="50"/>
        <doubleCheckSensitivity min="1" max="100" def="50"/>
        <mode opt="patrol,scene" def="patrol"/>
        <speed min="1" max="40"/>
    </SmokeDetection>
    <ApplicationScene>
        <mode opt="forest-Fire_Prevention,strawBurning,high-building,Indoor/Perimeter,shortDistance,longDistance"/>
        <InstallationHeight min="1" max="500"/>
    </ApplicationScene>
    <fireSourceDetection opt="dynamicFire,smokingMode"/>
    <verificationSensitivity min="1" max="100" def="50"/>
    <fireAlgorithmMode opt="patternRecognition,machineLearning"/>
    <alarmInterval min="0" max="300" def="0"/>`,
);

export const buildFaceThermometryLimits = describeXml(
  'FaceThermometry',
  (device) => `
    <faceThermometryEnabled opt="true,false">true</faceThermometryEnabled>
    <thermometryShowEnabled opt="true,false"/>
    <alarmEnabled opt="true,false"/>
    <alarmIntervalTime min="0.5" max="600" def="1"/>
    ${formatPlaneSize(device)}
    <FaceThermometryRegionList size="1">
        <ThermometryRegion>
            <id min="1" max="40">1</id>
            <name min="0" max="32"/>
            <sensitivity min="1" max="5" def="3"/>
            <PupilParam>
                <pupilDistance min="42" max="1000"/>
            </PupilParam>
            <MaxPupilParam>
                <pupilDistance min="10" max="625"/>
            </MaxPupilParam>
            <targetSpeed min="1" max="5" def="3"/>
            <alarmTemperature min="-20.0" max="60.0"/>
            <type opt="region">region</type>
            <alarmRule opt="highestGreater,highestLess"/>
            <alert min="-100.0" max="1000.0"/>
        </ThermometryRegion>
    </FaceThermometryRegionList>
    <isSupportFaceThermDetectionInfo>true</isSupportFaceThermDetectionInfo>
    <imageQuality opt="high,medium,low"/>`,
);
