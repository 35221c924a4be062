/** Rules that propose a template: for which devices and why, until it was applied or dropped; nothing is sent meanwhile. */
import { expect, it } from 'vitest';
import {
  applyPlan,
  asAnotherProgram,
  makePlan,
  never,
  openSite,
  template,
  waitForEnd,
  type TestSite,
} from '../site-engine.ts';

let at: TestSite;

async function open(devices: number): Promise<void> {
  at = await openSite({ devices, kinds: ['thermal'] });
}

function add(nth: number, tags: readonly string[] = ['lanes']): string {
  const { url = '', name = '', user = '', password = '' } = at.site.devices[nth] ?? {};
  return at.engine.devices.add({ address: url, name, tags, signIn: { userName: user, password } }).id;
}

async function apply(ruleId: string, deviceIds: readonly string[]): Promise<void> {
  const { templateText, ...rest } = at.engine.proposals.template({ ruleId, deviceIds });
  const plan = await makePlan({ ...at, ids: deviceIds }, templateText, rest);
  expect(await applyPlan(at.engine, plan)).toMatchObject({ state: 'done' });
}

// Would catch: a rule that comes over devices which are there already, that writes by itself, or that asks again and again.
it('proposes its template for a device that is added, until it was applied or dropped', async () => {
  await open(4);
  const { engine } = at;
  add(0);
  const { id, fits } = engine.proposals.addRule({ templateId: 'bundled:site-basics', tag: 'lanes' });
  const before = engine.proposals.list();
  const [one, two] = [add(1), add(2)];
  add(3, ['others']);
  const found = engine.proposals.list();
  const sent = [0, 1, 2, 3].flatMap((nth) => at.site.device(nth).requests);

  await engine.devices.test({ ids: [one] }, never);
  await apply(id, [one]);
  engine.proposals.dismiss({ ruleId: id, deviceIds: [two] });

  expect([fits, before, sent]).toEqual([1, [], []]);
  expect(found).toMatchObject([
    { ruleId: id, deviceId: one, reason: 'new' },
    { ruleId: id, deviceId: two, reason: 'new' },
  ]);
  expect(engine.proposals.list()).toEqual([]);
});

// Would catch: a device that takes the place of another one without what its place asks for.
it('proposes it again for a device that takes the place of another one', async () => {
  await open(2);
  const { engine } = at;
  const [old, by] = [add(0), add(1, [])];
  await engine.devices.test({ ids: [old, by] }, never);
  const { id } = engine.proposals.addRule({
    templateId: 'bundled:site-basics',
    tag: 'lanes',
    kind: 'thermal',
  });
  let planId = '';
  for await (const event of engine.replacements.plan({ oldId: old, newId: by }, never))
    if (event.type === 'replacement') planId = event.plan.id;

  const before = engine.proposals.list();
  await waitForEnd(engine, (await engine.replacements.begin({ planId }, never)).jobId);

  expect(before).toEqual([]);
  expect(engine.proposals.list()).toMatchObject([{ ruleId: id, deviceId: by, reason: 'replaced' }]);
});

// Would catch: a device back at its factory settings that nothing is proposed for, or one whose single value a person changed.
it('proposes it again for a device of which nothing agreed is left, and not for one that a person changed', async () => {
  await open(2);
  const { engine } = at;
  const ids = [add(0), add(1)];
  const basic = (distance: number, unit: string, rules: string): string =>
    `set: thermal.thermometryBasic\nparams: { channelID: 1 }\nvalue: { distance: ${distance}, distanceUnit: ${unit}, rulesOverlayMode: ${rules} }`;
  const mode = (enabled: boolean): string =>
    `set: thermal.thermometryMode\nparams: { channelID: 1 }\nvalue: { thermometryROIEnabled: ${enabled} }`;
  await engine.devices.test({ ids }, never);
  await applyPlan(engine, await makePlan({ ...at, ids }, template(basic(20, 'feet', 'alarm'), mode(true))));
  const { id } = engine.proposals.addRule({ templateId: 'bundled:site-basics', tag: 'lanes' });
  const before = engine.proposals.list();
  for (const [nth, other] of [
    template(basic(5, 'meter', 'all'), mode(false)),
    template(basic(7, 'meter', 'all')),
  ].entries())
    await asAnotherProgram(at, nth, async (elsewhere, device) => {
      await applyPlan(elsewhere, await makePlan({ engine: elsewhere, ids: [device] }, other));
    });
  for await (const _event of engine.agreements.look({ deviceIds: ids }, never));

  expect(before).toEqual([]);
  expect(engine.agreements.status({ deviceIds: ids })).toMatchObject([
    { state: 'drifted' },
    { state: 'drifted' },
  ]);
  expect(engine.proposals.list()).toMatchObject([{ ruleId: id, deviceId: ids[0], reason: 'reset' }]);
});

it('refuses a rule for every device, and one without its template or site', async () => {
  await open(1);
  const { proposals } = at.engine;
  const refused = (rule: Parameters<typeof proposals.addRule>[0]): string => {
    try {
      proposals.addRule(rule);
      return '';
    } catch (error) {
      return (error as { readonly code?: string }).code ?? '';
    }
  };

  expect([
    refused({ templateId: 'bundled:site-basics' }),
    refused({ templateId: 'none', tag: 'lanes' }),
    refused({ templateId: 'bundled:site-basics', siteId: 's-none' }),
  ]).toEqual(['usage', 'not-found', 'not-found']);
  expect(proposals.rules()).toEqual([]);
});
