/** Plain values as YAML text in the manner of the text around them. */
import { Document, Scalar, isCollection, isMap, isScalar, isSeq, visit } from 'yaml';
import { isPlain } from '#protocol/value.ts';
import { NOT_GIVEN } from '#renderer/common/forms/templates/template-form.ts';

/** One-line form is chosen for what still reads well on one line. */
const ONE_LINE = 96;
/** Times and dates are quoted, because other readers of YAML take them for numbers. */
const LOOKS_LIKE_TIME = /^[\d:.+\-TZ]*[:\-T][\d:.+\-TZ]*$/;

function documentOf(value: unknown): Document {
  const document = new Document(value, { schema: 'core', version: '1.2', aliasDuplicateObjects: false });
  visit(document, {
    Scalar(_key, node) {
      if (node.value === NOT_GIVEN) [node.value, node.source] = [null, ''];
      else if (typeof node.value === 'string' && LOOKS_LIKE_TIME.test(node.value))
        node.type = Scalar.QUOTE_DOUBLE;
    },
  });
  return document;
}

function textOf(document: Document): string {
  return document.toString({ lineWidth: 0, flowCollectionPadding: true, indent: 2 }).replace(/\n$/, '');
}

/** One line: a scalar, or a collection in braces. */
export function renderFlow(value: unknown, isJson = false): string {
  if (isJson) return JSON.stringify(value);
  const document = documentOf(value);
  visit(document, {
    Collection(_key, node) {
      node.flow = true;
    },
  });
  const text = textOf(document);
  // The library breaks long collections over lines; JSON is YAML too and stays on one.
  return text.includes('\n') ? JSON.stringify(value) : text;
}

/** A text that stands alone on its line. A multi-line one is quoted, so that it needs no block. */
export function renderScalar(value: unknown): string {
  if (value === NOT_GIVEN) return '';
  const text = textOf(documentOf(value));
  return text.includes('\n') ? JSON.stringify(value) : text;
}

/** The lines of a value, each after `indent` spaces except the first. Entries of lists that fit stay on one line. */
export function renderBlock(value: unknown, indent: number): string {
  const document = documentOf(value);
  visit(document, {
    Collection(_key, node, path) {
      const size = JSON.stringify(node.toJSON()).length;
      const holder = path.at(-1);
      const isItem = isSeq(holder);
      const isSimpleList = isSeq(node) && node.items.every((item) => isScalar(item));
      if (isCollection(node) && node.items.length === 0) node.flow = true;
      if (
        (isItem && isMap(node) && size <= ONE_LINE) ||
        (isSimpleList && size <= ONE_LINE && holder !== undefined && path.length > 1)
      )
        node.flow = true;
    },
  });
  return textOf(document).replaceAll('\n', `\n${' '.repeat(indent)}`);
}

export function isCollectionValue(value: unknown): boolean {
  return Array.isArray(value) || isPlain(value);
}
export function isEmptyCollection(value: unknown): boolean {
  return Array.isArray(value) ? value.length === 0 : isPlain(value) && Object.keys(value).length === 0;
}
