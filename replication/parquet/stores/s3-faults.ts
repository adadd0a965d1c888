// Which failures of S3, and of stores that speak like it, go away by themselves, and what to do about the others.

import { isPassing } from '../../../client/answers.ts';
import { PassingFailure } from '../../sink.ts';

/** What is known of an error of the client: its code, and the status of the answer when there was one. */
interface S3Error extends Error {
  readonly code?: string;
  readonly $metadata?: { readonly httpStatusCode?: number };
}

const ADVICE = new Map([
  ['NoSuchBucket', 'there is no such bucket: create it, or choose another one'],
  ['AccessDenied', 'access is denied: the key needs s3:ListBucket, s3:GetObject and s3:PutObject for the bucket'],
  ['AllAccessDisabled', 'access is denied: the bucket is closed'],
  ['InvalidAccessKeyId', 'the access key is not known there: look at AWS_ACCESS_KEY_ID'],
  ['SignatureDoesNotMatch', 'the secret key is wrong: look at AWS_SECRET_ACCESS_KEY'],
  ['ExpiredToken', 'the session token has expired: give a new one'],
  ['InvalidToken', 'the session token is wrong: look at AWS_SESSION_TOKEN'],
  ['RequestTimeTooSkewed', 'the clocks differ: set the clock of this machine'],
  ['CredentialsProviderError', 'there are no credentials: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY'],
  ['PermanentRedirect', 'the bucket is in another region: set AWS_REGION'],
  ['AuthorizationHeaderMalformed', 'the region is wrong: set AWS_REGION'],
]);

/** By the status, for answers without a code, such as those to HEAD. */
const ADVICE_BY_STATUS = new Map([
  [301, ADVICE.get('PermanentRedirect') as string],
  [403, ADVICE.get('AccessDenied') as string],
]);

/** Throttling has many names. */
const PASSING_NAMES =
  /^(SlowDown|Throttl|TooManyRequests|RequestLimitExceeded|RequestTimeout|TimeoutError$|InternalError|ServiceUnavailable|AbortError$)/;
const NETWORK_CODES =
  /^(ECONN|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EPIPE|ENETUNREACH|ENETDOWN|EHOSTUNREACH|EHOSTDOWN|EADDRNOTAVAIL|EMFILE|ENFILE|UND_ERR)/;
const CERTIFICATE_CODES = /CERT|ERR_TLS|ERR_SSL|UNABLE_TO_VERIFY|^EPROTO/;

/** Whether there is no such file; a missing bucket is something else. */
export function isMissing(error: unknown): boolean {
  const { name, $metadata } = error as S3Error;
  if (name === 'NoSuchBucket') return false;
  return name === 'NoSuchKey' || name === 'NotFound' || $metadata?.httpStatusCode === 404;
}

/** The error with its place, as one that passes or one that lasts. */
export function toS3Failure(error: unknown, place: string): Error {
  const fault: S3Error = error instanceof Error ? error : new Error(String(error));
  const what = describe(fault);
  if (passes(fault)) return new PassingFailure(`${place}: ${what}`, { cause: error });
  const advice = adviceOf(fault);
  return new Error(`${place}: ${advice === undefined ? what : `${advice} (${what})`}.`, { cause: error });
}

function passes({ name, code = '', $metadata }: S3Error): boolean {
  const status = $metadata?.httpStatusCode;
  if (PASSING_NAMES.test(name) || NETWORK_CODES.test(code)) return true;
  return status !== undefined && isPassing(status);
}

function adviceOf({ name, code = '', $metadata }: S3Error): string | undefined {
  if (CERTIFICATE_CODES.test(code))
    return 'TLS fails: is it https there, and does NODE_EXTRA_CA_CERTS name its authority';
  return ADVICE.get(name) ?? ADVICE_BY_STATUS.get($metadata?.httpStatusCode ?? 0);
}

function describe({ name, message, code, $metadata }: S3Error): string {
  const status = $metadata?.httpStatusCode;
  return [status, name === 'Error' ? code : name, message]
    .filter((part) => part !== undefined && part !== '')
    .join(' ');
}
