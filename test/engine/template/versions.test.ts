/** Versions of own templates, and what differs between two texts. */
import { describe, expect, it } from 'vitest';
import { systemClock } from '#engine/host/clock.ts';
import { openStore, type Store } from '#engine/store/index.ts';
import { compareTemplates } from '#engine/template/compare.ts';
import { createTemplates } from '#engine/template/templates.ts';
import { hashTemplate } from '#engine/template/versions.ts';

const text = (value: string, name = 'Mine'): string =>
  `fieldwright: template/1\nname: ${name}\nsections: [{ set: accessControl.hostConfig, value: { ${value} } }]\n`;
const A = text('voicePrompt: true');
const B = text('voicePrompt: false');

function open(store: Store = openStore(':memory:', { clock: systemClock }), user = 'ana') {
  return createTemplates({ store, resourcesDir: '/nowhere', clock: systemClock, user });
}
const code = (expected: string) =>
  expect.objectContaining({ shape: expect.objectContaining({ code: expected }) });

describe('saving a template', () => {
  it('keeps every version with who, when and why', () => {
    const templates = open();

    const { id, version } = templates.save({ text: A });
    const second = templates.save({ id, text: B, note: 'quiet at night', baseVersion: 1 });

    expect([version, second.version]).toEqual([1, 2]);
    expect(templates.versions({ id })).toMatchObject([
      { version: 2, by: 'ana', note: 'quiet at night', hash: hashTemplate(B) },
      { version: 1, by: 'ana', hash: hashTemplate(A) },
    ]);
    expect(templates.version({ id, version: 1 }).text).toBe(A);
    expect(templates.list()).toMatchObject([{ id, text: B, version: 2, savedAt: second.savedAt }]);
  });

  it('makes no version of a text that did not change', () => {
    const templates = open();
    const { id } = templates.save({ text: A });

    templates.save({ id, text: A, note: 'again' });

    expect(templates.versions({ id })).toHaveLength(1);
  });

  it('does not overwrite what somebody else saved since', () => {
    const store = openStore(':memory:', { clock: systemClock });
    const { id } = open(store).save({ text: A });
    open(store, 'ben').save({ id, text: B, baseVersion: 1 });

    expect(() => open(store).save({ id, text: text('showName: true'), baseVersion: 1 })).toThrow(
      code('changed-meanwhile'),
    );
    expect(() => open(store).save({ id, text: B, baseVersion: 1 })).toThrow(code('changed-meanwhile'));
    expect(open(store).save({ id, text: B, baseVersion: 2 })).toMatchObject({ version: 2 });
    expect(open(store).save({ id, text: A }).version).toBe(3);
  });

  it('tells which version a text is: the latest where it was saved more than once', () => {
    const templates = open();
    const { id } = templates.save({ text: A });
    templates.save({ id, text: B });
    templates.save({ id, text: A });

    expect(templates.findVersionByHash(hashTemplate(A))).toEqual({ id, version: 3 });
    expect(templates.findVersionByHash(hashTemplate(B))).toEqual({ id, version: 2 });
    expect(templates.findVersionByHash(hashTemplate('x'))).toBeUndefined();
  });

  it('is gone with all its versions once it is removed', () => {
    const templates = open();
    const { id } = templates.save({ text: A });

    expect([
      templates.remove({ id }),
      templates.remove({ id }),
      templates.remove({ id: 'bundled:site-basics' }),
    ]).toEqual([{ removed: true }, { removed: false }, { removed: false }]);
    expect(() => templates.versions({ id })).toThrow(code('not-found'));
    expect(templates.findVersionByHash(hashTemplate(A))).toBeUndefined();
  });

  it('says which version there is not', () => {
    const templates = open();
    const { id } = templates.save({ text: A });

    expect(() => templates.version({ id, version: 7 })).toThrow(code('not-found'));
    expect(() => templates.versions({ id: 'nothing' })).toThrow(code('not-found'));
  });
});

