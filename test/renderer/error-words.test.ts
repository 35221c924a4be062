import { createSSRApp } from 'vue';
import { renderToString } from 'vue/server-renderer';
import { beforeAll, describe, expect, it } from 'vitest';
import { createAppI18n, showLanguage } from '#renderer/app/i18n.ts';
import { copyText, exchangeText } from '#renderer/common/errors/copy-text.ts';
import { FREQUENT_FAILURES, findRemedy } from '#renderer/common/errors/failures.ts';
import { useErrorText } from '#renderer/common/errors/use-error-text.ts';
import { showWords } from '#renderer/common/labels/field-labels.ts';
import { loadTranslation } from '#shared/details/languages.ts';
import { createRefusal } from '#protocol/index.ts';
import { say, formatSomeNames } from '#shared/details.ts';
import { ERROR_CODES, type ErrorShape } from '#shared/errors.ts';
import type { Exchange } from '#shared/exchange.ts';

type Words = ReturnType<typeof useErrorText>;

/** Returns the words as a component has them: without a page, so rendered to text. */
async function wordsIn(language: 'en' | 'zh-CN'): Promise<Words> {
  let words: Words | undefined;
  const i18n = createAppI18n((fault) => {
    throw fault;
  });
  await showLanguage(i18n.global, language);
  await renderToString(
    createSSRApp({
      setup() {
        words = useErrorText();
        return () => '';
      },
    }).use(i18n),
  );
  if (words === undefined) throw new Error('nothing was set up');
  return words;
}
const chinese = await wordsIn('zh-CN');
const english = await wordsIn('en');
const ENGINE = 'English sentence of the engine';
const error = (extra: Partial<ErrorShape> = {}): ErrorShape => ({
  code: 'timeout',
  source: 'device',
  message: ENGINE,
  hint: ENGINE,
  ...extra,
});

describe('the frequent failures', () => {
  it.each([
    [english, 'The device does not have this'],
    [chinese, '设备没有此项'],
  ])('tell a channel that a device does not have as that ("does not allow this now")', (words, title) => {
    const shapes = [
      { http: 404, statusCode: 4 },
      { http: 400, statusCode: 4, subStatusCode: 'channelNotExist' },
    ].map((report) => createRefusal({ kind: 'invalid-operation', body: 'status', report } as never));

    expect(shapes.map((shape) => words.title(shape))).toEqual([title, title]);
  });
  it('are at least twenty, each once', () => {
    expect(FREQUENT_FAILURES.length).toBeGreaterThanOrEqual(20);
    expect(new Set(FREQUENT_FAILURES).size).toBe(FREQUENT_FAILURES.length);
  });
  it('lead to a dialog where one can help', () => {
    expect(
      ['certificate-changed', 'account-locked', 'timeout'].map((code) =>
        findRemedy(code as ErrorShape['code']),
      ),
    ).toEqual(['certificate', 'sign-in', undefined]);
  });
});

describe.each(Object.entries({ english, chinese }))(
  "the device's own reason on a screen: %s",
  (_language, words) => {
    it.each<[string, NonNullable<ErrorShape['status']>, string]>([
      [
        'a sub status that nobody knows',
        { http: 400, statusCode: 6, subStatusCode: 'noSuchFace' },
        'noSuchFace',
      ],
      [
        'a sub status that is known',
        { http: 400, statusCode: 6, subStatusCode: 'badParameters' },
        '(badParameters)',
      ],
      ['a message', { http: 400, statusCode: 6, errorMsg: 'The face is too dark' }, 'The face is too dark'],
      ['a number', { http: 400, errorCode: 1_610_637_363 }, 'errorCode 1610637363'],
    ])('is in every line: %s (else: "Invalid content", which helps nobody)', (_what, status, reason) => {
      expect(words.line(error({ code: 'invalid-content', status }))).toContain(reason);
    });
  },
);

