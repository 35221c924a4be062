/** Thermometry: basic parameters and mode (part 3, 2.7). */
import { createDetail } from '#shared/details.ts';
import {
  choice,
  flag,
  float,
  int,
  list,
  object,
  text,
  xml,
  type Rule,
  type UnitFrom,
} from '../definition.ts';
import { rgb } from './fields.ts';
import { toObject, toItems, warnIfAbove, numberOf } from './rules.ts';

const SPEC = '3:2.7';

/** Emissivity of each named mode; `customsettings` leaves it free. */
export const FIXED_EMISSIVITY: Readonly<Record<string, number>> = {
  rougher: 0.95,
  rough: 0.8,
  smooth: 0.6,
  smoother: 0.3,
};

const emissivityFollowsMode: Rule = {
  path: 'emissivity',
  spec: SPEC,
  check(value) {
    const mode = value['emissivityMode'];
    const fixed =
      typeof mode === 'string' && Object.hasOwn(FIXED_EMISSIVITY, mode) ? FIXED_EMISSIVITY[mode] : undefined;
    const emissivity = numberOf(value['emissivity']);
    if (fixed === undefined || emissivity === undefined || emissivity === fixed) return undefined;
    return createDetail('fixed-emissivity', { mode: String(mode), fixed });
  },
};

const intervalsAreOrdered: Rule = {
  path: 'NormalTemperatureIntervalMeasurement.TemperatureIntervalList',
  spec: SPEC,
  warns: true,
  check(value) {
    const intervals = toItems(
      toObject(value['NormalTemperatureIntervalMeasurement'])['TemperatureIntervalList'],
    );
    for (const interval of intervals) {
      const low = numberOf(interval['minTemperature']);
      const high = numberOf(interval['maxTemperature']);
      if (low !== undefined && high !== undefined && low > high)
        return createDetail('interval-upside-down', { low, high });
    }
    return undefined;
  },
};

/** Returns the color with both ends if it is a range; other types do not use both. */
function colorRange(color: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return color['type'] === undefined || color['type'] === 'rangeTemperature' ? color : {};
}

const inDistanceUnit: UnitFrom = { path: 'distanceUnit', absent: 'meter' };
const inTemperatureUnit: UnitFrom = { path: 'temperatureUnit', absent: 'degreeCentigrade' };
const temperature = { unitFrom: inTemperatureUnit };
const temperatureDifference = { unitFrom: { ...inTemperatureUnit, isDifference: true } };

const outputPort = object('OutputIOPort', 'Alarm output', [
  text('portID', 'Port'),
  flag('enabled', 'Enabled'),
]);

