/** Kinds of jobs by their names: those that are there, those loaded when one is met, and those of another version. */
import { describe, expect, it } from 'vitest';
import { jobKinds, type JobKind } from '#engine/jobs/job-kind.ts';
import { toErrorShape } from '#shared/errors.ts';

const kind = (name: string, interrupted: JobKind['interrupted'] = 'pending'): JobKind => {
  const none: object = {};
  return { ...(none as JobKind), name, interrupted };
};

describe('a kind of jobs', () => {
  // Would catch: a wing that every start loads, though it met no job of it.
  it('of a wing is loaded when a job of it is met, and no sooner', () => {
    const loaded: string[] = [];
    const here = kind('here');
    const wing = kind('wing', 'unknown');
    const kinds = jobKinds([
      here,
      { name: 'wing', interrupted: 'unknown', kind: () => (loaded.push('wing'), wing) },
    ]);

    expect(kinds.all.map(({ name, interrupted }) => [name, interrupted])).toEqual([
      ['here', 'pending'],
      ['wing', 'unknown'],
    ]);
    expect([kinds.of('here'), kinds.find('here')]).toEqual([here, here]);
    expect(loaded).toEqual([]);
    expect([kinds.of('wing'), kinds.find('wing')]).toEqual([wing, wing]);
  });

  // Would catch: work under way marked as pending, and so sent twice, because a wing is not what was said of it.
  it.each([kind('other', 'unknown'), kind('wing', 'pending')])('is what was said of it: $name', (found) => {
    const kinds = jobKinds([{ name: 'wing', interrupted: 'unknown', kind: () => found }]);
    expect(() => kinds.find('wing')).toThrow(
      `The kind wing is not what was said of it: ${found.name}, ${found.interrupted}`,
    );
  });

  it('that a newer version began is told by its name', () => {
    const kinds = jobKinds([kind('here')]);
    expect(kinds.find('later')).toBeUndefined();
    try {
      expect(kinds.of('later')).toBe('an error');
    } catch (error) {
      expect(toErrorShape(error)).toMatchObject({
        ...{ code: 'not-available', source: 'app' },
        detail: { id: 'unknown-job-kind', values: { name: 'later' } },
      });
    }
  });
});
