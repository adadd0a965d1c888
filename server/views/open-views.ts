// The views of a data folder, with what the start says of them in the log.

import type { Logger } from 'pino';
import { openViewDisk } from './view-disk.ts';
import { VIEWS_FOLDER } from './view-file.ts';
import { ViewStore } from './view-store.ts';

export interface ViewsOptions {
  readonly dataFolder: string;
  readonly reserveBytes: number;
  readonly nowMs: () => number;
  readonly logger: Logger;
}

export function openViews({ dataFolder, reserveBytes, nowMs, logger }: ViewsOptions): Promise<ViewStore> {
  const folder = `${dataFolder}/${VIEWS_FOLDER}`;
  return ViewStore.open({
    disk: openViewDisk(folder),
    nowMs,
    reserveBytes,
    onLeftAlone: (file, reason) =>
      logger.error({ file: `${folder}/${file}`, reason }, 'The file of a saved view is left alone and not served.'),
  });
}
