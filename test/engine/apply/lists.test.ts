/** Lists on a device that keeps every byte it is sent: plan, apply, plan again, undo. */
import { afterEach, describe, expect, it } from 'vitest';
import { applyPlan, makePlan, openSite, template, watchToEnd, type TestSite } from '../site-engine.ts';
import { startKeepingDevice, type OddDevice } from '../odd-device.ts';

const PATH = '/Event/triggers/severeHDFailure';
const SET = 'events.severeHdFailureTrigger';
const TRIGGER = `<?xml version="1.0" encoding="UTF-8"?>\r
<EventTrigger version="2.0" xmlns="urn:odd"><id>severeHDFailure-1</id><eventType>severeHDFailure</eventType>
  <EventTriggerNotificationList size='8'>
    <EventTriggerNotification>
      <CustomExtension v="1"><a>007</a></CustomExtension>
      <id>beep</id><notificationMethod>beep</notificationMethod><notificationRecurrence>beginning</notificationRecurrence>
      <lightAudioOutID>1</lightAudioOutID>
    </EventTriggerNotification>
    <EventTriggerNotification><id>mail</id><notificationMethod>email</notificationMethod><mailTo>02</mailTo></EventTriggerNotification>
  </EventTriggerNotificationList>
</EventTrigger>`;
const items = (...lines: readonly string[]) =>
  template(
    `set: ${SET}\nvalue:\n  EventTriggerNotificationList:\n${lines.map((line) => `    - ${line}`).join('\n')}`,
  );
const RECURRING = '{ id: beep, notificationMethod: beep, notificationRecurrence: recurring }';
const MAIL = '{ id: mail, notificationMethod: email }';

let at: TestSite;
let device: OddDevice;
const documents = new Map<string, string | Buffer>();
afterEach(async () => {
  await device.close();
});

async function open() {
  documents.set(PATH, TRIGGER);
  device = await startKeepingDevice(documents);
  at = await openSite();
  const { id } = at.engine.devices.addTransient({ url: device.url, name: 'odd' });
  const plan = (text: string) => makePlan({ engine: at.engine, ids: [id] }, text);
  return { plan, section: async (text: string) => (await plan(text)).devices[0]?.sections[0] };
}
const held = () => String(documents.get(PATH));

describe('a list whose items hold more than the specification knows', () => {
  it("one field of an item is changed and nothing else of the document; planned again nothing is left, undone it is as it was (lightAudioOutID and a vendor's part lost, and called effective)", async () => {
    const { plan, section } = await open();

    const planned = await plan(items(RECURRING, MAIL));
    const job = await applyPlan(at.engine, planned);
    const after = held();
    const again = await section(items(MAIL, RECURRING));
    await watchToEnd(at.engine, at.engine.jobs.undo({ id: job.id }).jobId);

    expect(planned.devices[0]?.sections[0]).toMatchObject({
      state: 'changes',
      changes: [
        {
          path: 'EventTriggerNotificationList[0].notificationRecurrence',
          from: 'beginning',
          to: 'recurring',
        },
      ],
    });
    expect(planned.devices[0]?.sections[0]).not.toHaveProperty('lost');
    expect(job.results[0]?.units[0]?.outcome).toBe('effective');
    expect(after).toBe(TRIGGER.replace('>beginning<', '>recurring<'));
    expect(again).toMatchObject({ state: 'unchanged', changes: [] });
    expect(held()).toBe(TRIGGER);
  });

  it('the plan says what goes with an item that is removed (a loss that nobody agreed to)', async () => {
    const { plan } = await open();

    const planned = await plan(items(MAIL));

    expect(planned.devices[0]?.sections[0]?.lost).toEqual([
      'EventTriggerNotificationList[0].CustomExtension',
      'EventTriggerNotificationList[0].lightAudioOutID',
    ]);
  });
});
