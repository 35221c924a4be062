/** Check that the same secrets are given again, without keeping them. */
import { describe, expect, it } from 'vitest';
import { requireSameSecrets, sealSecretsCheck } from '#engine/apply/secrets-check.ts';
import { createDetail } from '#shared/details.ts';
import { toErrorShape } from '#shared/errors.ts';

/** Opens only for what it was sealed for. */
const vault = {
  seal: (text: string, context: string) => Buffer.from(JSON.stringify([context, text])).toReversed(),
  open(bytes: Uint8Array, context: string) {
    const [sealedFor, text] = JSON.parse(Buffer.from(bytes.toReversed()).toString()) as [string, string];
    if (sealedFor !== context) throw new Error(`sealed for ${sealedFor}`);
    return text;
  },
};
const locked = {
  seal: () => {
    throw new Error('locked');
  },
  open: () => {
    throw new Error('locked');
  },
};
const SECRETS = { card: 'hunter22', mail: 'swordfish' };
const check = (): string => sealSecretsCheck(SECRETS, 'j-1', vault) ?? '';
function refusal(secrets: Record<string, string>, jobId = 'j-1', sealed = check()) {
  try {
    requireSameSecrets(secrets, sealed, jobId, vault);
    return 'the same';
  } catch (error) {
    return toErrorShape(error);
  }
}

describe('secrets that are given again', () => {
  it('go on where they are the same, all of them or some, with others beside them', () => {
    const given: readonly Record<string, string>[] = [
      SECRETS,
      { mail: 'swordfish' },
      { card: 'hunter22', pin: '1' },
      { constructor: 'x' },
    ];
    for (const secrets of given) expect(refusal(secrets)).toBe('the same');
  });

  // Would catch: half a site with another card password.
  it.each<[string, Record<string, string>]>([
    ['card', { card: 'hunter23', mail: 'swordfish' }],
    ['mail', { card: 'hunter22', mail: 'hunter22' }],
    ['card', { card: '' }],
  ])('are refused where %s is another one: %j', (name, secrets) => {
    expect(refusal(secrets)).toMatchObject({
      ...{ code: 'not-allowed', source: 'user', path: `variables.${name}` },
      detail: createDetail('other-secret', { name }),
    });
  });

  // Would catch: a job that cannot go on with a locked vault though it has no secret.
  it('need no vault where there are none, or nothing to compare with', () => {
    expect(sealSecretsCheck({}, 'j-1', locked)).toBeUndefined();
    expect(sealSecretsCheck(SECRETS, 'j-1', locked)).toBeUndefined();
    requireSameSecrets({}, check(), 'j-1', locked);
    requireSameSecrets(SECRETS, undefined, 'j-1', locked);
  });

  // Would catch: secrets in the journal, or a list of them tried out on two jobs at once; what one job keeps put into another.
  it('are kept by no word of theirs, and for this job alone', () => {
    const kept = [check(), check()].map((sealed) =>
      vault.open(Buffer.from(sealed, 'hex'), 'journal/j-1/secrets'),
    );
    for (const text of kept) expect(text).not.toMatch(/hunter22|swordfish/);
    expect(kept[0]).not.toBe(kept[1]);
    expect(refusal(SECRETS, 'j-2')).toMatchObject({ code: 'internal' });
  });
});
