import { chooser } from './activity-step.ts'

/** Each of the early users invites so many: the leads that raise a membership level. */
const LEADS = 5
/** Early users: the first one, who reaches level 3, and all who raise the level. */
const EARLY = 1 + LEADS + LEADS ** 2 + LEADS ** 3
/** Of a hundred later users, so many complete the leads of someone, and so many follow anyone. The rest came alone. */
const [COMPLETING, FOLLOWING] = [70, 15]

/**
 * Plans the tree of invitations: memberships of the earliest users rise, the first one's the most.
 *
 * @returns the number of each user's inviter, which is below the user's own; `undefined` for a user without one.
 */
export function planInvitations(users: number, seed: number): (number | undefined)[] {
  const choose = chooser(`invitations ${seed}`)
  return Array.from({ length: users }, (_, user) => {
    if (user === 0) return undefined
    const inviter = Math.floor((user - 1) / LEADS)
    const roll = choose(100)
    if (user < EARLY || roll < COMPLETING) return inviter
    return roll < COMPLETING + FOLLOWING ? choose(user) : undefined
  })
}
