/** The agreement between the server and the areas: what an operation is given and what it gives back. */
import type { Operation } from './specification/operations.ts';
import type { DeviceState } from './state/device-state.ts';
import type { Refusal, RefusalName } from './status.ts';
import type { XmlNode } from './wire/xml-reader.ts';

/** A body that was read and that the table of the specification accepts. */
export interface Body {
  readonly text: string;
  /** Root element, for XML. */
  readonly xml?: XmlNode;
  /** Content of the root object, for JSON. */
  readonly json?: Readonly<Record<string, unknown>>;
}

export interface Call {
  readonly operation: Operation;
  readonly params: Readonly<Record<string, string>>;
  readonly body: Body | undefined;
}

/**
 * Reply of a handler. The handler changes no state itself: it returns the change as `commit`, so that a fault
 * can leave it out, put it off to the next restart, or lose the answer after it.
 */
export type Reply =
  | {
      readonly kind: 'answer';
      readonly body: string;
      readonly commit?: () => void;
      /** Facts of it that the log of requests shows in clear. */
      readonly told?: LoggedFacts;
    }
  /** Answered with the status of success. */
  | { readonly kind: 'done'; readonly commit: () => void }
  | { readonly kind: 'refused'; readonly refusal: Refusal };

/** Facts about a request whose body is not kept: never a secret, never biometric data. */
export type LoggedFacts = Readonly<Record<string, unknown>>;

/** One that takes its time gives a promise. */
type Handler = (call: Call, device: DeviceState) => Reply | Promise<Reply>;
/** Handlers by operation id. */
export type Handlers = Readonly<Record<string, Handler>>;

export function answer(body: string, commit?: () => void, told?: LoggedFacts): Reply {
  return { kind: 'answer', body, ...(commit ? { commit } : {}), ...(told ? { told } : {}) };
}

export function replyDone(commit: () => void = () => undefined): Reply {
  return { kind: 'done', commit };
}

/** Refuses a request. `detail` is for people and never repeats sent data. */
export function refuse(name: RefusalName, detail?: string): Reply {
  return { kind: 'refused', refusal: detail === undefined ? { name } : { name, detail } };
}
