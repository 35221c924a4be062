/** Reports as tests make them. */
import type { DeviceReading } from '#engine/reports/reading.ts';
import type { Subject } from '#engine/reports/document.ts';
import type { Engine } from '#engine/index.ts';
import type { ReportRequest } from '#shared/contract/reports.ts';
import type { GatherEvent } from '#shared/reports.ts';
import { never } from '../site-engine.ts';

export async function gatherAll(
  engine: Engine,
  deviceIds: readonly string[],
  signal: AbortSignal = never,
): Promise<readonly GatherEvent[]> {
  const events: GatherEvent[] = [];
  for await (const event of engine.reports.gather({ deviceIds }, signal)) events.push(event);
  return events;
}

export async function bytesOf(engine: Engine, request: ReportRequest): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  const { parts: made } = await engine.reports.file(request);
  for await (const part of made) parts.push(part);
  return Buffer.concat(parts);
}

/** A device that was read, with whatever names and values a test wants. */
export function subjectOf(reading: Partial<DeviceReading> = {}, extra: Partial<Subject> = {}): Subject {
  const { deviceId = 'd-1', name = 'Camera', url = 'http://10.0.0.1' } = reading;
  return {
    id: deviceId,
    name,
    url,
    tags: [],
    known: {
      reading: {
        deviceId,
        name,
        url,
        kinds: ['thermal'],
        at: '2026-03-01T08:00:00.000Z',
        flags: [],
        limits: [],
        onlyWhenAskedForAll: [],
        answers: [],
        ...reading,
      },
    },
    ...extra,
  };
}

export const CONTEXT = {
  clock: { now: () => new Date('2026-03-02T08:00:00Z'), delay: () => Promise.resolve() },
  user: 'installer',
  version: '0.0.0',
};
