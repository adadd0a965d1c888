// A host application of Sparkplug B, as far as keeping history goes: births define tags, data become points, deaths mark
// them, and a node of which something is missing is asked for its birth.

import { foreignQuality, lostQuality } from '../../../../client/foreign-quality.ts';
import type { ExceptionRules } from '../../../../collect/exception-filter.ts';
import type { TagChange } from '../../../../engine/index.ts';
import { PayloadFault } from '../mapping/faults.ts';
import { type MappedPoint, type Message, timedValue } from '../mapping/mapped-point.ts';
import { timeText } from '../mapping/payload-time.ts';
import { finish, type Steps } from '../mapping/steps.ts';
import type { TextTemplate } from '../mapping/text-template.ts';
import { EdgeNode, type KnownMetric } from './edge-node.ts';
import { HeldMessages, type HostMessage } from './held-messages.ts';
import { decodeSparkplug, encodeRebirth, type SparkplugMetric, type SparkplugPayload } from './sparkplug-payload.ts';
import { findDataType } from './sparkplug-types.ts';

export interface SparkplugNames {
  readonly dataset: TextTemplate;
  readonly tag: TextTemplate;
}

/** A node or device that has been born or has died. */
export interface LifeSign {
  readonly dataset: string;
  /** Who: `group/node` or `group/node/device`. */
  readonly who: string;
  readonly isAlive: boolean;
}

/** What a message comes to. The definition of a point's tag is there no later than the point. */
export interface SparkplugOutcome {
  readonly points: MappedPoint[];
  readonly definitions: { readonly dataset: string; readonly change: TagChange }[];
  readonly signs: LifeSign[];
  /** The command to send, and where. */
  rebirth?: { readonly topic: string; readonly payload: Uint8Array };
  /** Values that were left out, and why the first was. */
  leftOut: number;
  leftOutReason?: string;
  /** Whether the message waits for others, and comes to nothing yet. */
  isHeld: boolean;
  /** Which of the points are worth storing; all when absent. */
  rules?: ExceptionRules | undefined;
}

export function emptyOutcome(): SparkplugOutcome {
  return { points: [], definitions: [], signs: [], leftOut: 0, isHeld: false };
}

export class SparkplugFigures {
  births = 0;
  deaths = 0;
  gaps = 0;
  rebirthRequests = 0;
  /** Values of metrics that no birth has declared. */
  unresolved = 0;
  historical = 0;
}

/** A quality of the dataset's status: the source is lost. */
export const SOURCE_LOST = 24;
const MOST_NODES = 10_000;
const MOST_METRICS = 500_000;
const NAMESPACE = 'spBv1.0';
const BD_SEQ = 'bdSeq';
/** Switches of the protocol, no values of a plant. */
const CONTROLS = /^(?:Node|Device) Control\//;

/** The place of a message in the topics of Sparkplug. */
interface Address {
  readonly group: string;
  readonly node: string;
  /** Empty for messages of the node itself. */
  readonly device: string;
  readonly names: SparkplugNames;
}

export class SparkplugHost {
  readonly figures = new SparkplugFigures();
  readonly held: HeldMessages;
  readonly #nodes = new Map<string, EdgeNode>();
  #metricCount = 0;

  /** @param reorderMs how long a message that has overtaken others waits for them */
  constructor(reorderMs: number) {
    this.held = new HeldMessages(reorderMs);
  }

  /** All steps of a message at once. */
  take(names: SparkplugNames, message: HostMessage): SparkplugOutcome {
    const outcome = emptyOutcome();
    finish(this.steps(names, message, outcome));
    return outcome;
  }

  /**
   * Takes a message in steps, of which each adds to the outcome; what is in there may be taken out between two. The next
   * message is begun when they are done: first those that `held` has. Throws a `PayloadFault`, and then has added nothing.
   * Messages that are not for hosts come to nothing.
   */
  *steps(names: SparkplugNames, message: HostMessage, outcome: SparkplugOutcome): Steps<void> {
    const [namespace, group = '', kind = '', node = '', device = ''] = message.topic.split('/');
    if (namespace !== NAMESPACE || node === '') return;
    const address = { group, node, device, names };
    if (kind === 'NDEATH' || kind === 'DDEATH') yield* this.#die(address, kind, message, outcome);
    else if (kind === 'NBIRTH' || kind === 'DBIRTH') yield* this.#bear(address, kind, message, outcome);
    else if (kind === 'NDATA' || kind === 'DDATA') yield* this.#takeData(address, message, outcome);
  }

  #nodeOf({ group, node }: Address): EdgeNode {
    const key = `${group}/${node}`;
    const known = this.#nodes.get(key);
    if (known !== undefined) return known;
    if (this.#nodes.size >= MOST_NODES) throw new PayloadFault(`there are more than ${MOST_NODES} edge nodes`);
    const made = new EdgeNode();
    this.#nodes.set(key, made);
    return made;
  }

