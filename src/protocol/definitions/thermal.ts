/** Thermal imaging: what the device can do, and the operations of the area (part 3, 2.7). */
import { int, object, text, xml, type Operation } from '../definition.ts';
import { defineReportedFlags, makeReadOnly } from './fields.ts';
import { capabilityOf, operation, resource } from './operation.ts';
import { thermometryBasicParam, thermometryMode } from './thermal-basic.ts';
import { faceThermometry } from './thermal-face.ts';
import { fireDetection } from './thermal-fire.ts';

const SPEC = '3:2.7';
const CHANNEL = '/API/Thermal/channels/<channelID>';

const thermalCap = xml(
  'ThermalCap',
  SPEC,
  makeReadOnly([
    ...defineReportedFlags([
      ['isSupportFireDetection', 'Fire detection'],
      ['isFireFocusZoomSupport', 'Focus and zoom for fire detection'],
      ['isSupportThermometry', 'Temperature measurement'],
      ['isSupportRealtimeThermometry', 'Real-time thermometry'],
      ['isSupportThermIntell', 'Thermal intelligence'],
      ['isSupportNVR', 'Network video recorder'],
      ['isSupportThermometrySchedule', 'Arming schedule of the thermometry event'],
      ['isSupportTemperatureSchedule', 'Arming schedule of the temperature event'],
      ['isSupportFireDetectionSchedule', 'Arming schedule of fire detection'],
      ['isSupportPower', 'Power settings'],
      ['isSupportRealtimeTempHumi', 'Real-time temperature and humidity'],
      ['isSupportManualThermBasic', 'Manual thermometry, basic settings'],
      ['isSupportFireShieldMask', 'Masked areas for fire'],
      ['isSupportSmokeShieldMask', 'Masked areas for smoke'],
      ['isSupportThermometryMode', 'Temperature measuring mode'],
      ['isSupportThermalPip', 'Thermal picture in picture'],
      ['isSupportThermalIntelRuleDisplay', 'Display of thermal rules'],
      ['isSupportFaceThermometry', 'Face temperature'],
      ['isSupportThermalBlackBody', 'Black body'],
      ['isSupportThermalStreamParam', 'Thermal stream settings'],
      ['isSupportBodyTemperatureCompensation', 'Body temperature compensation'],
      ['isSupportClickToThermometry', 'Click to measure'],
      ['isSupportThermometryHistorySearch', 'Search in past temperatures'],
      ['isSupportThermometryShieldMask', 'Masked areas for thermometry'],
      ['isSupportTemperatureCorrection', 'Temperature correction'],
      ['isSupportBurningPrevention', 'Protection from burning in'],
      ['isSupportTemperatureCollection', 'Temperature collection'],
      ['isSupportJpegPicWithAppendData', 'Pictures with temperature data'],
      ['isSupportRealTimethermometryForHTTP', 'Real-time thermometry over HTTP'],
      ['isSupportthermometryOffLineCapture', 'Offline capture of thermometry'],
      ['isSupportShipsDetectionWithScene', 'Ship detection with scenes'],
      ['isSupportWasteGasDetection', 'Waste gas detection'],
      ['isSupportGreyScaleAlarm', 'Grey scale alarm'],
      ['isSupportFaceSnapThermometry', 'Face capture with thermometry'],
      ['isSupportThermalTemperatureCorrect', 'Correction of thermal temperatures'],
      ['isSupportThermalVehicleDetection', 'Thermal vehicle detection'],
      ['isSupportTemperatureIntervalMeasurement', 'Temperature intervals'],
      ['isSupportIndustryThermometryTemperatureRise', 'Temperature rise in industrial thermometry'],
    ]),
    object('ManualThermCap', 'Manual thermometry', [
      int('manualThermRuleNum', 'Manual rules', {
        help: 'Not reported where there is no manual thermometry.',
      }),
    ]),
    object('AlgVersionInfo', 'Algorithm versions', [
      text('thermometryAlgName', 'Thermometry algorithm', { minLength: 1, maxLength: 128 }),
      text('shipsAlgName', 'Ship detection algorithm', { minLength: 1, maxLength: 128 }),
    ]),
  ]),
);

export const thermalOperations: readonly Operation[] = [
  operation({
    id: 'thermal.capabilities.get',
    method: 'GET',
    path: '/API/Thermal/capabilities',
    label: 'Thermal capabilities',
    spec: SPEC,
    response: thermalCap,
  }),
  capabilityOf(
    {
      id: 'thermal.fireDetection.capabilities.get',
      path: `${CHANNEL}/fireDetection/capabilities`,
      label: 'Fire detection capabilities',
      spec: SPEC,
    },
    fireDetection,
  ),
  operation({
    id: 'thermal.fireDetection.get',
    method: 'GET',
    path: `${CHANNEL}/fireDetection`,
    label: 'Fire detection',
    spec: SPEC,
    response: fireDetection,
    capability: 'thermal.fireDetection.capabilities.get',
  }),
  ...resource(
    {
      id: 'thermal.thermometryBasic',
      path: `${CHANNEL}/thermometry/basicParam`,
      label: 'Temperature measurement',
      spec: SPEC,
    },
    thermometryBasicParam,
  ),
  capabilityOf(
    {
      id: 'thermal.thermometryMode.capabilities.get',
      path: `${CHANNEL}/thermometryMode/capabilities`,
      label: 'Temperature measuring modes',
      spec: SPEC,
    },
    thermometryMode,
  ),
  ...resource(
    {
      id: 'thermal.thermometryMode',
      path: `${CHANNEL}/thermometryMode`,
      label: 'Temperature measuring mode',
      spec: SPEC,
      capability: 'thermal.thermometryMode.capabilities.get',
    },
    thermometryMode,
  ),
  capabilityOf(
    {
      id: 'thermal.faceThermometry.capabilities.get',
      path: `${CHANNEL}/faceThermometry/capabilities`,
      label: 'Face temperature capabilities',
      spec: SPEC,
    },
    faceThermometry,
  ),
];
