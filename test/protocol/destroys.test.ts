import { describe, expect, it } from 'vitest';
import {
  isDestructive,
  findOperation,
  findOperationAt,
  operations,
  requestDestroys,
} from '#protocol/index.ts';

function destroysAt(id: string, body?: unknown): boolean {
  const operation = findOperation(id);
  if (operation === undefined) throw new Error(id);
  return isDestructive(operation, body);
}

describe('what destroys', () => {
  // Would catch: a deletion that a script sends without anybody having agreed to it.
  it('is every DELETE, the resets and the removal of stored counts', () => {
    const marked = operations.filter((operation) => operation.destroys === true).map(({ id }) => id);

    expect(marked).toEqual(
      expect.arrayContaining([
        'accessControl.localController.deleteAll',
        'aiPlatform.engine.reset',
        'aiPlatform.engine.unload',
        'aiPlatform.models.delete',
        'peopleCounting.count.reset',
        'peopleCounting.flashStorage.remove',
      ]),
    );
    expect(operations.filter(({ method, destroys: what }) => method === 'DELETE' && what !== true)).toEqual(
      [],
    );
  });

  it.each([
    ['accessControl.users.setUp', { employeeNo: '7', deleteUser: true }, true],
    ['accessControl.users.setUp', { employeeNo: '7', deleteUser: false }, false],
    ['accessControl.users.setUp', { employeeNo: '7', name: 'A' }, false],
    ['accessControl.fingerprints.setUp', { deleteFingerPrint: true }, true],
    ['accessControl.fingerprints.setUp', { fingerPrintID: 1 }, false],
    ['accessControl.hostConfig.put', { deleteUser: true }, false],
  ])('%s with %o: %s', (id, body, expected) => {
    const found = destroysAt(id, body);

    expect(found).toBe(expected);
  });

  // Would catch: a way around the question by writing the same request otherwise.
  it.each([
    ['delete', '/API/anything', undefined, true],
    ['PUT', '/API/System/Video/inputs/channels/1/counting/resetCount', undefined, true],
    ['put', '/api/System//Video/inputs/channels/1/counting/./resetCount/?x=1', undefined, true],
    ['PUT', '/API/System/Video/inputs/channels/1/counting/reset%43ount', undefined, true],
    ['PUT', '/Other/v2/ContentMgmt/FlashStorage/remove/channels/2', undefined, true],
    ['PUT', '/API/AccessControl/UserInfo/SetUp?format=json', '{"UserInfo":{"deleteUser" : true}}', true],
    ['PUT', '/API/AccessControl/UserInfo/SetUp', '{"UserInfo":{"\\u0064eleteUser":true}}', true],
    ['PUT', '/API/AccessControl/UserInfo/SetUp', '{"deleteUser":false,"deleteUser":1', true],
    ['PUT', '/API/AccessControl/UserInfo/SetUp', '<UserInfo><deleteUser>true</deleteUser></UserInfo>', true],
    ['PUT', '/API/AccessControl/UserInfo/SetUp', '{"UserInfo":{"deleteUser": false,"name":"A"}}', false],
    ['PUT', '/API/AccessControl/UserInfo/SetUp', '{"UserInfo":{"name":"A"}}', false],
    ['PUT', '/API/AccessControl/AcsCfg?format=json', '{}', false],
    ['GET', '/API/AccessControl/localController', undefined, false],
  ])('%s %s %s: %s', (method, path, body, expected) => {
    const found = requestDestroys({ method, path, ...(body !== undefined && { body }) }, '/Other/v2');

    expect(found).toBe(expected);
  });
});

describe('the operation at a path', () => {
  // Would catch: a raw request that is journalled under another operation's name.
  it('is the one with the fewest variables, with those of its path', () => {
    const found = findOperationAt(
      { method: 'PUT', path: '/API/AccessControl/localController/localControllerID/3' },
      '/API',
    );

    expect(found?.operation.id).toBe('accessControl.localController.put');
    expect(found?.params).toEqual({ localControllerID: '3' });
    expect(findOperationAt({ method: 'PUT', path: '/API/AccessControl/nothing' }, '/API')).toBeUndefined();
  });

  it('finds every operation by its own path', () => {
    const lost = operations.filter((operation) => {
      const path = operation.path.replace(/<\w+>/g, '1');
      const found = findOperationAt({ method: operation.method, path }, '/API')?.operation;
      return found?.path.split('?')[0] !== operation.path.split('?')[0];
    });

    expect(lost.map(({ id }) => id)).toEqual([]);
  });
});
