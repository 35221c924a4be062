/** Results of sign-in tests as a table, with the reasons of those that failed. */
import { describeSignIns } from '#shared/job-outcome.ts';
import type { DeviceTest } from '#shared/model.ts';
import { formatError } from './errors.ts';
import { formatKinds } from './names.ts';
import type { Output, StateOf } from './output.ts';

/** State of the sign-in that an error proves; after any other error it is unknown. */
const SIGN_IN_STATES: Readonly<Record<string, StateOf<'signIn'>>> = {
  'sign-in-failed': 'failed',
  'sign-in-paused': 'failed',
  'sign-in-required': 'needed',
  'basic-refused': 'needed',
  'certificate-changed': 'certificate-changed',
  'certificate-untrusted': 'certificate',
};

export function printTests(out: Output, results: readonly DeviceTest[]): void {
  out.table(results, {
    NAME: { value: 'name', flexible: true },
    ADDRESS: 'url',
    'SIGN-IN': {
      value: ({ ok, error }) =>
        out.status('signIn', ok ? 'ok' : (SIGN_IN_STATES[error?.code ?? ''] ?? 'unknown')),
      paint: ({ ok }) => (ok ? 'good' : 'bad'),
    },
    SCHEME: 'scheme',
    KIND: ({ kinds }) => formatKinds(out, kinds) || '—',
    REQUESTS: 'requests',
  });
  for (const { name, error } of results)
    if (error)
      for (const line of formatError({ ...error, device: error.device ?? name }, out)) out.note(line);
  for (const sentence of describeSignIns(results)) out.line(out.sentence(sentence));
}
