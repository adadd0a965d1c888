// The roles of tokens. Each may do what the ones before it may.

import { matchesPattern } from '../../patterns/star-pattern.ts';

export const ROLES = ['read', 'write', 'admin'] as const;
export type Role = (typeof ROLES)[number];

export function isRole(text: string): text is Role {
  return ROLES.some((role) => role === text);
}

/** True when who has the role `held` may do what `needed` is needed for. */
export function includesRole(held: Role, needed: Role): boolean {
  return ROLES.indexOf(held) >= ROLES.indexOf(needed);
}

/** A role, and patterns of the names of datasets that it is for. */
export interface HeldRole {
  readonly role: Role;
  readonly datasets: readonly string[];
}

/** True when who has the role may do in a dataset what `needed` is needed for. */
export function mayIn({ role, datasets }: HeldRole, needed: Role, dataset: string): boolean {
  return includesRole(role, needed) && datasets.some((pattern) => matchesPattern(pattern, dataset));
}
