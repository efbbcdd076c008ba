import { cx } from '@clearwell/ui/browser/cx.ts'
import { Icon, type IconName } from '@clearwell/ui/icons/icon.tsx'
import { Link } from '@tanstack/react-router'
import { useIsLeaving } from '../../account/use-is-leaving.ts'
import { m } from '../../generated/messages.ts'

/** The four things to do with a wallet, under its total. An account that leaves takes nothing in: its exit comes first. */
export function WalletActions() {
  const isLeaving = useIsLeaving()
  return (
    <nav aria-label={m.wallet_actions()} className={ROW_OF_ACTIONS}>
      {isLeaving ? (
        <Link to="/{-$locale}/wallet/exit" className={ACTION}>
          <ActionFace icon="lock" label={m.exit_steps()} isMain />
        </Link>
      ) : (
        <Link to="/{-$locale}/wallet/buy" className={ACTION}>
          <ActionFace icon="arrow-down-to-line" label={m.wallet_transfer_in()} isMain />
        </Link>
      )}
      <Link to="/{-$locale}/wallet/sell" className={ACTION}>
        <ActionFace icon="arrow-up-from-line" label={m.wallet_transfer_out()} />
      </Link>
      <Link to="/{-$locale}/swap/exchange" className={ACTION}>
        <ActionFace icon="arrow-left-right" label={m.wallet_swap()} />
      </Link>
      <Link to="/{-$locale}/wallet/activity" className={ACTION}>
        <ActionFace icon="history" label={m.wallet_activity()} />
      </Link>
    </nav>
  )
}

export const ROW_OF_ACTIONS =
  'grid grid-flow-col auto-cols-fr gap-1 max-magnified:grid-flow-row max-magnified:grid-cols-2 max-magnified:gap-4'
export const ACTION = 'group flex min-w-0 flex-col items-center gap-2 text-center text-label'

/** An action's icon in a disc, over its name. */
export function ActionFace({ icon, label, isMain = false }: { icon: IconName; label: string; isMain?: boolean }) {
  return (
    <>
      <span
        className={cx(
          'flex size-13 items-center justify-center rounded-full',
          isMain ? 'bg-accent text-on-accent' : 'bg-input text-accent light:bg-accent/16',
          'group-hover:brightness-110',
        )}
      >
        <Icon name={icon} />
      </span>
      {label}
    </>
  )
}
