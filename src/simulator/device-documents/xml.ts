/** Writing documents the way devices do: declaration, CRLF, indentation, namespace and version. */
import type { DeviceState } from '../state/device-state.ts';
import { escapeXml } from '../wire/text.ts';

interface XmlHome {
  /** Empty: none. */
  readonly namespace: string;
}

/**
 * A document with this root. `content` is what stands inside it, indented in any way; `attributes`
 * come after version and namespace, as ` size="8"`.
 */
export function buildXmlDocument(
  home: XmlHome,
  root: string,
  content: string,
  options: { readonly version?: string; readonly attributes?: string } = {},
): string {
  const namespace = home.namespace === '' ? '' : ` xmlns="${escapeXml(home.namespace)}"`;
  const lines = [
    '<?xml version="1.0" encoding="UTF-8" ?>',
    `<${root} version="${options.version ?? '2.0'}"${namespace}${options.attributes ?? ''}>`,
    ...indented(content),
    `</${root}>`,
  ];
  return `${lines.join('\r\n')}\r\n`;
}

/** Returns what writes the document with this root for a device; `content` as for `buildXmlDocument`. */
export function describeXml<More extends unknown[] = []>(
  root: string,
  content: string | ((device: DeviceState, ...more: More) => string),
  options?: Parameters<typeof buildXmlDocument>[3],
): (device: DeviceState, ...more: More) => string {
  return (device, ...more) =>
    buildXmlDocument(device, root, typeof content === 'string' ? content : content(device, ...more), options);
}

/** The lines of a template literal, moved so that the outermost stand at four spaces. */
function indented(content: string): string[] {
  const lines = content.split('\n').filter((line) => line.trim() !== '');
  const margin = Math.min(...lines.map((line) => line.length - line.trimStart().length));
  return lines.map((line) => `    ${line.slice(Number.isFinite(margin) ? margin : 0).trimEnd()}`);
}

/** `<name>value</name>` lines, one a pair. */
export function formatElements(pairs: Readonly<Record<string, string | number | boolean>>): string {
  return Object.entries(pairs)
    .map(([name, value]) => `<${name}>${escapeXml(String(value))}</${name}>`)
    .join('\n');
}
