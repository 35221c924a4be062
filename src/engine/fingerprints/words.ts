/** Texts for the results of readers. */
import { defined } from '#shared/defined.ts';
import { detailOf, type Detail } from '#shared/details.ts';
import type { ReaderResult } from '#shared/fingerprints.ts';

/** Returns the text of a reader's result; `employeeNo`: the person whose fingerprint it is. */
export function wordsOf(result: Omit<ReaderResult, 'reader'>, employeeNo?: string): Detail {
  const { reason } = result;
  return { ...sentenceOf(result, employeeNo), ...defined({ reason }) };
}

function sentenceOf(
  { status, code, owner, differs = [], counted }: Omit<ReaderResult, 'reader'>,
  employeeNo: string | undefined,
): Detail {
  switch (status) {
    case 'exists':
      if (owner === undefined) return detailOf('print-exists-unnamed');
      return owner === employeeNo ? detailOf('print-exists-own') : detailOf('print-exists', { owner });
    case 'unknown-code':
      return detailOf('print-unknown-code', { code: code ?? '?' });
    case 'not-shown':
      return detailOf('print-not-shown', counted ?? { told: '?', shown: '?' });
    case 'differs':
      return differs.some(({ field }) => field === 'fingerData')
        ? detailOf('print-differs')
        : detailOf('print-differs-in', {
            differences: differs
              .map(({ field, asked = '–', shown = '–' }) => `${field} ${asked} → ${shown}`)
              .join('; '),
          });
    default:
      return detailOf(`print-${status}`);
  }
}