describe('the comparison of two templates', () => {
  const template = (rest: string): string => `fieldwright: template/1\nname: T\n${rest}`;
  const BASIC = 'set: thermal.thermometryBasic';

  it('speaks of settings by their labels, old beside new', () => {
    const { sections, variables, other } = compareTemplates(A, B);

    expect(sections).toEqual([
      {
        set: 'accessControl.hostConfig',
        label: 'Terminal settings',
        params: {},
        state: 'changed',
        changes: [{ path: 'voicePrompt', label: 'Voice prompts', from: true, to: false }],
      },
    ]);
    expect([variables, other]).toEqual([[], []]);
  });

  it('finds sections that came, went or moved to another channel, and optional ones', () => {
    const before = template(
      `sections: [{ ${BASIC}, params: { channelID: 1 }, value: { distance: 2 } }, { set: accessControl.hostConfig, value: { voicePrompt: true } }]`,
    );
    const after = template(
      `sections: [{ ${BASIC}, params: { channelID: 2 }, optional: true, value: { distance: 3 } }, { set: storage.rwLock, value: { enabled: false } }]`,
    );

    const { sections } = compareTemplates(before, after);

    expect(sections.map(({ set, state }) => [set, state])).toEqual([
      ['thermal.thermometryBasic', 'changed'],
      ['storage.rwLock', 'added'],
      ['accessControl.hostConfig', 'removed'],
    ]);
    expect(sections[0]?.changes).toEqual([
      { path: 'params.channelID', label: 'Channel', from: 1, to: 2 },
      { path: 'optional', label: 'Optional', from: false, to: true },
      { path: 'distance', label: 'Distance', from: 2, to: 3 },
    ]);
    expect(sections[2]?.changes).toEqual([{ path: 'voicePrompt', label: 'Voice prompts', from: true }]);
  });

  it('tells removing a setting on the device from not naming it, and variables from values', () => {
    const before = template(
      `variables: { d: { type: integer, min: 1 } }\nsections: [{ ${BASIC}, params: { channelID: 1 }, value: { distance: "\${d}", alert: 3 } }]`,
    );
    const after = template(
      `variables: { d: { type: integer, min: 2 } }\nsections: [{ ${BASIC}, params: { channelID: 1 }, value: { distance: "\${d}", TemperatureColor: null } }]`,
    );

    const { sections, variables } = compareTemplates(before, after);

    expect(sections[0]?.changes).toEqual([
      { path: 'TemperatureColor', label: 'Temperature colors', to: null },
      { path: 'alert', label: 'Pre-alarm temperature', from: 3 },
    ]);
    expect(variables).toEqual([
      {
        name: 'd',
        state: 'changed',
        before: { name: 'd', type: 'integer', min: 1, required: true },
        after: { name: 'd', type: 'integer', min: 2, required: true },
      },
    ]);
  });

  it('sees name, kinds and the order in which is written', () => {
    const sections = [
      '{ set: accessControl.hostConfig, value: { voicePrompt: true } }',
      '{ set: events.hdBadBlockTrigger, value: { eventDescription: x } }',
    ];
    const before = template(`sections: [${sections.join(', ')}]`);
    const after = `fieldwright: template/1\nname: U\nappliesTo: { kinds: [gate] }\nsections: [${[...sections].reverse().join(', ')}]`;

    expect(compareTemplates(before, after).other).toEqual([
      { path: 'name', before: 'T', after: 'U' },
      { path: 'appliesTo.kinds', before: [], after: ['gate'] },
      {
        path: 'sections',
        before: ['accessControl.hostConfig', 'events.hdBadBlockTrigger'],
        after: ['events.hdBadBlockTrigger', 'accessControl.hostConfig'],
      },
    ]);
  });

  it('takes a text with errors in it, and refuses one that cannot be read', () => {
    expect(compareTemplates(A, text('voicePrompt: 7')).sections[0]?.state).toBe('changed');
    expect(() => compareTemplates(A, 'a: [')).toThrow(code('invalid-template'));
  });
});
