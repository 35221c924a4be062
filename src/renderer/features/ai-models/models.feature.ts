import type { Feature } from '../feature.ts';

/** Packages of AI devices: what is where, sending one, engines of a device, a transfer under way. */
export const modelsFeature: Feature = {
  id: 'models',
  routes: [
    { path: '/models', component: () => import('./ModelsView.vue'), meta: { title: 'models.title' } },
    {
      path: '/models/send',
      component: () => import('./send/SendView.vue'),
      meta: { title: 'models.send.title', anew: true },
    },
    {
      path: '/models/device/:id',
      component: () => import('./board/BoardView.vue'),
      props: true,
      meta: { title: 'models.board.title', anew: true },
    },
    {
      path: '/models/job/:id',
      component: () => import('./transfer/TransferView.vue'),
      props: true,
      meta: { title: 'models.transfer.title', anew: true },
    },
  ],
};
