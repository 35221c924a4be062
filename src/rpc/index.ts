export { createRouter } from './router.ts';
export type { Host, Router } from './router.ts';
export { createPeerFactory } from './peer.ts';
export type { Peer, PeerFactory, PeerOptions } from './peer.ts';
