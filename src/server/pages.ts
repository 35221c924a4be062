/** The few pages the server writes itself: plain, without scripts, for links that lead nowhere. */

/** What became of the link's token. */
export type Notice = 'used' | 'unknown';

const TEXTS: Readonly<Record<Notice, { readonly title: string; readonly text: string }>> = {
  used: {
    title: 'This link was used already',
    text: 'Each link opens Fieldwright once. Go on in the tab that opened it. For a new link, stop Fieldwright in its terminal (Ctrl+C) and start it again.',
  },
  unknown: {
    title: 'This link is not valid',
    text: 'The link belongs to an earlier start of Fieldwright or is incomplete. Open the link that the running Fieldwright printed in its terminal.',
  },
};

export function noticePage(notice: Notice): string {
  const { title, text } = TEXTS[notice];
  return `<!doctype html>
<html lang="en">
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
