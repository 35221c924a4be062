/** Errors of the codec. None of them quotes the document: it may hold passwords. */
import { say } from '#shared/details.ts';
import { FieldwrightError, type ErrorCode } from '#shared/errors.ts';
import type { Limits } from './limits.ts';

const READABLE_NAME = /^[\p{L}\p{N}_.:-]{1,80}$/u;

export function createMalformedError(words: ReturnType<typeof say>): FieldwrightError {
  return new FieldwrightError({ code: 'malformed-answer', source: 'device', ...words });
}

export function createTooLargeError(what: keyof Limits | 'items', limit: number): FieldwrightError {
  return new FieldwrightError({
    code: 'answer-too-large',
    source: 'device',
    ...say(`document-${what}`, { limit }),
  });
}

/** A value of ours that has no spelling on the wire. */
export function createUnwritableError(
  code: ErrorCode,
  path: string,
  words: ReturnType<typeof say>,
): FieldwrightError {
  return new FieldwrightError({ code, source: 'user', ...words, path });
}

/** A name from a document as it may be shown: names that are no plain words are not repeated. */
export function toDisplayName(name: string): string {
  return READABLE_NAME.test(name) ? name : 'an unreadable name';
}

type BodyKind = 'empty' | 'html' | 'xml' | 'json' | 'text';

/** Determines the kind of a body from its first characters; headers cannot be trusted. */
export function sniff(text: string): BodyKind {
  let at = text.charCodeAt(0) === 0xfeff ? 1 : 0;
  while (text.charCodeAt(at) <= 0x20) at += 1;
  if (at === text.length) return 'empty';
  const start = text.slice(at, at + 20).toLowerCase();
  if (start.startsWith('<!doctype html') || /^<(html|head|body)\b/.test(start)) return 'html';
  if (start.startsWith('<')) return 'xml';
  return start.startsWith('{') || start.startsWith('[') ? 'json' : 'text';
}

/** "where XML was due": says what came instead, by kind and size only. */
export function createWrongKindError(kind: BodyKind, due: 'XML' | 'JSON'): FieldwrightError {
  const came = {
    empty: 'an empty body',
    html: 'a web page (HTML)',
    xml: 'XML',
    json: 'JSON',
    text: 'plain text',
  }[kind];
  return createMalformedError(say('other-body', { came, due }));
}
