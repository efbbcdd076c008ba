import type { MembershipLevel } from './box-power.ts'

/** A level rises when this many direct leads have the level below it (specification: "Invite 5 leads to upgrade membership"). */
export const LEADS_PER_LEVEL = 5
export const HIGHEST_LEVEL = 5

/** How many activated direct leads of a member have each level or a higher one: level 0 first, level 4 last. */
export type LeadCounts = readonly [number, number, number, number, number]

export const NO_LEADS: LeadCounts = [0, 0, 0, 0, 0]

/**
 * Computes the membership level: the highest level with enough direct leads of the level below it. Counts never grow from
 * a lower level to a higher one, so the first level without enough leads is the limit.
 */
export function membershipLevel(leads: LeadCounts): MembershipLevel {
  const missing = leads.findIndex((count) => count < LEADS_PER_LEVEL)
  return (missing === -1 ? HIGHEST_LEVEL : missing) as MembershipLevel
}

/**
 * Counts a direct lead that was activated, or that rose.
 *
 * @param from the lowest level at which the lead did not count before: 0 if it was activated now.
 * @param to the lead's level now.
 */
export function countLead(leads: LeadCounts, { from, to }: { readonly from: number; readonly to: number }): LeadCounts {
  return leads.map((count, level) => (level >= from && level <= to ? count + 1 : count)) as unknown as LeadCounts
}
