/** A self-signed certificate like those of field devices: made at the start, trusted by no system. */
import { generate } from 'selfsigned';

export interface Certificate {
  /** PEM. */
  readonly key: string;
  readonly cert: string;
}

const YEAR_MS = 365 * 24 * 3_600_000;

/** Creates a certificate, EC P-256, for the loopback addresses and the host the site listens on. */
export async function createCertificate(commonName: string, host: string): Promise<Certificate> {
  const ips = [
    ...new Set([
      '127.0.0.1',
      '::1',
      ...(/^[\d.]+$|:/.test(host) && host !== '0.0.0.0' && host !== '::' ? [host] : []),
    ]),
  ];
  const made = await generate([{ name: 'commonName', value: commonName }], {
    keyType: 'ec',
    curve: 'P-256',
    algorithm: 'sha256',
    notBeforeDate: new Date(Date.now() - 3_600_000),
    notAfterDate: new Date(Date.now() + YEAR_MS),
    extensions: [
      { name: 'basicConstraints', cA: false, critical: true },
      { name: 'keyUsage', digitalSignature: true, critical: true },
      { name: 'extKeyUsage', serverAuth: true },
      {
        name: 'subjectAltName',
        altNames: [{ type: 2, value: 'localhost' }, ...ips.map((ip) => ({ type: 7 as const, ip }))],
      },
    ],
  });
  return { key: made.private, cert: made.cert };
}
