import { describe, expect, it } from 'vitest';
import { openSite, never } from '../engine/site-engine.ts';

describe('times of events', () => {
  it.each([
    ['2030-01-31T08:00:00+08:00', '2030-01-31T00:00:00Z'],
    ['2030-01-31T00:30:00-03:30', '2030-01-31T04:00:00Z'],
    ['2030-01-31T08:00:00.5+00:00', '2030-01-31T08:00:00.500Z'],
  ])('%s goes out as %s, and says so', async (written, sent) => {
    const at = await openSite({ kinds: ['gate'] });

    const answer = await at.engine.operations.call(
      {
        deviceId: at.ids[0] ?? '',
        operation: 'accessControl.eventTotal.query',
        body: { major: 0, minor: 0, startTime: written },
      },
      never,
    );

    const asked = at.site
      .device(0)
      .requests.find(({ operation, http }) => operation === 'accessControl.eventTotal.query' && http === 200);
    expect(JSON.parse(asked?.body ?? '{}')).toEqual({
      AcsEventTotalNumCond: { major: 0, minor: 0, startTime: sent },
    });
    expect(answer.warnings).toMatchObject([
      {
        code: 'unusual',
        path: 'startTime',
        detail: { id: 'sent-as-utc', values: { from: written, to: sent } },
      },
    ]);
  });

  it.each(['2030-01-31', '2030-01-31T08:00:00Z', '2030-01-31T08:00:00'])(
    '%s goes out as it is',
    async (written) => {
      const at = await openSite({ kinds: ['gate'] });

      const answer = await at.engine.operations.call(
        {
          deviceId: at.ids[0] ?? '',
          operation: 'accessControl.eventTotal.query',
          body: { major: 0, minor: 0, startTime: written },
        },
        never,
      );

      const asked = at.site
        .device(0)
        .requests.find(
          ({ operation, http }) => operation === 'accessControl.eventTotal.query' && http === 200,
        );
      expect(JSON.parse(asked?.body ?? '{}')).toEqual({
        AcsEventTotalNumCond: { major: 0, minor: 0, startTime: written },
      });
      expect(answer.warnings).toBeUndefined();
    },
  );
});
