/** Variables of a page's address: from the link where it has them, else a sane beginning. */
import type { Operation, Param } from '#protocol/definition.ts';
import type { DeviceCapabilities, Params } from '#shared/model.ts';

/** Lists the channels that the device names, from the lowest; none if it names none. */
export function listChannels(capabilities: DeviceCapabilities | undefined): readonly number[] {
  const named = capabilities?.limits.find(({ path }) => path === 'supportImageChannel')?.options ?? [];
  const channels = named.map(Number).filter((channel) => Number.isInteger(channel) && channel > 0);
  return [...new Set(channels)].sort((a, b) => a - b);
}

/** Returns the first of the channels that the device names; if it names none, 1, from which every device counts. */
export function getFirstChannel(capabilities: DeviceCapabilities | undefined): number {
  return listChannels(capabilities)[0] ?? 1;
}

/** Ids of packages and tasks are not guessed. */
function defaultParam(param: Param, channel: number): string {
  if (param.default !== undefined) return String(param.default);
  if (param.type === 'int') return String(Math.max(param.name === 'channelID' ? channel : 1, param.min ?? 1));
  return param.name === 'streamID' ? '1' : '';
}

/** Values in the chooser: text by name. */
export type RawParams = Readonly<Record<string, string>>;

/** Reads the parameters of the address; `channel` is the default. */
export function buildRawParams(
  operation: Operation,
  query: Readonly<Record<string, unknown>>,
  channel = 1,
): RawParams {
  return Object.fromEntries(
    operation.params.map((param) => {
      const given = query[param.name];
      return [param.name, typeof given === 'string' && given !== '' ? given : defaultParam(param, channel)];
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
    if (!isParamValid(param, text)) return { ok: false, name: param.name };
    params[param.name] = param.type === 'int' ? Number(text) : text;
  }
  return { ok: true, params };
}

export function isParamValid(param: Param, text: string): boolean {
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
