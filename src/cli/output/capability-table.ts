/** What a capability document says, as tables for people. */
import type { CapabilityFlag, CapabilityLimit } from '#shared/model.ts';
import { formatReportedName } from './names.ts';
import type { Output } from './output.ts';

/** Flags in their three states. */
export function printFlagTable(out: Output, flags: readonly CapabilityFlag[]): void {
  out.table<CapabilityFlag>(
    [
      {
        title: 'STATE',
        cell: ({ state }) => out.say(`cli.flag.${state}`),
        paint: ({ state }) => (state === 'true' ? 'good' : state === 'false' ? 'bad' : 'dim'),
      },
      {
        title: 'CAPABILITY',
        cell: (flag) =>
          marked(
            flag.needs === undefined
              ? formatReportedName(out, flag)
              : out.say('cli.only-with', { label: formatReportedName(out, flag), needs: flag.needs }),
            flag,
            out,
          ),
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
      { title: 'LIMIT', cell: (limit) => limitText(limit, out), flexible: true },
      { title: 'FIELD', cell: (limit) => marked(formatReportedName(out, limit), limit, out), flexible: true },
      { title: 'PATH', cell: ({ operation, path }) => `${operation} ${path}`, flexible: true },
    ],
    limits,
  );
}

function marked(label: string, { unlisted }: { readonly unlisted?: true }, out: Output): string {
  return unlisted === true ? out.say('cli.unlisted', { label }) : label;
}

function limitText(limit: CapabilityLimit, out: Output): string {
  const range =
    limit.min === undefined && limit.max === undefined ? '' : `${limit.min ?? ''} … ${limit.max ?? ''}`;
  return [
    limit.count === undefined ? '' : out.say('cli.limit-count', { count: limit.count }),
    range,
    limit.options?.join(', ') ?? '',
    limit.size === undefined ? '' : out.say('cli.limit-size', { size: limit.size }),
    limit.default === undefined ? '' : out.say('cli.limit-default', { value: limit.default }),
  ]
    .filter(Boolean)
    .join('; ');
}
