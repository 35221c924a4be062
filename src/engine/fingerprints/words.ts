/** Texts for the results of readers. */
import { removeUndefined } from '#shared/remove-undefined.ts';
import { createDetail, type Detail } from '#shared/details.ts';
import type { ReaderResult } from '#shared/people/fingerprints.ts';

/** Returns the text of a reader's result; `employeeNo`: the person whose fingerprint it is. */
export function describeReaderResult(result: Omit<ReaderResult, 'reader'>, employeeNo?: string): Detail {
  const { reason } = result;
  return { ...sentenceOf(result, employeeNo), ...removeUndefined({ reason }) };
}

function sentenceOf(
  { status, code, owner, differs = [], counted }: Omit<ReaderResult, 'reader'>,
  employeeNo: string | undefined,
): Detail {
  switch (status) {
    case 'exists':
      if (owner === undefined) return createDetail('print-exists-unnamed');
      return owner === employeeNo
        ? createDetail('print-exists-own')
        : createDetail('print-exists', { owner });
    case 'unknown-code':
      return createDetail('print-unknown-code', { code: code ?? '?' });
    case 'not-shown':
      return createDetail('print-not-shown', counted ?? { told: '?', shown: '?' });
    case 'differs':
      return differs.some(({ field }) => field === 'fingerData')
        ? createDetail('print-differs')
        : createDetail('print-differs-in', {
            differences: differs
              .map(({ field, asked = '–', shown = '–' }) => `${field} ${asked} → ${shown}`)
              .join('; '),
          });
    default:
      return createDetail(`print-${status}`);
  }
}
