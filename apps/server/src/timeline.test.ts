import { expect, test } from 'vitest'
import { TABLES } from './tables.ts'
import { TIMELINE } from './timeline.ts'

/** Tables of users that the timeline leaves out, with the reason. */
const LEFT_OUT: Readonly<Record<string, string>> = {
  activations: 'a number of the activation, which is shown',
  alerts: 'a price alert moves no money, and its notice is shown',
  borrower_changes: 'each change has an entry of the ledger',
  borrowers: 'sums of the loans',
  box_streaks: 'the boxes of an account without a gap',
  boxes: 'its reward is an entry of the ledger',
  command_outcomes: 'responses that are kept for a retry',
  counted_exits: 'each has an entry of the ledger',
  exit_advances: 'sums of entries of the ledger',
  exit_payments: 'each has an entry of the ledger',
  frozen_accounts: 'shown on top, and as a change by the operator',
  hidden_from_ranks: 'a setting without a moment that matters',
  liquidations: 'each part has an entry of the ledger',
  login_nonces: 'messages to sign, for minutes',
  memberships: 'a level without a past',
  pending_movements: 'a payment that is not credited yet; `operator tx` shows it',
  plan_owners: 'a count of plans, which are shown',
  plan_runs: 'each swap has an entry of the ledger',
  pledge_changes: 'each change has an entry of the ledger',
  pledges: 'each change has an entry of the ledger',
  proof_accounts: 'a place in the trees, given once',
  proof_places: 'a place in the trees, given once',
  proof_positions: 'the pledges and loans, as headers have them',
  push_subscriptions: 'addresses of devices',
  rank_points: 'points of entries of the ledger',
  rank_scores: 'sums of points',
  referral_totals: 'sums of entries of the ledger',
  rich_accounts: 'each change has an entry of the ledger or a request',
  rich_collected: 'each has an entry of the ledger',
  rich_uids: 'a name without a past',
  signed_vouchers: 'the transfer out is shown',
  swap_orders: 'each has an entry of the ledger',
  team_events: 'what others in the team did',
  vault_counters: 'sums of payments, which are shown',
}

test('each table of users is shown, or has a reason', () => {
  const ofUsers = TABLES.filter(({ kinds }) => Object.values(kinds).some(({ unusedUser }) => unusedUser))
  const shown = new Set(TIMELINE.map(({ table }) => table.name))
  const missing = ofUsers.map(({ name }) => name).filter((name) => !shown.has(name))
  expect(missing.toSorted()).toEqual(Object.keys(LEFT_OUT).toSorted())
})
