/**
 * An exchange as a command line for PowerShell, Windows' own 5.1 included: that breaks quotation marks in arguments of
 * programs, so curl reads everything from its input. It holds no password: curl asks for it.
 */
import { removeUndefined } from '../remove-undefined.ts';
import type { Exchange } from '../exchange.ts';
import { pickUserName, type CurlOptions } from './curl.ts';
import { hasUnseen } from './unseen.ts';

const PROGRAM = 'curl.exe --config -';
/** PowerShell 5.1 gives programs ASCII. */
const UTF_8 = '$OutputEncoding = New-Object Text.UTF8Encoding $false';

/** `… | curl.exe --config -`, over several lines. */
export function toPowerShellCurl(exchange: Exchange, { device, user, auth = 'auto' }: CurlOptions): string {
  const config = [
    'globoff',
    'path-as-is',
    ...(auth === 'none'
      ? []
      : [auth === 'basic' ? 'basic' : 'digest', `user = ${quoteValue(pickUserName(user))}`]),
    ...Object.entries(
      removeUndefined({
        request: exchange.method,
        'data-raw': exchange.requestBody,
        url: device + exchange.url,
      }),
    ).map(([name, value]) => `${name} = ${quoteValue(value)}`),
    ...Object.entries(exchange.requestHeaders).map(
      ([name, value]) => `header = ${quoteValue(`${name}: ${value}`)}`,
    ),
  ];
  const isTricky = config.some(hasUnseen);
  // Text with control characters is spelled, so that pasting it into a terminal runs nothing of it.
  const text = isTricky ? spell(config.join('\n')) : `@'\n${config.join('\n')}\n'@`;
  return [...(/^[\n\x20-\x7e]*$/.test(config.join('\n')) ? [] : [UTF_8]), `${text} | ${PROGRAM}`].join('\n');
}

/** Returns a value of curl's configuration, which is one line. */
function quoteValue(text: string): string {
  const escaped = text
    .toWellFormed()
    .replaceAll(/["\\]/g, String.raw`\$&`)
    .replaceAll('\n', String.raw`\n`)
    .replaceAll('\r', String.raw`\r`)
    .replaceAll('\t', String.raw`\t`);
  return `"${escaped}"`;
}

/** Returns an expression of PowerShell for any text, in printable ASCII. */
function spell(text: string): string {
  const escaped = text
    .replaceAll('\\', String.raw`\\`)
    .replaceAll(/[^\x20-\x7e]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .replaceAll("'", "''");
  return `[regex]::Unescape('${escaped}')`;
}
