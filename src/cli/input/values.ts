/** `--values`: `name=value` for every device, or a CSV with one row a device. */
import { say } from '#shared/details.ts';
import { readValuesCsv, type Engine } from '#engine/index.ts';
import type { Device, TemplateVariable } from '#shared/model.ts';
import { FieldwrightError, toErrorShape, type ErrorShape } from '#shared/errors.ts';
import type { DeviceOptions } from '../declarations/options.ts';
import { createUsageError } from '../usage.ts';
import type { Invocation } from '../invocation.ts';
import { createDeviceResolver } from './devices.ts';
import { readBytes } from './files.ts';

interface GivenValues {
  readonly values: Readonly<Record<string, string>>;
  readonly byDevice: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** Devices that rows named, in their order. */
  readonly devices: readonly Device[];
}

const IS_PAIR = /^[A-Za-z_][A-Za-z0-9_.-]*=/;

/** Reads values as text; the template's variables give them their types. The error lists every wrong row. */
export async function readValues(
  invocation: Invocation,
  engine: Engine,
  options: DeviceOptions,
  given: readonly string[],
  variables: readonly TemplateVariable[],
): Promise<GivenValues> {
  const values = readPairs(given.filter((text) => IS_PAIR.test(text)));
  const files = given.filter((text) => !IS_PAIR.test(text));
  if (files.length > 1) throw createUsageError(say('cli.values-one-file'), { path: '--values' });
  const [file] = files;
  if (file === undefined) return { values, byDevice: {}, devices: [] };
  const csv = readValuesCsv(await readBytes(invocation.io, file), variables, {
    file,
    given: Object.keys(values),
  });
  const errors: ErrorShape[] = [...csv.errors];
  const placed = new Map<
    string,
    { readonly device: Device; readonly line: number; readonly values: Readonly<Record<string, string>> }
  >();
  const resolver = createDeviceResolver(invocation, engine, options);
  for (const { row, device: reference, values: cells } of csv.rows) {
    try {
      const device = await resolver.one({ text: reference });
      const twin = placed.get(device.id);
      if (twin)
        errors.push({
          code: 'duplicate-device',
          source: 'user',
          ...say('cli.device-twice', { reference, line: twin.line }),
          file,
          line: row,
          device: reference,
        });
      else placed.set(device.id, { device, line: row, values: cells });
    } catch (thrown) {
      errors.push({ ...toErrorShape(thrown), file, line: row });
    }
  }
  const [first, ...others] = errors.sort((a, b) => (a.line ?? 0) - (b.line ?? 0));
  if (first) throw new FieldwrightError({ ...first, ...(others.length > 0 ? { others } : {}) });
  return {
    values,
    byDevice: Object.fromEntries([...placed].map(([id, row]) => [id, row.values])),
    devices: [...placed.values()].map(({ device }) => device),
  };
}

function readPairs(pairs: readonly string[]): Readonly<Record<string, string>> {
  const values = new Map<string, string>();
  for (const text of pairs) {
    const at = text.indexOf('=');
    const name = text.slice(0, at);
    if (values.has(name)) throw createUsageError(say('cli.value-twice', { name }), { path: '--values' });
    values.set(name, text.slice(at + 1));
  }
  return Object.fromEntries(values);
}
