/** An answer as bytes, as far as it can be understood without knowing the operation. */
import { readStatus } from '#protocol/index.ts';
import { decodeBody } from './transport/charset.ts';
import type { Answer } from './client-types.ts';
import type { HttpAnswer } from './transport/transport.ts';
import { computeOncePer } from '#shared/once.ts';

type DecodedAnswer = Omit<Answer, 'exchange' | 'shown'>;

/** A refusal is looked at by the sign-in and then handed on: it is read once. */
export const readAnswer = computeOncePer((answer: HttpAnswer): DecodedAnswer => {
  const header = answer.headers['content-type'];
  const contentType = (typeof header === 'string' ? header : header?.[0]) ?? '';
  const { text, charset, carried, lossy } = decodeBody(answer.body, contentType);
  return {
    http: answer.http,
    contentType,
    text,
    charset,
    carried,
    lossy,
    status: readStatus({ http: answer.http, text }),
  };
});
