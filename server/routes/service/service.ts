// What the routes share: the engine, and the settings that change answers.

import type { Engine, Instant, LateRule } from '../../../engine/index.ts';
import type { DescribedMode } from '../../api/openapi/document.ts';
import type { TokenIssuer } from '../../auth/token-issuer.ts';
import type { TruthTags } from '../../codec/scalars/value-fit.ts';
import type { ValueStyle } from '../../codec/write-json/value-style.ts';
import type { LiveHub } from '../../live/live-hub.ts';
import type { CollectorList } from '../../metrics/collector-figures.ts';
import type { CopyList } from '../../metrics/copy-figures.ts';
import type { DroppedPoints } from '../../metrics/dropped-points.ts';
import type { RequestFigures } from '../../metrics/request-figures.ts';
import type { SourceList } from '../../metrics/source-figures.ts';
import type { WriterFigures } from '../../metrics/writer-figures.ts';
import type { LineTemplate } from '../../settings/line-template.ts';
import type { Settings } from '../../settings/settings.ts';
import type { ViewStore } from '../../views/view-store.ts';
import type { PageFiles } from './explorer-files.ts';

/** Points that the requests and answers of the reference product's live servers differ in (`--compat timebase`). */
export interface AnswerStyle {
  /** Mode that the OpenAPI description names. */
  readonly mode: DescribedMode;
  /** What a range read does without `boundary`. */
  readonly boundary: 'inside' | 'carry';
  readonly values: Pick<ValueStyle, 'booleans' | 'nulls'>;
  /** `keep`: creating a dataset that is there answers 200 and changes nothing, whatever the definition. */
  readonly existingDataset: 'conflict' | 'keep';
  /** Which tags take true and false. */
  readonly truths: TruthTags;
  /** Case of the fixed parts of paths, of parameters, and of members of points; names of datasets and tags are exact. */
  readonly names: 'exact' | 'any-case';
}

export interface OpcUaBrowsing {
  /** Made where it is missing. */
  readonly certificateFolder: string;
  /** Whether it needs no token: nobody but this machine reaches the server. */
  readonly isOpenToAll: boolean;
}

export interface Service {
  readonly engine: Engine;
  readonly nowMs: () => number;
  readonly style: AnswerStyle;
  /** What becomes of faulty points when the request has no preference. */
  readonly handling: 'strict' | 'lenient';
  readonly maxBodyBytes: number;
  /** How line protocol names tags; by the default template when absent. */
  readonly lineTemplate?: LineTemplate;
  /** The rule for late points of datasets that doors make. */
  readonly doorLate?: LateRule;
  /** Tells of points that doors have dropped; nobody is told when absent. */
  readonly dropped?: DroppedPoints;
  /** Who listens to live data; of its own when absent. */
  readonly live?: LiveHub;
  /** What is counted of requests; nothing is when absent. */
  readonly requests?: RequestFigures;
  /** The Explorer page; absent when it is not built. */
  readonly explorer?: PageFiles | undefined;
  /** Clients of brokers that bring points; there are none when absent. */
  readonly sources?: SourceList;
  /** Collectors in this process; there are none when absent. */
  readonly collectors?: CollectorList;
  /** How servers of OPC UA are looked at; they are not when absent. */
  readonly browsing?: OpcUaBrowsing | undefined;
  /** Counts what clients write; nothing is counted when absent. */
  readonly writers?: WriterFigures;
  /** Copies of datasets at a centre; there are none when absent. */
  readonly copies?: CopyList | undefined;
  /** Saved trends and dashboards; none are kept when absent. */
  readonly views?: ViewStore | undefined;
  /** Gives clients their tokens; none are given when absent. */
  readonly issuer?: TokenIssuer;
  /** For how long a point is in force to queries of the door `prometheus`; until the next one when absent. */
  readonly prometheusStaleMs?: number | undefined;
  /** Time up to which datasets that are copies have all that was accepted, ms; absent where they are no copies. */
  readonly copiedUntilMs?: ((dataset: string) => number | undefined) | undefined;
  /** What this server itself speaks; `http` when absent. */
  readonly ownScheme?: 'http' | 'https';
}

const PLAIN_STYLE: AnswerStyle = {
  mode: 'default',
  boundary: 'inside',
  values: { booleans: 'literal', nulls: 'null' },
  existingDataset: 'conflict',
  truths: 'boolean',
  names: 'exact',
};

const TIMEBASE_STYLE: AnswerStyle = {
  mode: 'timebase',
  boundary: 'carry',
  values: { booleans: 'digit', nulls: 'omit' },
  existingDataset: 'keep',
  truths: 'boolean and numeric',
  names: 'any-case',
};

export function answerStyle(compat: 'timebase' | undefined): AnswerStyle {
  return compat === 'timebase' ? TIMEBASE_STYLE : PLAIN_STYLE;
}

/** What becomes of a request with a faulty point, by the settings. */
export function pointHandling(settings: Pick<Settings, 'compat' | 'on-bad-point'>): Service['handling'] {
  const byDefault = settings.compat === 'timebase' ? 'drop-point' : 'reject-request';
  return (settings['on-bad-point'] ?? byDefault) === 'drop-point' ? 'lenient' : 'strict';
}

/** The largest body of a request in bytes, by the settings: the server of the reference product takes 30 MB. */
export function mostBodyBytes(settings: Pick<Settings, 'compat' | 'max-body'>): number {
  return settings['max-body'] ?? (settings.compat === 'timebase' ? 30_000_000 : 16 * 2 ** 20);
}

export function nowInstant(service: Service): Instant {
  return { ms: Math.floor(service.nowMs()), ticks: 0 };
}
