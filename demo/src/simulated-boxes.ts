import { unlessRefused } from './calls.ts'
import { addTo, type Chance, callAs, type SimulatedUser, type UserContext, unitsOf } from './simulated-user.ts'

/** Makes today's blind box. Nothing for a user who has clicked today. */
export async function clickBox(context: UserContext, user: SimulatedUser, { key }: Pick<Chance, 'key'>): Promise<void> {
  await unlessRefused(callAs(context, user, 'clickBox', {}, key), ['not_open'])
}

/** Claims the rewards of all boxes that are assigned. Nothing where there are none. */
export async function claimBoxes(
  context: UserContext,
  user: SimulatedUser,
  { key }: Pick<Chance, 'key'>,
): Promise<void> {
  const claimed = await unlessRefused(callAs(context, user, 'claimBoxes', {}, key), ['conflict'])
  for (const { asset, amount } of claimed?.amount ?? []) addTo(user, asset, unitsOf(amount, asset))
}
