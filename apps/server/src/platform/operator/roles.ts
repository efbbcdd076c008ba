/** Roles of a person of the operator. An owner may do everything. */
export const ROLES = ['viewer', 'support', 'risk', 'treasurer', 'owner'] as const
export type Role = (typeof ROLES)[number]
