/**
 * Certificates as a person compares them, and what was decided about them. A certificate proves
 * nothing by being here: `trust` says who decided, and when.
 */

/** Claims of a certificate about itself. Untrusted text, bounded; times are ISO 8601. */
export interface CertificateInfo {
  /** SHA-256, lower-case hex. */
  readonly fingerprint: string;
  /** `CN=…, O=…`. */
  readonly subject: string;
  readonly issuer: string;
  /** Names and addresses it was issued for. */
  readonly names: readonly string[];
  readonly validFrom: string;
  readonly validTo: string;
  readonly selfSigned: boolean;
}

/**
 * Reason why a certificate is trusted: `first-use`: accepted without a question because it was the first the
 * device showed; `person`: a person looked at the fingerprint; `given`: named beforehand.
 */
type TrustOrigin = 'first-use' | 'person' | 'given';

/** The certificate a device has to show. */
export interface CertificateTrust {
  /** SHA-256, lower-case hex. */
  readonly fingerprint: string;
  readonly how: TrustOrigin;
  /** ISO 8601. */
  readonly since: string;
  /** Data of the certificate; absent if only a fingerprint was given and the device was not met since. */
  readonly info?: CertificateInfo;
}

/** Part of the error `certificate-untrusted` or `certificate-changed`: what a person needs to decide. */
export interface CertificateOffer {
  /** Certificate that the device shows now. */
  readonly offered: CertificateInfo;
  /** Certificate that it has to show; absent if none is pinned. */
  readonly pinned?: CertificateTrust;
  /**
   * Reason why the system does not trust it: `DEPTH_ZERO_SELF_SIGNED_CERT`, `CERT_HAS_EXPIRED`, … or
   * `changed`.
   */
  readonly reason: string;
}
