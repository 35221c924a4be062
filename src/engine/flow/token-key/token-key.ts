/** Gives a device its shared key for token authentication (part 3, 2.5), made here or pasted, kept in the vault. */
import { say } from '#shared/details.ts';
import { appError, userError } from '#shared/errors.ts';
import type { Change } from '#shared/model.ts';
import { findConstraint, type Constraints, type Field, type Payload } from '#protocol/index.ts';
import type { DocumentText } from '#shared/report-document.ts';
import { listFieldChanges } from '../common/device-fields.ts';
import { endOf, buildWrittenBlocks } from '../common/lines.ts';
import { generateKey } from '../common/password.ts';
import { SIGN_IDENTITY, signOffWithIdentity } from '../common/sign-off.ts';
import { check } from './check.ts';
import type { Flow, FlowField, StepContext, Values } from '../flow.ts';
import {
  getSpecifiedField,
  getSpecifiedOperation,
  getSpecifiedRequest,
} from '#engine/operations/specified.ts';

/** Name of the secret in the vault; its value is base64, as it goes to the device. */
const TOKEN_KEY = 'token-key';

const CAPABILITIES = 'token.secretKey.capabilities.get';
const SET = 'token.secretKey.set';
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
/** Settings to choose, with the value proposed if the device proposes none. */
const CHOICES = {
  iterationTimes: 100_000,
  keyLen: 256,
  encryptAlgorithmMode: 'CBC',
  encryptAlgorithmFill: 'yes',
} as const;
/** Fewer random bits than this can be guessed. */
const WEAK_BYTES = 16;

export const tokenKey: Flow = {
  name: 'token-key',
  title: { id: 'flow-token-title' },
  about: { id: 'flow-token-about' },
  identity: SIGN_IDENTITY,
  steps: [
    {
      id: 'settings',
      title: { id: 'flow-token-settings' },
      required: true,
      async run(step) {
        const limits = await step.limits(CAPABILITIES);
        const answer = await step.ask('settings', {
          text: [{ id: 'flow-token-settings-text' }],
          fields: Object.entries(CHOICES).map(([name, proposed]) => choiceOf(name, proposed, limits)),
        });
        if (answer['encryptAlgorithmMode'] === 'ECB')
          await step.ask('ecb', {
            text: [{ id: 'flow-token-ecb' }],
            tone: 'warning',
            fields: [{ name: 'sure', label: { id: 'flow-token-ecb-sure' }, kind: 'flag', required: true }],
          });
        return { outcome: 'unchanged', did: 'answered' };
      },
    },
    {
      id: 'key',
      title: { id: 'flow-token-key' },
      required: true,
      async run(step) {
        const most = await step.once('most', async () => {
          const { max = 256 } = findConstraint(await step.limits(CAPABILITIES), 'keyInfo.key') ?? {};
          return max;
        });
        const how = await step.ask('how', {
          text: [{ id: 'flow-token-how' }],
          fields: [
            {
              name: 'key',
              label: { id: 'flow-token-key' },
              kind: 'choice',
              value: 'generated',
              kept: true,
              options: [
                { value: 'generated', label: { id: 'flow-token-generated' } },
                { value: 'pasted', label: { id: 'flow-token-pasted' } },
              ],
            },
          ],
        });
        const isPasted = how['key'] === 'pasted';
        const bytes = isPasted ? await pasted(step, most) : await generated(step);
        if (bytes < WEAK_BYTES)
          await step.ask('weak', {
            text: [{ id: 'flow-token-weak', values: { bytes } }],
            tone: 'warning',
            fields: [{ name: 'sure', label: { id: 'flow-token-weak-sure' }, kind: 'flag', required: true }],
          });
        step.record({
          block: 'facts',
          facts: [
            {
              label: { id: 'flow-token-made' },
              value: { id: isPasted ? 'flow-token-pasted' : 'flow-token-generated' },
            },
            { label: { id: 'flow-token-length' }, value: { number: bytes, unit: 'byte' } },
            { label: { id: 'flow-lock-kept-in' }, value: { id: 'flow-lock-vault' } },
          ],
        });
        return { outcome: 'unchanged', did: 'done' };
      },
    },
    {
      id: 'send',
      title: { id: 'flow-token-send' },
      writes: ['token.secretKey'],
      required: true,
      async run(step) {
        const settings = step.earlier<Values>('settings', 'settings') ?? {};
        const written = await step.call(
          'key',
          () => {
            const key =
              step.secrets.reveal(TOKEN_KEY, 'pending') ?? step.secrets.reveal(TOKEN_KEY, 'current');
            if (key === undefined) throw appError('vault-damaged', say('flow-lock-no-password'));
            return {
              operation: SET,
              body: bodyOf(settings, key),
              secret: { name: TOKEN_KEY },
              noUndo: 'no-undo-key',
            };
          },
          sentOf(settings),
          { text: [{ id: 'flow-token-sends' }], tone: 'warning' },
        );
        step.record(
          ...buildWrittenBlocks(step, written, { id: 'flow-token-send' }),
          written.outcome === 'unknown'
            ? { block: 'paragraph', text: { id: 'flow-token-which' }, tone: 'danger' }
            : { block: 'paragraph', text: { id: 'flow-token-not-readable' }, tone: 'notice' },
        );
        return endOf(written);
      },
    },
    {
      id: 'hand-over',
      title: { id: 'flow-token-hand-over' },
      async run(step) {
        const answer = await step.ask('hand-over', {
          text: [{ id: 'flow-token-hand-over-text' }],
          fields: [
            {
              name: 'to',
              label: { id: 'flow-token-to' },
              kind: 'text',
              required: true,
              maxLength: 200,
              kept: true,
            },
            { name: 'given', label: { id: 'flow-token-given' }, kind: 'flag', required: true },
          ],
        });
        step.record({
          block: 'facts',
          facts: [
            {
              label: { id: 'flow-token-to' },
              value: answer['to'] as string,
              proof: 'attested',
              source: step.user,
            },
          ],
        });
        return { outcome: 'effective', did: 'done' };
      },
    },
    check,
    signOffWithIdentity,
  ],
};

