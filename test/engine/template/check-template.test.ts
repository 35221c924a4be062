/** Check of a template at the office, against what devices reported on site. */
import { describe, expect, it } from 'vitest';
import { never, openSite, type TestSite } from '../site-engine.ts';

let at: TestSite;

const text = (mode: string): string =>
  `fieldwright: template/1\nname: T\nsections:\n  - set: thermal.thermometryMode\n    params: { channelID: 1 }\n    value: { mode: ${mode} }\n`;

describe('check with saved capability reports', () => {
  it('says which device cannot take a value, and where it stands', async () => {
    at = await openSite();
    const report = JSON.stringify(
      await at.engine.operations.capabilities({ deviceId: at.ids[0] ?? '' }, never),
    );
    const check = (mode: string) =>
      at.engine.templates.check({
        text: text(mode),
        file: 't.yaml',
        capabilities: [{ file: 'caps.json', text: report }],
      });

    expect(at.engine.templates.check({ text: text('AI') }).ok).toBe(true);
    expect(check('expert')).toMatchObject({ ok: true, errors: [] });
    expect(check('AI')).toMatchObject({
      ok: false,
      errors: [{ code: 'not-allowed', device: at.site.devices[0]?.name, file: 't.yaml', line: 6 }],
    });
  });

  it('tells a file that is no report from a template that is wrong', async () => {
    at = await openSite();

    expect(() =>
      at.engine.templates.check({ text: text('AI'), capabilities: [{ file: 'x.json', text: '{}' }] }),
    ).toThrow(
      expect.objectContaining({
        shape: expect.objectContaining({ code: 'unreadable-file', file: 'x.json' }),
      }),
    );
    expect(
      at.engine.templates.check({ text: text('odd'), capabilities: [] }).errors[0]?.device,
    ).toBeUndefined();
  });
});
