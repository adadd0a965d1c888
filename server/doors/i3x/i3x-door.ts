// The door for i3X 1.0 (CESMII) at /i3x/v1. Docs: docs/i3x.md.

import type { Door } from '../door.ts';
import { renderI3xProblem } from './answers.ts';
import { exploreRoutes } from './explore-routes.ts';
import { queryRoutes } from './query-routes.ts';
import { subscriptionRoutes } from './subscriptions/subscription-routes.ts';
import { SubscriptionStore } from './subscriptions/subscription-store.ts';
import { updateRoutes } from './update-routes.ts';

const BASE = '/i3x/v1';

export const I3X_DOOR: Door = {
  name: 'i3x',
  problemForm: { prefix: '/i3x', render: renderI3xProblem },
  open(service) {
    const store = new SubscriptionStore(service.engine, service.nowMs);
    return {
      routes: [
        ...exploreRoutes(service, BASE),
        ...queryRoutes(service, BASE),
        ...updateRoutes(service, BASE),
        ...subscriptionRoutes(service, store, BASE),
      ],
      close: () => store.stop(),
    };
  },
};
