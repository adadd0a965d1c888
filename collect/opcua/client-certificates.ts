// The folder of certificates: the collector's own key and certificate, made on first use, and the lists of servers' certificates
// that are trusted or refused. Nobody but the owner reads it.

import { chmod, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { makeDurableFolders } from '../../disk/folders.ts';
import { withFiles } from '../../forward/errors.ts';
import type { OpcUaLibrary } from './library.ts';

const OWNER_ONLY = 0o700;
const KEY_MODE = 0o600;

export type CertificateStore = InstanceType<OpcUaLibrary['CertificateManager']>;

export async function openCertificates(
  { CertificateManager }: OpcUaLibrary,
  folder: string,
): Promise<CertificateStore> {
  return withFiles(`open the folder of certificates ${folder}`, async () => {
    await makeDurableFolders(folder);
    await chmod(folder, OWNER_ONLY);
    const store = new CertificateManager({ rootFolder: folder, automaticallyAcceptUnknownCertificate: false });
    await store.initialize();
    const keys = join(folder, 'own', 'private');
    for (const name of await readdir(keys)) await chmod(join(keys, name), KEY_MODE);
    return store;
  });
}
