// What a door is: paths that speak somebody else's standard, over the same service, access control and limits.

import type { ProblemForm } from '../http/contract/http-server.ts';
import type { Route } from '../http/routing/router.ts';
import type { Service } from '../routes/service/service.ts';
import type { DoorName } from '../settings/door-names.ts';

export interface Door {
  /** Name that `--close-door` takes. */
  readonly name: DoorName;
  /** How errors look below the door's paths, also of paths with nothing at them; as everywhere else when absent. */
  readonly problemForm?: ProblemForm | readonly ProblemForm[];
  open(service: Service): OpenDoor;
}

export interface OpenDoor {
  readonly routes: readonly Route[];
  /** Ends what does not end by itself, such as streams and timers. Called once, when the server stops. */
  close?(): void;
}
