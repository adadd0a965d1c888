// The saved view that the address of the page names: `/?view=<id>`.

const PARAMETER = 'view';

export function viewInAddress(): string | undefined {
  return new URLSearchParams(location.search).get(PARAMETER) ?? undefined;
}

/** True when the saved view says what is shown, and not the rest of the address. */
export function isViewAwaited(): boolean {
  return viewInAddress() !== undefined && location.hash.replace('#', '') === '';
}

export function linkToView(id: string): string {
  return `${location.origin}/?${PARAMETER}=${encodeURIComponent(id)}`;
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
