import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { quoteShellWord, toCurl } from '#shared/text/curl.ts';
import type { Exchange } from '#shared/exchange.ts';

const HOSTILE = [
  "it's",
  "'; touch /tmp/owned; '",
  '$(id)',
  '`id`',
  '"; id; "',
  '\\',
  "\\'",
  '!!',
  'a\nb',
  'ends in feed\n',
  '\u0003id\r',
  '\u001b[2J',
  '~',
  '*',
  '-rf',
  '@/etc/passwd',
  '',
  ' ',
  '%s%n',
  '100%',
  '\t',
  '\u202ereversed',
  '中文',
  'x\r\ny',
  '#',
  '&',
  '|',
  'a b',
  '\u0085',
  '😀',
  "\r'\\047!%d\n",
];

/** Windows has no shell that could say what such a command line means. */
const hasShell = process.platform !== 'win32';

function sh(script: string): string {
  return execFileSync('/bin/sh', ['-c', script], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
}

/** Returns what a program called `curl` would get: its arguments, then its input. */
function received(command: string): { readonly args: readonly string[]; readonly input: string } {
  const parts = sh(
    `curl() { for a in "$@"; do printf '%s\\0' "$a"; done; case "$*" in *@-*) cat;; esac; }\n${command}`,
  ).split('\0');
  return { args: parts.slice(0, -1), input: parts.at(-1) ?? '' };
}

function exchange(more: Partial<Exchange> = {}): Exchange {
  return {
    method: 'PUT',
    url: '/API/System/x?format=json',
    requestHeaders: { 'content-type': 'application/json' },
    requestBody: '{"a":1}',
    http: 200,
    responseBody: '',
    ms: 3,
    ...more,
  };
}

describe('shellWord', () => {
  it.runIf(hasShell)(
    'is one word with exactly that text for a POSIX shell (else: a value from a device runs as a command)',
    () => {
      // A line feed at the end beside control characters is the one thing "$(…)" cannot carry; bodies go through a pipe.
      const words = HOSTILE.filter((text) => !/\r.*\n$/s.test(text));
      const read = sh(words.map((text) => `printf '%s\\0' ${quoteShellWord(text)}`).join('\n'))
        .split('\0')
        .slice(0, -1);

      expect(read).toEqual(words);
    },
  );

  it('shows a terminal nothing but printable characters and line feeds (else: pasting it presses Ctrl-C or Enter)', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(quoteShellWord(text)).not.toMatch(
          /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/,
        );
      }),
    );
  });

  it.runIf(hasShell)('survives any text (else: a combination nobody thought of breaks out)', () => {
    const texts = fc.sample(
      fc.string({ unit: 'binary' }).filter((text) => !text.includes('\0') && !text.endsWith('\n')),
      300,
    );
    const read = sh(texts.map((text) => `printf '%s\\0' ${quoteShellWord(text)}`).join('\n'))
      .split('\0')
      .slice(0, -1);

    expect(read).toEqual(texts.map((text) => text.toWellFormed()));
  });
});

describe.runIf(hasShell)('toCurl', () => {
  it('asks for the password and gives the body as it is', () => {
    const { args } = received(toCurl(exchange(), { device: 'http://10.0.0.2:80', user: 'admin' }));

    expect(args).toEqual([
      '--globoff',
      '--path-as-is',
      '--digest',
      '--user',
      'admin',
      '--request',
      'PUT',
      '--header',
      'content-type: application/json',
      '--data-raw',
      '{"a":1}',
      'http://10.0.0.2:80/API/System/x?format=json',
    ]);
  });

  it.each(HOSTILE)('carries the body %j unchanged', (body) => {
    const { args, input } = received(
      toCurl(exchange({ requestBody: body }), { device: 'http://10.0.0.2', user: "o'neil" }),
    );

    expect(args).toContain("o'neil");
    expect(args.includes('@-') ? input : args[args.indexOf('--data-raw') + 1]).toBe(body);
  });

  it('takes no password out of a user name, and none without sign-in', () => {
    const { requestBody: _body, ...read } = exchange({ method: 'GET', requestHeaders: {} });
    const withColon = received(toCurl(exchange(), { device: 'http://d', user: 'admin:secret' })).args;
    const none = received(toCurl(read, { device: 'http://d', auth: 'none' })).args;

    expect(withColon).toContain('USER');
    expect(withColon.join(' ')).not.toContain('secret');
    expect(none).toEqual([
      '--globoff',
      '--path-as-is',
      '--request',
      'GET',
      'http://d/API/System/x?format=json',
    ]);
  });
});
