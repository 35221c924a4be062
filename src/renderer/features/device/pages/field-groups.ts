/** Groups in which the fields of a long form are shown: by what a person sets, not in the order of the document. */

export const FIELD_GROUPS = ['range', 'surface', 'geometry', 'environment', 'alarms', 'display'] as const;
type FieldGroup = (typeof FIELD_GROUPS)[number];
type FieldGroups = Readonly<Record<FieldGroup, readonly string[]>>;

const THERMOMETRY: FieldGroups = {
  range: [
    'enabled',
    'temperatureRange',
    'temperatureUnit',
    'calibrationCoefficientEnabled',
    'calibrationCoefficient',
    'calibrationFileVersion',
    'correctionVolume',
  ],
  surface: ['emissivityMode', 'emissivity', 'reflectiveEnable', 'reflectiveTemperature'],
  geometry: [
    'distanceMode',
    'distance',
    'distanceUnit',
    'thermalOpticalTransmittance',
    'externalOpticsWindowCorrection',
  ],
  environment: ['enviroTemperature', 'enviroHumidity', 'SunReflectionBlur', 'VehicleBlur'],
  alarms: [
    'alarmMode',
    'alert',
    'alarm',
    'toleranceTemperature',
    'alertFilteringTime',
    'alarmFilteringTime',
    'alarmInterval',
    'AlertOutputIOPortList',
    'AlarmOutputIOPortList',
    'NormalTemperatureIntervalMeasurement',
    'TemperatureSuddenChange',
    'faceTemperatureInfoUploadEnabled',
  ],
  display: [
    'streamOverlay',
    'pictureOverlay',
    'temperatureCurve',
    'fireImageMode',
    'TemperatureColor',
    'specialPointThermType',
    'showTempStripEnable',
    'displayMaxTemperatureEnabled',
    'displayMinTemperatureEnabled',
    'displayAverageTemperatureEnabled',
    'displayCentreTemperatureEnabled',
    'displayTemperatureInOpticalChannelEnabled',
    'thermometryInfoDisplayposition',
    'rulesOverlayMode',
    'NormalRulesColor',
  ],
};

/** Returns the groups of a section; undefined if its fields stand in one. */
export function findFieldGroups(set: string): FieldGroups | undefined {
  return set === 'thermal.thermometryBasic' ? THERMOMETRY : undefined;
}