export const thermometryBasicParam = xml(
  'ThermometryBasicParam',
  SPEC,
  [
    int('id', 'Id', { perDevice: true }),
    flag('enabled', 'Temperature measurement'),
    flag('streamOverlay', 'Temperature on the stream'),
    flag('pictureOverlay', 'Temperature on pictures'),
    choice('temperatureRange', 'Temperature range', [
      '30~45',
      '-20~150',
      '0~550',
      '0~650',
      '-4~302',
      '32~1022',
      '32~1200',
      '-20~650',
      '-20~1500',
      ['automatic', 'Automatic'],
      '-20~120',
      '20~45',
      '20~350',
      '100-550',
      '28-45',
    ]),
    choice('temperatureUnit', 'Temperature unit', [
      ['degreeCentigrade', '°C'],
      ['degreeFahrenheit', '°F'],
      ['degreeKelvin', 'K'],
    ]),
    choice('temperatureCurve', 'Temperature trend', [
      ['close', 'Off'],
      ['transverseTemperatureTrend', 'Horizontal'],
      ['longitudinalTemperatureTrend', 'Vertical'],
    ]),
    choice('fireImageMode', 'Fire picture mode', [
      ['blackWhite', 'Black and white'],
      ['thermalProbe', 'Thermal probe'],
      ['fireGround', 'Fire ground'],
    ]),
    float('emissivity', 'Emissivity', {
      min: 0.01,
      max: 1,
      help: 'Free only with custom settings; a named emissivity mode fixes it.',
      freeWhile: { path: 'emissivityMode', oneOf: ['customsettings'] },
    }),
    choice('distanceUnit', 'Distance unit', [
      ['meter', 'Meters'],
      ['feet', 'Feet'],
      ['centimeter', 'Centimeters'],
    ]),
    object('TemperatureColor', 'Temperature colors', [
      choice(
        'type',
        'What is colored',
        [
          ['highTemperature', 'High temperatures'],
          ['lowTemperature', 'Low temperatures'],
          ['rangeTemperature', 'A range of temperatures'],
          ['heatPreservation', 'Insulation'],
        ],
        { help: 'Insulation is our word; the specification says heatPreservation.' },
      ),
      int('highTemperature', 'Highest temperature', { ...temperature, min: -273, max: 10_000 }),
      int('lowTemperature', 'Lowest temperature', { ...temperature, min: -273, max: 10_000 }),
    ]),
    int('enviroTemperature', 'Ambient temperature', temperature),
    int('enviroHumidity', 'Ambient humidity'),
    int('correctionVolume', 'Correction'),
    choice('specialPointThermType', 'Special point', [
      ['centerPoint', 'Center'],
      ['highestPoint', 'Hottest point'],
      ['lowestPoint', 'Coldest point'],
      ['null', 'None'],
    ]),
    int('distance', 'Distance', { unitFrom: inDistanceUnit }),
    flag('reflectiveEnable', 'Reflected temperature is used'),
    float('reflectiveTemperature', 'Reflected temperature', temperature),
    float('alert', 'Pre-alarm temperature', temperature),
    float('alarm', 'Alarm temperature', temperature),
    float('thermalOpticalTransmittance', 'Transmittance of the optics'),
    float('externalOpticsWindowCorrection', 'Correction for an external window'),
    flag('showTempStripEnable', 'Temperature strip'),
    list('AlertOutputIOPortList', 'Alarm outputs on pre-alarm', outputPort, { key: 'portID' }),
    list('AlarmOutputIOPortList', 'Alarm outputs on alarm', outputPort, { key: 'portID' }),
    int('alertFilteringTime', 'Pre-alarm filtering time', { min: 0, max: 200, unit: 's' }),
    int('alarmFilteringTime', 'Alarm filtering time', { min: 0, max: 200, unit: 's' }),
    flag('displayMaxTemperatureEnabled', 'Show the highest temperature'),
    flag('displayMinTemperatureEnabled', 'Show the lowest temperature'),
    flag('displayAverageTemperatureEnabled', 'Show the average temperature'),
    choice('thermometryInfoDisplayposition', 'Position of the temperature', [
      ['rules_around', 'Near the rule'],
      ['top_left_of_screen', 'Top left of the screen'],
    ]),
    flag('calibrationCoefficientEnabled', 'Calibration coefficient is used'),
    float('calibrationCoefficient', 'Calibration coefficient'),
    choice('emissivityMode', 'Emissivity mode', [
      ['rougher', 'Rougher (0.95)'],
      ['rough', 'Rough (0.80)'],
      ['smooth', 'Smooth (0.60)'],
      ['smoother', 'Smoother (0.30)'],
      ['customsettings', 'Custom settings (0.01 to 1.00)'],
    ]),
    flag('displayTemperatureInOpticalChannelEnabled', 'Temperature on the optical channel'),
    flag('displayCentreTemperatureEnabled', 'Show the temperature at the center'),
    choice('distanceMode', 'Distance mode', [
      ['selfAdapt', 'Adapts itself'],
      ['fixed', 'Fixed'],
    ]),
    flag('faceTemperatureInfoUploadEnabled', 'Upload face temperatures', {
      help: 'When off, face alarms carry 65535, which receivers take as not available.',
    }),
    text('calibrationFileVersion', 'Version of the calibration file', { perDevice: true }),
    int('alarmInterval', 'Alarm interval', { min: 1, max: 300, unit: 's' }),
    choice('rulesOverlayMode', 'Rules shown', [
      ['all', 'All'],
      ['alarm', 'Those in alarm'],
    ]),
    float('toleranceTemperature', 'Tolerance', { ...temperatureDifference, min: 1, max: 5 }),
    choice('alarmMode', 'Alarm mode', [
      ['temperatureIntervalMeasurement', 'Temperature intervals'],
      ['alarm_alert', 'Pre-alarm and alarm'],
    ]),
    object('NormalRulesColor', 'Color of normal rules', rgb, {
      when: [{ path: 'alarmMode', oneOf: ['temperatureIntervalMeasurement'] }],
      help: 'Takes effect with temperature intervals.',
    }),
    object('NormalTemperatureIntervalMeasurement', 'Temperature intervals', [
      choice('alarmType', 'Compared with the interval', [
        ['highestTemp', 'Highest temperature'],
        ['lowestTemp', 'Lowest temperature'],
      ]),
      list(
        'TemperatureIntervalList',
        'Intervals',
        object('TemperatureInterval', 'Interval', [
          int('id', 'Id'),
          flag('enabled', 'Enabled'),
          text('name', 'Name'),
          float('minTemperature', 'From', { ...temperature, min: -20, max: 550, decimals: 1 }),
          float('maxTemperature', 'To', { ...temperature, min: -20, max: 550, decimals: 1 }),
          object('AlarmColor', 'Alarm color', rgb),
          list('AlarmOutputIOPortList', 'Alarm outputs', outputPort, { key: 'portID' }),
        ]),
        { maxItems: 4, key: 'id' },
      ),
    ]),
    object('SunReflectionBlur', 'Sun reflection filter', [
      flag('enabled', 'Enabled'),
      int('sensitivity', 'Sensitivity', { min: 1, max: 100 }),
      flag('filterEnabled', 'Filter alarms'),
    ]),
    object('VehicleBlur', 'Vehicle filter', [
      flag('enabled', 'Enabled'),
      int('sensitiveLevel', 'Sensitivity', { min: 0, max: 4 }),
      flag('filterEnabled', 'Filter alarms'),
    ]),
    object('TemperatureSuddenChange', 'Sudden change of temperature', [
      choice('mode', 'Watched for', [
        ['close', 'Off'],
        ['temperatureSuddenIncrease', 'Sudden rise'],
        ['temperatureSuddenDecrease', 'Sudden fall'],
      ]),
      float('alarm', 'Alarm threshold', { ...temperatureDifference, min: 0, max: 570 }),
      int('cycleCfg', 'Cycle', { min: 5, max: 3600, unit: 's' }),
    ]),
  ],
  {
    rules: [
      emissivityFollowsMode,
      warnIfAbove({
        path: 'TemperatureColor.lowTemperature',
        spec: SPEC,
        low: 'lowTemperature',
        high: 'highTemperature',
        at: (value) => colorRange(toObject(value['TemperatureColor'])),
      }),
      intervalsAreOrdered,
    ],
  },
);

export const thermometryMode = xml('ThermometryMode', SPEC, [
  choice(
    'mode',
    'Temperature measuring mode',
    [
      ['normal', 'Normal'],
      ['expert', 'Expert'],
      ['AI', 'AI'],
    ],
    { required: true, default: 'normal' },
  ),
  flag('thermometryROIEnabled', 'Region of interest'),
]);