  *#bear(address: Address, kind: 'NBIRTH' | 'DBIRTH', message: HostMessage, outcome: SparkplugOutcome): Steps<void> {
    const payload = yield* decodeSparkplug(message.payload);
    const node = this.#nodeOf(address);
    outcome.isHeld =
      kind === 'NBIRTH'
        ? this.held.holdBirth(node, message, payload.timeMs)
        : this.#waitsForNumbers(address, node, payload, message);
    if (outcome.isHeld) return;
    const before = node.metricCount;
    const beside = this.#metricCount - before + node.metricCountBeside(address.device);
    if (beside + payload.metrics.length > MOST_METRICS)
      throw new PayloadFault(`there are more than ${MOST_METRICS} metrics`);
    this.#checkSeq(address, node, { payload, isBirth: kind === 'NBIRTH', message }, outcome);
    if (kind === 'NBIRTH') node.beginBirth(bdSeqOf(payload));
    else node.beginDeviceBirth(address.device);
    this.figures.births++;
    for (const metric of payload.metrics) {
      yield;
      if (!isOfPlant(metric)) continue;
      if (metric.name === undefined) {
        leaveOut(outcome, 'a metric of the birth has no name');
        continue;
      }
      const known = node.declare(metric, address.device);
      this.#define(address, known, metric, outcome);
      this.#addValue({ address, payload, message }, known, metric, outcome);
    }
    this.#metricCount += node.metricCount - before;
    outcome.signs.push(signOf(address, 'alive'));
  }

  #define(address: Address, known: KnownMetric, metric: SparkplugMetric, outcome: SparkplugOutcome): void {
    const type = findDataType(metric.dataType)?.type;
    if (type === undefined) return;
    const { properties } = metric;
    const unit = textProperty(properties, 'engUnit') ?? textProperty(properties, 'Engineering Units');
    const description =
      metric.description ?? textProperty(properties, 'Documentation') ?? textProperty(properties, 'Description');
    const change = {
      name: tagOf(address, known),
      type,
      ...(description === undefined ? {} : { description }),
      ...(unit === undefined ? {} : { units: new Map([[1, unit]]) }),
    };
    outcome.definitions.push({ dataset: datasetOf(address), change });
  }

  *#takeData(address: Address, message: HostMessage, outcome: SparkplugOutcome): Steps<void> {
    const payload = yield* decodeSparkplug(message.payload);
    const node = this.#nodeOf(address);
    outcome.isHeld = this.#waitsForNumbers(address, node, payload, message);
    if (outcome.isHeld) return;
    if (!this.held.isCounted(message)) this.#checkSeq(address, node, { payload, isBirth: false, message }, outcome);
    if (!node.isBorn(address.device)) {
      node.needsBirth = true;
      outcome.isHeld = this.#waitsForBirth(address, node, payload, message);
      if (outcome.isHeld) return this.#askForBirth(address, node, message, outcome);
    }
    for (const metric of payload.metrics) {
      yield;
      const known = node.find(metric, address.device);
      if (known !== undefined) this.#addValue({ address, payload, message }, known, metric, outcome);
      else if (isOfPlant(metric)) {
        node.needsBirth = true;
        this.figures.unresolved++;
        leaveOut(outcome, `no birth has declared the metric ${metric.name ?? `with alias ${metric.alias}`}`);
      }
    }
    if (node.needsBirth) this.#askForBirth(address, node, message, outcome);
  }

  /** What the broker sends again may be of any number. */
  #waitsForNumbers(
    { device }: Address,
    node: EdgeNode,
    { seq, timeMs }: SparkplugPayload,
    message: HostMessage,
  ): boolean {
    if (message.isRepeated || !node.isAlive || this.held.isCounted(message)) return false;
    const isAhead = (node.missingBefore(seq) ?? 0) > 0;
    return isAhead && this.held.hold(node, { message, waitsFor: 'numbers', seq, device, timeMs });
  }

  /** Data of a device that has died wait only when they are of metrics that it has not declared. */
  #waitsForBirth(
    { device }: Address,
    node: EdgeNode,
    { seq, timeMs, metrics }: SparkplugPayload,
    message: HostMessage,
  ): boolean {
    const isUnknown = metrics.some((metric) => isOfPlant(metric) && node.find(metric, device) === undefined);
    return isUnknown && this.held.hold(node, { message, waitsFor: 'birth', seq, device, timeMs });
  }

  #checkSeq(
    address: Address,
    node: EdgeNode,
    { payload, isBirth, message }: { payload: SparkplugPayload; isBirth: boolean; message: HostMessage },
    outcome: SparkplugOutcome,
  ): void {
    const wasAlive = node.isAlive;
    if (node.takeSeq(payload.seq, isBirth, message.isRepeated)) return;
    if (wasAlive) this.figures.gaps++;
    node.needsBirth = true;
    this.#askForBirth(address, node, message, outcome);
  }

  #askForBirth({ group, node: name }: Address, node: EdgeNode, message: HostMessage, outcome: SparkplugOutcome): void {
    const nowMs = this.held.decidedMs(message);
    if (!node.rebirths.take(nowMs)) return;
    this.figures.rebirthRequests++;
    outcome.rebirth = { topic: `${NAMESPACE}/${group}/NCMD/${name}`, payload: encodeRebirth(nowMs) };
  }

  #addValue(
    { address, payload, message }: { address: Address; payload: SparkplugPayload; message: Message },
    known: KnownMetric,
    metric: SparkplugMetric,
    outcome: SparkplugOutcome,
  ): void {
    const dataType = findDataType(known.dataType);
    if (dataType === undefined)
      return leaveOut(outcome, `${known.name} has the data type ${known.dataType}, which is no single value`);
    const timeMs = metric.timeMs ?? payload.timeMs;
    try {
      const isNull = metric.isNull || metric.value === undefined;
      const value = isNull ? 'null' : dataType.text(metric.value as NonNullable<typeof metric.value>);
      const time = timeMs === undefined ? message.arrivalMs : timeText(timeMs, 'ms');
      const timed = timedValue(time, value, qualityOf(metric, value));
      outcome.points.push({ dataset: datasetOf(address), tag: tagOf(address, known), ...timed });
    } catch (error) {
      if (!(error instanceof PayloadFault)) throw error;
      return leaveOut(outcome, `${known.name}: ${error.message}`);
    }
    if (metric.isHistorical) this.figures.historical++;
  }

  /** The will of an earlier connection may arrive late: it is about a birth that is not in force any more. */
  *#die(address: Address, kind: 'NDEATH' | 'DDEATH', message: HostMessage, outcome: SparkplugOutcome): Steps<void> {
    const payload = yield* decodeSparkplug(message.payload);
    const node = this.#nodeOf(address);
    if (kind === 'NDEATH') {
      const bdSeq = bdSeqOf(payload);
      if (node.isAlive && bdSeq !== undefined && node.bdSeq !== undefined && bdSeq !== node.bdSeq) return;
      outcome.isHeld = this.held.holdDeath(node, message);
      if (outcome.isHeld) return;
      node.isAlive = false;
    } else {
      outcome.isHeld = this.#waitsForNumbers(address, node, payload, message);
      if (outcome.isHeld) return;
      this.#checkSeq(address, node, { payload, isBirth: false, message }, outcome);
      node.endDevice(address.device);
    }
    this.figures.deaths++;
    // The will of a node was written when it connected: its time says nothing about the death.
    const toldMs = (kind === 'DDEATH' ? payload.timeMs : undefined) ?? message.arrivalMs;
    for (const known of node.metrics(address.device)) {
      yield;
      markLost(address, known, Math.min(toldMs, message.arrivalMs), outcome);
    }
    outcome.signs.push(signOf(address, 'dead'));
  }
}

