/** Modules that take long to load and only devices need, as one file of the build. */
export { Client } from 'undici';
export { createConnector } from './tls.ts';
