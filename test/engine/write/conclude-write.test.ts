/** The one table of what a write became: what its request came to × whether it had been sent before × what the device shows. */
import { describe, expect, it } from 'vitest';
import { concludeWrite, type Looked } from '#engine/write/settle-write.ts';
import type { Sent } from '#engine/write/sent.ts';
import type { ErrorCode, ErrorShape } from '#shared/errors.ts';

const error = (code: ErrorCode): ErrorShape => ({ code, source: 'device', message: code });
const status = { http: 200 };
const answer = undefined as never;

const SENT: Readonly<Record<string, Sent>> = {
  yes: { kind: 'yes', status, answer },
  restart: { kind: 'restart', status, answer },
  no: { kind: 'no', status, error: error('invalid-content') },
  busy: { kind: 'busy', status, error: error('device-busy') },
  lost: { kind: 'unclear', error: error('connection-lost') },
  unreadable: { kind: 'unclear', status, error: error('malformed-answer') },
  redirect: { kind: 'unclear', error: error('refused') },
  'not sent': { kind: 'not-sent', error: error('unreachable') },
};
const SEEN: Readonly<Record<string, Looked | undefined>> = {
  taken: { kind: 'taken', shown: 'x' },
  unproved: { kind: 'unproved', shown: 'x' },
  untouched: { kind: 'untouched', shown: 'x' },
  differs: { kind: 'differs', shown: 'x' },
  hidden: { kind: 'hidden' },
  gone: { kind: 'lost', error: error('unreachable') },
  'not looked': undefined,
};

// Would catch: any kind of work that concludes otherwise than the others from the same answer and the same look.
const TABLE: Readonly<Record<string, readonly string[]>> = {
  //            taken       unproved    untouched  differs    hidden      gone        not looked
  yes: ['effective', 'accepted', 'ignored', 'ignored', 'accepted', 'unknown', 'accepted'],
  restart: [
    'needs-reboot',
    'needs-reboot',
    'needs-reboot',
    'needs-reboot',
    'needs-reboot',
    'needs-reboot',
    'needs-reboot',
  ],
  no: ['effective', 'accepted', 'refused', 'ignored', 'refused', 'refused', 'refused'],
  busy: ['refused', 'refused', 'refused', 'refused', 'refused', 'refused', 'refused'],
  lost: ['effective', 'unknown', 'ignored', 'ignored', 'unknown', 'unknown', 'unknown'],
  unreadable: ['effective', 'unknown', 'ignored', 'ignored', 'unknown', 'unknown', 'unknown'],
  redirect: ['effective', 'unknown', 'refused', 'ignored', 'unknown', 'unknown', 'unknown'],
  'not sent': ['failed', 'failed', 'failed', 'failed', 'failed', 'failed', 'failed'],
};
/** Outcomes that differ if an earlier attempt may still arrive. */
const SENT_BEFORE: Readonly<Record<string, readonly string[]>> = {
  ...TABLE,
  busy: ['effective', 'unknown', 'unknown', 'unknown', 'unknown', 'unknown', 'unknown'],
  'not sent': ['unknown', 'unknown', 'unknown', 'unknown', 'unknown', 'unknown', 'unknown'],
};

describe.each([
  ['for the first time', false, TABLE],
  ['again, after an earlier attempt', true, SENT_BEFORE],
] as const)('a write sent %s', (_name, sentBefore, table) => {
  const rows = Object.entries(table).flatMap(([sent, outcomes]) =>
    Object.keys(SEEN).map((seen, at) => [sent, seen, outcomes[at] ?? ''] as const),
  );

  it.each(rows)('%s, and the device shows: %s', (sent, seen, outcome) => {
    const concluded = concludeWrite(SENT[sent] as Sent, SEEN[seen], sentBefore);

    expect(concluded.outcome).toBe(outcome);
  });

  // Would catch: a result that is neither good nor says why.
  it.each(rows)('%s and %s says why where it is not as asked', (sent, seen, outcome) => {
    const { error: why, after } = concludeWrite(SENT[sent] as Sent, SEEN[seen], sentBefore);

    if (outcome === 'ignored') expect(after).toBeDefined();
    else if (['effective', 'accepted', 'needs-reboot'].includes(outcome)) expect(why).toBeUndefined();
    else expect(why).toBeDefined();
  });
});

describe('a device that cannot be worked on any further', () => {
  // Would catch: section after section sent to a device that is unreachable, each waiting for its deadline.
  it.each([
    ['yes', 'gone', 'unreachable'],
    ['lost', 'gone', 'unreachable'],
    ['not sent', 'not looked', 'unreachable'],
    ['no', 'untouched', undefined],
  ] as const)('%s, %s: stops with %s', (sent, seen, code) => {
    expect(concludeWrite(SENT[sent] as Sent, SEEN[seen], false).stop?.code).toBe(code);
  });
});
