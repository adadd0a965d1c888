// The saved view that the address of the page names: `/?view=<id>`.

const PARAMETER = 'view';
const ASSET = 'asset';

export function viewInAddress(): string | undefined {
  return new URLSearchParams(location.search).get(PARAMETER) ?? undefined;
}

/** True when the saved view says what is shown, and not the rest of the address. */
export function isViewAwaited(): boolean {
  return viewInAddress() !== undefined && location.hash.replace('#', '') === '';
}

export function linkToView(id: string, asset?: string): string {
  const ofAsset = asset === undefined ? '' : `&${ASSET}=${encodeURIComponent(asset)}`;
  return `${location.origin}/?${PARAMETER}=${encodeURIComponent(id)}${ofAsset}`;
}

/** The asset that a dashboard shows in place of the one that it was made for: `/?view=<id>&asset=TK003`. */
export function assetInAddress(): string | undefined {
  const asset = new URLSearchParams(location.search).get(ASSET) ?? '';
  return asset === '' ? undefined : asset;
}

/** A step that Back undoes. */
export function goToAsset(asset: string): void {
  const query = new URLSearchParams(location.search);
  query.set(ASSET, asset);
  history.pushState({ depth: depth() + 1 }, '', `/?${query}${location.hash}`);
}

/** A step that Back undoes. */
export function goToView(id: string): void {
  history.pushState({ depth: depth() + 1 }, '', `/?${PARAMETER}=${encodeURIComponent(id)}`);
}

/** The address names no view any more; the fragment stays. */
export function leaveViewAddress(step: 'step' | 'same' = 'same'): void {
  const bare = `/${location.hash}`;
  if (step === 'step') history.pushState({ depth: depth() + 1 }, '', bare);
  else history.replaceState({ depth: depth() }, '', bare);
}

function depth(): number {
  return (history.state as { depth?: number } | null)?.depth ?? 0;
}
