/** What devices of a building site are called. */
import type { DeviceKind } from '../shared/model.ts';
import { createRandom, deriveSeed, pickPassword } from './random.ts';

const TITLES: Readonly<Record<DeviceKind, string>> = {
  gate: 'Gate',
  thermal: 'Thermal',
  ai: 'Analyzer',
  counter: 'Counter',
  recorder: 'Recorder',
};

const PLACES: Readonly<Record<DeviceKind, readonly string[]>> = {
  gate: [
    'Main lobby',
    'North entrance',
    'Staff entrance',
    'Car park level 1',
    'Canteen',
    'East wing',
    'Visitor centre',
  ],
  thermal: [
    'Switch room',
    'Entrance lane 1',
    'Loading dock',
    'Boiler house',
    'Battery store',
    'Entrance lane 2',
    'Transformer yard',
  ],
  ai: ['Control room', 'Warehouse A', 'Assembly hall', 'Perimeter south', 'Gatehouse'],
  counter: ['Main lobby', 'Shop floor', 'Escalator west', 'Library', 'Bus bay 3'],
  recorder: ['Rack 1', 'Rack 2', 'Security office', 'Branch office', 'Archive'],
};

/** `Gate 01 Main lobby`; numbers run over the whole site. */
export function deviceName(kind: DeviceKind, index: number): string {
  const places = PLACES[kind];
  return `${TITLES[kind]} ${String(index + 1).padStart(2, '0')} ${places[Math.floor(index / 2) % places.length] ?? ''}`.trim();
}

export function devicePassword(seed: number, index: number): string {
  return pickPassword(createRandom(deriveSeed(seed, 'password', index)));
}
