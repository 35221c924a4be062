/** The few pages the server writes itself: plain, without scripts, for links that lead nowhere. */

import { getLockedLanguage } from '#engine/files/policy.ts';
import { createDetail, splitSentences } from '#shared/details.ts';
import { getTranslation } from '#shared/details/all-languages.ts';
import { matchLanguage, writeDetail } from '#shared/details/languages.ts';

/** The state of the link's token. */
export type Notice = 'used' | 'unknown';

/** Builds the page in the first language of `accepts`, the browser's `Accept-Language`. */
export function buildNoticePage(notice: Notice, accepts = ''): string {
  const language = matchLanguage(getLockedLanguage() ?? accepts);
  const { message: title, hint: text = '' } = splitSentences(
    writeDetail(getTranslation(language), createDetail(`link-${notice}`)),
  );
  return `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>
:root { color-scheme: light dark; }
body { font: 1rem/1.5 system-ui, sans-serif; margin: 0; min-height: 100vh; display: grid; place-items: center; }
main { max-width: 32rem; padding: 2rem; }
h1 { font-size: 1.4rem; }
</style>
</head>
<body><main><h1>${title}</h1><p>${text}</p></main></body>
</html>
`;
}
