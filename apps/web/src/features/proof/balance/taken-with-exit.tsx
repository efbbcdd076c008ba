import type { ResponseOf } from '@clearwell/api/routes'
import { ASSET_DECIMALS, isAssetId } from '@clearwell/money/asset'
import { formatUnits, parseUnits } from '@clearwell/money/decimal'
import { AmountText } from '@clearwell/ui/components/amount-text.tsx'
import { Card } from '@clearwell/ui/components/card.tsx'
import { FactList } from '@clearwell/ui/components/fact-list.tsx'
import { Loaded } from '@clearwell/ui/components/pending.tsx'
import { formatAmount } from '@clearwell/ui/i18n/format.ts'
import { formatDateTime } from '@clearwell/ui/i18n/format-date.ts'
import { useCall } from '../../../api/use-call.ts'
import { m } from '../../../generated/messages.ts'
import type { Parts } from '../../../manifest/parts.ts'
import type { KeptCheck } from './kept-check.ts'
import { useBalanceCheck } from './use-balance-check.ts'

interface Free {
  readonly asset: string
  readonly amount: string
}

/** Shows the amounts that an exit would take now: the free balance of the last check that held, or without one that of the server. */
export default function TakenWithExit({ note }: Parts['takenWithExit']) {
  const { kept } = useBalanceCheck()
  const balances = useCall('balances', {}, { enabled: kept === undefined })
  return (
    <Card title={m.proof_exit_takes()}>
      {kept ? (
        <Taken free={provenFree(kept)} text={provenText(kept)} />
      ) : (
        <Loaded read={balances} sample={SAMPLE}>
          {(held) => <Taken free={held.map(freeOf)} text={m.proof_exit_unproven()} />}
        </Loaded>
      )}
      {note && <p className="mt-3 text-secondary text-muted">{note}</p>}
    </Card>
  )
}

function Taken({ free, text }: { free: readonly Free[]; text: string }) {
  // RT has no token on the chain.
  const taken = free.filter(({ asset, amount }) => asset !== 'RT' && /[1-9]/.test(amount))
  if (taken.length === 0) return <p className="text-muted">{m.proof_exit_nothing()}</p>
  return (
    <>
      <FactList
        facts={taken.map(({ asset, amount }) => ({
          label: asset,
          value: <AmountText amount={amount} asset={asset} className="font-semibold" />,
        }))}
      />
      <p className="text-secondary text-muted">{text}</p>
    </>
  )
}

function provenFree({ mine }: KeptCheck): Free[] {
  return mine.leaves
    .filter((leaf) => leaf.kind === 'user')
    .map(({ asset, free }) => ({
      asset,
      amount: formatUnits(BigInt(free), isAssetId(asset) ? ASSET_DECIMALS[asset] : 18),
    }))
}

function provenText({ signed }: KeptCheck): string {
  const time = formatDateTime(new Date(signed.header.cursorTime * 1_000).toISOString())
  return m.proof_exit_proven({ number: formatAmount(signed.number), time })
}

/** Locked amounts exit too. */
function freeOf({ asset, available, locked }: ResponseOf<'balances'>[number]): Free {
  const decimals = ASSET_DECIMALS[asset]
  const units = (parseUnits(available, decimals) ?? 0n) + (parseUnits(locked, decimals) ?? 0n)
  return { asset, amount: formatUnits(units, decimals) }
}

const NONE = { pledged: '0', collateral: '0', total: '0', value_usdt: '0', owed: '0', owed_usdt: '0' }
const SAMPLE: ResponseOf<'balances'> = [
  { asset: 'BNB', available: '1234.5', locked: '0', ...NONE },
  { asset: 'USDT', available: '1234.5', locked: '0', ...NONE },
]
