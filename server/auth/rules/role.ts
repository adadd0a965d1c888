// The roles of tokens. Each may do what the ones before it may.

export const ROLES = ['read', 'write', 'admin'] as const;
export type Role = (typeof ROLES)[number];

export function isRole(text: string): text is Role {
  return ROLES.some((role) => role === text);
}

/** True when who has the role `held` may do what `needed` is needed for. */
export function includesRole(held: Role, needed: Role): boolean {
  return ROLES.indexOf(held) >= ROLES.indexOf(needed);
}
