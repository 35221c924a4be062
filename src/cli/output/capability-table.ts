/** What a capability document says, as tables for people. */
import type { CapabilityFlag, CapabilityLimit } from '../../shared/model.ts';
import type { Output } from './output.ts';

/** Flags in their three states. */
export function flagTable(out: Output, flags: readonly CapabilityFlag[]): void {
  out.table<CapabilityFlag>(
    [
      {
        title: 'STATE',
        cell: ({ state }) => state,
        paint: ({ state }) => (state === 'true' ? 'good' : state === 'false' ? 'bad' : 'dim'),
      },
      {
        title: 'CAPABILITY',
        cell: (flag) =>
          marked(flag.needs === undefined ? flag.label : `${flag.label} (only with ${flag.needs})`, flag),
        flexible: true,
      },
      { title: 'FIELD', cell: ({ operation, path }) => `${operation} ${path}`, flexible: true },
    ],
    flags,
  );
}

export function limitTable(out: Output, limits: readonly CapabilityLimit[]): void {
  out.table<CapabilityLimit>(
    [
      { title: 'LIMIT', cell: limitWords, flexible: true },
      { title: 'FIELD', cell: (limit) => marked(limit.label, limit), flexible: true },
      { title: 'PATH', cell: ({ operation, path }) => `${operation} ${path}`, flexible: true },
    ],
    limits,
  );
}

function marked(label: string, { unlisted }: { readonly unlisted?: true }): string {
  return unlisted === true ? `${label} (not in the specification)` : label;
}

function limitWords(limit: CapabilityLimit): string {
  const range =
    limit.min === undefined && limit.max === undefined ? '' : `${limit.min ?? ''} … ${limit.max ?? ''}`;
  return [
    limit.count === undefined ? '' : `${limit.count} of them`,
    range,
    limit.options?.join(', ') ?? '',
    limit.size === undefined ? '' : `at most ${limit.size} items`,
    limit.default === undefined ? '' : `default ${limit.default}`,
  ]
    .filter(Boolean)
    .join('; ');
}
