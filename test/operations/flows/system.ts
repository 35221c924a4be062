/** Operations of every kind: the capability report and the token key (part 3, 2.5 and 2.8). */
import { DEVICE_KINDS } from '#shared/model.ts';
import { pick, type Trial } from '../trial.ts';

const KEY = Buffer.from([0, 1, 2, 250, 255, 10, 13, 9]).toString('base64');

export async function system(trial: Trial): Promise<void> {
  for (const kind of DEVICE_KINDS) {
    const report = await trial.call(kind, 'system.capabilities.get', { params: { type: 'all' } });
    trial.check(
      'system.capabilities.get',
      pick(report, 'SysCap', 'isSupportDst') === true,
      `no full report from ${kind}`,
    );
    await trial.call(kind, 'token.secretKey.capabilities.get');
  }
  const settings = {
    authenticateMode: 'shareKey',
    digesType: 'sha256',
    iterationTimes: 100_000,
    encryptAlgorithmType: 'AES',
    keyLen: 256,
    encryptAlgorithmMode: 'CBC',
    encryptAlgorithmFill: 'yes',
  };
  await trial.call('counter', 'token.secretKey.set', {
    body: { tokenAuthenticateEnable: true, ...settings, keyInfo: { key: KEY } },
  });
  const held = trial.device('counter').state().parts['tokenKey'];
  trial.proved(
    'token.secretKey.set',
    'on the device',
    pick(held, 'enabled') === true && pick(held, 'keyLen') === '256',
  );
  await trial.call('counter', 'token.secretKey.set', { body: { tokenAuthenticateEnable: false } });
  trial.proved(
    'token.secretKey.set',
    'off again',
    pick(trial.device('counter').state().parts['tokenKey'], 'enabled') === false,
  );

  await trial.raw('counter', 'token.check', {}, '<TokenInfo version="2.0"/>', 'not-supported');
}
