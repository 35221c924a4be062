/** Capability of face thermometry (part 3, 2.7); the shape of `Region` and `RegionBoundary` is not shown. */
import { choice, flag, float, int, list, object, text, xml } from '../definition.ts';
import { normalizedScreenSize, makeReadOnly } from './fields.ts';

export const faceThermometry = xml(
  'FaceThermometry',
  '3:2.7',
  makeReadOnly([
    flag('faceThermometryEnabled', 'Face temperature'),
    flag('thermometryShowEnabled', 'Show the temperature'),
    flag('alarmEnabled', 'Alarm'),
    float('alarmIntervalTime', 'Alarm interval', { min: 0.5, max: 600, default: 1, unit: 's' }),
    normalizedScreenSize,
    list(
      'FaceThermometryRegionList',
      'Rules',
      object('ThermometryRegion', 'Rule', [
        int('id', 'Rule id', { min: 1, max: 40 }),
        text('name', 'Name', { minLength: 0, maxLength: 32 }),
        int('sensitivity', 'Sensitivity', { min: 1, max: 5, default: 3 }),
        object('PupilParam', 'Smallest pupil distance', [
          int('pupilDistance', 'Pupil distance', { min: 42, max: 1000 }),
          object('Region', 'Region', []),
        ]),
        object('MaxPupilParam', 'Largest pupil distance', [
          int('pupilDistance', 'Pupil distance', { min: 10, max: 625 }),
        ]),
        int('targetSpeed', 'Speed of the target', { min: 1, max: 5, default: 3 }),
        float('alarmTemperature', 'Alarm temperature', { min: -20, max: 60, decimals: 1, unit: '°C' }),
        choice('type', 'Type', [['region', 'Region']]),
        object('Region', 'Region', []),
        object('RegionBoundary', 'Boundary of the region', []),
        choice('alarmRule', 'Alarm when', [
          ['highestGreater', 'The highest temperature is above'],
          ['highestLess', 'The highest temperature is below'],
        ]),
        float('alert', 'Pre-alarm temperature', { min: -100, max: 1000, decimals: 1, unit: '°C' }),
      ]),
      { key: 'id' },
    ),
    flag('isSupportFaceThermDetectionInfo', 'Information on detected faces'),
    choice('imageQuality', 'Picture quality', [
      ['high', 'High'],
      ['medium', 'Medium'],
      ['low', 'Low'],
    ]),
  ]),
);
