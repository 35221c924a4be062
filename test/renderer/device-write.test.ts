import { describe, expect, it } from 'vitest';
import { findOperation, type Payload } from '#protocol/index.ts';
import { writeTemplate } from '#renderer/features/device/writing/write-template.ts';

function payloadOf(id: string): Payload {
  return findOperation(id)?.request as Payload;
}

describe('writeTemplate', () => {
  it('makes secrets variables: they never stand in the text', () => {
    const { text, secrets } = writeTemplate({
      set: 'storage.rwLock',
      label: 'Lock',
      params: {},
      payload: payloadOf('storage.rwLock.put'),
      patch: { enabled: true, passwd: 'p${x}', originalPasswd: 'old' },
    });

    expect(secrets).toEqual({ secret1: 'p${x}', secret2: 'old' });
    expect(text).not.toContain('p$');
    expect(JSON.parse(text)).toEqual({
      fieldwright: 'template/1',
      name: 'Lock',
      variables: { secret1: { type: 'secret' }, secret2: { type: 'secret' } },
      sections: [
        {
          set: 'storage.rwLock',
          value: { enabled: true, passwd: '${secret1}', originalPasswd: '${secret2}' },
        },
      ],
    });
  });

  it('writes literal placeholders so that they stay what they are', () => {
    const { text } = writeTemplate({
      set: 'passback.historyPlan',
      label: 'Plan',
      params: { streamID: 'a${b}', channelID: 1 },
      payload: payloadOf('thermal.thermometryBasic.put'),
      patch: {
        calibrationFileVersion: '${name} $${x}',
        NormalTemperatureIntervalMeasurement: { TemperatureIntervalList: [{ name: '${a}' }] },
        alert: null,
      },
    });
    const [section] = (
      JSON.parse(text) as { sections: { params: unknown; value: Record<string, unknown> }[] }
    ).sections;

    expect(section?.params).toEqual({ streamID: 'a$${b}', channelID: 1 });
    expect(section?.value['calibrationFileVersion']).toBe('$${name} $$${x}');
    expect(section?.value['NormalTemperatureIntervalMeasurement']).toEqual({
      TemperatureIntervalList: [{ name: '$${a}' }],
    });
    expect(section?.value['alert']).toBeNull();
  });

  it('takes a list for a value where the root is one', () => {
    const { text } = writeTemplate({
      set: 'humanRecognition.regions',
      label: 'Regions',
      params: { channelID: 1 },
      payload: payloadOf('humanRecognition.regions.put'),
      patch: [{ id: '1' }],
    });

    expect((JSON.parse(text) as { sections: { value: unknown }[] }).sections[0]?.value).toEqual([
      { id: '1' },
    ]);
  });
});
