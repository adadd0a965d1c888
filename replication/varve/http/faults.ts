// Which failures of another Varve go away by themselves, and what to do about the others.

import { isPassing, readProblem } from '../../../client/answers.ts';
import { PassingFailure } from '../../sink.ts';

const ADVICE = new Map([
  [
    401,
    'it wants a token, or another one: make one there by `varve token create --role admin`, and give it as VARVE_CENTRE_PASSWORD',
  ],
  [
    403,
    'the token is not for this: it needs the role admin and, where it is limited to datasets, <site>.*; without tokens the server must know the host by --allow-host',
  ],
  [404, 'there is no such thing: it is no Varve, one of an earlier version, or the dataset was deleted there'],
  [405, 'it is no Varve, or one of an earlier version'],
  [409, 'it refuses to be written to: is it a server over a centre?'],
  [413, 'its --max-body is too small: 16MiB is the default'],
  [501, 'it is no Varve'],
  [505, 'a long name of a tag did not arrive in one piece: run it with --http node'],
]);

/** Faults of TLS that last, by code. */
const TLS_FAULT = /CERT|SSL|TLS|SELF_SIGNED|UNABLE_TO_/;
const MOST_SHOWN = 300;

/** The other server refuses what it was asked for. */
export class Refused extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** An answer that is none of success. What there is advice for does not pass by itself. */
export function failureOf(what: string, status: number, text: string): Error {
  const advice = ADVICE.get(status);
  const detail = (readProblem(text).detail ?? '').slice(0, MOST_SHOWN);
  const message = `${what}: ${status}: ${advice === undefined ? '' : `${advice}: `}${detail}`;
  return advice === undefined && isPassing(status) ? new PassingFailure(message) : new Refused(status, message);
}

/** No answer, or half of one. */
export function brokenRequest(what: string, error: unknown): Error {
  const { code } = error as NodeJS.ErrnoException;
  const reason = error instanceof Error ? error.message : String(error);
  const isTls = code !== undefined && TLS_FAULT.test(code);
  if (!isTls) return new PassingFailure(`${what}: no answer: ${code ?? reason}`, { cause: error });
  const message = `${what}: ${reason}: its certificate is not known here; name that of its authority by NODE_EXTRA_CA_CERTS`;
  return new Error(message, { cause: error });
}
