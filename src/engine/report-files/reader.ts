/** Readers of documents in the engine, which has both languages. */
import fields from '../../../resources/locales/zh-CN.fields.json' with { type: 'json' };
import { Reader, type ReportLanguage } from '#report-layout/reader.ts';
import { CHINESE } from '#shared/details/chinese.ts';

export function getReader(language: ReportLanguage): Reader {
  return new Reader(language, { ...CHINESE, fields });
}
