/** An error as text to hand to a colleague: what, where, when, and the redacted request and answer. */
import type { ErrorShape } from '#shared/errors.ts';
import type { Exchange } from '#shared/exchange.ts';
import { redactText } from './error-of.ts';
import { formatDeviceMessage } from './error-text.ts';

const BODY_SHOWN = 20_000;

interface CopyContext {
  readonly title: string;
  readonly at: Date;
  readonly version?: string | undefined;
}

export function copyText(error: ErrorShape, { title, at, version }: CopyContext): string {
  const lines = [
    `Fieldwright ${version ?? ''}`.trim(),
    `${title} [${error.code}${error.reason === undefined ? '' : `: ${error.reason}`}]`,
    line('Time', at.toISOString()),
    line('Device', error.device),
    line('Operation', error.operation),
    line('Path', error.path),
    line(
      'File',
      error.file === undefined
        ? undefined
        : `${error.file}${error.line === undefined ? '' : `:${error.line}:${error.column ?? 1}`}`,
    ),
    line('Device said', formatDeviceMessage(error)),
    line('Lock', error.lock === undefined ? undefined : JSON.stringify(error.lock)),
    line('Certificate now', error.certificate?.offered.fingerprint),
    line('Certificate accepted', error.certificate?.pinned?.fingerprint),
    line('Message', error.message),
    line('Hint', error.hint),
    ...(error.others ?? [])
      .slice(0, 50)
      .map((other) => `- [${other.code}] ${other.path ?? ''} ${other.message}`),
  ].filter((text) => text !== undefined);
  return redactText(
    [...lines, ...(error.exchange === undefined ? [] : ['', exchangeText(error.exchange)])].join('\n'),
  );
}

/** Request and answer as they went over the wire, without the sign-in. */
export function exchangeText(exchange: Exchange): string {
  const request = [
    `${exchange.method} ${exchange.url}`,
    ...headers(exchange.requestHeaders),
    ...body(exchange.requestBody),
  ];
  const answer =
    exchange.http === undefined
      ? [`(no answer, ${exchange.ms} ms)`]
      : [
          `HTTP ${exchange.http} (${exchange.ms} ms)`,
          ...headers(exchange.responseHeaders ?? {}),
          ...body(exchange.responseBody),
        ];
  return redactText([...request, '', ...answer].join('\n'));
}

function line(name: string, value: string | undefined): string | undefined {
  return value === undefined || value === '' ? undefined : `${name}: ${value}`;
}
function headers(all: Readonly<Record<string, string>>): readonly string[] {
  return Object.entries(all).map(([name, value]) => `${name}: ${value}`);
}
function body(text: string | undefined): readonly string[] {
  if (text === undefined || text === '') return [];
  return ['', text.length > BODY_SHOWN ? `${text.slice(0, BODY_SHOWN)}…` : text];
}
