/**
 * Profiles with the requirements on camera, blackbody and room. The sources contradict each other, so a
 * profile is chosen by name; each of its limits can be changed, and the record says whose it is. Temperatures
 * in °C.
 */
import type { BareDetailId } from '#shared/details.ts';

export interface Limits {
  /** Greatest |error| + U. */
  readonly limit: number;
  /** Range in which set points count; absent: where the camera is used. */
  readonly from?: number;
  readonly to?: number;
  /** Set points, and readings at each. */
  readonly points: number;
  readonly readings: number;
  readonly roomFrom?: number;
  readonly roomTo?: number;
  /** Percent. */
  readonly humidityFrom?: number;
  readonly humidityTo?: number;
  /** Minutes. */
  readonly warmUp?: number;
  /** Greatest expanded uncertainty of the blackbody. */
  readonly referenceUncertainty?: number;
  readonly emissivity?: number;
}

export interface Profile {
  readonly name: string;
  readonly label: BareDetailId;
  /** Sources of its limits, and how far they were seen. */
  readonly sources: readonly BareDetailId[];
  readonly limits: Limits;
  /** True for measuring people: an elevated reading needs a clinical thermometer. */
  readonly isScreening?: true;
}

/** The usual rule, and the least that a deviation and a line can be computed from with some confidence. */
const RULE = { limit: 0.5, points: 2, readings: 10 } as const;
const SCREENING = { ...RULE, from: 34, to: 39 } as const;

export const PROFILES: readonly [Profile, ...Profile[]] = [
  {
    name: 'screening',
    label: 'flow-thermal-screening',
    sources: ['flow-thermal-source-accuracy', 'flow-thermal-source-checklist'],
    limits: {
      ...SCREENING,
      roomFrom: 18,
      roomTo: 24,
      humidityFrom: 20,
      humidityTo: 75,
      warmUp: 30,
      referenceUncertainty: 0.3,
      emissivity: 0.98,
    },
    isScreening: true,
  },
  {
    name: 'screening-cool-room',
    label: 'flow-thermal-screening-cool',
    sources: ['flow-thermal-source-accuracy', 'flow-thermal-source-cool'],
    limits: { ...SCREENING, roomFrom: 20, roomTo: 24, humidityFrom: 10, humidityTo: 50 },
    isScreening: true,
  },
  {
    name: 'screening-warm-room',
    label: 'flow-thermal-screening-warm',
    sources: ['flow-thermal-source-accuracy', 'flow-thermal-source-warm'],
    limits: { ...SCREENING, roomFrom: 18, roomTo: 30, humidityTo: 60 },
    isScreening: true,
  },
  {
    name: 'industrial',
    label: 'flow-thermal-industrial',
    sources: ['flow-thermal-source-industrial', 'flow-thermal-source-rule'],
    limits: RULE,
  },
  {
    name: 'own',
    label: 'flow-thermal-own',
    sources: ['flow-thermal-source-own', 'flow-thermal-source-rule'],
    limits: RULE,
  },
];

export function getProfile(name: unknown): Profile {
  return PROFILES.find((profile) => profile.name === name) ?? PROFILES[0];
}

/** A limit as a question asks for it. */
interface LimitField {
  readonly name: keyof Limits;
  readonly label: BareDetailId;
  readonly unit?: string;
  readonly min: number;
  readonly max: number;
  readonly required?: true;
}

const ROOM = { unit: '°C', min: -40, max: 80 } as const;
const TARGET = { unit: '°C', min: -100, max: 3000 } as const;
const HUMIDITY = { unit: '%', min: 0, max: 100 } as const;

export const LIMIT_FIELDS: readonly LimitField[] = [
  { name: 'limit', label: 'flow-thermal-limit', unit: '°C', min: 0.01, max: 100, required: true },
  { name: 'from', label: 'flow-thermal-from', ...TARGET },
  { name: 'to', label: 'flow-thermal-to', ...TARGET },
  { name: 'points', label: 'flow-thermal-points', min: 1, max: 10, required: true },
  { name: 'readings', label: 'flow-thermal-count', min: 3, max: 500, required: true },
  { name: 'roomFrom', label: 'flow-thermal-room-from', ...ROOM },
  { name: 'roomTo', label: 'flow-thermal-room-to', ...ROOM },
  { name: 'humidityFrom', label: 'flow-thermal-humidity-from', ...HUMIDITY },
  { name: 'humidityTo', label: 'flow-thermal-humidity-to', ...HUMIDITY },
  { name: 'warmUp', label: 'flow-thermal-warm-up', unit: 'min', min: 0, max: 1440 },
  { name: 'referenceUncertainty', label: 'flow-thermal-most-u', unit: '°C', min: 0, max: 100 },
  { name: 'emissivity', label: 'flow-thermal-emissivity', min: 0.01, max: 1 },
];
