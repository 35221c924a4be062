/**
 * Recognises this interface by its answer to an unauthenticated read of the capabilities (part 3, 7; part 1,
 * 2.4). Pure.
 */
import { findOperation, readStatus } from '#protocol/index.ts';

/**
 * `interface`: a status or capability document of this interface; `sign-in`: something there asks
 * for a sign-in, as devices do whose refusal is a plain page; `web`: another web server, or another prefix.
 */
export type Recognition = 'interface' | 'sign-in' | 'web';

export interface RawAnswer {
  readonly http: number;
  /** Challenges of a 401. */
  readonly challenge: string;
  readonly text: string;
  /** Header of a redirect. */
  readonly location?: string;
}

export function recognise({ http, challenge, text }: RawAnswer): Recognition {
  const status = readStatus({ http, text });
  if (status.body === 'xml-status' || status.kind === 'not-activated' || status.lock !== undefined)
    return 'interface';
  // Many web services answer errors as JSON with a statusCode; ours also says it where it asks for a sign-in.
  if (
    status.body === 'json-status' &&
    (http === 401 || http === 403) &&
    (status.report.subStatusCode !== undefined || status.report.errorCode !== undefined)
  )
    return 'interface';
  if (http === 200 && isCapabilityDocument(text)) return 'interface';
  return http === 401 && /\b(digest|basic)\b/i.test(challenge) ? 'sign-in' : 'web';
}

/** The root element of the capability document, whatever its namespace. */
function isCapabilityDocument(text: string): boolean {
  const root =
    /^\uFEFF?\s*(?:<\?xml[^>]{0,200}\?>\s*)?<(?:[A-Za-z_][\w.-]{0,40}:)?([A-Za-z_][\w.-]{0,80})[\s/>]/.exec(
      text,
    )?.[1];
  return root !== undefined && root === findOperation('system.capabilities.get')?.response?.root;
}
