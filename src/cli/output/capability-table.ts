/** Tables of what a capability document says. */
import type { CapabilityFlag, CapabilityLimit } from '#shared/model.ts';
import { formatReportedName } from './names.ts';
import type { Output } from './output.ts';

/** Prints flags in their three states. */
export function printFlagTable(out: Output, flags: readonly CapabilityFlag[]): void {
  out.table(flags, {
    STATE: {
      value: ({ state }) => out.say(`cli.flag.${state}`),
      paint: ({ state }) => (state === 'true' ? 'good' : state === 'false' ? 'bad' : 'dim'),
    },
    CAPABILITY: {
      value: (flag) =>
        marked(
          flag.needs === undefined
            ? formatReportedName(out, flag)
            : out.say('cli.only-with', { label: formatReportedName(out, flag), needs: flag.needs }),
          flag,
          out,
        ),
      flexible: true,
    },
    FIELD: { value: ({ operation, path }) => `${operation} ${path}`, flexible: true },
  });
}

export function limitTable(out: Output, limits: readonly CapabilityLimit[]): void {
  out.table(limits, {
    LIMIT: { value: (limit) => limitText(limit, out), flexible: true },
    FIELD: { value: (limit) => marked(formatReportedName(out, limit), limit, out), flexible: true },
    PATH: { value: ({ operation, path }) => `${operation} ${path}`, flexible: true },
  });
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
