import type { IconName } from '@clearwell/ui/icons/icon.tsx'
import { m } from '../../generated/messages.ts'
import type { ActivityPart } from '../../manifest/words.ts'

/** A view of the activity: one of its parts, or one of the complete records. */
export type ActivityView = 'all' | ActivityPart | 'chain' | 'in' | 'out' | 'log' | 'operator'

const ACTIVITY = '/{-$locale}/wallet/activity'

/** The parts, in one row. Each keeps a search. */
export const PART_VIEWS = [
  { view: 'all', label: m.history_activity_all, to: ACTIVITY, search: {}, keepsFind: true },
  {
    view: 'transfers',
    label: m.history_activity_transfers,
    to: ACTIVITY,
    search: { show: 'transfers' },
    keepsFind: true,
  },
  { view: 'swaps', label: m.history_activity_swaps, to: ACTIVITY, search: { show: 'swaps' }, keepsFind: true },
  { view: 'loans', label: m.history_activity_loans, to: ACTIVITY, search: { show: 'loans' }, keepsFind: true },
  { view: 'pledges', label: m.history_activity_pledges, to: ACTIVITY, search: { show: 'pledges' }, keepsFind: true },
  { view: 'rewards', label: m.history_activity_rewards, to: ACTIVITY, search: { show: 'rewards' }, keepsFind: true },
] as const satisfies readonly { view: ActivityView; [more: string]: unknown }[]

/** The complete records, behind the menu. `keepsFind`: the view can be searched. */
export const MORE_VIEWS = [
  {
    view: 'chain',
    icon: 'history',
    label: m.nav_transaction_history,
    text: m.history_activity_chain_text,
    to: '/{-$locale}/transaction',
    search: {},
    keepsFind: false,
  },
  {
    view: 'in',
    icon: 'arrow-down-to-line',
    label: m.title_wallet_buy_order,
    text: m.history_activity_in_text,
    to: '/{-$locale}/wallet/buyOrder',
    search: {},
    keepsFind: false,
  },
  {
    view: 'out',
    icon: 'arrow-up-from-line',
    label: m.title_wallet_sell_order,
    text: m.history_activity_out_text,
    to: '/{-$locale}/wallet/sellOrder',
    search: {},
    keepsFind: false,
  },
  {
    view: 'log',
    icon: 'receipt-text',
    label: m.title_wallet_logs,
    text: m.history_activity_log_text,
    to: '/{-$locale}/wallet/logs',
    search: {},
    keepsFind: true,
  },
  {
    view: 'operator',
    icon: 'eye',
    label: m.history_activity_operator,
    text: m.history_activity_operator_text,
    to: ACTIVITY,
    search: { show: 'operator' },
    keepsFind: false,
  },
] as const satisfies readonly { view: ActivityView; icon: IconName; [more: string]: unknown }[]

/** The search of the link to a view: the typed search stays where the view has one. */
export function searchOf(
  { search, keepsFind }: { search: { readonly show?: ActivityPart | 'operator' }; keepsFind: boolean },
  find: string | undefined,
) {
  return find && keepsFind ? { ...search, find } : search
}
