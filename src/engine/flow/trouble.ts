/** What stands in the way of a step, in the words of whoever stands before the device, and what each way on means. */
import type { DetailId } from '../../shared/details.ts';
import type { ErrorCode, ErrorShape } from '../../shared/errors.ts';
import type { DocumentText } from '../../shared/report.ts';

type TroubleId = Extract<DetailId, `flow-trouble-${string}`>;

const BY_CODE: Partial<Record<ErrorCode, TroubleId>> = {
  unreachable: 'flow-trouble-away',
  'connection-refused': 'flow-trouble-away',
  'connection-lost': 'flow-trouble-away',
  timeout: 'flow-trouble-away',
  'sign-in-failed': 'flow-trouble-sign-in',
  'sign-in-required': 'flow-trouble-sign-in',
  'sign-in-paused': 'flow-trouble-sign-in',
  'account-locked': 'flow-trouble-sign-in',
  'basic-refused': 'flow-trouble-sign-in',
  'certificate-changed': 'flow-trouble-other',
  'certificate-untrusted': 'flow-trouble-other',
  'unknown-device': 'flow-trouble-other',
  refused: 'flow-trouble-refused',
  'no-permission': 'flow-trouble-refused',
  'not-supported': 'flow-trouble-refused',
  'invalid-content': 'flow-trouble-refused',
  'invalid-operation': 'flow-trouble-refused',
  'device-error': 'flow-trouble-refused',
  'plan-outdated': 'flow-trouble-changed',
  'vault-locked': 'flow-trouble-vault',
};

/** `mayHaveSent`: something of this step is on its way, and nobody knows whether it arrived. */
export function troubleText({ code }: ErrorShape, mayHaveSent: boolean): readonly DocumentText[] {
  const id = BY_CODE[code];
  return [
    ...(id === undefined ? [] : [{ id }]),
    { id: mayHaveSent ? 'flow-trouble-open' : 'flow-trouble-kept' },
  ];
}