describe('words in Chinese', () => {
  const words = chinese;
  beforeAll(() => loadTranslation('zh-CN').then(showWords));

  it.each(ERROR_CODES)('hold nothing of what the engine wrote for %s', (code) => {
    const shape = error({ code });
    const all = [
      words.title(shape),
      words.why(shape),
      ...words.steps(shape),
      ...words.facts(shape),
      words.line(shape),
      words.sentence(shape) ?? '',
    ].join('\n');

    expect(all).not.toContain(ENGINE);
    expect(words.title(shape)).toMatch(/\p{Script=Han}/u);
    expect(all, 'no key shows through').not.toMatch(/error\.[a-z]/);
  });
  // Would catch: the advice of the code ("check power and cable") beside a port that speaks no HTTPS.
  it.each([
    ['unreachable', 'no-tls', 'device.no-tls', '此端口', '请检查端口'],
    ['basic-refused', 'digest-before', 'device.basic-downgrade', 'Basic', 'Digest'],
    ['sign-in-required', 'profile', 'device.sign-in-off', '用户名', '不登录'],
    ['refused', 'wants-tls', 'device.wants-tls', 'https://', 'https://'],
  ] as const)('are those of the cause where it is special: %s, %s', async (code, reason, id, why, step) => {
    const special = error({ code, reason, ...say(id) });
    await loadTranslation('zh-CN').then(showWords);
    const inChinese = [words.why(special), words.steps(special).join()];
    await loadTranslation('en').then(showWords);

    expect([english.why(special), english.steps(special)]).toEqual([special.message, [special.hint]]);
    expect(inChinese).toEqual([expect.stringContaining(why), expect.stringContaining(step)]);
  });
});

// Would catch: "wait a moment" about what no waiting changes: a lock that cannot be undone, a tab that was never let in.
describe('what is not available', () => {
  it.each(Object.entries({ english, chinese }))(
    'has its own advice, or none: %s',
    async (language, words) => {
      await loadTranslation(language === 'english' ? 'en' : 'zh-CN').then(showWords);
      const stepsOf = (more: Partial<ErrorShape>) => words.steps(error({ code: 'not-available', ...more }));
      const [lock, tab, none] = [stepsOf(say('no-undo-lock')), stepsOf(say('session-unknown')), stepsOf({})];
      await loadTranslation('en').then(showWords);

      expect(lock).toEqual([]);
      expect(tab.join()).toMatch(/terminal|终端/);
      expect(none).toHaveLength(2);
    },
  );
});

// Would catch: "it shows whether the change arrived" if nothing was written, and "check the cable" if the
// program has ended.
describe('a lost connection', () => {
  it.each(Object.entries({ english, chinese }))(
    'tells reading, writing and the way to the program apart: %s',
    (_language, words) => {
      const exchange = (method: string) => ({ method }) as Exchange;
      const shapes = [
        error({ code: 'connection-lost', exchange: exchange('GET') }),
        error({ code: 'connection-lost', exchange: exchange('PUT') }),
        error({ code: 'connection-lost', source: 'app' }),
      ];

      expect(new Set(shapes.map((shape) => words.steps(shape).join())).size).toBe(3);
      expect(words.title(shapes[2] as ErrorShape)).toContain('Fieldwright');
    },
  );
});

describe('numbers and codes in words', () => {
  const words = english;

  it.each<[string, Partial<ErrorShape>, readonly string[]]>([
    [
      'no attempt left',
      { code: 'sign-in-failed', lock: { attemptsLeft: 0 } },
      ['No attempt is left before the account is locked.'],
    ],
    [
      'one attempt left',
      { code: 'sign-in-failed', lock: { attemptsLeft: 1 } },
      ['One attempt is left before the account is locked.'],
    ],
    [
      'three attempts left',
      { code: 'sign-in-failed', lock: { attemptsLeft: 3 } },
      ['3 attempts are left before the account is locked.'],
    ],
    [
      'a range',
      { code: 'out-of-range', source: 'user', allowed: { min: 0.01, max: 1 } },
      ['Allowed: 0.01 to 1.'],
    ],
    [
      'a range that is empty',
      { code: 'out-of-range', source: 'user', allowed: { min: 5, max: 1 } },
      ['Specification and device leave no value that both allow.'],
    ],
    [
      'lengths',
      { code: 'too-long', source: 'user', allowed: { minLength: 1, maxLength: 32 } },
      ['At most 32 characters.', 'At least 1 characters.'],
    ],
    [
      'many options',
      {
        code: 'not-allowed',
        source: 'user',
        allowed: { options: Array.from({ length: 20 }, (_, index) => index) },
      },
      ['Allowed: 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, ….'],
    ],
    [
      'a sub status code',
      { code: 'refused', status: { http: 403, statusCode: 4, subStatusCode: 'lowPrivilege' } },
      ['The device says: the user does not have the rights for this (lowPrivilege).'],
    ],
    [
      'an unknown sub status code',
      { code: 'invalid-content', status: { http: 400, statusCode: '6', subStatusCode: 'whoKnows' } },
      ['The device says: whoKnows.'],
    ],
    [
      'a write that may have arrived',
      { code: 'timeout', sent: true },
      ['The request had left: a change may have been made all the same.'],
    ],
    [
      'a read that changes nothing',
      {
        code: 'timeout',
        sent: true,
        exchange: { method: 'GET', url: '/', requestHeaders: {}, responseBody: '', ms: 1 },
      },
      [],
    ],
  ])('%s', (_what, extra, facts) => {
    expect(words.facts(error(extra))).toEqual(facts);
  });
});

