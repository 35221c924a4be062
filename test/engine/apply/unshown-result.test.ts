/** A secret that a device never shows may be lost by a write beside it; the result says so as the plan did. */
import { expect, it } from 'vitest';
import { applyPlan, makePlan, openSite, template, type TestSite } from '../site-engine.ts';

let at: TestSite;

// Would catch: "Verified" over a password that the write may have cost, with the warning in a plan that is
// never opened again.
it('the result of a write names the secrets that the device did not show', async () => {
  at = await openSite({ kinds: ['thermal'], strict: false });
  // The virtual card takes no lock without a password, so a simulated answer replaces its refusal.
  at.site.device(0).setFault('html', 1, { method: 'PUT' });
  const plan = await makePlan(at, template('set: storage.rwLock\nvalue: { enabled: true }'));
  const planned = plan.devices[0]?.sections[0]?.warnings;

  const job = await applyPlan(at.engine, plan, { allowPlainFields: true });
  const unit = at.engine.jobs.show({ id: job.id }).results[0]?.units[0];

  expect(planned).toMatchObject([{ detail: { id: 'secret-not-shown' } }]);
  expect(unit).toMatchObject({ outcome: 'ignored', warnings: planned });
  expect(job.results[0]?.units[0]).toEqual(unit);
});
