import type { ResponseOf } from '@clearwell/api/routes'
import { ASSET_IDS } from '@clearwell/money/asset'
import { m } from '../../generated/messages.ts'
import type { Payment, PaymentPurpose } from '../../vault-payment/use-payment.ts'
import type { Balance } from './asset-list.tsx'
import type { TransferInOrder } from './transfer-in-payment.tsx'
import type { TransferOutOrder } from './transfer-out-payment.tsx'

/** 1,234.5 of each asset, all of it available. */
export const BALANCES: Balance[] = ASSET_IDS.map((asset) => ({
  asset,
  available: '1234.5',
  locked: '0',
  pledged: '0',
  collateral: '0',
  total: '1234.5',
  value_usdt: '1234.5',
  owed: '0',
  owed_usdt: '0',
}))

export const BALANCE = BALANCES[0] as Balance

/** The total that `PERFORMANCE` leads to, so that the change of the sample is as short as one of a day. */
export const TOTAL_USDT = '1234.5'

export const PERFORMANCE: NonNullable<ResponseOf<'summary'>['performance']> = {
  since: '2030-01-01T00:00:00.000Z',
  start_usdt: '1200',
  start_net_usdt: '1200',
  transferred_in_usdt: '0',
  transferred_out_usdt: '0',
  activation_usdt: '0',
  borrowed_usdt: '0',
  change_usdt: '34.5',
  change: '0.02875',
}

const TIME = '2030-01-01T00:00:00.000Z'
const HASH = `0x${'ab'.repeat(32)}`

export const ORDERS_IN: TransferInOrder[] = ['1', '2', '3'].map((order_id) => ({
  order_id,
  asset: 'USDT',
  amount: '100',
  credited: '100',
  tx_hash: HASH,
  confirmations: 15,
  required: 15,
  status: 'credited',
  created_at: TIME,
}))

export const ORDERS_OUT: TransferOutOrder[] = ['1', '2', '3'].map((order_id) => ({
  order_id,
  asset: 'USDT',
  amount: '100',
  status: 'completed',
  signed: true,
  voucher: null,
  signature: null,
  to: `0x${'11'.repeat(20)}`,
  calldata: null,
  tx_hash: HASH,
  confirmations: 15,
  required: 15,
  expires_at: TIME,
  created_at: TIME,
}))

/** A transfer in that the wallet is about to send. */
export const PAYMENT: Payment = {
  state: 'ready',
  isPrepared: true,
  failure: undefined,
  record: undefined,
  run: undefined,
  way: 'native',
}

export function samplePurpose(): PaymentPurpose {
  const nothing = () => undefined
  return {
    orderId: HASH,
    amount: '100',
    asset: 'USDT',
    orderEvent: nothing,
    pay: nothing,
    texts: {
      title: m.title_wallet_send_transaction(),
      amountLabel: m.wallet_transfer_in(),
      progress: m.wallet_progress(),
      send: m.payment_step_send({ amount: '100 USDT' }),
      settle: m.wallet_stage_credit(),
      settled: '',
      pay: m.payment_open_wallet(),
      say: {},
      unpaid: m.payment_nothing_sent(),
    },
  }
}
