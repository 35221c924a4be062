/** Announcements of the controller. The interface sets and deletes them and reads none (part 2, 2.11): a person listens. */
import { listFieldChanges, buildDeviceFields, buildAnswerDocument } from '../common/device-fields.ts';
import { attest, conclude } from '../common/findings.ts';
import { endOf, buildWrittenBlocks } from '../common/lines.ts';
import type { FlowStep, Written } from '../flow.ts';
import { getSpecifiedOperation, getSpecifiedRequest } from '#engine/operations/specified.ts';

const PUT = 'accessControl.controllerAudio.put';

export const audio: FlowStep = {
  id: 'audio',
  title: { id: 'flow-gate-audio' },
  writes: ['accessControl.controllerAudio'],
  async run(step) {
    const request = getSpecifiedRequest(getSpecifiedOperation(PUT));
    const answer = await step.ask('set', {
      text: [{ id: 'flow-gate-audio-text' }],
      fields: [{ name: 'number', label: { id: 'flow-gate-audio-number' }, kind: 'number', min: 0, max: 999 }],
    });
    const number = answer['number'] as number | undefined;
    let written: Written | undefined;
    if (number !== undefined) {
      const values = await step.ask('values', {
        text: [{ id: 'flow-gate-audio-values', values: { number } }],
        fields: buildDeviceFields(request, {}),
      });
      written = await step.call(
        'audio',
        () => ({
          operation: PUT,
          params: { audioID: Math.floor(number) },
          body: buildAnswerDocument(values),
          noUndo: 'no-undo-sound',
        }),
        listFieldChanges(request, values),
        { text: [{ id: 'flow-gate-audio-sends', values: { number } }] },
      );
      step.record(...buildWrittenBlocks(step, written, { id: 'flow-gate-audio' }));
    }
    const { all } = await attest(step, 'heard', { text: [{ id: 'flow-gate-audio-listen' }] }, [
      { name: 'granted', label: { id: 'flow-gate-audio-granted' }, severity: 'minor' },
      { name: 'denied', label: { id: 'flow-gate-audio-denied' }, severity: 'minor' },
    ]);
    return conclude(step, all, endOf(written));
  },
};
