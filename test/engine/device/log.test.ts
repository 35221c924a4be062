import { expect, it } from 'vitest';
import type { LogEntry } from '#engine/api.ts';
import { createLog } from '#engine/host/log.ts';

// Would catch: a field added by a careless caller, or text in the place of an id.
it('lets only known fields of the known form out', () => {
  const out: LogEntry[] = [];
  const careless = {
    level: 'info',
    event: 'exchange',
    device: 'd-1',
    operation: 'gate.status.get',
    ms: 1.6,
    http: 200,
    body: '<password>x</password>',
    authorization: 'Digest …',
  } as LogEntry;

  createLog((entry) => out.push(entry))(careless);
  createLog((entry) => out.push(entry))({
    level: 'error',
    event: 'what about admin:secret?',
    device: 'http://admin:secret@host/',
    code: 'a b',
    ms: Number.NaN,
  });
  createLog(undefined)(careless);

  expect(out).toEqual([
    { level: 'info', event: 'exchange', device: 'd-1', operation: 'gate.status.get', ms: 2, http: 200 },
    { level: 'error', event: 'event' },
  ]);
});
