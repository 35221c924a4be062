/** Variables of a page's address: from the link where it has them, else a sane beginning. */
import type { Operation, Param } from '../../../../protocol/definition.ts';
import type { Params } from '../../../../shared/model.ts';

/** Channel 1 is what every device counts from; ids of packages and tasks are not guessed. */
function defaultParam(param: Param): string {
  if (param.default !== undefined) return String(param.default);
  if (param.type === 'int') return String(Math.max(1, param.min ?? 1));
  return param.name === 'streamID' ? '1' : '';
}

/** What stands in the chooser: text by name. */
export type RawParams = Readonly<Record<string, string>>;

export function rawParams(operation: Operation, query: Readonly<Record<string, unknown>>): RawParams {
  return Object.fromEntries(
    operation.params.map((param) => {
      const given = query[param.name];
      return [param.name, typeof given === 'string' && given !== '' ? given : defaultParam(param)];
    }),
  );
}

/** Typed parameters, or the name of the first that does not fit. */
export function readParams(
  operation: Operation,
  raw: RawParams,
): { readonly ok: true; readonly params: Params } | { readonly ok: false; readonly name: string } {
  const params: Record<string, string | number> = {};
  for (const param of operation.params) {
    const text = (raw[param.name] ?? '').trim();
    if (!paramFits(param, text)) return { ok: false, name: param.name };
    params[param.name] = param.type === 'int' ? Number(text) : text;
  }
  return { ok: true, params };
}

export function paramFits(param: Param, text: string): boolean {
  if (param.type === 'string')
    return (
      text.length >= (param.minLength ?? 1) &&
      text.length <= (param.maxLength ?? 1024) &&
      text !== '.' &&
      text !== '..'
    );
  const number = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
  return number >= (param.min ?? 0) && number <= (param.max ?? Number.MAX_SAFE_INTEGER);
}
