import { describe, expect, it } from 'vitest';
import { formatDetail } from '#shared/details.ts';
import { getTranslation } from '#shared/details/all-languages.ts';
import { createTranslator } from '#shared/details/languages.ts';
import { formatDeviceReason } from '#shared/device-reason.ts';
import type { StatusReport } from '#shared/errors.ts';
import { readStatus, createRefusal } from '#protocol/index.ts';
import { Reader } from '#report-layout/reader.ts';

describe("a device's reason", () => {
  it.each<[string, Omit<StatusReport, 'http'>, string | undefined]>([
    ['sub status', { statusString: 'Invalid Content', subStatusCode: 'noSuchFace' }, 'noSuchFace'],
    [
      'message',
      { statusString: 'Invalid Content', errorMsg: 'The face is too dark' },
      'The face is too dark',
    ],
    [
      'both',
      { errorMsg: 'Number 7 is taken', subStatusCode: 'alreadyExist' },
      'Number 7 is taken (alreadyExist)',
    ],
    [
      'both, and they say the same',
      { errorMsg: 'Refused: BadParameters.', subStatusCode: 'badParameters' },
      'Refused: BadParameters.',
    ],
    ['an empty message', { errorMsg: ' ', subStatusCode: 'noSuchFace' }, 'noSuchFace'],
    ['a message that says ok', { errorMsg: 'OK', subStatusCode: 'noSuchFace' }, 'noSuchFace'],
    ['the number alone', { errorCode: 1_610_637_363 }, 'errorCode 1610637363'],
    ['number and message', { errorCode: 1_610_637_363, errorMsg: 'failed' }, 'failed (errorCode 1610637363)'],
    [
      'number and general word',
      { statusCode: 6, statusString: 'Invalid Content', errorCode: 77 },
      'Invalid Content (errorCode 77)',
    ],
    ['number and sub status', { subStatusCode: 'noSuchFace', errorCode: 77 }, 'noSuchFace'],
    ['general word alone', { statusCode: 6, statusString: 'Invalid XML Content' }, 'Invalid XML Content'],
    [
      'own words in the general place',
      { statusString: 'No such channel', subStatusCode: 'bad' },
      'No such channel (bad)',
    ],
    ['a status code that nobody knows', { statusCode: 42 }, 'statusCode 42'],
    ['a known status code', { statusCode: '6' }, undefined],
    [
      'success',
      { statusCode: 1, statusString: 'OK', subStatusCode: 'ok', errorCode: 1, errorMsg: 'ok' },
      undefined,
    ],
  ])('is the most exact that it gives: %s', (_what, fields, reason) => {
    expect(formatDeviceReason({ http: 400, ...fields })).toBe(reason);
  });

  it('stands in every language of the sentence and before its hint (a Chinese list that leaves it out)', () => {
    const text = '{"statusCode":3,"statusString":"Device Error","subStatusCode":"noSuchFace"}';
    const error = createRefusal(readStatus({ http: 400, text }));
    const { detail } = error;
    if (detail === undefined) throw new Error('a refusal without a detail');
    const [chinese = ''] = createTranslator(getTranslation('zh-CN'))(detail).split('\n');

    expect(error.message).toMatch(/ The device says: noSuchFace$/);
    expect(error.hint).toBe('Try again; restart the device if it stays.');
    expect(formatDetail(detail)).toBe(`${error.message}\n${error.hint}`);
    expect(chinese).toMatch(/设备应答：noSuchFace$/);
    expect(new Reader(getTranslation('zh-CN')).words(detail)).toContain(chinese);
    expect(new Reader().words(detail)).toContain(error.message);
  });
});
