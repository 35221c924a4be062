/** `device trust|distrust`: which certificate a device has to show. */
import { say } from '#shared/details.ts';
import type { Engine } from '#engine/api.ts';
import { FieldwrightError } from '#shared/errors.ts';
import { showFingerprint } from '#shared/text/certificate-fingerprint.ts';
import type { Device } from '#shared/model.ts';
import type { CertificateOffer } from '#shared/trust.ts';
import { EXIT } from '#cli/exit-codes.ts';
import { askYes } from '#cli/input/prompt.ts';
import { runWithEngine, type Invocation } from '#cli/invocation.ts';
import { isInteractive } from '#cli/io.ts';
import { formatCertificate } from '#cli/output/errors.ts';
import { cleanLine } from '#cli/output/clean.ts';
import { createUsageError } from '#cli/usage.ts';

export interface TrustOptions {
  readonly fingerprint?: string;
}

/** Without a fingerprint the person at the terminal compares what the device shows; nobody else can say yes. */
export async function trustDevice(
  invocation: Invocation,
  reference: string,
  { fingerprint }: TrustOptions,
): Promise<number> {
  if (fingerprint === undefined && (!isInteractive(invocation.io) || invocation.out.asJson)) {
    throw createUsageError(say('cli.which-certificate'), {
      path: '--fingerprint',
    });
  }
  return runWithEngine(
    invocation,
    async (engine) => {
      const device = named(engine, reference);
      const accepted = fingerprint ?? (await askAbout(invocation, engine, device));
      if (accepted === undefined) return EXIT.usage;
      engine.devices.trust({ items: [{ id: device.id, fingerprint: accepted }] });
      show(invocation, engine.devices.find(device.id));
      return EXIT.done;
    },
    { certificates: 'ask' },
  );
}

export async function revokeDeviceTrust(
  invocation: Invocation,
  references: readonly string[],
): Promise<number> {
  return runWithEngine(
    invocation,
    async (engine) => {
      const { changed } = engine.devices.distrust({
        ids: references.map((reference) => named(engine, reference).id),
      });
      if (invocation.out.asJson) invocation.out.json({ changed });
      else
        invocation.out.line(
          changed === 0
            ? invocation.out.say('cli.nothing-trusted')
            : invocation.out.say('cli.certificates-forgotten', { count: changed }),
        );
      return EXIT.done;
    },
    { certificates: 'ask' },
  );
}

/** An address may be in no inventory: its certificate is kept with it all the same. */
function named(engine: Engine, reference: string): Device {
  const { devices } = engine;
  return /^https:\/\//i.test(reference)
    ? (devices.known(reference) ?? devices.addTransient({ url: reference }))
    : devices.find(reference);
}

/** The fingerprint the person said yes to; undefined for a no. */
async function askAbout(invocation: Invocation, engine: Engine, device: Device): Promise<string | undefined> {
  if (!device.url.startsWith('https:')) throw createUsageError(say('cli.http-only'));
  const offer = await offerOf(invocation, engine, device);
  if (offer === undefined) {
    if (device.certificate === undefined) invocation.out.note(invocation.out.say('cli.trusted-anyway'));
    return device.certificate;
  }
  invocation.out.note(
    invocation.out.say('cli.shows-certificate', {
      name: cleanLine(device.name),
      url: device.url,
      subject: cleanLine(offer.offered.subject),
      issuer: cleanLine(offer.offered.issuer),
    }),
  );
  for (const line of formatCertificate(offer, invocation.out)) invocation.out.note(line);
  return (await askYes(invocation, invocation.out.say('cli.ask-trust'))) === true
    ? offer.offered.fingerprint
    : undefined;
}

/** What stands against the certificate; undefined where it is accepted already. Throws where the device cannot be reached. */
async function offerOf(
  invocation: Invocation,
  engine: Engine,
  device: Device,
): Promise<CertificateOffer | undefined> {
  const [result] = await engine.devices.test({ ids: [device.id] }, invocation.interrupts.signal);
  const error = result?.error;
  if (error?.certificate !== undefined) return error.certificate;
  // Who answers, in whatever way, has shown a certificate that is accepted.
  if (
    error === undefined ||
    error.exchange?.http !== undefined ||
    (error.source === 'user' && error.code !== 'cancelled')
  )
    return undefined;
  throw new FieldwrightError(error);
}

function show({ out }: Invocation, device: Device): void {
  if (out.asJson) out.json(device);
  else if (device.certificate !== undefined)
    out.line(
      out.say('cli.has-to-show', {
        name: device.name,
        url: device.url,
        fingerprint: showFingerprint(device.certificate),
      }),
    );
}
