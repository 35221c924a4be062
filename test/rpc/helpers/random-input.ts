/** Inputs of routes made at random from their schemas: well-formed ones, and ones that are wrong somewhere. */
import type { AnySchema } from '@orpc/contract';
import type { z } from 'zod';
import { pickInt, type Random } from '#simulator/random.ts';

/** Text for strings of this name; those of all other names come from `texts`. */
export interface RandomTexts {
  readonly byName: Readonly<Record<string, readonly string[]>>;
  /** None is a host name: a lookup would leave this computer. */
  readonly texts: readonly string[];
}

/** Values in places where they are wrong, mostly. */
const STRANGE: readonly unknown[] = [
  ...[null, true, false, -1, 0, 2.5, 1e21, Number.MAX_SAFE_INTEGER],
  ...['', ' ', '\u0000', '\ud800', '../../etc/passwd', 'a'.repeat(70_000), 'é'.repeat(300), '${a}', '%'],
  ...[[], {}, [[]], [null], { length: 3 }, { then: 1 }, { toString: 'x' }, { constructor: { prototype: 1 } }],
];
/** How deep a nested value may be; a message deeper than 64 ends its connection. */
const MOST_LEVELS = 50;
const MOST_ITEMS = 20_000;
/** Recursive schemas end here. */
const DEEPEST = 8;

/** Returns values for a schema; at every place one in `oneIn` is something else. */
export function randomInputs(random: Random, { byName, texts }: RandomTexts, oneIn: number) {
  const pick = <T>(values: readonly T[]): T => values[Math.floor(random() * values.length)] as T;
  const chance = (share: number): boolean => random() < share;

  function strange(): unknown {
    if (chance(0.08))
      return Array.from({ length: pickInt(random, 1, MOST_LEVELS) }).reduce((inner) => [inner], 'deep');
    if (chance(0.04)) return Array.from({ length: MOST_ITEMS }, (_, nth) => nth);
    return chance(0.2) ? pick(texts) : pick(STRANGE);
  }

  function text(name: string): string {
    return pick(byName[name] ?? texts);
  }

  function valueOf(schema: z.core.$ZodType | undefined, name: string, depth: number): unknown {
    if (schema === undefined || depth > DEEPEST || chance(1 / oneIn)) return strange();
    const { def } = schema._zod as unknown as { readonly def: Definition };
    const inner = (one: z.core.$ZodType | undefined, called = name): unknown =>
      valueOf(one, called, depth + 1);
    switch (def.type) {
      case 'object': {
        const members = Object.entries(def.shape ?? {})
          .filter(() => !chance(0.5 / oneIn))
          .map(([key, member]) => [key, inner(member, key)] as const)
          .filter(([, value]) => value !== undefined);
        return Object.fromEntries(chance(1 / oneIn) ? [...members, ['surplus', strange()]] : members);
      }
      case 'record':
        return Object.fromEntries(
          Array.from({ length: pickInt(random, 0, 2) }, () => [
            pick(['channelID', 'id', 'x']),
            inner(def.valueType),
          ]),
        );
      case 'array':
        return Array.from({ length: pickInt(random, chance(0.9) ? 1 : 0, 3) }, () => inner(def.element));
      case 'union':
        return inner(pick(def.options ?? []));
      case 'optional':
        return chance(0.5) ? undefined : inner(def.innerType);
      case 'nullable':
        return chance(0.3) ? null : inner(def.innerType);
      case 'readonly':
        return inner(def.innerType);
      case 'literal':
        return pick(def.values ?? []);
      case 'enum':
        return pick(Object.values(def.entries ?? {}));
      case 'boolean':
        return chance(0.5);
      case 'number':
        return pick([0, 1, 2, 3, 10]);
      case 'string':
        return text(name);
      default:
        return strange();
    }
  }

  return (schema: AnySchema | undefined): unknown =>
    schema === undefined
      ? chance(1 / oneIn)
        ? strange()
        : undefined
      : valueOf(schema as unknown as z.core.$ZodType, '', 0);
}

interface Definition {
  readonly type: string;
  readonly shape?: Readonly<Record<string, z.core.$ZodType>>;
  readonly element?: z.core.$ZodType;
  readonly valueType?: z.core.$ZodType;
  readonly innerType?: z.core.$ZodType;
  readonly options?: readonly z.core.$ZodType[];
  readonly values?: readonly unknown[];
  readonly entries?: Readonly<Record<string, unknown>>;
}
