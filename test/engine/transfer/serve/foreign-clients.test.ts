/** Programs that are not ours fetch what is served, as devices do that were not made by us. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { eventually, folder, offered } from './offer.ts';

const has = (name: string): boolean => spawnSync(name, ['--version']).status === 0;

async function run(
  name: string,
  args: readonly string[],
): Promise<{ readonly code: number; readonly out: string }> {
  const child = spawn(name, args, { stdio: ['ignore', 'pipe', 'ignore'] });
  let out = '';
  child.stdout.on('data', (chunk: Buffer) => {
    out += chunk.toString();
  });
  const [code] = (await once(child, 'close')) as [number | null];
  return { code: code ?? -1, out };
}

describe('foreign clients', () => {
  it.skipIf(!has('curl'))('curl fetches it, and the rest of it', async () => {
    const { offer, content, sha256 } = await offered();
    const to = join(folder(), 'got');
    writeFileSync(to, content.subarray(0, 1_234_567));

    const whole = await run('curl', [
      '-sf',
      '-o',
      `${to}.whole`,
      '-w',
      '%{http_code} %{num_connects}',
      offer.url,
    ]);
    const rest = await run('curl', ['-sf', '-C', '-', '-o', to, '-w', '%{http_code}', offer.url]);
    const parts = await run('curl', ['-sf', '-r', '0-0,-1', '-w', '%{content_type}', '-o', '-', offer.url]);
    await eventually(() => offer.served().complete);

    expect([whole, rest]).toEqual([
      { code: 0, out: '200 1' },
      { code: 0, out: '206' },
    ]);
    expect(readFileSync(`${to}.whole`).equals(content) && readFileSync(to).equals(content)).toBe(true);
    expect(parts.out).toContain('multipart/byteranges');
    expect(offer.served().sha256).toBe(sha256);
  });

  it.skipIf(!has('wget'))('wget -c goes on after it was killed', async () => {
    const { offer, content, sha256 } = await offered({ size: 20_000_000 });
    const to = join(folder(), 'got');
    const args = ['-q', '-c', '-O', to, offer.url];
    const killed = spawn('wget', ['--limit-rate=4m', ...args], { stdio: 'ignore' });
    await eventually(() => existsSync(to) && statSync(to).size > 200_000);
    killed.kill('SIGKILL');
    await once(killed, 'close');
    const before = statSync(to).size;
    await eventually(() => offer.served().open === 0);

    const again = await run('wget', args);
    const third = await run('wget', args);
    await eventually(() => offer.served().complete);

    expect(before).toBeLessThan(content.length);
    expect([again.code, third.code, readFileSync(to).equals(content)]).toEqual([0, 0, true]);
    expect(offer.served()).toMatchObject({ sha256, requests: 2 });
  });

  const python = ['python3', 'python'].find(has);
  it.skipIf(python === undefined)("Python's urllib fetches it whole and in ranges", async () => {
    const { offer, content, sha256 } = await offered();
    const script = `
import hashlib, sys, urllib.request, urllib.error
url = sys.argv[1]
whole = urllib.request.urlopen(url)
data = whole.read()
etag = whole.headers['ETag']
def part(a, b):
    r = urllib.request.urlopen(urllib.request.Request(url, headers={'Range': f'bytes={a}-{b}', 'If-Range': etag}))
    assert r.status == 206, r.status
    return r.read()
half = len(data) // 2
joined = part(half, len(data) - 1)
joined = part(0, half - 1) + joined
try:
    urllib.request.urlopen(url + 'x'); print('open')
except urllib.error.HTTPError as e: print(e.code)
print(whole.headers['Content-Length'], hashlib.sha256(data).hexdigest(), joined == data)
`;

    const { code, out } = await run(python ?? '', ['-c', script, offer.url]);
    await eventually(() => offer.served().complete);

    expect([code, out.trim().split('\n')]).toEqual([0, ['404', `${content.length} ${sha256} True`]]);
  });
});
