import { signInInForce } from '#shared/access.ts';
import type { Credential, Device } from '#shared/model.ts';
import { reveal } from '#renderer/common/labels/format.ts';
import type { Translate } from '#renderer/common/labels/translate.ts';

/**
 * Formats each saved sign-in for a list: its name, who uses it and its result there, so that equal names can
 * be distinguished.
 */
export function formatCredentials(
  credentials: readonly Credential[],
  devices: readonly Device[],
  t: Translate,
): ReadonlyMap<string, string> {
  const users = Map.groupBy(devices, (device) => signInInForce(device, credentials)?.id);
  const lines = credentials.map((credential) => ({
    id: credential.id,
    line: lineOf(credential, users.get(credential.id) ?? [], t),
  }));
  const equal = Map.groupBy(lines, ({ line }) => line);
  return new Map(
    lines.map(({ id, line }) => [
      id,
      (equal.get(line)?.length ?? 0) > 1 ? `${line} · ${id.slice(-4)}` : line,
    ]),
  );
}

function lineOf(
  { label, userName, devices: count }: Credential,
  users: readonly Device[],
  t: Translate,
): string {
  const good = users.filter(({ signIn }) => signIn === 'ok').length;
  const refused = users.filter(({ signIn }) => signIn === 'failed' || signIn === 'locked').length;
  return [
    reveal(label === userName ? label : `${label} (${userName})`),
    count === 0 ? t('signIn.use.none') : t('signIn.use.devices', { n: count }),
    ...(good > 0 ? [t('signIn.use.good', { n: good })] : []),
    ...(refused > 0 ? [t('signIn.use.refused', { n: refused })] : []),
  ].join(' · ');
}
