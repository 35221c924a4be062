import { describe, expect, it } from 'vitest';
import { toKindValues } from '#protocol/index.ts';
import { createDetail, formatDetail } from '#shared/details.ts';
import { DEVICE_KINDS } from '#shared/model.ts';

describe('sentences that list kinds of device', () => {
  // Would catch: a new kind that these sentences leave out, so that a template is said to be for no device at all.
  it.each(DEVICE_KINDS)('name the kind %s', (kind) => {
    const word = formatDetail(createDetail(`reports.kind-${kind}`));
    const values = toKindValues([kind]);

    expect(formatDetail(createDetail('reports.kinds-of-device', values))).toBe(word);
    expect(formatDetail(createDetail('for-other-kinds', values))).toContain(`for ${word};`);
  });
});
