import { SERVICE_TYPE } from '#shared/access.ts';

/** Ports of a text with commas; undefined where it holds anything else than up to eight of them. */
export function parsePorts(text: string): readonly number[] | undefined {
  const parts = partsOf(text);
  const ports = parts.map((part) => (/^\d{1,5}$/.test(part) ? Number(part) : Number.NaN));
  return ports.length > 8 || ports.some((port) => !(port >= 1 && port <= 65_535))
    ? undefined
    : [...new Set(ports)];
}

/** Types of services of a text with commas; undefined where it holds anything else than up to eight of them. */
export function parseServices(text: string): readonly string[] | undefined {
  const parts = partsOf(text.toLowerCase());
  return parts.length > 8 || parts.some((part) => !SERVICE_TYPE.test(part)) ? undefined : [...new Set(parts)];
}

function partsOf(text: string): readonly string[] {
  return text.split(/[,，;；\s]+/).filter((part) => part !== '');
}
