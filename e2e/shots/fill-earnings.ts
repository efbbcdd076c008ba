import { newTrader, type Trader } from '../trader.ts'

const DAY_S = 86_400
/** A loan of seven days is overdue after these days, and a week of rewards can be claimed. */
const DAYS = 8
const RT_POOL = 'rt-usdt'
/** Among the pledges, a figure of ten digits and 18 decimals. */
const LONG_AMOUNT = '2345.123456789012345678'

type Member = Pick<Trader, 'call' | 'inviteCode'>

/** Data of the account that some screens select by their query. */
export interface EarningIds {
  /** An open loan. */
  readonly loan: string
  /** A loan of someone else that the account liquidated. */
  readonly liquidated: string
}

/**
 * Gives the visitor of the demo data, who has a star, more of what the screens of lending, boxes, the team and the upgrade hub
 * show: loans of which one is overdue, a liquidation, a week of boxes, leads with their own leads, and another request that
 * waits for its approval.
 */
export async function fillEarnings(user: Member): Promise<EarningIds> {
  const [lead, borrower] = await Promise.all([newLead(user), newLead(user)])
  await newTrader({ USDT: '10', pid: lead.inviteCode })
  await newTrader({ USDT: '5', pid: lead.inviteCode, activates: false })
  await user.call('/Stake/pledge', { asset: 'USDT', amount: LONG_AMOUNT })
  const open = await borrow(user, '180')
  await borrow(user, '7')
  const overdue = await borrow(borrower, '7')
  await borrow(lead, '7')
  for (let day = 0; day < DAYS; day++) {
    // It also keeps the sessions of both.
    for (const each of [user, lead]) await each.call('/BlindBox/click')
    await lead.swap({ pool: RT_POOL, amount: '20', inverse: true })
    await control('advance', { seconds: String(DAY_S) })
    // The last release stays to be collected.
    if (day % 3 === 0) await user.call('/Rich/collect')
  }
  await takeStar(lead, { uid: '100000000000000001', name: 'Kit', amount: '100' })
  await user.call('/Stake/liquidate', { order_id: overdue.order_id, max_debt: '100' })
  return { loan: open.order_id, liquidated: overdue.order_id }
}

function newLead({ inviteCode: pid }: Member): Promise<Trader> {
  return newTrader({ USDT: '900', BNB: '1', pid })
}

function borrow({ call }: Pick<Member, 'call'>, term_days: string) {
  return call('/Stake/lend', {
    collateral_asset: 'BNB',
    collateral_amount: '0.25',
    borrow_asset: 'USDT',
    borrow_amount: '60',
    term_days,
  })
}

/** Links a UID, deposits RT and requests a star. */
async function takeStar(
  { call }: Pick<Member, 'call'>,
  { uid, name, amount }: { uid: string; name: string; amount: string },
): Promise<void> {
  const { time } = (await (await fetch(`${baseUrl()}/config`)).json()).data
  const deadline = new Date(Date.parse(time) + 600_000).toISOString()
  const wish = { pool_id: RT_POOL, amount: '450', inverse: '1', min_amount_out: '0', deadline }
  await call('/SwapPool/doSwap', wish)
  await call('/Rich/link', { uid, name })
  await call('/Rich/deposit', { amount })
  await call('/Rich/requestUpgrade')
}

async function control(name: string, form: Readonly<Record<string, string>>): Promise<void> {
  const response = await fetch(`${baseUrl()}/Local/${name}`, { method: 'POST', body: new URLSearchParams(form) })
  const { code, msg } = await response.json()
  if (code !== 1) throw new Error(`/Local/${name} was refused: ${msg}`)
}

function baseUrl(): string {
  return `http://127.0.0.1:${process.env.E2E_PORT}/api`
}

/** Screens whose query selects data of the account. */
export function screensWithEarnings({ loan, liquidated }: EarningIds): readonly string[] {
  const draft = 'borrow=USDT&amount="60.5"&collateral=BNB&collateralAmount="0.25"&term=30'
  return [
    '/stake/pledge/confirm?asset=USDT&amount="1234.567891"',
    `/stake/lend?${draft}`,
    `/stake/lend/confirm?${draft}`,
    `/stake/lend/result?order="${loan}"`,
    `/stake/lend/add?order="${loan}"`,
    `/stake/receipt?order="${liquidated}"`,
  ]
}
