/** Plain English in comments and names: comments have a subject and use the field's words, exported functions begin with a verb. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const VERBS = new Set(readFileSync(join(import.meta.dirname, 'verbs.txt'), 'utf8').split(/\s+/));
/** First words that leave out the subject of a comment. */
const NO_SUBJECT =
  /^(?:as|at|before|behind|below|beside|between|but|by|for|from|if|in|into|like|of|off|on|only|over|so|that|to|told|under|until|what|when|where|whether|which|while|who|whoever|whose|with|without|undefined where)\b/i;
/** Words of this project that a reader from outside has to decode. */
const RETIRED = /\b(?:told|heard|standing|wings?|somebody|nobody|whoever|at hand|verdicts?)\b/gi;

/** Returns the words of a comment on one line, without its marks. */
export function readComment(value) {
  return value
    .replace(/\n\s*\* ?/g, ' ')
    .replace(/^[*\s]+|\s+$/g, '')
    .replace(/\s+/g, ' ');
}

/** Returns whether a comment has a subject, as far as its first word tells. */
export function hasSubject(comment) {
  return !NO_SUBJECT.test(comment);
}

/** Returns the retired words of a comment, in lower case; quoted ones are names or examples. */
export function listRetiredWords(comment) {
  return (comment.replace(/`[^`]*`|"[^"]*"/g, '').match(RETIRED) ?? []).map((word) => word.toLowerCase());
}

/** Returns whether the first word of a name such as `readPerson` is a verb. */
export function beginsWithVerb(name) {
  const [first = ''] = /^[a-z]+/.exec(name) ?? [];
  return VERBS.has(first);
}

/** Joins line comments that follow each other without code between them. */
function joinLines(comments) {
  const joined = [];
  for (const comment of comments) {
    const last = joined.at(-1);
    const follows =
      comment.type === 'Line' &&
      last?.type === 'Line' &&
      last.column === comment.loc.start.column &&
      last.endLine + 1 === comment.loc.start.line;
    if (follows) {
      last.text += ` ${comment.value.trim()}`;
      last.endLine = comment.loc.end.line;
    } else {
      joined.push({
        type: comment.type,
        text: readComment(comment.value),
        column: comment.loc.start.column,
        endLine: comment.loc.end.line,
        loc: comment.loc,
      });
    }
  }
  return joined;
}

export const commentWords = {
  meta: {
    type: 'suggestion',
    schema: [],
    messages: {
      subject: 'Begin the comment with its subject, or with a verb: not with "{{word}}".',
      retired: 'Use a word that readers from outside know instead of "{{word}}".',
    },
  },
  create(context) {
    return {
      Program() {
        for (const { text, loc } of joinLines(context.sourceCode.getAllComments())) {
          if (!hasSubject(text))
            context.report({ loc, messageId: 'subject', data: { word: text.split(' ')[0] ?? '' } });
          for (const word of listRetiredWords(text))
            context.report({ loc, messageId: 'retired', data: { word } });
        }
      },
    };
  },
};

export const exportedVerbs = {
  meta: {
    type: 'suggestion',
    schema: [],
    messages: { verb: 'Begin the name of the function "{{name}}" with a verb (build/lint/verbs.txt).' },
  },
  create(context) {
    return {
      'ExportNamedDeclaration > FunctionDeclaration'({ id }) {
        if (!beginsWithVerb(id.name))
          context.report({ node: id, messageId: 'verb', data: { name: id.name } });
      },
    };
  },
};