describe('the text for a colleague', () => {
  const exchange: Exchange = {
    method: 'PUT',
    url: '/API/x?token=hunter2',
    requestHeaders: { authorization: 'Digest hunter2', accept: '*/*' },
    requestBody: '<a><password>hunter2</password></a>',
    http: 403,
    responseHeaders: { 'set-cookie': 'hunter2' },
    responseBody: '{"passwd":"hunter2","ok":false}',
    ms: 12,
  };

  it('says what, where, when, and holds the request without a secret', () => {
    const text = copyText(
      error({
        code: 'refused',
        device: 'http://admin:hunter2@10.0.0.1',
        operation: 'thermal.get',
        status: { http: 403, statusCode: 4, subStatusCode: 'lowPrivilege' },
        exchange,
      }),
      { title: 'The device refused', at: new Date('2026-01-02T03:04:05Z'), version: '1.2.3' },
    );

    for (const part of [
      'Fieldwright 1.2.3',
      'The device refused [refused]',
      '2026-01-02T03:04:05.000Z',
      'http://10.0.0.1',
      'thermal.get',
      'lowPrivilege',
      'PUT /API/x',
      'HTTP 403',
      'accept: */*',
    ])
      expect(text).toContain(part);
    expect(text).not.toContain('hunter2');
  });
  it('says so where no answer came, and cuts a long body', () => {
    const { http: _http, ...silent } = exchange;

    expect(exchangeText(silent)).toContain('no answer');
    expect(exchangeText({ ...exchange, responseBody: 'x'.repeat(300_000) }).length).toBeLessThan(25_000);
  });
});

// Would catch: "showCapPic, voicePrompt", as they go over the wire, for a person who knows them by their
// labels.
it('calls settings that still show something else by their labels', async () => {
  const names = [...Array(9).fill('voicePrompt'), 'showCapPic', 'protocol', 'nobody.knows'] as string[];
  const ignored = error({
    code: 'refused',
    operation: 'accessControl.hostConfig.put',
    ...say('old-after-ok', { names: formatSomeNames(names) }),
  });
  const said = english.sentence(ignored);
  await loadTranslation('zh-CN').then(showWords);
  const inChinese = chinese.sentence(ignored);
  await loadTranslation('en').then(showWords);

  expect(said).toMatch(/Voice prompts, Show the captured picture … \(\+2\)\.$/);
  expect(inChinese).toMatch(/语音提示, 显示抓拍图片 … \(\+2\)/);
  expect(inChinese).not.toMatch(/voicePrompt/);
});

describe.each(Object.entries({ english, chinese }))('advice on a screen: %s', (language, words) => {
  // Would catch: "Split it into smaller parts" beside a model package, which cannot be split.
  it('is that of the very problem where there is one', async () => {
    await loadTranslation(language === 'english' ? 'en' : 'zh-CN').then(showWords);
    const tooLarge = words.steps(
      error({
        code: 'input-too-large',
        source: 'app',
        ...say('model.too-large', { size: 9, free: 3, unused: 1, names: 'helmet 5' }),
      }),
    );
    const general = words.steps(error({ code: 'input-too-large', source: 'user' }));
    await loadTranslation('en').then(showWords);

    expect(tooLarge).toEqual([
      language === 'english' ? 'Remove what no engine uses: helmet 5.' : expect.stringContaining('模型包'),
    ]);
    expect(general.join()).not.toMatch(/Split|拆分/);
  });

  it('is that of the cause before that of the sentence', () => {
    const steps = words.steps(
      error({
        code: 'confirmation-needed',
        source: 'user',
        reason: 'replaces-working',
        ...say('sign-in-replaces', { devices: 59 }),
      }),
    );

    expect(steps).toHaveLength(2);
  });
});
