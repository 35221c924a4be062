/** Kinds of jobs by their names: those that are there, those loaded when one is met, and those of another version. */
import { describe, expect, it } from 'vitest';
import { createJobKinds, type JobKind } from '#engine/jobs/job-kind.ts';
import { toErrorShape } from '#shared/errors.ts';

const kind = (name: string, interrupted: JobKind['interrupted'] = 'pending'): JobKind => {
  const none: object = {};
  return { ...(none as JobKind), name, interrupted };
};

describe('a kind of jobs', () => {
  // Would catch: a area that every start loads, though it met no job of it.
  it('of a area is loaded when a job of it is met, and no sooner', () => {
    const loaded: string[] = [];
    const here = kind('here');
    const area = kind('area', 'unknown');
    const kinds = createJobKinds([
      here,
      { name: 'area', interrupted: 'unknown', kind: () => (loaded.push('area'), area) },
    ]);

    expect(kinds.all.map(({ name, interrupted }) => [name, interrupted])).toEqual([
      ['here', 'pending'],
      ['area', 'unknown'],
    ]);
    expect([kinds.of('here'), kinds.find('here')]).toEqual([here, here]);
    expect(loaded).toEqual([]);
    expect([kinds.of('area'), kinds.find('area')]).toEqual([area, area]);
  });

  // Would catch: work under way marked as pending, and so sent twice, because a area is not what was said of it.
  it.each([kind('other', 'unknown'), kind('area', 'pending')])('is what was said of it: $name', (found) => {
    const kinds = createJobKinds([{ name: 'area', interrupted: 'unknown', kind: () => found }]);
    expect(() => kinds.find('area')).toThrow(
      `The kind area is not what was said of it: ${found.name}, ${found.interrupted}`,
    );
  });

  it('that a newer version began is told by its name', () => {
    const kinds = createJobKinds([kind('here')]);
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
