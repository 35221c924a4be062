import type { Language } from '#shared/details/languages.ts';

/** Path variables are few, and not part of the fields' words. */
const CHINESE: Readonly<Record<string, string>> = {
  Channel: '通道',
  Engine: '引擎',
  'Model package id': '模型包 ID',
  'Task id': '任务 ID',
  'Local controller': '就地控制器',
  Audio: '音频',
  Preset: '预置点',
  'Stream id': '码流 ID',
  'Extent of the report': '报告范围',
};

export function translateParamLabel(label: string, language: Language): string {
  return language === 'en' ? label : (CHINESE[label] ?? label);
}
export const paramLabels: ReadonlySet<string> = new Set(Object.keys(CHINESE));
