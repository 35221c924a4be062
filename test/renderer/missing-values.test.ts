/** A sentence that lacks one of its values says so. Which values each takes is checked by the compiler (`common/labels/translate.ts`). */
import { describe, expect, it } from 'vitest';
import { createAppI18n } from '#renderer/app/i18n.ts';

describe('messages', () => {
  // Would catch: a gap in a sentence that no scan of the source can see.
  it('tell of a parameter that is missing, which fails the tests of the pages', () => {
    const complaints: string[] = [];
    const { t } = createAppI18n(({ message }) => complaints.push(message)).global;

    const texts = [
      t('job.version', { name: 'A' }),
      t('job.version', { name: 'A', n: 2 }),
      t('site.count', { n: 1 }),
      t('site.count', { n: 5000 }),
    ];

    expect(complaints).toEqual(['The message job.version lacks n.']);
    expect(texts.slice(1)).toEqual(['A, version 2', '1 device', '5,000 devices']);
  });
});