/** Builds a field with the choices that both the specification and this device know. */
function choiceOf(name: string, proposed: string | number, limits: Constraints): FlowField {
  const field = fieldOf(name);
  const allowed = findConstraint(limits, name);
  const options = (field.kind === 'choice' ? field.options : []).filter(
    ({ value }) => allowed?.options === undefined || allowed.options.includes(String(value)),
  );
  const usual = options.find(({ value }) => String(value) === allowed?.def)?.value;
  const value = options.some((option) => option.value === proposed) ? proposed : (usual ?? options[0]?.value);
  return {
    name,
    label: words(field, name),
    kind: 'choice',
    required: true,
    kept: true,
    value,
    options: options.map((option) => ({
      value: option.value,
      label: { ...words(field, name), option: String(option.value), label: option.label },
    })),
  };
}

function payload(): Payload {
  return getSpecifiedRequest(getSpecifiedOperation(SET));
}

function fieldOf(name: string): Field {
  return getSpecifiedField(payload(), name);
}

function words({ label }: Field, path: string): Extract<DocumentText, { readonly root: string }> {
  return { root: 'TokenSecretKey', path, label };
}

async function pasted(step: StepContext, most: number): Promise<number> {
  await step.ask(
    'pasted',
    {
      text: [{ id: 'flow-token-paste' }],
      fields: [
        {
          name: 'base64',
          label: { id: 'flow-token-base64' },
          kind: 'secret',
          required: true,
          minLength: 1,
          maxLength: most,
        },
      ],
    },
    (secrets) => {
      const key = (secrets['base64'] as string).trim();
      if (!BASE64.test(key)) throw userError('not-allowed', say('not-base64'), { path: 'key.base64' });
      step.secrets.keep(TOKEN_KEY, key, settingsOf(step));
    },
  );
  return step.once(
    'bytes',
    () => Buffer.from(step.secrets.reveal(TOKEN_KEY, 'pending') ?? '', 'base64').length,
  );
}

/** Generates as many random bytes as the cipher's key has. */
function generated(step: StepContext): Promise<number> {
  return step.once('bytes', () => {
    const bytes = Number(step.earlier<Values>('settings', 'settings')?.['keyLen'] ?? 256) / 8;
    step.secrets.keep(TOKEN_KEY, generateKey(bytes), settingsOf(step));
    return bytes;
  });
}

/** Settings of the key; kept beside it, because no document of the device shows them again. */
function settingsOf(step: StepContext): Values {
  return step.earlier<Values>('settings', 'settings') ?? {};
}

function bodyOf(settings: Values, key: string): object {
  return {
    tokenAuthenticateEnable: true,
    authenticateMode: 'shareKey',
    keyInfo: { key },
    digesType: 'sha256',
    encryptAlgorithmType: 'AES',
    ...settings,
  };
}

function sentOf(settings: Values): readonly Change[] {
  return [
    { path: 'keyInfo.key', label: fieldOf('keyInfo.key').label, to: '••••••', sensitive: true },
    ...listFieldChanges(payload(), settings),
  ];
}
