import { definePage } from '../define-page.ts';

/** Packages of AI devices: what is where, sending one, engines of a device, a transfer under way. */
export const modelsPages = [
  definePage('/models', 'models.title', () => import('./ModelsView.vue')),
  definePage('/models/send', 'models.send.title', () => import('./send/SendView.vue'), { anew: true }),
  definePage('/models/device/:id', 'models.board.title', () => import('./board/BoardView.vue'), {
    anew: true,
  }),
  definePage('/models/job/:id', 'models.transfer.title', () => import('./transfer/TransferView.vue'), {
    anew: true,
  }),
];
