/** What takes long to load and only devices need: one file of the build. */
export { Client } from 'undici';
export { createConnector } from './tls.ts';
