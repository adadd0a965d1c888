// The dataset that was chosen last, kept in this browser.

const KEY = 'varve.dataset';

export function keepDataset(dataset: string): void {
  localStorage.setItem(KEY, dataset);
}

export function lastDataset(): string | undefined {
  return localStorage.getItem(KEY) ?? undefined;
}
