import { useAccountAddress } from '../../account/use-account.ts'
import type { Config } from '../../api/config.ts'
import { useCommand } from '../../api/use-command.ts'
import { ConfirmSheet } from '../../components/confirm-sheet.tsx'
import { CopyButton } from '../../components/copy-button.tsx'
import { m } from '../../generated/paraglide/messages.js'
import { formatAmount, shortHex } from '../../i18n/format.ts'
import { chainUnits } from '../../wallet/deposit-call.ts'
import { type PayWay, usePayWay } from '../../wallet/pay-way.ts'
import type { ActivationOrder, ActiveStatus } from './activation.queries.ts'
import { ActivationProblem } from './activation-problem.tsx'
import { isAmount, payActivation } from './pay-activation.ts'

/** Says what the wallet will ask for, before it asks. An order that is there already is paid; else one is made first. */
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
  const amount = `${formatAmount(price, { places: 18 })} ${asset}`
  const native = config.assets.find(({ kind }) => kind === 'native')
  const token = config.assets.find((each) => each.asset === asset)
  const way = usePayWay(token?.address, token ? chainUnits(price, token.decimals) : 0n)

  function pay(): void {
    if (order) begin(order)
    // As a promise: with the order the screen changes, and takes this sheet with it. A refusal shows in `active.error`.
    else active.mutateAsync({}).then(begin, () => {})
  }

  function begin(made: ActivationOrder): void {
    // Another amount than the one confirmed here is not paid: the order then shows what it asks for.
    if (isAmount(made, { amount: price, asset })) payActivation(account, made, config)
    onClose()
  }

  return (
    <ConfirmSheet
      title={m.activation_confirm()}
      text={m.activation_confirm_wallet()}
      facts={[
        ...askAllowance(way, amount),
        { label: m.activation_ask_send(), value: m.activation_ask_send_value({ amount }) },
        {
          label: m.activation_vault(),
          value: (
            <span className="-my-3 inline-flex items-center" title={config.vault}>
              {shortHex(config.vault)}
              <CopyButton text={config.vault} label={m.activation_copy_vault()} />
            </span>
          ),
        },
        { label: m.activation_network(), value: config.chain.name },
        { label: m.activation_gas(), value: m.activation_gas_value({ coin: native?.asset ?? '' }) },
        { label: m.activation_confirmations(), value: String(config.chain.confirmations) },
        { label: m.activation_goes_to(), value: m.activation_treasury() },
      ]}
      confirmLabel={active.isError ? m.app_retry() : m.activation_open_wallet()}
      busy={active.isPending}
      onConfirm={pay}
      onClose={onClose}
    >
      {active.isError && !active.isPending && <ActivationProblem error={active.error} />}
    </ConfirmSheet>
  )
}

/** What comes before the payment, so that the vault may take it. */
function askAllowance(way: PayWay | undefined, amount: string) {
  switch (way) {
    case 'native':
      return []
    case 'allowed':
      return [{ label: m.activation_ask_approve(), value: m.activation_ask_allowed() }]
    case 'permit':
      return [{ label: m.activation_ask_permit(), value: m.payment_permit_short({ amount }) }]
    case 'approve':
    case undefined:
      return [{ label: m.activation_ask_approve(), value: m.activation_ask_approve_value({ amount }) }]
  }
}