/** Later than the newest value, as points are to which the server gives the time: the clock of a node may be ahead. */
function markLost(address: Address, known: KnownMetric, deathMs: number, outcome: SparkplugOutcome): void {
  if (findDataType(known.dataType) === undefined) return;
  const timed = timedValue(deathMs, 'null', SOURCE_LOST);
  outcome.points.push({ dataset: datasetOf(address), tag: tagOf(address, known), ...timed });
}

function leaveOut(outcome: SparkplugOutcome, reason: string): void {
  outcome.leftOut++;
  outcome.leftOutReason ??= reason;
}

function bdSeqOf({ metrics }: SparkplugPayload): bigint | undefined {
  const value = metrics.find(({ name }) => name === BD_SEQ)?.value;
  if (typeof value === 'bigint') return value;
  return typeof value === 'number' && Number.isInteger(value) ? BigInt(value) : undefined;
}

function isOfPlant({ name }: SparkplugMetric): boolean {
  return name !== BD_SEQ && !CONTROLS.test(name ?? '');
}

/** The property `Quality`, where there is one; what JSON has no number for is bad. */
function qualityOf({ properties, value, isNull }: SparkplugMetric, text: string): number | undefined {
  const told = properties.get('Quality');
  const code = typeof told === 'bigint' ? BigInt.asIntN(64, told) : told;
  const quality = code === undefined ? undefined : foreignQuality(code);
  return text === 'null' && !isNull && typeof value === 'number' ? lostQuality(quality) : quality;
}

function textProperty(properties: SparkplugMetric['properties'], name: string): string | undefined {
  const value = properties.get(name);
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function signOf(address: Address, state: 'alive' | 'dead'): LifeSign {
  const { group, node, device } = address;
  const who = device === '' ? `${group}/${node}` : `${group}/${node}/${device}`;
  return { dataset: datasetOf(address), who, isAlive: state === 'alive' };
}

function datasetOf({ group, node, names }: Address): string {
  return names.dataset.render({ levels: [], named: { group, node } });
}

/** Without a device its level is left out. */
function tagOf({ group, node, names }: Address, { device, name }: KnownMetric): string {
  const tag = names.tag.render({ levels: [], named: { group, node, device, metric: name } });
  return device === '' ? tag.replaceAll('//', '/') : tag;
}
