export { createRouter } from './router.ts';
export type { Host } from './router.ts';
export { createPeerFactory } from './peer.ts';
export type { Peer, PeerFactory } from './peer.ts';
export type { HostAnswer, HostConfirmation, HostQuestion } from './confirmation.ts';
