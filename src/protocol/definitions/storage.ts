/** Storage card: health, read/write lock, unlocking (part 3, 2.2). */
import { choice, flag, int, text, xml, type Operation } from '../definition.ts';
import { makeReadOnly } from './fields.ts';
import { capabilityOf, operation, resource } from './operation.ts';

const SPEC = '3:2.2';
const BASE = '/API/Smart/storageDetection';

const rwLockFields = [
  flag('enabled', 'Lock the card', { required: true }),
  text('passwd', 'Card password', {
    required: true,
    sensitive: true,
    minLength: 1,
    maxLength: 10,
    help: 'If it is lost, the card becomes unusable.',
  }),
  text('originalPasswd', 'Present card password', {
    sensitive: true,
    minLength: 1,
    maxLength: 10,
    help: 'Needed to change the password.',
  }),
] as const;

const rwLock = xml('RWLock', SPEC, rwLockFields);

/** Adds what only the capability reports; its single option is a vendor's value and not shown. */
const rwLockCapability = xml('RWLock', SPEC, [
  ...rwLockFields,
  text('SDCardType', 'Card type', { readOnly: true }),
]);

const unLock = xml('UnLock', SPEC, [
  text('passwd', 'Card password', {
    required: true,
    sensitive: true,
    minLength: 1,
    maxLength: 15,
    help: 'Goes to the device unencrypted.',
  }),
  int('SDCardUnlockTime', 'Usable after unlocking', {
    readOnly: true,
    min: 2,
    max: 3,
    unit: 'min',
    help: 'Cannot be configured; 3 is usual.',
  }),
]);

const storageDetection = xml(
  'StorageDetection',
  SPEC,
  makeReadOnly([
    choice('healthState', 'Health', [
      ['good', 'Good'],
      ['bad', 'Bad'],
      ['damage', 'Damaged'],
      ['unknown', 'Unknown'],
    ]),
    int('badBlocks', 'Bad blocks'),
    choice('SDCardState', 'Storage card', [
      ['onLine', 'Online'],
      ['offLine', 'Offline'],
      ['unknown', 'Unknown'],
      ['locked', 'Locked'],
    ]),
    int('abnormalPowerLoss', 'Abnormal power losses'),
    int('remainingLife', 'Remaining life', { min: 0, max: 100, unit: '%' }),
  ]),
);

export const storageOperations: readonly Operation[] = [
  capabilityOf(
    {
      id: 'storage.rwLock.capabilities.get',
      path: `${BASE}/rwlock/capabilities`,
      label: 'Read/write lock capabilities',
      spec: SPEC,
    },
    rwLockCapability,
  ),
  ...resource(
    {
      id: 'storage.rwLock',
      path: `${BASE}/rwlock`,
      label: 'Read/write lock of the storage card',
      spec: SPEC,
      capability: 'storage.rwLock.capabilities.get',
      sensitive: true,
    },
    rwLock,
  ),
  capabilityOf(
    {
      id: 'storage.unlock.capabilities.get',
      path: `${BASE}/unlock/capabilities`,
      label: 'Card unlocking capabilities',
      spec: SPEC,
    },
    unLock,
  ),
  // Not repeatable: it starts the time again, and a wrong password counts each time.
  operation({
    id: 'storage.unlock.put',
    method: 'PUT',
    path: `${BASE}/unlock`,
    label: 'Unlock the storage card',
    spec: SPEC,
    request: unLock,
    capability: 'storage.unlock.capabilities.get',
    sensitive: true,
    idempotent: false,
  }),
  operation({
    id: 'storage.status.get',
    method: 'GET',
    path: BASE,
    label: 'Storage card status',
    spec: SPEC,
    response: storageDetection,
  }),
];
