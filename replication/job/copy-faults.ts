// Why the copy of a dataset stops for good.

/** The sink has what the edge does not: the edge was restored from a backup, or a second edge writes the same copy. */
export class AheadOfEdge extends Error {}

/** Another edge keeps a copy under the same name. */
export class NameTaken extends Error {}
