/** Answers of a person who verifies a thermal camera. */
import type { Answers } from '#engine/flow/scripted.ts';

/** 0.38 and 0.42 °C too much. */
export const WARM = [35.3, 35.4, 35.4, 35.3, 35.4, 35.5, 35.4, 35.3, 35.4, 35.4];
export const HOT = [37.4, 37.5, 37.4, 37.4, 37.5, 37.4, 37.3, 37.4, 37.5, 37.4];
/** 0.00 and 0.01 °C. */
export const WARM_AFTER = [35, 35, 34.9, 35, 35.1, 35, 35, 34.9, 35, 35.1];
export const HOT_AFTER = [37, 37.1, 37, 37, 37, 36.9, 37, 37.1, 37, 37];

/** A screening camera that is 0.4 °C too warm, and is corrected. */
export const ANSWERS = {
  capability: { model: 'TC-1', serial: '4711', firmware: '5.5.0', lens: '7 mm' },
  profile: { profile: 'screening' },
  environment: {
    room: 22,
    humidity: 45,
    distance: 1.5,
    angle: 0,
    pixels: 40,
    still: true,
    draught: true,
    perpendicular: true,
    radiation: true,
    warmedUp: 30,
  },
  blackbody: {
    maker: 'Example',
    serial: 'BB-7',
    certificate: 'C-2026-1',
    due: '2099-12-31',
    emissivity: 0.98,
    uncertainty: 0.2,
  },
  settings: { emissivity: 0.98, distance: 2, enviroTemperature: 22 },
  compensation: { way: 'calibrationCoefficient' },
  readings: { setPoint1: 35, readings1: WARM, setPoint2: 37, readings2: HOT },
  verification: { readings1: WARM_AFTER, readings2: HOT_AFTER, room: 22.5, humidity: 46 },
  sign: { name: 'A. Installer' },
} satisfies Answers;
