/** One table of the format: what the editor offers, what the check takes, what the schema says, which words there are. */
import { describe, expect, it } from 'vitest';
import { parseTemplate } from '#engine/template/parse-template.ts';
import { buildTemplateSchema } from '#engine/template/json-schema.ts';
import { listPossibleAt } from '#renderer/features/templates/code/definitions.ts';
import { GRAMMAR, listGrammarMembers, listMemberNames, type Block } from '#template/grammar.ts';
import en from '../../resources/locales/en/screen-templates.json';
import zh from '../../resources/locales/zh-CN/screen-templates.json';

const BLOCKS = Object.keys(GRAMMAR) as Block[];
const PLACES: Readonly<Record<Block, readonly (string | number)[]>> = {
  top: [],
  appliesTo: ['appliesTo'],
  variable: ['variables', 'channel'],
  section: ['sections', 0],
};

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
    `  - set: accessControl.hostConfig`,
    '    value: { voicePrompt: ${v} }',
    ...(block === 'section' ? [`    ${more}`] : []),
  ].join('\n');
}
function unknown(block: Block, name: string): number {
  return parseTemplate(templateWith(block, name)).errors.filter(({ code }) => code === 'unknown-field')
    .length;
}

describe.each(BLOCKS)('names of a template: %s', (block) => {
  // Would catch: a name that the check takes and the editor does not offer, or the reverse.
  it('are offered, understood, in the schema, and have words in both languages', () => {
    const schema = buildTemplateSchema() as {
      readonly properties: Readonly<Record<string, { readonly properties?: object }>>;
      readonly $defs: Readonly<Record<string, { readonly properties: object }>>;
    };
    const described =
      block === 'top'
        ? schema.properties
        : (schema.$defs[block]?.properties ?? schema.properties[block]?.properties ?? {});

    expect(listPossibleAt(PLACES[block], undefined).names.map(({ text }) => text)).toEqual(
      listMemberNames(block),
    );
    expect(Object.keys(described)).toEqual(listMemberNames(block, { isAlias: true }));
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
  it.each(
    BLOCKS.flatMap((block) =>
      listGrammarMembers(block)
        .filter(({ takes }) => ['format', 'kinds', 'type', 'flag', 'set'].includes(takes))
        .map(({ name }) => [block, name] as const),
    ),
  )('are offered behind %s.%s', (block, name) => {
    expect(listPossibleAt([...PLACES[block], name], undefined).values).not.toEqual([]);
  });
});
