import type { PersonRow } from './operator.tables.ts'

/** Roles of a person of the operator. Every person is a viewer, and an owner may do everything. */
export const ROLES = ['viewer', 'support', 'risk', 'treasurer', 'owner'] as const
export type Role = (typeof ROLES)[number]

/** Returns whether a person may sign an action that needs the role. */
export function mayAct({ roles, ended_at: endedAt }: Pick<PersonRow, 'roles' | 'ended_at'>, role: Role): boolean {
  const held = roles.split(',')
  return endedAt === null && (role === 'viewer' || held.includes(role) || held.includes('owner'))
}
