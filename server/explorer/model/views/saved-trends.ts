// Trends kept in this browser: names with the link that opens each.

export interface SavedTrend {
  readonly name: string;
  /** The fragment of its address. */
  readonly link: string;
}

const MOST_TRENDS = 100;

/** Reads what a browser has kept; whatever is not understood is left out. */
export function parseSavedTrends(text: string | null): SavedTrend[] {
  try {
    const list: unknown = JSON.parse(text ?? '[]');
    return Array.isArray(list) ? list.filter(isSavedTrend).slice(0, MOST_TRENDS) : [];
  } catch {
    return [];
  }
}

function isSavedTrend(entry: unknown): entry is SavedTrend {
  if (typeof entry !== 'object' || entry === null) return false;
  const { name, link } = entry as Record<string, unknown>;
  return typeof name === 'string' && typeof link === 'string';
}

/** With the trend at its place by name, instead of one of the same name. */
export function withTrend(trends: readonly SavedTrend[], trend: SavedTrend): SavedTrend[] {
  const others = withoutTrend(trends, trend.name);
  return [...others, trend].sort((a, b) => a.name.localeCompare(b.name)).slice(0, MOST_TRENDS);
}

export function withoutTrend(trends: readonly SavedTrend[], name: string): SavedTrend[] {
  return trends.filter((trend) => trend.name !== name);
}
