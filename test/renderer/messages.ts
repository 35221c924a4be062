/** All messages of a language by key, as the pages have them together. */
import { STATUS } from '#shared/details/status.ts';
import en from '#renderer/locales/en.json';
import zhCN from '#renderer/locales/zh-CN.json';

type Messages = { readonly [key: string]: string | Messages };

/** Messages of features and components beside the app's own. */
const own = Object.entries(
  import.meta.glob<Messages>('../../src/renderer/{features,common}/**/messages.*.json', {
    eager: true,
    import: 'default',
  }),
);

function flatten(messages: Messages, prefix = ''): Map<string, string> {
  const flat = new Map<string, string>();
  for (const [key, value] of Object.entries(messages)) {
    if (typeof value === 'string') flat.set(prefix + key, value);
    else for (const [path, text] of flatten(value, `${prefix}${key}.`)) flat.set(path, text);
  }
  return flat;
}

/** Throws where two files hold one key. */
export function messagesOf(language: 'en' | 'zh-CN'): ReadonlyMap<string, string> {
  const all = new Map([...flatten(language === 'en' ? en : zhCN), ...flatten({ status: STATUS[language] })]);
  for (const [path, messages] of own) {
    if (!path.endsWith(`/messages.${language}.json`)) continue;
    for (const [key, text] of flatten(messages)) {
      if (all.has(key)) throw new Error(`${path} says ${key} again.`);
      all.set(key, text);
    }
  }
  return all;
}
