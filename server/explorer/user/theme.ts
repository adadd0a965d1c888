// Light, dark, or as the system has it; kept in this browser.

import { createStore } from '../state/store.ts';

export type Theme = 'system' | 'light' | 'dark';

const KEY = 'varve.theme';
const THEMES: readonly Theme[] = ['system', 'light', 'dark'];

/** Counts the changes of the colours, whatever made them: canvases have to be painted again. */
export const themeChanges = createStore({ count: 0 });

matchMedia('(prefers-color-scheme: dark)').addEventListener('change', noteChange);

export function keptTheme(): Theme {
  const kept = localStorage.getItem(KEY);
  return THEMES.find((theme) => theme === kept) ?? 'system';
}

export function applyTheme(theme: Theme): void {
  localStorage.setItem(KEY, theme);
  showTheme(theme);
}

/** Without keeping it. */
export function showTheme(theme: Theme): void {
  if (theme === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
  noteChange();
}

export function nextTheme(theme: Theme): Theme {
  return THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length] ?? 'system';
}

function noteChange(): void {
  themeChanges.set({ count: themeChanges.get().count + 1 });
}
