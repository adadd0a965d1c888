// The audit log: who changed what, and who was refused, as lines of the log with `"audit":true`. They are written at every
// log level, and never hold a token, only its id.

import { BoundedMap } from './bounded-map.ts';
import { networkOf } from './remote-address.ts';

/** What is done, and the words of its line. A test holds the list against docs/security.md. */
export const AUDIT_ACTIONS = {
  'dataset.create': 'Dataset created.',
  'dataset.update': 'Rules of a dataset changed.',
  'dataset.delete': 'Dataset deleted.',
  'tags.delete': 'Tags deleted.',
  'tags.rename': 'Tag renamed.',
  'points.remove': 'Points removed.',
  'annotation.create': 'Annotation written.',
  'annotation.change': 'Annotation changed.',
  'annotation.delete': 'Annotation deleted.',
  'points.correct': 'Points corrected.',
  'correction.undo': 'Correction undone.',
  'view.create': 'View saved.',
  'view.change': 'View changed.',
  'view.delete': 'View deleted.',
  'token.create': 'Token created.',
  'token.change': 'Token changed.',
  'token.revoke': 'Token revoked.',
  'token.remove': 'Token removed from the file.',
  'token.issue': 'Token given to a client.',
  'opcua.browse': 'OPC UA server tried.',
  'host.pass': 'Request for another Host let through.',
  refused: 'Request refused.',
} as const;
export type AuditAction = keyof typeof AUDIT_ACTIONS;

export type AuditDetails = Readonly<Record<string, string | number | readonly string[] | undefined>>;

/** Logger that the lines go to: one of pino at level `info`. */
export interface AuditLogger {
  info(fields: object, message: string): void;
}

/** Who did it. */
export interface Actor {
  /** Id of the token; undefined without one. */
  readonly tokenId: string | undefined;
  /** Undefined for what was done at the machine itself. */
  readonly remoteAddress: string | undefined;
}

type ReasonedDetails = AuditDetails & { readonly reason: string };

/** The like refusals after one that was logged are counted for this long, and told with the next. */
const QUIET_MS = 60_000;
const REFUSALS_KEPT = 4096;
const MAX_TEXT_LENGTH = 200;
const MAX_LIST_LENGTH = 20;

interface QuietTime {
  readonly endMs: number;
  readonly omitted: number;
}

export class Audit {
  readonly #logger: AuditLogger;
  readonly #quiet = new BoundedMap<QuietTime>(REFUSALS_KEPT);

  constructor(logger: AuditLogger) {
    this.#logger = logger;
  }

  done(actor: Actor, action: AuditAction, details: AuditDetails): void {
    this.#logger.info(auditFields(actor, action, details), AUDIT_ACTIONS[action]);
  }

  /** One line a minute for each reason, token and network; the next one says how many were left out. */
  refused(actor: Actor, reason: string, details: AuditDetails, nowMs: number): void {
    this.seldom(actor, 'refused', { reason, ...details }, nowMs);
  }

  /** The same for other events that repeat; true when a line was written. */
  seldom(actor: Actor, action: AuditAction, details: ReasonedDetails, nowMs: number): boolean {
    const key = `${action} ${details.reason} ${actor.tokenId ?? '-'} ${networkOf(actor.remoteAddress ?? '')}`;
    const quiet = this.#quiet.get(key);
    if (quiet !== undefined && nowMs < quiet.endMs) {
      this.#quiet.set(key, { endMs: quiet.endMs, omitted: quiet.omitted + 1 });
      return false;
    }
    this.#quiet.set(key, { endMs: nowMs + QUIET_MS, omitted: 0 });
    const omitted = quiet === undefined || quiet.omitted === 0 ? undefined : quiet.omitted;
    this.done(actor, action, { ...details, omitted });
    return true;
  }
}

function auditFields({ tokenId, remoteAddress }: Actor, action: AuditAction, details: AuditDetails): object {
  const given = Object.entries(details).filter(([, value]) => value !== undefined);
  const bounded = given.map(([name, value]) => [name, boundedValue(value)] as const);
  return { audit: true, action, token: tokenId ?? null, remote: remoteAddress ?? null, ...Object.fromEntries(bounded) };
}

/** Names come from clients, and may be many and long. */
function boundedValue(value: AuditDetails[string]): unknown {
  if (typeof value === 'string') return shortened(value);
  return Array.isArray(value) ? value.slice(0, MAX_LIST_LENGTH).map((item) => shortened(String(item))) : value;
}

function shortened(text: string): string {
  return text.length <= MAX_TEXT_LENGTH ? text : `${text.slice(0, MAX_TEXT_LENGTH)}…`;
}
