import { accessHostHandlers } from '../areas/access/host.ts';
import { accessRecordHandlers } from '../areas/access/records.ts';
import { controllerHandlers } from '../areas/access/controllers.ts';
import { fingerprintHandlers } from '../areas/people/fingerprints.ts';
import { gateHandlers } from '../areas/access/gate.ts';
import { systemHandlers } from '../areas/system.ts';
import { userHandlers } from '../areas/people/users.ts';
import type { Kind } from './kind.ts';

/** Access control host of a passage gate, with fingerprint readers 1 and 2. */
export const gate: Kind = {
  channels: { standard: 1, compact: 1, dual: 1 },
  handlers: {
    ...systemHandlers,
    ...accessRecordHandlers,
    ...userHandlers,
    ...fingerprintHandlers,
    ...accessHostHandlers,
    ...controllerHandlers,
    ...gateHandlers,
  },
  facts: {
    title: 'Gate',
    places: [
      'Main lobby',
      'North entrance',
      'Staff entrance',
      'Car park level 1',
      'Canteen',
      'East wing',
      'Visitor centre',
    ],
    hasPicture: false,
    isRecorder: false,
    proxies: 0,
    networkDisks: 0,
    diskGroups: 0,
  },
};
