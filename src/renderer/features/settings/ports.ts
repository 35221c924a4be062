/** Ports of a text with commas; undefined where it holds anything else than up to eight of them. */
export function parsePorts(text: string): readonly number[] | undefined {
  const parts = text.split(/[,，;；\s]+/).filter((part) => part !== '');
  const ports = parts.map((part) => (/^\d{1,5}$/.test(part) ? Number(part) : Number.NaN));
  return ports.length > 8 || ports.some((port) => !(port >= 1 && port <= 65_535)) ? undefined : [...new Set(ports)];
}
