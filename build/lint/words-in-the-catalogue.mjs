/** What a person reads stands in the catalogue (src/shared/details), in every language; English in code reaches Chinese screens. */
const PROPERTIES = new Set(['message', 'hint', 'detail', 'title', 'reason']);
/** Two words of letters beside each other: a sentence, no code and no name. */
const WORDS = /[a-z]{2,},? [a-z]{2,}/i;

/** The text of a literal, of a template without its values, or of either branch of a choice between them. */
function textOf(node) {
  if (node?.type === 'Literal') return typeof node.value === 'string' ? node.value : '';
  if (node?.type === 'TemplateLiteral') return node.quasis.map(({ value }) => value.cooked).join('_');
  if (node?.type === 'ConditionalExpression') return `${textOf(node.consequent)}\n${textOf(node.alternate)}`;
  if (node?.type === 'BinaryExpression') return `${textOf(node.left)}${textOf(node.right)}`;
  return '';
}

export const wordsInTheCatalogue = {
  meta: {
    type: 'suggestion',
    schema: [],
    messages: { literal: 'Sentences for people belong in src/shared/details: say(id, values), detailOf(…).' },
  },
  create(context) {
    const check = (node) => {
      if (WORDS.test(textOf(node))) context.report({ node, messageId: 'literal' });
    };
    return {
      Property({ key, value }) {
        if (PROPERTIES.has(key.name ?? key.value)) check(value);
      },
      VariableDeclarator({ id, init }) {
        if (PROPERTIES.has(id.name)) check(init);
      },
      "CallExpression[callee.property.name='add'] > .arguments": check,
      "CallExpression[callee.property.name='about'] > .arguments": check,
    };
  },
};
