/** `--lang` and FIELDWRIGHT_LANG: what is for people follows, what is for scripts does not. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writeFileSync } from 'node:fs';
import { makeFolder, run, startSite, type StartedSite } from './helpers.ts';

const folder = makeFolder();
let site: StartedSite;

beforeAll(async () => {
  site = await startSite(folder, ['--devices', '3', '--kinds', 'thermal,gate,ai']);
});
afterAll(async () => {
  await site.stop();
  folder.remove();
});

/** The same in every language: protocols, formats, kinds of device as `--kinds` takes them, who is signed in. */
const NAMES = new Set(
  'Fieldwright Digest Basic Unicode openssl admin tester thermal gate ai counter recorder digest auto json xml boolean integer number string Private ms vip pin'.split(
    ' ',
  ),
);

/**
 * Returns English words except names; options, commands, addresses, ids, members, codes and quoted text are
 * left out. Parameters and JSON as on the wire are included.
 */
function englishIn(text: string, own: readonly string[]): readonly string[] {
  const raw = text.match(/\(\w+ID \d+|[[{]"\w+/g) ?? [];
  const words = own
    .reduce((rest, name) => rest.replaceAll(name, ' '), text)
    .replace(/“[^”]*”|设备应答：.*|\[[a-z-]+\]|[0-9a-f]{8}-[-0-9a-f]+|\b[a-z]+(?:-[0-9a-z]+)+/g, ' ')
    .replace(/fieldwright( [a-z][a-z-]*)+|(?:keys|jobs) export/g, ' ')
    .replace(/--[a-z-]+|\S*[/_.@:=]\S*/g, ' ')
    .match(/[A-Za-z][A-Za-z-]+/g);
  return [
    ...raw,
    ...[...new Set(words)].filter((word) => !NAMES.has(word) && !/[a-z][A-Z]|^[A-Z-]+$/.test(word)),
  ];
}

describe('in Chinese', () => {
  // Would catch: any message, question, cell or name that a command shows in English.
  it('every group of commands holds no English words but names', async () => {
    const [thermal, gate, ai] = site.devices.map(({ url }) => url);
    const own = [
      ...site.devices.map(({ name }) => name),
      '大堂',
      '酒店',
      'Safety helmet',
      'distance',
      'opens',
      'closes',
      'channel',
    ];
    const at = (url = thermal): readonly string[] => ['--device', url ?? ''];
    const template = folder.file('own.yaml');
    const answers = folder.file('answers.yaml');
    writeFileSync(answers, '{}');
    const file = (name: string, channel: number, how: string): string => {
      const section = `set: thermal.thermometryMode, params: { channelID: ${channel} }, ${how}: true`;
      const text = `fieldwright: template/1\nname: T\nsections: [{ ${section}, value: { mode: normal } }]`;
      writeFileSync(folder.file(name), text);
      return folder.file(name);
    };
    let job = '';
    const walk: readonly (() => readonly string[])[] = [
      () => ['device', 'list'],
      () => ['device', 'add', thermal ?? '', '--name', '大堂'],
      () => ['device', 'add', gate ?? ''],
      () => ['device', 'list'],
      () => ['device', 'test', '大堂'],
      () => ['device', 'probe', thermal ?? ''],
      () => ['device', 'probe', 'http://127.0.0.1:9'],
      () => ['device', 'trust', '大堂', '--fingerprint', 'ab'],
      () => ['device', 'distrust', '大堂'],
      () => ['device', 'update', '大堂', '--tag', 'vip'],
      () => ['device', 'update', '大堂'],
      () => ['device', 'import', folder.file('none.csv')],
      () => ['site', 'list'],
      () => ['site', 'add', '酒店'],
      () => ['device', 'update', '大堂', '--site', '酒店'],
      () => ['site', 'list'],
      () => ['site', 'remove', 'nowhere'],
      () => ['credential', 'list'],
      () => ['credential', 'save', '--user', 'admin', '--label', '酒店'],
      () => ['credential', 'assign', '酒店', '--tag', 'vip'],
      () => ['credential', 'list'],
      () => ['device', 'list'],
      () => ['credential', 'remove', '酒店'],
      () => ['profile', 'save', '酒店', '--prefix', '/API'],
      () => ['profile', 'list'],
      () => ['profile', 'remove', '酒店'],
      () => ['secret', 'list'],
      () => ['secret', 'set', 'pin'],
      () => ['secret', 'remove', 'pin'],
      () => ['keys', 'list'],
      () => ['keys', 'export'],
      () => ['operations'],
      () => ['call', 'thermal.thermometryBasic.get', ...at(), '--param', 'channelID=99'],
      () => ['call', 'thermal.thermometryBasic.get', ...at(ai), '--param', 'channelID=1'],
      () => ['request', 'PATCH', '/x', ...at()],
      () => ['template', 'list'],
      () => ['template', 'show', 'thermal-entrance'],
      () => ['template', 'new', '--kind', 'thermal', '--out', template],
      () => ['template', 'check', template],
      () => ['template', 'save', template],
      () => ['template', 'remove', '新模板'],
      () => ['template', 'capture', ...at(), '--out', folder.file('captured.yaml')],
      () => ['template', 'diff', folder.file('captured.yaml'), folder.file('captured.yaml')],
      () => ['template', 'diff', 'thermal-entrance', 'gate-lobby'],
      () => ['template', 'diff', file('one.yaml', 1, 'optional'), file('two.yaml', 2, 'clamp')],
      () => ['plan', '--template', 'site-basics', ...at(), ...at(gate)],
      () => ['plan', '--template', 'thermal-entrance', ...at()],
      () => ['apply', '--template', 'site-basics', ...at(), ...at(gate), ...at('http://127.0.0.1:9')],
      () => [
        'apply',
        '--template',
        'site-basics',
        ...at(),
        ...at(gate),
        ...at('http://127.0.0.1:9'),
        '--yes',
        '--progress',
      ],
      () => ['jobs', 'list'],
      () => ['jobs', 'show', job],
      () => ['jobs', 'undo', job],
      () => ['jobs', 'undo', job, '--yes'],
      () => ['jobs', 'resume', job],
      () => ['jobs', 'retry', job, '--yes'],
      () => ['jobs', 'follow-up', job],
      () => ['jobs', 'export'],
      () => ['jobs', 'list'],
      () => ['device', 'list', '--archived'],
      () => ['proposals', 'add', '--template', 'site-basics'],
      () => ['proposals'],
      () => ['flow', 'list'],
      () => ['flow', 'show', 'nothing'],
      () => ['flow', 'run', 'commission-thermal', ...at(), '--answers', answers, '--yes'],
      () => ['flow', 'records'],
      () => ['flow', 'verify'],
      () => ['flow', 'verify', answers],
      () => ['flow', 'compare', answers, answers],
      () => ['model', 'list', ...at(ai)],
      () => ['model', 'engines', ...at(ai)],
      () => ['model', 'storage', ...at(ai)],
    ];
    const found: Record<string, readonly string[]> = {};

    for (const step of walk) {
      const args = step();
      const env = { ...site.env, FIELDWRIGHT_LANG: 'zh-CN', FIELDWRIGHT_SECRET_PIN: '1234' };
      const { stdout, stderr } = await run(folder, args, { env });
      job = /j-[0-9a-f]+/.exec(stdout + stderr)?.[0] ?? job;
      const english = englishIn(stdout + stderr, own);
      if (english.length > 0) found[args.join(' ')] = english;
    }
    expect(found).toEqual({});
    expect(job).not.toBe('');
  });

  // Would catch: a table or the end of a job that stays English.
  it('plans, applies and lists jobs', async () => {
    const at = ['--template', 'site-basics', '--device', site.devices[0]?.url ?? '', '--lang', 'zh-CN'];

    const planned = await run(folder, ['plan', ...at], { env: site.env });
    const applied = await run(folder, ['apply', ...at, '--yes'], { env: site.env });
    const listed = await run(folder, ['jobs', 'list', '--lang=zh-CN']);
    const urls = [site.devices[0]?.url ?? '', 'http://127.0.0.1:9'];
    const tested = await run(folder, ['device', 'test', ...urls, '--lang=zh-CN'], { env: site.env });

    expect(planned.stdout).toMatch(/^1 台设备的计划/);
    expect(planned.stdout).toContain('将更改');
    expect(applied.stdout).toMatch(/^设备 /);
    expect(applied.stdout).toContain('已验证生效');
    expect(applied.stdout).toMatch(/任务 j-\w+：完成。/);
    expect(listed.stdout).toMatch(/^任务 +开始时间 +类型 +状态/);
    // Would catch: kinds and codes of errors in English in the cells of a table.
    expect(tested.stdout).toMatch(/已登录 .*热成像/);
    expect(tested.stdout).not.toMatch(/thermal|connection-refused/);
    expect(applied.stdout + listed.stdout).not.toMatch(/Verified|Skipped|[Dd]one|DEVICE|JOB/);
  });

  // Would catch: an error that people read in English, or one that scripts read in Chinese.
  it('errors are Chinese for people by option or environment, and the same as ever for scripts', async () => {
    const env = { FIELDWRIGHT_LANG: 'zh-CN' };

    const told = await run(folder, ['jobs', 'show', 'nope'], { env });
    const english = await run(folder, ['jobs', 'show', 'nope', '--lang', 'en'], { env });
    const forScripts = await run(folder, ['jobs', 'show', 'nope', '--json'], { env });

    expect(told.stderr).toContain('没有任务“nope”。');
    expect(english.stderr).toContain('There is no job "nope".');
    expect(forScripts.json()).toMatchObject({ message: 'There is no job "nope".' });
  });

  // Would catch: a sentence of the library that takes the command line apart, which is English for everybody.
  it.each([
    [['operations', '--jsn'], '没有选项“--jsn”', '--json'],
    [['templat', 'list'], '没有命令“templat”', 'template'],
    [['call'], '缺少必填参数', 'operation'],
    [['operations', 'extra'], '参数过多', '1'],
    [['jobs'], '缺少命令', 'jobs --help'],
    [['simulate', '--devices', 'many'], '--devices 应为', 'many'],
  ])('%j is refused in Chinese', async (args, said, named) => {
    const result = await run(folder, args, { env: { FIELDWRIGHT_LANG: 'zh-CN' } });

    expect(result.code).toBe(2);
    expect(result.stderr).toContain(said);
    expect(result.stderr).toContain(named);
    expect(result.stderr).not.toMatch(/unknown|missing|did you mean|takes a whole/i);
  });
});
