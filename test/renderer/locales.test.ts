import { describe, expect, it } from 'vitest';
import { ERROR_CODES } from '#shared/errors.ts';
import { JOB_KINDS } from '#shared/model.ts';
import { listStatusValues } from '#renderer/common/status/status-labels.ts';
import { REPORT_KINDS } from '#renderer/features/reports/report-kinds.ts';
import { messagesOf } from './messages.ts';

const english = messagesOf('en');
const sources = Object.values(
  import.meta.glob<string>('../../src/renderer/**/*.{vue,ts}', {
    eager: true,
    query: '?raw',
    import: 'default',
  }),
).join('\n');

/** Keys in the source: whole ones in quotes, and the fixed beginnings of composed ones. */
const whole = new Set(
  [...sources.matchAll(/['`]([a-z][A-Za-z]*(?:\.[A-Za-z-]+)+)['`]/g)].map((match) => match[1] ?? ''),
);
const composed = [...sources.matchAll(/`([a-z][A-Za-z]*(?:\.[A-Za-z-]+)*\.)\$\{[^`]+\}([A-Za-z.]*)`/g)].map(
  (match) => ({ start: match[1] ?? '', end: match[2] ?? '' }),
);

describe('locales', () => {
  it('hold no key that nothing asks for', () => {
    const isUsed = (key: string): boolean =>
      whole.has(key) || composed.some(({ start, end }) => key.startsWith(start) && key.endsWith(end));

    expect([...english.keys()].filter((key) => !isUsed(key))).toEqual([]);
  });

  it('have words for every error code, every state, every kind of long work and every report', () => {
    const needed = [
      ...JOB_KINDS.map((kind) => `job.kinds.${kind}`),
      ...Object.keys(REPORT_KINDS).flatMap((kind) => [`reports.kinds.${kind}`, `reports.about.${kind}`]),
      ...ERROR_CODES.flatMap((code) => [`error.${code}.title`, `error.${code}.why`, `error.${code}.try`]),
      ...(['answer', 'reach', 'signIn', 'plan', 'outcome', 'job'] as const).flatMap((family) =>
        listStatusValues(family).map((value) => `status.${family}.${value}`),
      ),
    ];

    expect(needed.filter((key) => !english.has(key))).toEqual([]);
  });
});
