import { ConfirmSheet } from '@clearwell/ui/components/confirm-sheet.tsx'
import { CopyButton } from '@clearwell/ui/components/copy-button.tsx'
import { formatAmount, shortHex } from '@clearwell/ui/i18n/format.ts'
import { useAccountAddress } from '../../account/use-account.ts'
import type { Config } from '../../api/config.ts'
import { refreshUser } from '../../api/query-client.ts'
import { useCommand } from '../../api/use-command.ts'
import { m } from '../../generated/messages.ts'
import { usePayWay } from '../../vault-payment/pay-way.ts'
import { PaymentAsks } from '../../vault-payment/payment-asks.tsx'
import { chainUnits } from '../../vault-payment/payment-assets.ts'
import type { ActivationOrder, ActiveStatus } from './activation.queries.ts'
import { ActivationProblem } from './activation-problem.tsx'
import { isAmount, payActivation } from './pay-activation.ts'
import { TermsCheck, useTerms } from './terms-check.tsx'

/** The wallet's requests, before it opens. Makes an order first where there is none, or where the terms are not accepted yet. */
export default function ByWalletSheet({
  config,
  price: { price, asset },
  order,
  onClose,
}: {
  config: Config
  price: Pick<ActiveStatus, 'price' | 'asset'>
  order?: ActivationOrder
  onClose: () => void
}) {
  const account = useAccountAddress()
  const active = useCommand('active', { silent: true })
  const terms = useTerms()
  const amount = `${formatAmount(price, { decimals: 18 })} ${asset}`
  const native = config.assets.find(({ kind }) => kind === 'native')
  const token = config.assets.find((each) => each.asset === asset)
  const way = usePayWay(token?.address, token ? chainUnits(price, token.decimals) : 0n)

  function pay(): void {
    if (order && terms.isStored) begin(order)
    // As a promise: with the order the screen changes and unmounts this sheet. A failure shows in `active.error`.
    else active.mutateAsync(terms.payload).then(begin, () => {})
  }

  function begin(made: ActivationOrder): void {
    // A different amount from the confirmed one is not paid: the screen then shows the order's amount.
    if (isAmount(made, { amount: price, asset })) payActivation(account, made, config)
    if (!terms.isStored) void refreshUser()
    onClose()
  }

  return (
    <ConfirmSheet
      title={m.activation_confirm()}
      text={m.activation_confirm_wallet()}
      facts={[
        {
          label: m.payment_vault(),
          value: (
            <span className="-my-3 inline-flex items-center" title={config.vault}>
              {shortHex(config.vault)}
              <CopyButton text={config.vault} label={m.payment_copy_vault()} />
            </span>
          ),
        },
        { label: m.payment_network(), value: config.chain.name },
        { label: m.activation_gas(), value: m.activation_gas_value({ coin: native?.asset ?? '' }) },
        { label: m.payment_confirmations(), value: String(config.chain.confirmations) },
        { label: m.activation_goes_to(), value: m.activation_insurance() },
      ]}
      confirmLabel={active.isError ? m.app_retry() : m.payment_open_wallet()}
      busy={active.isPending}
      disabled={terms.isOpen}
      onConfirm={pay}
      onClose={onClose}
    >
      <PaymentAsks way={way} amount={amount} />
      <TermsCheck {...terms} />
      {active.error && !active.isPending && <ActivationProblem error={active.error} />}
    </ConfirmSheet>
  )
}
