/** The virtual site: a stateful stand-in for devices, over real HTTP. Its promises stand in SIMULATOR.md. */
export { startSite, type Site } from './site.ts';
export type { SiteOptions, Violation } from './options.ts';
export { VirtualDevice } from './device.ts';
export { MODELS } from './kinds/models.ts';
export { FAULT_KINDS, parseFault } from './faults.ts';
export { AUTH_MODES } from './options.ts';
export type { LoggedRequest } from './request-log.ts';
