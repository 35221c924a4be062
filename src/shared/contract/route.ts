/** Declaration of a route, and the types of the engine's functions that follow from it. */
import {
  oc,
  type AnySchema,
  type AsyncIteratorClass,
  type ContractProcedure,
  type InferSchemaInput,
  type InferSchemaOutput,
  type Schema,
} from '@orpc/contract';
import type { JobPart, PlanPart } from '../model.ts';

/**
 * Check that runs before a route: saved data goes to a new address only after a yes from outside the page
 * (`rpc/README.md` says when which):
 * - `none`: it sends no saved data, or only to agreed addresses;
 * - `change`: it may change the addresses that saved credentials go to;
 * - `typed`: like `change`, except for the saved credential whose password comes with the call;
 * - `ahead`: like `change`, and asked before a saved credential is tried;
 * - `send`: it takes saved secrets, or a job's saved data, to devices;
 * - `mask`: the device's answers may hold secrets, which are masked.
 */
export type Guard = 'none' | 'change' | 'typed' | 'ahead' | 'send' | 'mask';

interface RouteMeta<G extends Guard = Guard, Waits extends boolean = boolean> {
  readonly guard: G;
  readonly waits: Waits;
}

/** A route that is answered at once, or by a stream. */
export const route = <G extends Guard>(guard: G) => oc.$meta<RouteMeta<G, false>>({ guard, waits: false });
/** A route that waits for devices, or for code that is loaded when it is first needed. A change is looked at as a whole before it counts, so none may wait. */
export const waiting = <G extends Exclude<Guard, 'change' | 'typed'>>(guard: G) =>
  oc.$meta<RouteMeta<G, true>>({ guard, waits: true });

type Errors = Record<never, never>;
export type Guarded<G extends Guard = Guard> = ContractProcedure<AnySchema, AnySchema, Errors, RouteMeta<G>>;
/** Routes whose stream has such events. */
export type Streaming<Event> = ContractProcedure<
  AnySchema,
  Schema<never, AsyncIteratorClass<Event, unknown, void>>,
  Errors,
  RouteMeta<'none'>
>;
/** Routes of one area; what is declared without a guard is none. */
export type Routes = Readonly<Record<string, Guarded>>;

/** The engine's function for a route: one that waits takes a signal. */
type RouteFunction<Route> =
  Route extends ContractProcedure<infer Input, infer Output, Errors, RouteMeta<Guard, infer Waits>>
    ? Answering<InferSchemaInput<Input>, InferSchemaOutput<Output>, Waits>
    : never;
type Answering<Input, Output, Waits> =
  Output extends AsyncIterator<infer Event, unknown, void>
    ? (...given: [...Given<Input>, signal: AbortSignal]) => AsyncIterable<Exclude<Event, PlanPart | JobPart>>
    : Waits extends true
      ? (...given: [...Given<Input>, signal: AbortSignal]) => Promise<Output>
      : (...given: Given<Input>) => Output;
type Given<Input> = unknown extends Input ? [] : [input: Input];

/** The engine's functions for the routes of an area. Large plans and jobs are taken apart on their way, not by the engine. */
export type RouteFunctions<Area extends Routes> = {
  [Name in keyof Area]: RouteFunction<Area[Name]>;
};

/** Input of a route of the contract. */
export type InputOf<Route> =
  Route extends ContractProcedure<infer Input, AnySchema, Errors, RouteMeta>
    ? InferSchemaInput<Input>
    : never;
