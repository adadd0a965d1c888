// Saved views: trends and dashboards of the Explorer that people share, and the shifts of the plant. What a view shows is the
// page's own; the server knows its name, place and owner, and the datasets that it is about.

export const VIEW_KINDS = ['trend', 'dashboard', 'shifts'] as const;
export type ViewKind = (typeof VIEW_KINDS)[number];

/** What holds for the whole plant is set by admins. */
export const ADMIN_KINDS: readonly ViewKind[] = ['shifts'];

/** UTF-16 units, as JavaScript counts. */
export const MAX_VIEW_NAME_LENGTH = 200;
export const MAX_VIEW_FOLDER_LENGTH = 500;
export const MAX_VIEW_DATASETS = 100;
export const MAX_DATASET_NAME_LENGTH = 240;
/** Most bytes of a view's JSON without white space. */
export const MAX_VIEW_CONTENT_BYTES = 262_144;
export const MAX_VIEWS = 10_000;

/** What who saves a view says of it. */
export interface ViewDefinition {
  readonly kind: ViewKind;
  readonly name: string;
  /** Names with `/` between them; empty for the top. */
  readonly folder: string;
  readonly datasets: readonly string[];
}

/** All about a view but what it shows. */
export interface ViewHead extends ViewDefinition {
  readonly id: string;
  /** Name of the token that has made it; absent when there were no tokens. */
  readonly owner?: string;
  /** ISO 8601. */
  readonly changed: string;
  /** 1 for a new view; each change adds 1. */
  readonly revision: number;
}

export interface View {
  readonly head: ViewHead;
  /** A JSON object as text, without line ends. */
  readonly content: string;
}

/** The file of a view in the folder of views is `<id>.json`. */
export const VIEW_ID_FORM = /^[0-9a-f]{20}$/;
