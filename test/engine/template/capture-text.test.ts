/** Parts that do not fit into one template are left out with a note, instead of making it unreadable. */
import { describe, expect, it } from 'vitest';
import { findResource } from '#protocol/index.ts';
import { captureSection } from '#engine/template/capture/capture-section.ts';
import { captureText } from '#engine/template/capture/capture-text.ts';

const HEAD = {
  name: 'Large',
  device: 'Rack',
  url: 'http://192.0.2.1',
  kinds: [],
  at: '2026-01-01T00:00:00.000Z',
} as const;

function plans(channels: number) {
  const resource = findResource('passback.historyPlan');
  if (resource === undefined) throw new Error('no such section');
  const days = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];
  const actions = Array.from({ length: 56 }, (_, at) => ({
    id: at + 1,
    eventType: 'VMD',
    ScheduleActionStartTime: { DayOfWeek: days[at % 7], TimeOfDay: '01:00:00+00:00' },
    ScheduleActionEndTime: { DayOfWeek: days[at % 7], TimeOfDay: '02:00:00+00:00' },
  }));
  return Array.from({ length: channels }, (_, at) =>
    captureSection(resource, {
      kind: 'value',
      params: { streamID: '1', channelID: at + 1 },
      value: { enable: true, ScheduleActionList: actions },
      unlisted: [],
    }),
  );
}

describe('a capture of a very large recorder', () => {
  it('ends with a template that can be read, and names what is missing', () => {
    const { summary, sections, text } = captureText(plans(256), HEAD);

    const left = sections.filter(({ state }) => state === 'failed');
    expect(left.length).toBeGreaterThan(0);
    expect(left.every(({ error }) => error?.code === 'input-too-large')).toBe(true);
    expect(summary.sections).toHaveLength(256 - left.length);
    expect(text).toContain('(streamID 1, channelID 256) could not be captured');
  });
});
