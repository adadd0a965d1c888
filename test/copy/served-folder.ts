// A data folder served within this process, which starts in a few ms: what a copy shows is asked over HTTP.

import { type EngineTunables, openEngine } from '../../engine/index.ts';
import { toProblem } from '../../server/engine-status.ts';
import { createRouter } from '../../server/http/routing/router.ts';
import { createRoutes } from '../../server/routes/all-routes.ts';
import { answerStyle } from '../../server/routes/service/service.ts';
import { createHttpServer } from '../../server/transport.ts';

export interface ServedFolder {
  readonly url: string;
  close(): Promise<void>;
}

export async function serveFolder(folder: string, tunables: Partial<EngineTunables>): Promise<ServedFolder> {
  const engine = await openEngine({ folder, tunables, listener: () => undefined });
  const style = answerStyle(undefined);
  const routes = createRoutes({ engine, nowMs: Date.now, style, handling: 'strict', maxBodyBytes: 2 ** 20 });
  const route = createRouter(routes);
  const { server } = createHttpServer('node', {
    handler: async (request, response) => {
      try {
        await route(request, response);
      } catch (error) {
        throw toProblem(error);
      }
    },
    serverName: 'Varve/test',
    allowedHosts: [],
    onError: () => undefined,
  });
  const port = await server.listen('127.0.0.1', 0);
  return {
    url: `http://127.0.0.1:${port}`,
    async close() {
      await server.close(0);
      await engine.close();
    },
  };
}
