/** What the result of a reader means, in words. */
import { detailOf, type Detail } from '../../../shared/details.ts';
import type { ReaderResult } from '../../../shared/prints.ts';

export function wordsOf({ reason, ...result }: Omit<ReaderResult, 'reader'>): Detail {
  const words = meaningOf(result);
  return reason === undefined ? words : { ...words, reason };
}

function meaningOf({ status, code, owner }: Omit<ReaderResult, 'reader' | 'reason'>): Detail {
  if (status === 'exists')
    return owner === undefined ? detailOf('print-exists-unnamed') : detailOf('print-exists', { owner });
  if (status === 'unknown-code') return detailOf('print-unknown-code', { code: code ?? '?' });
  return detailOf(`print-${status}`);
}
