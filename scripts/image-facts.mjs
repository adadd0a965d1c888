// What must be true of the files of the container's image, as image-tree.mjs gives them.

import { readlinkSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { filesBelow } from './image-tree.mjs';

const DEVELOPMENT = /(^|\/)(node_modules|test|bench|\.git|\.npmrc|package-lock\.json)(\/|$)|\.tsx?$/;
const PLACES = /^(opt\/varve\/|usr\/local\/bin\/varve$)/;
const DATA = '/var/lib/varve';
const HEALTH = '/opt/varve/deploy/health.mjs';

/** Each fact, and whether it holds. */
export function imageFacts({ root, settings, owners }) {
  const files = filesBelow(root);
  const has = (path) => files.includes(path.slice(1));
  const binaries = files.filter((path) => path.endsWith('.node'));
  const ownBinary = `uws_${process.platform}_${process.arch}_`;
  const dataMode = statSync(join(root, DATA)).mode & 0o777;
  return [
    ['nothing of development is in it', !files.some((path) => DEVELOPMENT.test(path))],
    ['everything is below /opt/varve, but for the command', files.every((path) => PLACES.test(path))],
    ['varve is a command', readlinkSync(join(root, 'usr/local/bin/varve')) === '/opt/varve/bin/varve.mjs'],
    ['the page is built', has('/opt/varve/program/server/explorer/dist/index.html')],
    ['only binaries of this kind of machine are in it', binaries.every((path) => path.includes(ownBinary))],
    ['it runs as node', settings.USER === 'node'],
    ['its data is in a volume', settings.VOLUME === DATA],
    [
      'the data is of that account, and nobody else reads it',
      owners.includes(`node:node ${DATA}`) && dataMode === 0o750,
    ],
    ['its health is checked', settings.HEALTHCHECK.includes(HEALTH) && has(HEALTH)],
  ];
}
