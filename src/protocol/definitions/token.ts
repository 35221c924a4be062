/** The shared key of token authentication (part 3, 2.5). */
import { createDetail } from '#shared/details.ts';
import { choice, flag, object, text, xml, type Operation, type Rule } from '../definition.ts';
import { operation } from './operation.ts';
import { toObject, isBase64 } from './rules.ts';

const SPEC = '3:2.5';
const BASE = '/API/System/Token';

const tokenFields = [
  flag('tokenAuthenticateEnable', 'Token authentication'),
  choice('authenticateMode', 'Authentication mode', [['shareKey', 'Shared key']]),
  object(
    'keyInfo',
    'Key',
    [
      text('key', 'Shared key', {
        required: true,
        sensitive: true,
        minLength: 1,
        help: 'Base64: the key itself may hold any bytes.',
      }),
    ],
    {
      required: true,
      when: [{ path: 'tokenAuthenticateEnable', oneOf: [true] }],
      help: 'Only when token authentication is on.',
    },
  ),
  choice('digesType', 'Digest', [['sha256', 'SHA-256']]),
  choice('iterationTimes', 'Iterations', [50_000, 80_000, 100_000]),
  choice('encryptAlgorithmType', 'Encryption', ['AES']),
  choice('keyLen', 'Key length', [
    [128, '128 bit'],
    [256, '256 bit'],
  ]),
  choice('encryptAlgorithmMode', 'Mode of encryption', [
    ['ECB', 'ECB (weak: equal blocks stay recognizable)'],
    'CBC',
    'CFB',
    'OFB',
  ]),
  choice('encryptAlgorithmFill', 'Padding', [
    ['yes', 'Padded to a multiple of 16 bytes'],
    ['no', 'None'],
  ]),
] as const;

const keyIsBase64: Rule = {
  path: 'keyInfo.key',
  spec: SPEC,
  check(value) {
    const key = toObject(value['keyInfo'])['key'];
    return typeof key === 'string' && !isBase64(key) ? createDetail('not-base64') : undefined;
  },
};

const tokenSecretKeyCap = xml('TokenSecretKeyCap', SPEC, tokenFields);
const tokenSecretKey = xml('TokenSecretKey', SPEC, tokenFields, { rules: [keyIsBase64] });

export const tokenOperations: readonly Operation[] = [
  operation({
    id: 'token.secretKey.capabilities.get',
    method: 'GET',
    path: `${BASE}/secretKey/capabilities`,
    label: 'Token key capabilities',
    spec: SPEC,
    response: tokenSecretKeyCap,
    isCapability: true,
  }),
  operation({
    id: 'token.secretKey.set',
    method: 'POST',
    path: `${BASE}/secretKey`,
    label: 'Set the token key',
    spec: SPEC,
    request: tokenSecretKey,
    capability: 'token.secretKey.capabilities.get',
    idempotent: true,
    sensitive: true,
  }),
  operation({
    id: 'token.check',
    method: 'POST',
    path: `${BASE}/check`,
    label: 'Check a token',
    spec: '3:4',
    sensitive: true,
    specified: false,
  }),
];
