/** Records the bytes on the wire of a request, for traces and errors. */
import { removeUndefined } from '#shared/remove-undefined.ts';
import type { WireExchange } from './client-types.ts';
import type { Mask } from './sign-in/own-mask.ts';
import { readAnswer } from './read-answer.ts';
import type { HttpAnswer } from './transport/transport.ts';

/** How far a request has come: the last exchange that was begun for it. */
export interface Progress {
  sent:
    | {
        readonly method: string;
        readonly path: string;
        readonly contentType?: string;
        readonly body?: string;
      }
    | undefined;
  authorization: string | undefined;
  answer: HttpAnswer | undefined;
}

export function traceOf(
  {
    method,
    path,
    contentType,
    body,
  }: {
    readonly method: string;
    readonly path: string;
    readonly contentType?: string;
    readonly body?: string;
  },
  progress: Progress,
  { ms, hide }: { readonly ms: number; readonly hide: Mask },
): WireExchange {
  const { answer } = progress;
  return {
    method,
    path,
    ms,
    hide,
    ...(body === undefined ? {} : { body, contentType }),
    ...removeUndefined({
      answer:
        answer === undefined
          ? undefined
          : { http: answer.http, headers: answer.headers, text: readAnswer(answer).text },
    }),
  };
}
