/** Requires text for people to come from the catalogue (resources/locales): English in code reaches Chinese screens. */
const PROPERTIES = new Set(['message', 'hint', 'detail', 'title', 'reason', 'doing']);
/** Functions of the command line that show what they are given, and methods of its output. */
const SHOWN = new Set(['createUsageError', 'askYes', 'askSecret']);
const SHOWN_BY_OUT = new Set(['note', 'line', 'progress']);
/** Two words of letters beside each other: a sentence, no code and no name. */
const WORDS = /[a-z]{2,},? [a-z]{2,}/i;
/** A word of its own beside values: `Job _`, `yes`; no unit, no option, no command. */
const WORD = /(^|[\s(])(?!ms\b)[a-z]{2,}([\s.,:?!)]|$)/i;

/** The text of a literal, of a template without its values, or of either branch of a choice between them. */
function textOf(node) {
  if (node?.type === 'Literal') return typeof node.value === 'string' ? node.value : '';
  if (node?.type === 'TemplateLiteral')
    return node.quasis
      .map(({ value }, at) => `${value.cooked}${textOf(node.expressions[at]) || '_'}`)
      .join('');
  if (node?.type === 'ConditionalExpression') return `${textOf(node.consequent)}\n${textOf(node.alternate)}`;
  if (node?.type === 'BinaryExpression') return `${textOf(node.left)}${textOf(node.right)}`;
  if (node?.type === 'LogicalExpression') return textOf(node.right);
  return '';
}

export const wordsInTheCatalogue = {
  meta: {
    type: 'suggestion',
    schema: [],
    messages: {
      literal: 'Sentences for people belong in resources/locales/en: say(id, values), createDetail(…).',
    },
  },
  create(context) {
    const check = (node, pattern = WORDS) => {
      const text = textOf(node);
      // Heads of tables are ids: `head.IN FLIGHT`.
      if (pattern.test(text) && text !== text.toUpperCase()) context.report({ node, messageId: 'literal' });
    };
    return {
      Property({ key, value }) {
        const name = key.name ?? key.value;
        if (PROPERTIES.has(name)) check(value);
        // Cells of a table of the command line, below its head.
        if (name === 'cell' && value.type === 'ArrowFunctionExpression') check(value.body, WORD);
      },
      VariableDeclarator({ id, init }) {
        if (PROPERTIES.has(id.name)) check(init);
      },
      CallExpression({ callee, arguments: given }) {
        const isMember = callee.type === 'MemberExpression';
        const name = isMember ? callee.property.name : callee.name;
        if (name === 'add' || name === 'about') for (const each of given) check(each);
        if ((isMember ? SHOWN_BY_OUT : SHOWN).has(name)) for (const each of given) check(each, WORD);
      },
    };
  },
};
