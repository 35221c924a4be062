import { describe, expect, it } from 'vitest';
import { placeAt, findSectionSet } from '#renderer/features/templates/code/place.ts';

/** `|` marks the cursor. */
function at(text: string) {
  const offset = text.indexOf('|');
  const place = placeAt(text.replace('|', ''), offset);
  return place === undefined
    ? undefined
    : { path: place.path.join('.'), kind: place.kind, word: place.word, siblings: place.siblings };
}
const HEAD = 'fieldwright: template/1\nname: x\nvariables:\n  channel: { type: integer }\nsections:\n';

describe('the place at the cursor', () => {
  it.each([
    [
      'a name at the outermost level',
      'fieldwright: template/1\nde|\nsections:\n',
      { path: '', kind: 'name', word: 'de', siblings: ['fieldwright', 'sections'] },
    ],
    [
      'a name of a section',
      `${HEAD}  - set: a.b\n    va|`,
      { path: 'sections.0', kind: 'name', word: 'va', siblings: ['set'] },
    ],
    [
      'the value of set',
      `${HEAD}  - set: the|`,
      { path: 'sections.0.set', kind: 'value', word: 'the', siblings: [] },
    ],
    [
      'the second section',
      `${HEAD}  - set: a.b\n    value:\n      x: 1\n  - set: c.d\n    value:\n      y|`,
      { path: 'sections.1.value', kind: 'name', word: 'y', siblings: [] },
    ],
    [
      'a new field below others',
      `${HEAD}  - set: a.b\n    value:\n      x: 1\n      |\n      z: 2\n`,
      { path: 'sections.0.value', kind: 'name', word: '', siblings: ['x', 'z'] },
    ],
    [
      'an empty value',
      `${HEAD}  - set: a.b\n    value:\n      mode: |`,
      { path: 'sections.0.value.mode', kind: 'value', word: '', siblings: [] },
    ],
    [
      'a value in quotes',
      `${HEAD}  - set: a.b\n    value:\n      mode: "cu|"`,
      { path: 'sections.0.value.mode', kind: 'value', word: '"cu"', siblings: [] },
    ],
    [
      'inside braces',
      `${HEAD}  - set: a.b\n    params: { channelID: 1, st| }`,
      { path: 'sections.0.params', kind: 'name', word: 'st', siblings: ['channelID'] },
    ],
    ['a value inside braces', `${HEAD}  - set: a.b\n    params: { channelID: \${ch| }`, undefined],
    [
      'inside braces in a list',
      `${HEAD}  - set: a.b\n    value:\n      List:\n        - { day: 1, range: { begin: "08:00", en| } }`,
      { path: 'sections.0.value.List.0.range', kind: 'name', word: 'en', siblings: ['begin'] },
    ],
    [
      'the second entry of a block list',
      `${HEAD}  - set: a.b\n    value:\n      List:\n        - day: 1\n        - day: 2\n          en|`,
      { path: 'sections.0.value.List.1', kind: 'name', word: 'en', siblings: ['day'] },
    ],
    [
      'a list below its name without more indentation',
      'sections:\n- set: a.b\n  va|',
      { path: 'sections.0', kind: 'name', word: 'va', siblings: ['set'] },
    ],
    [
      'a property of a variable',
      'variables:\n  channel:\n    type: in|\nsections:\n',
      { path: 'variables.channel.type', kind: 'value', word: 'in', siblings: [] },
    ],
  ])('%s', (_what, text, expected) => {
    if (expected === undefined) expect(at(text)?.kind).toBe('value');
    else expect(at(text)).toEqual(expected);
  });

  it('knows which section it is in, whatever comes first in it', () => {
    const text = `${HEAD}  - set: a.b\n    value: {}\n  - value:\n      x: 1\n    set: c.d\n`;

    expect(findSectionSet(text, text.indexOf('x: 1'))).toBe('c.d');
    expect(findSectionSet(text, text.indexOf('value: {}'))).toBe('a.b');
  });
});
