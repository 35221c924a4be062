/** A CSV of values for many devices, each row with the device of the inventory it names. */
import { say } from '#shared/details.ts';
import { removeUndefined } from '#shared/remove-undefined.ts';
import { toErrorShape, type ErrorShape } from '#shared/errors.ts';
import type { ValuesTable } from '#shared/template/authoring.ts';
import type { Device } from '#shared/model.ts';
import type { DevicesApi, PlansApi } from '../api/routes.ts';
import { parseTemplate } from '../template/parse-template.ts';
import { combineErrors } from '../template/check/problems.ts';
import { readValuesCsv } from '../template/values/values-csv.ts';

/**
 * Reads the table of values. Unknown devices, and one named in two ways, are reported with their line like
 * all else. @throws `invalid-template`
 */
export function readValuesTable(
  request: Parameters<PlansApi['readValues']>[0],
  devices: Pick<DevicesApi, 'find'>,
): ValuesTable {
  const { document, errors: templateErrors } = parseTemplate(request.templateText);
  if (document === undefined) throw combineErrors(templateErrors);
  const { fileName: file } = request;
  const csv = readValuesCsv(Buffer.from(request.base64, 'base64'), document.variables, {
    file,
    given: request.given ?? [],
  });
  const errors: ErrorShape[] = [...csv.errors];
  const lineOf = new Map<string, number>();
  const found = csv.rows.flatMap(({ row, device: reference, values }) => {
    const place = { line: row, device: reference, ...removeUndefined({ file }) };
    let device: Device;
    try {
      device = devices.find(reference);
    } catch (thrown) {
      errors.push({ ...toErrorShape(thrown), ...place });
      return [];
    }
    const first = lineOf.get(device.id);
    // The reader has already reported the same words given twice.
    if (
      first !== undefined &&
      !errors.some(({ code, line }) => code === 'duplicate-device' && line === row)
    ) {
      errors.push({
        code: 'duplicate-device',
        source: 'user',
        ...say('device-given-twice', { device: reference, line: first }),
        ...place,
      });
    }
    lineOf.set(device.id, first ?? row);
    return [{ deviceId: device.id, name: device.name, row, values }];
  });
  return { devices: found, errors: errors.sort((a, b) => (a.line ?? 0) - (b.line ?? 0)) };
}
