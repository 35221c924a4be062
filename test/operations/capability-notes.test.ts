import { expect, it, onTestFinished } from 'vitest';
import { isCapabilityDocument, operations } from '#protocol/index.ts';
import { DEVICE_KINDS } from '#shared/model.ts';
import { openSite, never } from '../engine/site-engine.ts';
import { startOddDevice } from '../engine/odd-device.ts';

const documents = operations.filter(isCapabilityDocument);

it('no capability document of the virtual site is remarked on (else: false notes with every call)', async () => {
  const site = await openSite({ devices: DEVICE_KINDS.length, kinds: DEVICE_KINDS });

  const answers = await Promise.all(
    documents.flatMap(({ id, params }) =>
      site.ids.map(async (deviceId) => {
        const given = Object.fromEntries(params.map(({ name }) => [name, name === 'channelID' ? 1 : 'all']));
        const answer = await site.engine.operations.call({ operation: id, deviceId, params: given }, never);
        // The site reports more than the specification lists, as devices do.
        const notes = answer.notes.filter((note) => note.id !== 'read.unlisted');
        return { id, notes, wasRead: answer.value !== undefined };
      }),
    ),
  );

  expect(answers.filter(({ notes }) => notes.length > 0)).toEqual([]);
  expect(new Set(answers.filter(({ wasRead }) => wasRead).map(({ id }) => id)).size).toBe(documents.length);
});

it('empty elements whose attributes carry the answer are not remarked on in what `call` shows', async () => {
  const device = await startOddDevice(() => ({
    text: `<?xml version="1.0" encoding="UTF-8"?><GateDialAndInfo version="2.0"><deviceType opt="DropGate,WingGate,SwingGate"/><workMode opt="Normal,Origin"/><openSpeed min="1" max="10"/><gateLightBrightness min="0" max="5">sample</gateLightBrightness></GateDialAndInfo>`,
  }));
  const site = await openSite();
  onTestFinished(() => device.close());
  const { id } = site.engine.devices.addTransient({ url: device.url, name: 'Gate' });

  const answer = await site.engine.operations.call(
    { operation: 'gate.dialAndInfo.capabilities.get', deviceId: id },
    never,
  );

  expect(answer.notes.filter((note) => note.id !== 'read.unlisted')).toEqual([]);
});
