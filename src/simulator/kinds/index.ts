/** The kinds of virtual devices (the command line's contract, "The virtual site"). */
import type { DeviceKind } from '#shared/model.ts';
import { ai } from './ai.ts';
import { counter } from './counter.ts';
import { gate } from './gate.ts';
import type { Kind } from './kind.ts';
import { recorder } from './recorder.ts';
import { thermal } from './thermal.ts';

export const KINDS: Readonly<Record<DeviceKind, Kind>> = { gate, thermal, ai, counter, recorder };
