// The door for i3X (CESMII): 1.0 at /i3x/v1, and the dialect before it at /i3x. Docs: docs/i3x.md.

import type { Door } from '../door.ts';
import { renderI3xProblem } from './elements/answers.ts';
import { exploreRoutes } from './explore-routes.ts';
import { olderRoutes } from './older-routes.ts';
import { queryRoutes } from './query-routes.ts';
import { subscriptionRoutes } from './subscriptions/subscription-routes.ts';
import { SubscriptionStore } from './subscriptions/subscription-store.ts';
import { updateRoutes } from './update-routes.ts';

const OLDER_BASE = '/i3x';
const BASE = `${OLDER_BASE}/v1`;

export const I3X_DOOR: Door = {
  name: 'i3x',
  problemForm: { prefix: OLDER_BASE, render: renderI3xProblem },
  open(service) {
    const store = new SubscriptionStore(service.engine, service.nowMs);
    return {
      routes: [
        ...exploreRoutes(service, BASE),
        ...queryRoutes(service, BASE),
        ...updateRoutes(service, BASE),
        ...subscriptionRoutes(service, store, BASE),
        ...olderRoutes(service, OLDER_BASE),
      ],
      close: () => store.stop(),
    };
  },
};
