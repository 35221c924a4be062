/** A person as a device shows it: in the shape of the definition, and exactly as it came. */
import { isPlain, rootField, type Decoded, type ObjectField, type Plain } from '#protocol/index.ts';
import { userInfoSetUp } from '#protocol/definitions/access-control-users.ts';
import { listElements, listMembers, type JsonNode } from '#protocol/codec/json-text.ts';
import type { Span } from './validity.ts';

export interface Person {
  /** Employee number; empty if the device gave none: such a person cannot be addressed. */
  readonly employeeNo: string;
  /** Members that the definition knows (part 2, 2.6). */
  readonly value: Plain;
  /** The person's JSON, exactly as received. */
  readonly text: string;
  /** Members that the definition does not know, as JSON text. */
  readonly other: Readonly<Record<string, string>>;
  /** Span in which their device takes a validity; absent: that of the specification. */
  readonly span?: Span;
}

/** The person as it is set up, without its rules. */
export const PERSON = rootField(userInfoSetUp) as ObjectField;
/** Columns of a table of people for `Valid`, the one member that is taken apart. */
export const VALIDITY_COLUMNS = PERSON.fields.flatMap((field) =>
  field.name === 'Valid' && field.kind === 'object' ? field.fields.map(({ name }) => `Valid.${name}`) : [],
);
/** Instructions of the set-up request, no properties of a person. */
export const INSTRUCTIONS = ['deleteUser', 'checkUser'] as const;
/** They follow what is linked to the person elsewhere on the device. */
export const COUNTS = ['numOfFace', 'numOfFP', 'numOfCard'] as const;
/** Member that changes by itself when a person passes. */
export const USED = 'openDoorTime';
/** Never in an export, a log or on a page. */
export const SECRETS = PERSON.fields.filter(({ sensitive }) => sensitive).map(({ name }) => name);

const KNOWN: ReadonlySet<string> = new Set(PERSON.fields.map(({ name }) => name));
const KNOWN_LOWER: ReadonlySet<string> = new Set([...KNOWN].map((name) => name.toLowerCase()));

/**
 * Returns true for a member that the specification has, however it is spelled: it is never passed on
 * unchanged.
 */
export function isKnownMember(name: string): boolean {
  return KNOWN_LOWER.has(name.toLowerCase()) || name === '__proto__';
}

/** Parses the people of one answer to a search, in its order; `UserInfo` may be a single object. */
export function parsePeople({ value, document }: Decoded): readonly Person[] {
  if (document.format !== 'json' || !isPlain(value)) return [];
  const read = value['UserInfo'];
  const list = listMembers(document.tree)
    .filter(({ name }) => name === 'UserInfoSearch')
    .flatMap((root) => listMembers(root.value))
    .find(({ name }) => name === 'UserInfo')?.value;
  if (list === undefined || !Array.isArray(read)) return [];
  const nodes = list.type === 'array' ? listElements(list) : [list];
  return nodes.flatMap((node, at) => {
    const known: unknown = read[at];
    return isPlain(known) ? [personAt(node, known, document.text)] : [];
  });
}

function personAt(node: JsonNode, value: Plain, whole: string): Person {
  const other: Record<string, string> = {};
  for (const member of listMembers(node))
    if (!KNOWN.has(member.name) && !Object.hasOwn(other, member.name))
      Object.defineProperty(other, member.name, {
        value: sliceOf(whole, member.value),
        enumerable: true,
      });
  const employeeNo = value['employeeNo'];
  return {
    employeeNo: typeof employeeNo === 'string' ? employeeNo : '',
    value,
    text: sliceOf(whole, node),
    other,
  };
}

/**
 * Returns a node of the text on one line: white space between the parts of JSON may hold line ends, its texts
 * never do.
 */
function sliceOf(text: string, { offset, length }: JsonNode): string {
  return text.slice(offset, offset + length).replace(/[\r\n]\s*/g, '');
}
