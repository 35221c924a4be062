/**
 * Messages between a face and the engine about devices, plans and jobs. Plain data that survives JSON; no
 * field here ever holds a secret.
 */
export * from './model/devices.ts';
export type * from './model/calls.ts';
export type * from './model/templates.ts';
export type * from './model/plans.ts';
export * from './model/jobs.ts';
export type * from './model/previews.ts';
export type * from './model/app.ts';
