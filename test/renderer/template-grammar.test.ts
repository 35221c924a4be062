/** One table of the format: what the editor offers, what the check takes, what the schema says, which words there are. */
import { describe, expect, it } from 'vitest';
import { parseTemplate } from '#engine/template/parse-template.ts';
import { buildTemplateSchema } from '#engine/template/json-schema.ts';
import { listPossibleAt } from '#renderer/features/templates/code/definitions.ts';
import { getValueAt } from '#protocol/index.ts';
import { GRAMMAR, listGrammarMembers, listMemberNames, type Block } from '#template/grammar.ts';
import en from '../../resources/locales/en/screen-templates.json';
import zh from '../../resources/locales/zh-CN/screen-templates.json';

const BLOCKS = Object.keys(GRAMMAR) as Block[];
const PLACES: Readonly<Record<Block, readonly (string | number)[]>> = {
  top: [],
  appliesTo: ['appliesTo'],
  variable: ['variables', 'channel'],
  section: ['sections', 0],
  listChange: ['sections', 0, 'change', 'TimeBlockList'],
  changedItem: ['sections', 0, 'change', 'TimeBlockList', 'items', 0],
};
/** Section in which the places are. */
const SET = 'events.thermometrySchedule';

/** A template with one name more in a block. */
function templateWith(block: Block, name: string): string {
  const more = `${name}: 1`;
  return [
    'fieldwright: template/1',
    'name: x',
    ...(block === 'top' ? [more] : []),
    `appliesTo: { kinds: [gate]${block === 'appliesTo' ? `, ${more}` : ''} }`,
    `variables: { v: { type: boolean, description: y${block === 'variable' ? `, ${more}` : ''} } }`,
    'sections:',
    `  - set: ${SET}`,
    '    params: { channelID: 1 }',
    '    change:',
    '      TimeBlockList:',
    ...(block === 'listChange' ? [`        ${more}`] : []),
    `        items: [{ dayOfWeek: 1${block === 'changedItem' ? `, ${more}` : ''} }]`,
    `  - set: accessControl.hostConfig`,
    '    value: { voicePrompt: ${v} }',
    ...(block === 'section' ? [`    ${more}`] : []),
  ].join('\n');
}
function unknown(block: Block, name: string): number {
  return parseTemplate(templateWith(block, name)).errors.filter(({ code }) => code === 'unknown-field')
    .length;
}

/** Members of a block in the JSON Schema. */
function describedIn(schema: unknown, block: Block): object {
  const at = (path: string): unknown => getValueAt(schema, path);
  const list = `["$defs"]["change.${SET}"].properties.TimeBlockList.properties`;
  const found =
    block === 'top'
      ? at('properties')
      : block === 'listChange'
        ? at(list)
        : block === 'changedItem'
          ? at(`${list}.items.items.properties`)
          : (at(`["$defs"].${block}.properties`) ?? at(`properties.${block}.properties`));
  return found ?? {};
}

describe.each(BLOCKS)('names of a template: %s', (block) => {
  // Would catch: a name that the check takes and the editor does not offer, or the reverse.
  it('are offered, understood, in the schema, and have words in both languages', () => {
    const described = Object.keys(describedIn(buildTemplateSchema(), block));
    const offered = listPossibleAt(PLACES[block], SET).names.map(({ text }) => text);
    // The fields of the item stand before.
    const own = (names: readonly string[]) => (block === 'changedItem' ? names.slice(-1) : names);

    expect(own(offered)).toEqual(listMemberNames(block));
    expect(own(described)).toEqual(listMemberNames(block, { isAlias: true }));
    for (const name of listMemberNames(block)) {
      expect(Object.keys(en.templates.member[block])).toContain(name);
      expect(Object.keys(zh.templates.member[block])).toContain(name);
    }
    // A name that is given already would be given twice.
    for (const name of listMemberNames(block, { isAlias: true }).filter(
      (one) => !templateWith(block, 'q').includes(`${one}:`),
    ))
      expect([name, unknown(block, name)]).toEqual([name, 0]);
    expect(unknown(block, 'qqq')).toBe(1);
  });
});

describe('values of the format', () => {
  it('and those of an item of a list that is changed in part are offered', () => {
    const day = [...PLACES.changedItem, 'dayOfWeek'];

    expect(listPossibleAt(day, SET).values.length).toBeGreaterThan(6);
    expect(listPossibleAt(['sections', 0, 'change'], SET).names.map(({ text }) => text)).toEqual([
      'TimeBlockList',
    ]);
  });
  it.each(
    BLOCKS.flatMap((block) =>
      listGrammarMembers(block)
        .filter(({ takes }) => ['format', 'kinds', 'type', 'flag', 'set', 'keep', 'missing'].includes(takes))
        .map(({ name }) => [block, name] as const),
    ),
  )('are offered behind %s.%s', (block, name) => {
    expect(listPossibleAt([...PLACES[block], name], SET).values).not.toEqual([]);
  });
});
