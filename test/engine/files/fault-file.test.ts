/** Parts of an error that `faults.log` keeps, and those that it leaves out. */
import { appendFileSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { describeError, openFaultFile, readFaults } from '#engine/files/fault-file.ts';
import { userError } from '#shared/errors.ts';
import { say } from '#shared/details.ts';

const folder = mkdtempSync(join(tmpdir(), 'fieldwright-faults-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('an error that is kept', () => {
  // Would catch: secrets, answers of devices and people's names and addresses in a file that goes to support.
  it.each([
    [`Unexpected token '<', "<Person><name>Ann Example</name>"... is not valid JSON`, /Ann|Example/],
    ["ENOENT: no such file or directory, open '/home/ann/Fieldwright/x.yaml'", /ann|x\.yaml/],
    ['EPERM C:\\Users\\Jürgen Müller\\AppData\\Roaming\\Fieldwright', /rgen|ller|AppData/],
    ['connect ECONNREFUSED 192.0.2.17:8443', /192/],
    ['connect ETIMEDOUT 2001:db8::17:443', /db8/],
    ['fetch failed http://admin:hunter2@gate.example/System', /hunter2|admin|gate/],
    ['mail ann.example@customer.example is bad', /ann|customer/],
    ['password is hunter2', /hunter2/],
    ["it's refused: 'open sesame' said Ann's door", /sesame/],
    ['员工 王小明 没有找到', /王小明/],
    [`never closed: "Ann Example`, /Ann/],
  ])('holds nothing of what %j quotes', (message, secret) => {
    expect(describeError(new Error(message)).message).not.toMatch(secret);
  });

  // Would catch: a file that says nothing because everything is masked.
  it('names what failed, its cause and the place in our code', () => {
    const cause = Object.assign(new Error("open '/x'"), { code: 'EBUSY' });
    const error = new TypeError("Cannot read properties of undefined (reading 'doors')", { cause });
    error.stack = [
      'TypeError: Cannot read …',
      '    at async Object.openDoor (file:///C:/Users/Ann/Fieldwright/resources/app.asar/out/main/chunks/engine-Bx1.cjs:120:7)',
      '    at C:\\Users\\Ann\\app.asar\\out\\main\\index.cjs:9:1',
      '    at node:internal/process/task_queues:95:5',
    ].join('\n');
    cause.stack = '';

    expect(describeError(error)).toEqual({
      name: 'TypeError',
      code: 'EBUSY',
      message: "Cannot read properties of undefined (reading 'doors') <- open …",
      frames: ['Object.openDoor (out/main/chunks/engine-Bx1.cjs:120:7)', '(out/main/index.cjs:9:1)'],
    });
  });

  it('names our own errors by their sentence, without its values', () => {
    const error = userError('not-available', say('port-unusable', { port: 17, host: 'gate.example' }));

    expect(describeError(error).message).toBe('not-available port-unusable');
  });

  it.each([undefined, null, 'text', 17, Symbol('x'), { message: 17 }, Object.create(null)])(
    'may be anything that is thrown: %s',
    (thrown) => {
      expect(() => describeError(thrown)).not.toThrow();
    },
  );
});

describe('the file of errors', () => {
  // Would catch: a page that fails with every frame fills the disk.
  it('keeps the same error three times, and never grows beyond its bound', () => {
    const record = openFaultFile(folder, '1.0.0');

    for (let nth = 0; nth < 20; nth += 1)
      record({ place: 'page', event: 'page-error', error: new Error('again and again') });
    const same = readFaults(folder, 100).length;
    for (let nth = 0; nth < 3_000; nth += 1)
      openFaultFile(
        folder,
        '1.0.0',
      )({ place: 'page', event: 'page-error', error: new Error('x'.repeat(5_000)) });

    expect(same).toBe(3);
    expect(statSync(join(folder, 'faults.log')).size).toBeLessThanOrEqual(256 * 1024);
    expect(statSync(join(folder, 'faults.log.1')).size).toBeLessThanOrEqual(256 * 1024);
  });

  // Would catch: what another program wrote there goes unmasked into a report.
  it('is masked again when it is read', () => {
    const at = '2026-01-02T03:04:05.000Z';
    const line = {
      at,
      version: '<b>',
      place: 'page',
      event: 'e',
      name: 'Error',
      code: '',
      frames: ['/etc/passwd', 7],
    };
    appendFileSync(
      join(folder, 'faults.log'),
      `${JSON.stringify({ ...line, message: 'at "Ann"' })}\n{"at":1`,
    );

    const [last] = readFaults(folder, 1000).slice(-1);

    expect(readFileSync(join(folder, 'faults.log'), 'utf8')).toContain('Ann');
    expect(last).toMatchObject({ version: '', message: 'at …', frames: [] });
  });
});
