/** Finds the namespace of a document in its text, without reading the document as a whole. */
import { hasUnseen } from '#shared/text/unseen.ts';

/** Characters of a text that are searched. */
const FURTHEST = 16_384;
/** Start tag of the root, behind a declaration, instructions and comments. */
const ROOT =
  /^\uFEFF?\s*(?:(?:<\?[^>]{0,200}\?>|<!--(?:(?!-->)[^]){0,1000}-->)\s*){0,8}(<[A-Za-z_][^<>]{0,2000}>)/;

/** Returns the namespace of the root element, if it declares one that a connection profile may hold. */
export function findRootNamespace(text: string): string | undefined {
  const tag = ROOT.exec(text.slice(0, FURTHEST))?.[1];
  const prefix = /^<([\w-]+):/.exec(tag ?? '')?.[1];
  const [, quoted] =
    new RegExp(
      `\\sxmlns${prefix === undefined ? '' : `:${prefix}`}\\s*=\\s*("[^"]{1,300}"|'[^']{1,300}')`,
    ).exec(tag ?? '') ?? [];
  const namespace = quoted?.slice(1, -1);
  return namespace === undefined || /[\s<>"'&]/.test(namespace) || hasUnseen(namespace)
    ? undefined
    : namespace;
}
