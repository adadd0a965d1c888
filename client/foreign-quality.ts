// Qualities of other systems as numbers of this project: the one table of every door and of imports, printed in
// docs/qualities.md. What is not in it is bad, never good.

const GOOD_QUALITY = 192;

export const BAD_QUALITY = 0;
export const UNCERTAIN_QUALITY = 64;
/** Also of values that are no longer current. */
const LOST = 24;
/** Sparkplug's code of values that are stale. */
const STALE_CODE = 500;

/** A condition with a number of its own: its name, the upper half of its OPC UA status code, and Ignition's code. */
type Condition = readonly [quality: number, name: string, statusCode: number | undefined, ignition?: number];

const CONDITIONS: readonly Condition[] = [
  [216, 'GoodLocalOverride', 0x0096],
  [68, 'UncertainLastUsableValue', 0x4090],
  [68, 'UncertainLastKnownValue', undefined, 0x40000101],
  [80, 'UncertainSensorNotAccurate', 0x4093],
  [84, 'UncertainEngineeringUnitsExceeded', 0x4094, 0x40000104],
  [88, 'UncertainSubNormal', 0x4095],
  [88, 'UncertainDataSubNormal', 0x40a4, 0x40000103],
  [4, 'BadConfigurationError', 0x8089],
  [8, 'BadNotConnected', 0x808a, 0x8000020a],
  [12, 'BadDeviceFailure', 0x808b],
  [16, 'BadSensorFailure', 0x808c],
  [LOST, 'BadNoCommunication', 0x8031],
  [LOST, 'BadCommunicationError', 0x8005],
  [LOST, 'BadCommFailure', undefined],
  [LOST, 'BadStale', undefined, 0x80000204],
  [LOST, 'BadGatewayCommOff', undefined, 0x8000020b],
  [28, 'BadOutOfService', 0x808d],
  [32, 'BadWaitingForInitialData', 0x8032],
];

/** Names that mean good: of OPC UA, of OPC DA, and of Ignition. */
const GOOD_NAMES = [
  ...['Good', 'GoodNonSpecific', 'GoodClamped', 'GoodOverload', 'GoodNoData', 'GoodMoreData', 'GoodDataIgnored'],
  ...['GoodEdited', 'GoodEntryInserted', 'GoodEntryReplaced', 'GoodCompletesAsynchronously', 'GoodCommunicationEvent'],
  ...['GoodUnspecified', 'GoodWritePending', 'GoodProvisional', 'GoodInitial', 'GoodBackup', 'True'],
];

const byName = new Map([
  ...GOOD_NAMES.map((name) => [plain(name), GOOD_QUALITY] as const),
  ...CONDITIONS.map(([quality, name]) => [plain(name), quality] as const),
  ['false', BAD_QUALITY] as const,
  ['stale', LOST] as const,
]);
const byUpperHalf = new Map(CONDITIONS.map(([quality, , statusCode]) => [statusCode, quality]));
const byIgnitionCode = new Map(CONDITIONS.map(([quality, , , ignition]) => [ignition, quality]));

const WHOLE = /^[+-]?\d{1,10}$/;
const HEXADECIMAL = /^0x[\da-f]{1,8}$/i;
const MOST_CHARS = 100;
/** The severities of status codes, by their top two bits; the last one is reserved. */
const SEVERITIES = [GOOD_QUALITY, UNCERTAIN_QUALITY, BAD_QUALITY, BAD_QUALITY] as const;
/** Bits that no status code has. */
const RESERVED_BITS = 0x30003000;

/** The quality that a number, a word or a truth of another system means. */
export function foreignQuality(value: unknown): number {
  return knownQuality(value) ?? BAD_QUALITY;
}

/** The quality of a point whose value is lost: at best bad. */
export function lostQuality(told: number | undefined): number {
  return told !== undefined && told < UNCERTAIN_QUALITY ? told : BAD_QUALITY;
}

/** Undefined for what is not in the table. */
export function knownQuality(value: unknown): number | undefined {
  if (typeof value === 'number' || typeof value === 'bigint') return ofNumber(Number(value));
  if (typeof value === 'boolean') return value ? GOOD_QUALITY : BAD_QUALITY;
  if (typeof value !== 'string' || value.length > MOST_CHARS) return undefined;
  const text = value.trim();
  if (WHOLE.test(text) || HEXADECIMAL.test(text)) return ofNumber(Number(text));
  return ofName(plain(text));
}

/** Quality of an OPC UA status code: here 0 is good, while it is bad as a quality of OPC DA. */
export function qualityOfStatusCode(code: number): number {
  return isInRange(code) ? (ofStatusCode(code >>> 0) ?? BAD_QUALITY) : BAD_QUALITY;
}

/** Name of OPC UA's status code for a quality: the first of the table with that number, else the severity alone. */
export function statusNameOfQuality(quality: number): string {
  const known = CONDITIONS.find(([number, , code]) => number === quality && code !== undefined);
  if (known !== undefined) return known[1];
  if (quality >= GOOD_QUALITY) return 'Good';
  return quality >= UNCERTAIN_QUALITY ? 'Uncertain' : 'Bad';
}

/** One byte is a quality of OPC DA, which is this project's too; what needs more than two is a status code. */
function ofNumber(code: number): number | undefined {
  if (!isInRange(code)) return undefined;
  if (code === STALE_CODE) return LOST;
  if (code >= 0 && code < 128) return code;
  if (code >= GOOD_QUALITY && code < 256) return code;
  return code >= 0 && code < 65_536 ? undefined : ofStatusCode(code >>> 0);
}

function ofStatusCode(code: number): number | undefined {
  if ((code & RESERVED_BITS) !== 0) return undefined;
  return byIgnitionCode.get(code) ?? byUpperHalf.get(code >>> 16) ?? SEVERITIES[code >>> 30];
}

/** Good is what is known to be; anything may be wrong, or doubtful, in ways of its own. */
function ofName(name: string): number | undefined {
  const known = byName.get(name);
  if (known !== undefined) return known;
  if (name.startsWith('uncertain')) return UNCERTAIN_QUALITY;
  return name.startsWith('bad') ? BAD_QUALITY : undefined;
}

/** `Bad_Stale`, `BadStale` and `Bad, stale` are one name. */
function plain(text: string): string {
  return text.toLowerCase().replace(/[^a-z\d]+/g, '');
}

/** A whole number of 32 bits, with or without a sign. */
function isInRange(code: number): boolean {
  return Number.isInteger(code) && code >= -(2 ** 31) && code < 2 ** 32;
}
