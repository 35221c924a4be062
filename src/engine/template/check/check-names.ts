/** Small checks that every part of a template needs: known names, expected types. */
import { appendKey, findNearestName } from '#protocol/index.ts';
import { createDetail } from '#shared/details.ts';
import { listGrammarMembers, listMemberNames, type Block, type GRAMMAR } from '#template/grammar.ts';
import type { Problems } from './problems.ts';
import { isObject, describeKind } from '#template/source-tree.ts';

const WHAT: Readonly<Record<Block, string>> = {
  top: 'A template',
  appliesTo: '"appliesTo"',
  variable: 'A variable',
  section: 'A section',
  listChange: '"change"',
  changedItem: 'An item',
};

/** Complains about every name of `value` that the block does not have. */
export function checkNames(
  value: Readonly<Record<string, unknown>>,
  block: Block,
  at: { readonly path: string; readonly problems: Problems },
): void {
  const known = listMemberNames(block, { isAlias: true });
  const what = WHAT[block];
  for (const name of Object.keys(value)) {
    if (known.includes(name)) continue;
    if (at.problems.isFull) return;
    const nearest = findNearestName(name, known);
    at.problems.add(
      'unknown-field',
      appendKey(at.path, name),
      nearest === undefined
        ? createDetail('unknown-member-known', { what, name, known: known.join(', ') })
        : createDetail('unknown-member', { what, name }),
      { atKey: true, nearest },
    );
  }
}

/** Returns the member `name` if it is text within its length; complains about anything else. */
export function readTextMember<B extends Block>(
  value: Readonly<Record<string, unknown>>,
  block: B,
  name: keyof (typeof GRAMMAR)[B] & string,
  at: { readonly path: string; readonly problems: Problems },
): string | undefined {
  const member = value[name];
  const most = listGrammarMembers(block).find((one) => one.name === name)?.most ?? Infinity;
  const path = appendKey(at.path, name);
  if (member === undefined) return undefined;
  if (typeof member !== 'string')
    at.problems.add(
      'wrong-type',
      path,
      createDetail('takes', { name, takes: 'text', given: describeKind(member) }),
    );
  else if (member.length > most)
    at.problems.add('too-long', path, createDetail('takes-length', { name, max: most }));
  else return member;
  return undefined;
}

/** The member `name` where it is true or false; `fallback` where it is absent. */
export function readFlagMember(
  value: Readonly<Record<string, unknown>>,
  name: string,
  at: { readonly path: string; readonly problems: Problems },
): boolean {
  const member = value[name];
  if (member === undefined) return false;
  if (typeof member === 'boolean') return member;
  at.problems.add(
    'wrong-type',
    appendKey(at.path, name),
    createDetail('takes', { name, takes: 'true or false', given: describeKind(member) }),
  );
  return false;
}

/** The member `name` where it is an object; undefined (and a complaint) where it is something else. */
export function readObjectMember(
  value: Readonly<Record<string, unknown>>,
  name: string,
  at: { readonly path: string; readonly problems: Problems },
): Readonly<Record<string, unknown>> | undefined {
  const member = value[name];
  if (member === undefined) return {};
  if (isObject(member)) return member;
  at.problems.add(
    'wrong-type',
    appendKey(at.path, name),
    createDetail('takes', { name, takes: 'an object', given: describeKind(member) }),
  );
  return undefined;
}
