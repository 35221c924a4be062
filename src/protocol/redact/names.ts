/** Names under which devices keep secrets, for what no definition describes. */
import { operations } from '../catalogue.ts';
import { listFieldsBelow, rootField } from '../fields/field-at.ts';

/** Names that are secret in any place. */
const KNOWN = [
  'password',
  'passwd',
  'pwd',
  'pass',
  'passphrase',
  'pin',
  'originalPasswd',
  'key',
  'iv',
  'salt',
  'secret',
  'fingerData',
  'faceData',
  'dynamicCode',
  'userName',
  'user',
  'token',
  'accessToken',
  'session',
  'sessionID',
  'sessionTag',
  'sig',
  'cookie',
  'authorization',
  'nonce',
  'cnonce',
];
const TELLING =
  /pass(word|wd|phrase|code)|pwd|secret|credential|authorization|private.?key|(api|access|secret|encrypt|encryption|license|shared|session|auth|master|wpa|wep|aes|hmac).?key|psk|community|pin.?code|token|(finger(print)?|face|iris|palm|vein)(data|feature|template)|cardno|signature/;
/** Names that describe a secret without being one: `passwordLength`, `isSupportToken`. */
const ABOUT =
  /^(is|has|max|min|num)(?=[A-Z_])|([a-z_]|^)(Type|Mode|Enabled?|Len(gth)?|Num|Count|Time|Status)$/;

function gather(): ReadonlySet<string> {
  const found = new Set(KNOWN.map((name) => name.toLowerCase()));
  for (const { request, response } of operations) {
    for (const payload of [request, response])
      for (const { field } of payload === undefined ? [] : listFieldsBelow(rootField(payload)))
        if (field.sensitive === true) found.add(field.name.toLowerCase());
  }
  // A download address holds its sign-in inside, which is taken out of every address anyway.
  found.delete('url');
  return found;
}

let exact: ReadonlySet<string> | undefined;

/** True for an element, member, attribute or query name whose value must not be shown. */
export function isSecretName(name: string): boolean {
  return isSecretHolder(name) || (TELLING.test(name.toLowerCase()) && !ABOUT.test(name));
}

/** True for a name under which everything is secret, whatever it holds: `key`, but not `TokenSecretKey`, which also holds settings. */
export function isSecretHolder(name: string): boolean {
  exact ??= gather();
  return exact.has(name.toLowerCase());
}
