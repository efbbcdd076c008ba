import { ASSET_DECIMALS } from '@clearwell/money/asset'
import { formatUnits, parseUnits } from '@clearwell/money/decimal'
import { buttonClass } from '@clearwell/ui/components/button.tsx'
import { ConfirmSheet } from '@clearwell/ui/components/confirm-sheet.tsx'
import { formatAmount } from '@clearwell/ui/i18n/format.ts'
import { Link } from '@tanstack/react-router'
import { ApiError } from '../../api/api-error.ts'
import { useCommand } from '../../api/use-command.ts'
import { m } from '../../generated/messages.ts'
import type { ActiveStatus } from './activation.queries.ts'
import { ActivationProblem } from './activation-problem.tsx'
import { TermsCheck, useTerms } from './terms-check.tsx'

/** Says what is taken from the balance, and takes it. */
export default function ByBalanceSheet({
  price: { price, asset },
  available,
  isPaidByWallet = false,
  onClose,
}: {
  price: Pick<ActiveStatus, 'price' | 'asset'>
  available: string | undefined
  /** A payment by wallet is, or may be, on its way. */
  isPaidByWallet?: boolean
  onClose: () => void
}) {
  const activate = useCommand('activeByBalance', { silent: true })
  const terms = useTerms()
  const amount = `${formatAmount(price, { decimals: 18 })} ${asset}`
  const left = leftOf(available, price, ASSET_DECIMALS[asset])
  const isShort = activate.error instanceof ApiError && activate.error.codeName === 'balance_not_enough'
  return (
    <ConfirmSheet
      title={m.activation_confirm()}
      text={m.activation_confirm_balance({ amount })}
      facts={[
        ...(left === undefined ? [] : [{ label: m.activation_left(), value: `${formatAmount(left)} ${asset}` }]),
        { label: m.activation_goes_to(), value: m.activation_insurance() },
      ]}
      confirmLabel={activate.isError ? m.app_retry() : m.activation_by_balance_action()}
      busy={activate.isPending}
      disabled={terms.isOpen}
      onConfirm={() => activate.mutate(terms.payload, { facts: { price, asset }, onSuccess: onClose })}
      onClose={onClose}
    >
      <TermsCheck {...terms} />
      {isPaidByWallet && <p className="text-warn">{m.activation_paid_twice()}</p>}
      {activate.error && !activate.isPending && (
        <ActivationProblem
          error={activate.error}
          action={
            isShort && (
              <Link to="/{-$locale}/wallet/buy" className={buttonClass('quiet')}>
                {m.activation_transfer_in()}
              </Link>
            )
          }
        />
      )}
    </ConfirmSheet>
  )
}

function leftOf(available: string | undefined, price: string, decimals: number): string | undefined {
  const held = available === undefined ? undefined : parseUnits(available, decimals)
  const paid = parseUnits(price, decimals)
  return held === undefined || paid === undefined || held < paid ? undefined : formatUnits(held - paid, decimals)
}
