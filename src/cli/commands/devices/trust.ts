/** `device trust|distrust`: which certificate a device has to show. */
import type { Action } from '#cli/declarations/all.ts';
import { say } from '#shared/details.ts';
import type { Engine } from '#engine/api.ts';
import { FieldwrightError } from '#shared/errors.ts';
import { showFingerprint } from '#shared/text/certificate-fingerprint.ts';
import type { Device } from '#shared/model.ts';
import type { CertificateOffer } from '#shared/trust.ts';
import { EXIT } from '#cli/exit-codes.ts';
import { askYes } from '#cli/input/prompt.ts';
import type { Invocation } from '#cli/invocation.ts';
import { isInteractive } from '#cli/io.ts';
import { formatCertificate } from '#cli/output/errors.ts';
import { cleanLine } from '#cli/output/clean.ts';
import { createUsageError } from '#cli/usage.ts';

/** Accepts a certificate. Without a fingerprint the person at the terminal compares what the device shows. */
export const trustDevice: Action<'device trust'> = async (invocation, reference, { fingerprint }) => {
  const { out } = invocation;
  if (fingerprint === undefined && (!isInteractive(invocation.io) || out.asJson))
    throw createUsageError(say('cli.which-certificate'), { path: '--fingerprint' });
  const engine = await invocation.open({ certificates: 'ask' });
  const named = findNamed(engine, reference);
  const accepted = fingerprint ?? (await askAbout(invocation, engine, named));
  if (accepted === undefined) return EXIT.usage;
  engine.devices.trust({ items: [{ id: named.id, fingerprint: accepted }] });
  const device = engine.devices.find(named.id);
  const { name, url, certificate } = device;
  return {
    json: device,
    text:
      certificate === undefined
        ? []
        : out.say('cli.has-to-show', { name, url, fingerprint: showFingerprint(certificate) }),
  };
};

export const revokeDeviceTrust: Action<'device distrust'> = async ({ open, out }, references) => {
  const engine = await open({ certificates: 'ask' });
  const { changed } = engine.devices.distrust({
    ids: references.map((reference) => findNamed(engine, reference).id),
  });
  return {
    json: { changed },
    text:
      changed === 0
        ? out.say('cli.nothing-trusted')
        : out.say('cli.certificates-forgotten', { count: changed }),
  };
};

/** An address may be in no inventory: its certificate is kept with it all the same. */
function findNamed(engine: Engine, reference: string): Device {
  const { devices } = engine;
  return /^https:\/\//i.test(reference)
    ? (devices.known(reference) ?? devices.addTransient({ url: reference }))
    : devices.find(reference);
}

/** Returns the fingerprint that the person accepts; undefined for a no. */
async function askAbout(invocation: Invocation, engine: Engine, device: Device): Promise<string | undefined> {
  const { out } = invocation;
  if (!device.url.startsWith('https:')) throw createUsageError(say('cli.http-only'));
  const offer = await offerOf(invocation, engine, device);
  if (offer === undefined) {
    if (device.certificate === undefined) out.note(out.say('cli.trusted-anyway'));
    return device.certificate;
  }
  out.note(
    out.say('cli.shows-certificate', {
      name: cleanLine(device.name),
      url: device.url,
      subject: cleanLine(offer.offered.subject),
      issuer: cleanLine(offer.offered.issuer),
    }),
  );
  for (const line of formatCertificate(offer, out)) out.note(line);
  return (await askYes(invocation, out.say('cli.ask-trust'))) === true
    ? offer.offered.fingerprint
    : undefined;
}

/** Returns the certificate to decide on; undefined if it is accepted already. @throws if the device cannot be reached */
async function offerOf(
  invocation: Invocation,
  engine: Engine,
  device: Device,
): Promise<CertificateOffer | undefined> {
  const [result] = await engine.devices.test({ ids: [device.id] }, invocation.interrupts.signal);
  const error = result?.error;
  if (error?.certificate !== undefined) return error.certificate;
  // A device that answers in any way has shown a certificate that is accepted.
  if (
    error === undefined ||
    error.exchange?.http !== undefined ||
    (error.source === 'user' && error.code !== 'cancelled')
  )
    return undefined;
  throw new FieldwrightError(error);
}
