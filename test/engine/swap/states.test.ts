/** Saved states by themselves: which one an id means, what it is called, and that the newest comes first. */
import { afterEach, describe, expect, it } from 'vitest';
import { createStateRows } from '#engine/swap/state-rows.ts';
import { openStore } from '#engine/store/index.ts';
import type { SavedState } from '#shared/history.ts';

const store = openStore(':memory:', { clock: { now: () => new Date(0), delay: () => Promise.resolve() } });
const rows = createStateRows(store);
afterEach(() => rows.list().forEach(({ id }) => rows.remove({ id })));

function save(id: string, at = '2030-01-01T00:00:00.000Z'): SavedState {
  const state: SavedState = {
    id,
    name: `N ${id}`,
    deviceId: 'd-1',
    deviceName: 'Door',
    url: 'http://10.0.0.1',
    kinds: ['thermal'],
    at,
    by: 'installer',
    sections: 3,
  };
  rows.save(state, { text: `text of ${id}`, values: { a: 1 }, sections: [] });
  return state;
}

describe('a saved state', () => {
  it('comes back as it was', () => {
    const state = save('s-1');

    expect(rows.read('s-1')).toEqual({
      state,
      body: { text: 'text of s-1', values: { a: 1 }, sections: [] },
    });
    expect(rows.list()).toEqual([state]);
  });

  it('the newest comes first, the last saved of one moment too', () => {
    save('s-a', '2030-01-01T00:00:00.000Z');
    save('s-b', '2030-01-02T00:00:00.000Z');
    save('s-c', '2030-01-01T00:00:00.000Z');

    expect(rows.list().map(({ id }) => id)).toEqual(['s-b', 's-c', 's-a']);
  });

  it.each([
    ['its id', 's-12', 's-12'],
    ['the beginning that only it has', 's-9', 's-98'],
    ['its id, which is the beginning of another', 's-1', 's-1'],
  ])('is meant by %s', (_what, asked, id) => {
    for (const each of ['s-1', 's-12', 's-98']) save(each);

    expect(rows.read(asked).state.id).toBe(id);
  });

  // Would catch: a state of one door written to another because a few letters were typed.
  it.each([
    ['the beginning of several', 's-', 'saved-states'],
    ['nothing', '', 'saved-states'],
    ['nothing that is there', 's-7', 'no-saved-state'],
    ['a pattern', 's-%', 'no-saved-state'],
  ])('is not meant by %s', (_what, asked, id) => {
    for (const each of ['s-1', 's-12', 's-98']) save(each);

    expect(() => rows.read(asked)).toThrow(
      expect.objectContaining({
        shape: expect.objectContaining({
          code: 'not-found',
          detail: { id, values: { id: asked } },
        }) as unknown,
      }) as Error,
    );
  });

  it('is not meant by nothing, where it is the only one', () => {
    save('s-1');

    expect(() => rows.read('')).toThrow(expect.objectContaining({ code: 'not-found' }) as Error);
  });

  it('is forgotten on request, and nothing else is', () => {
    for (const each of ['s-1', 's-12']) save(each);

    expect([rows.remove({ id: 's-1' }), rows.remove({ id: 's-1' })]).toEqual([
      { removed: true },
      { removed: false },
    ]);
    expect(rows.list().map(({ id }) => id)).toEqual(['s-12']);
  });
});
