/** System capabilities and token key (part 3, 2.8 and 2.5): every kind answers these. */
import { createHash } from 'node:crypto';
import { buildFullReport, buildReducedReport, buildTokenKeyLimits } from '../device-documents/system.ts';
import { answer, replyDone, refuse, type Handlers } from '../handler.ts';
import type { Part, PartKey } from '../state/device-state.ts';
import { findChild, getChildText } from '../wire/xml-reader.ts';
import { createFixedHandler, refuseContent } from './stored.ts';

/** The key itself is not kept: there is no operation that would need it. */
class TokenKey implements Part {
  enabled = false;
  #hash: string | undefined;
  #settings: Readonly<Record<string, string>> = {};

  set(enabled: boolean, key: Uint8Array | undefined, settings: Readonly<Record<string, string>>): void {
    this.enabled = enabled;
    this.#hash = key && createHash('sha256').update(key).digest('hex');
    this.#settings = settings;
  }

  snapshot(): unknown {
    return { enabled: this.enabled, keyHash: this.#hash, ...this.#settings };
  }
}

export const TOKEN_KEY: PartKey<TokenKey> = { name: 'tokenKey', create: () => new TokenKey() };

/** Length that the capability reports: of the key as it is sent, encoded. */
const KEY_CHARACTERS = 256;
const SETTINGS = [
  'authenticateMode',
  'digesType',
  'iterationTimes',
  'encryptAlgorithmType',
  'keyLen',
  'encryptAlgorithmMode',
  'encryptAlgorithmFill',
];

export const systemHandlers: Handlers = {
  /** The report is a reduced one until `type=all` asks for the full (part 3, 4). */
  'system.capabilities.get': (call, device) => {
    const type = call.params['type'];
    if (type === undefined || type === '') return answer(buildReducedReport(device));
    return type === 'all'
      ? answer(buildFullReport(device))
      : refuse('badParameters', 'type is all, or absent.');
  },

  ...createFixedHandler('token.secretKey.capabilities.get', buildTokenKeyLimits),

  'token.secretKey.set': (call, device) => {
    const root = call.body?.xml;
    const encoded = getChildText(findChild(root, 'keyInfo'), 'key');
    // A write does not set fields that it leaves out.
    const enabled = getChildText(root, 'tokenAuthenticateEnable') === 'true';
    // The part `keyInfo` is present only while the function is on (part 3, 2.5).
    if (enabled && (encoded === undefined || encoded === ''))
      return refuseContent(call, 'keyInfo.key is missing.');
    if (!enabled && encoded !== undefined)
      return refuseContent(call, 'keyInfo belongs to an enabled token authentication.');
    if (encoded !== undefined && encoded.length > KEY_CHARACTERS)
      return refuseContent(call, `keyInfo.key has more than ${KEY_CHARACTERS} characters.`);
    const key = encoded === undefined ? undefined : Buffer.from(encoded, 'base64');
    const settings = Object.fromEntries(
      SETTINGS.flatMap((name) => {
        const text = getChildText(root, name);
        return text === undefined ? [] : [[name, text] as const];
      }),
    );
    return replyDone(() => device.part(TOKEN_KEY).set(enabled, key, settings));
  },

  // The specification does not show its body, so the simulator has no answer.
  'token.check': () => refuse('notSupport', 'The body of this operation is not part of the specification.'),
};
