import { isErrorShape, type ErrorShape } from '#shared/errors.ts';

function field(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined;
}

/**
 * The error shape of whatever a call threw. Errors of the engine arrive whole (directly, as `shape`
 * or as `data`); anything else means that the way to the engine is broken.
 */
export function extractErrorShape(thrown: unknown): ErrorShape {
  for (const candidate of [field(thrown, 'shape'), field(thrown, 'data'), thrown]) {
    if (isErrorShape(candidate)) return candidate;
  }
  if (field(thrown, 'name') === 'AbortError')
    return { code: 'cancelled', source: 'user', message: 'Cancelled.' };
  const status = field(thrown, 'status');
  if (typeof status === 'number')
    return {
      code: status === 400 ? 'usage' : 'internal',
      source: 'app',
      message: 'The app did not accept this request.',
    };
  return { code: 'not-available', source: 'app', message: 'The app behind this window does not answer.' };
}

function withoutUserInfo(text: string): string {
  return text.replace(/([a-z][a-z0-9+.-]*:\/\/)[^/\s@]*@/gi, '$1');
}

/** Members and attributes of JSON, XML, headers and queries under secret-looking names: the name stays, the value goes. */
const SECRETS = [
  /("[^"\n]*(?:pass(?:word|wd|phrase)?|secret|token|authorization|credential|private.?key)[^"\n]*"\s*:\s*)("(?:[^"\\\n]|\\.)*"|[^\s,}\]]+)/gi,
  /(<([\w:.-]*(?:pass(?:word|wd|phrase)|secret|token)[\w:.-]*)(?:\s[^>]*)?>)([^<]+)(?=<\/\2>)/gi,
  /^((?:proxy-)?authorization|(?:set-)?cookie|x-auth[\w-]*)(\s*:\s*).+$/gim,
  /([?&](?:pass(?:word|wd|phrase)?|secret|token|auth)=)[^&\s]*/gi,
] as const;

/**
 * Text to hand to a colleague: values under secret-looking names and credentials inside addresses
 * are taken out, whatever the engine already did.
 */
export function redactText(text: string): string {
  const [json, xml, header, query] = SECRETS;
  return withoutUserInfo(text)
    .replace(json, '$1"•••"')
    .replace(xml, '$1•••')
    .replace(header, '$1$2•••')
    .replace(query, '$1•••');
}
