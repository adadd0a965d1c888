// Checks the key and certificate before the server starts: the transports would not say what is wrong with them.

import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createSecureContext } from 'node:tls';
import type { TlsFiles } from '../http/contract/http-server.ts';

/** The files cannot be used; the message names the file and the flag. */
export class TlsFileError extends Error {}

export interface CheckedTlsFiles extends TlsFiles {
  /** Until when the certificate holds. */
  readonly validToMs: number;
}

/** Throws a `TlsFileError` unless both files are PEM, and the key that of the certificate. */
export function checkTlsFiles(keyFile: string, certFile: string): CheckedTlsFiles {
  const key = readPem(keyFile, '--tls-key');
  const cert = readPem(certFile, '--tls-cert');
  const certificate = parseCertificate(cert, certFile);
  try {
    createSecureContext({ key, cert });
  } catch (error) {
    throw new TlsFileError(
      `--tls-key ${keyFile}: not a PEM key without a passphrase that belongs to ${certFile}: ${reasonOf(error)}.`,
    );
  }
  return { keyFile, certFile, validToMs: Date.parse(certificate.validTo) };
}

function readPem(path: string, flag: string): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    throw new TlsFileError(`${flag} ${path}: the file cannot be read: ${reasonOf(error)}.`);
  }
}

function parseCertificate(pem: Buffer, certFile: string): X509Certificate {
  try {
    return new X509Certificate(pem);
  } catch (error) {
    throw new TlsFileError(`--tls-cert ${certFile}: not a certificate in PEM form: ${reasonOf(error)}.`);
  }
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
