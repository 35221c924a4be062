/** A capability of people is a terminal's own claim: it informs and warns, and the terminal decides. */
import { expect, it } from 'vitest';
import { userInfoSetUp } from '#protocol/definitions/access-control-users.ts';
import { validate } from '#protocol/index.ts';
import { PEOPLE } from '#simulator/areas/people/people.ts';
import { openSite, type TestSite } from '../site-engine.ts';
import { carriedOut, fileOf } from './people-work.ts';

let at: TestSite;
async function gate(capability: object): Promise<TestSite> {
  at = await openSite({ kinds: ['gate'] });
  at.site.device(0).part(PEOPLE).setLimits({ capability });
  return at;
}

it('doorRight 0 is as good as any number of a door', async () => {
  expect(validate(userInfoSetUp, { employeeNo: '1', doorRight: '0' }, { mode: 'patch' })).toEqual([]);
  const site = await gate({ doorRight: { '@min': 1, '@max': 1 } });

  const { rows } = await carriedOut(site, fileOf('employeeNo,name,doorRight\n7001,A,0\n'));

  expect(rows[0]).toMatchObject({ outcome: 'done' });
});

// Would catch: people who cannot be sent because of a document that the specification does not have.
it('people whom the capability does not allow for are sent, and the plan says so', async () => {
  const site = await gate({ userType: { '@opt': 'normal' } });
  const file = fileOf('employeeNo,name,userType\n7001,A,visitor\n');

  const { plan, rows } = await carriedOut(site, file);

  expect(plan.devices[0]).toMatchObject({ counts: { added: 1 } });
  expect(plan.devices[0]?.notes).toContainEqual({ id: 'people-claimed', values: { count: 1 } });
  expect(rows[0]).toMatchObject({ outcome: 'done' });
});

it('a terminal that calls itself full is asked all the same', async () => {
  const site = await gate({ maxRecordNum: 3 });

  const { plan, rows } = await carriedOut(site, fileOf('employeeNo,name\n7001,A\n'));

  expect(plan.devices[0]?.notes.map(({ id }) => id)).toEqual(['people-own-capability', 'people-no-room']);
  expect(rows[0]).toMatchObject({ outcome: 'done' });
});

// Would catch: a plan that ends at an address which no specification has.
it('a connection that breaks off at the address of the capability ends no plan, and the plan says so', async () => {
  const site = await gate({ maxRecordNum: 3 });
  site.site.device(0).setFault('reset', 1, { path: 'UserInfo/capabilities' });

  const { plan, rows } = await carriedOut(site, fileOf('employeeNo,name\n7001,A\n'));

  expect(plan.devices[0]).not.toHaveProperty('error');
  expect(plan.devices[0]?.notes.map(({ id }) => id)).toContain('people-capability-silent');
  expect(rows[0]).toMatchObject({ outcome: 'done' });
});
