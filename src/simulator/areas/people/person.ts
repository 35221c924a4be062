/** People that a gate is delivered with: made from their number, so that 50,000 of them cost nothing until read. */
import { createRandom, deriveSeed, pickInt, pickOne } from '#simulator/random.ts';
import type { DeviceState } from '#simulator/state/device-state.ts';

const FIRST_EMPLOYEE = 1001;
const GIVEN = [
  'Ada',
  'Ben',
  'Chen',
  'Dana',
  'Emil',
  'Farah',
  'Goran',
  'Hana',
  'Ines',
  'Jonas',
  'Kim',
  'Lena',
  'Mara',
  'Noor',
  'Omar',
  'Petra',
  'Quinn',
  'Rosa',
  'Søren',
  'Tomás',
] as const;
const FAMILY = [
  'Abel',
  'Berg',
  'Costa',
  'Dietz',
  'Ekström',
  'Fischer',
  'García',
  'Horváth',
  'Ito',
  'Jansen',
  'Kaya',
  'Lindgren',
  'Moreau',
  'Novák',
  'Okafor',
  'Peters',
  'Quist',
  'Rossi',
  'Schmidt',
  'Tanaka',
  'Ueda',
  'Vogel',
  'Wang',
  'Young',
  'Zhou',
] as const;
const GROUPS = ['Production', 'Office', 'Logistics', 'Maintenance', 'Visitors'] as const;

interface PersonName {
  readonly employeeNo: string;
  readonly name: string;
}

/** Returns the index of a delivered person; undefined if none was delivered with this number. */
export function findDeliveredIndex(employeeNo: string): number | undefined {
  return /^[1-9]\d{3,6}$/.test(employeeNo) && Number(employeeNo) >= FIRST_EMPLOYEE
    ? Number(employeeNo) - FIRST_EMPLOYEE
    : undefined;
}

/** Returns the person of this number, who is the same on all gates of a site: a site numbers its people once. */
export function generatePerson(device: DeviceState, index: number): PersonName {
  const random = createRandom(deriveSeed(device.site.seed, `person/${index}`));
  return {
    employeeNo: String(FIRST_EMPLOYEE + index),
    name: `${pickOne(random, GIVEN)} ${pickOne(random, FAMILY)}`,
  };
}

/**
 * Returns all fields that a search gives of such a person, without the counts, which follow the fingerprints
 * on the device.
 */
export function generateRecord(device: DeviceState, index: number): Record<string, unknown> {
  const random = device.random(`record/${index}`);
  const visitor = random() < 0.1;
  return {
    ...generatePerson(device, index),
    userType: visitor ? 'visitor' : 'normal',
    closeDelayEnabled: false,
    Valid: {
      enable: visitor,
      beginTime: '2026-01-01T00:00:00',
      endTime: visitor ? '2027-12-31T23:59:59' : '2037-12-31T23:59:59',
      timeType: 'local',
    },
    belongGroup: String(pickInt(random, 1, 4)),
    doorRight: '1',
    RightPlan: [{ doorNo: 1, planTemplateNo: '1' }],
    maxOpenDoorTime: visitor ? 20 : 0,
    openDoorTime: pickInt(random, 0, 20),
    roomNumber: pickInt(random, 1, 40),
    floorNumber: pickInt(random, 1, 6),
    doubleLockRight: false,
    localUIRight: index === 0,
    userVerifyMode: pickOne(random, ['cardOrFace', 'faceOrFpOrCardOrPw', 'cardOrFaceOrFp']),
    gender: pickOne(random, ['male', 'female', 'unknown']),
    groupName: pickOne(random, GROUPS),
    badgePrinted: true,
  };
}
