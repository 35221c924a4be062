/** `--lang` and FIELDWRIGHT_LANG: what is for people follows, what is for scripts does not. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeFolder, run, startSite, type StartedSite } from './helpers.ts';

const folder = makeFolder();
let site: StartedSite;

beforeAll(async () => {
  site = await startSite(folder, ['--devices', '1', '--kinds', 'thermal']);
});
afterAll(async () => {
  await site.stop();
  folder.remove();
});

describe('in Chinese', () => {
  // Would catch: a table or the end of a job that stays English.
  it('plans, applies and lists jobs', async () => {
    const at = ['--template', 'site-basics', '--device', site.devices[0]?.url ?? '', '--lang', 'zh-CN'];

    const planned = await run(folder, ['plan', ...at], { env: site.env });
    const applied = await run(folder, ['apply', ...at, '--yes'], { env: site.env });
    const listed = await run(folder, ['jobs', 'list', '--lang=zh-CN']);

    expect(planned.stdout).toMatch(/^1 台设备的计划/);
    expect(planned.stdout).toContain('有更改');
    expect(applied.stdout).toMatch(/^设备 /);
    expect(applied.stdout).toContain('已验证生效');
    expect(applied.stdout).toMatch(/任务 j-\w+：完成。/);
    expect(listed.stdout).toMatch(/^任务 +开始时间 +类型 +状态/);
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
