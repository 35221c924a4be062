/** Captures for tests: to their end, and as sections by name. */
import type { CaptureEvent } from '#shared/template/authoring.ts';
import type { CaptureRequest, Engine } from '#engine/index.ts';

export type Captured = Extract<CaptureEvent, { type: 'template' }>;

export async function captureEvents(
  engine: Engine,
  request: CaptureRequest,
  signal: AbortSignal = new AbortController().signal,
): Promise<readonly CaptureEvent[]> {
  const events: CaptureEvent[] = [];
  for await (const event of engine.templates.capture(request, signal)) events.push(event);
  return events;
}

export async function capture(engine: Engine, request: CaptureRequest): Promise<Captured> {
  const last = (await captureEvents(engine, request)).at(-1);
  if (last?.type !== 'template') throw new Error('no template came');
  return last;
}
