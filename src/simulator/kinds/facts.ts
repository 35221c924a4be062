/** Names of the virtual devices of each kind, and the contents of their system report. */
import type { DeviceKind } from '#shared/model.ts';

interface KindFacts {
  /** Title before the number in its name. */
  readonly title: string;
  /** Locations of such devices in a building, assigned in turn. */
  readonly places: readonly [string, ...string[]];
  /** It has a picture: preview, motion detection, a storage card that can be locked. */
  readonly hasPicture: boolean;
  /** It records others: passback, its disks' own events. */
  readonly isRecorder: boolean;
  readonly proxies: number;
  readonly networkDisks: number;
  readonly diskGroups: number;
}

export const FACTS = {
  gate: {
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
  thermal: {
    title: 'Thermal',
    places: [
      'Switch room',
      'Entrance lane 1',
      'Loading dock',
      'Boiler house',
      'Battery store',
      'Entrance lane 2',
      'Transformer yard',
    ],
    hasPicture: true,
    isRecorder: false,
    proxies: 0,
    networkDisks: 8,
    diskGroups: 1,
  },
  ai: {
    title: 'Analyzer',
    places: ['Control room', 'Warehouse A', 'Assembly hall', 'Perimeter south', 'Gatehouse'],
    hasPicture: true,
    isRecorder: false,
    proxies: 16,
    networkDisks: 8,
    diskGroups: 4,
  },
  counter: {
    title: 'Counter',
    places: ['Main lobby', 'Shop floor', 'Escalator west', 'Library', 'Bus bay 3'],
    hasPicture: true,
    isRecorder: false,
    proxies: 0,
    networkDisks: 8,
    diskGroups: 1,
  },
  recorder: {
    title: 'Recorder',
    places: ['Rack 1', 'Rack 2', 'Security office', 'Branch office', 'Archive'],
    hasPicture: true,
    isRecorder: true,
    proxies: 32,
    networkDisks: 16,
    diskGroups: 16,
  },
} as const satisfies Record<DeviceKind, KindFacts>;
