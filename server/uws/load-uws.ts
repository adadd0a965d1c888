// Loads the binary of uWebSockets that fits this process, once its hash is the pinned one: the only file that does.

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { PARSER_HEAD_BYTES } from '../http/guard/guard.ts';
import type { UwsModule } from './uws-api.ts';
import { binaryName, buildFor, type UwsBuild, type UwsPlatform } from './uws-builds.ts';

export interface LoadedUws {
  readonly uws: UwsModule;
  readonly build: UwsBuild;
}

export interface FoundBinary {
  readonly build: UwsBuild;
  readonly path: string;
}

const require = createRequire(import.meta.url);

let loaded: LoadedUws | undefined;

/**
 * `platform` is that of this process. Throws with a sentence for the operator when there is no binary for it, or not the one
 * that was looked at.
 */
export function loadUws(platform: UwsPlatform): LoadedUws {
  if (loaded === undefined) {
    const { build, path } = findBinary(platform);
    checkHash(path, build);
    // Read by the binary as it loads, and never again.
    process.env.UWS_HTTP_MAX_HEADERS_SIZE = String(PARSER_HEAD_BYTES);
    loaded = { uws: require(path) as UwsModule, build };
  }
  return loaded;
}

/** Place where the binary for a platform is meant to lie. Throws when there is none. */
export function findBinary(platform: UwsPlatform): FoundBinary {
  const build = buildFor(platform);
  if (build === undefined) throw new Error(`there is no binary of uWebSockets for ${describe(platform)}`);
  return { build, path: join(dirname(require.resolve(build.specifier)), build.folder, binaryName(platform)) };
}

/** Throws when the file cannot be read, or is not the one that was looked at. */
export function checkHash(path: string, build: UwsBuild): void {
  const hash = createHash('sha256').update(readFileSync(path)).digest('hex');
  const pin = build.pins.get(basename(path));
  if (hash !== pin) throw new Error(`${path} has the SHA-256 ${hash}, where this version was made with ${pin}`);
}

function describe({ platform, arch, modules, glibc }: UwsPlatform): string {
  const library =
    platform === 'linux' ? `, ${glibc === undefined ? 'a C library that is not glibc' : `glibc ${glibc}`}` : '';
  return `${platform} ${arch}${library} and Node ${process.versions.node} (modules ${modules})`;
}
