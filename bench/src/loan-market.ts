import type { Command } from '@clearwell/ledger/command'
import { write } from '@clearwell/ledger/command'
import type { Database } from '@clearwell/ledger/database'
import { migrate } from '@clearwell/ledger/migrate'
import type { Writer } from '@clearwell/ledger/writer'
import { amountOf } from '@clearwell/money/amount'
import { createLendingStore } from '@clearwell/server/src/domain/lending/lending.store.ts'
import { createLendingParameters } from '@clearwell/server/src/domain/lending/lending-parameters.ts'
import { createPairPrices } from '@clearwell/server/src/domain/lending/pair-prices.ts'
import { stakeConfig } from '@clearwell/server/src/domain/lending/stake-config.ts'
import { members } from '@clearwell/server/src/domain/members/members.ts'
import { liquidateLoan } from '@clearwell/server/src/features/liquidation/liquidate-loan.ts'
import { storeFirstParameters } from '@clearwell/server/src/features/stake/announce-parameters.ts'
import { addCollateral } from '@clearwell/server/src/features/stake/change-collateral.ts'
import { pledgeToPool } from '@clearwell/server/src/features/stake/change-pledge.ts'
import { loanDrain } from '@clearwell/server/src/features/stake/loan-drain.ts'
import { openLoan } from '@clearwell/server/src/features/stake/open-loan.ts'
import { repayLoan } from '@clearwell/server/src/features/stake/repay-loan.ts'
import { MIGRATION_FOLDERS } from '@clearwell/server/src/platform/database/open-database.ts'
import { userAccount, VAULT } from '@clearwell/server/src/platform/ledger/accounts.ts'
import { createNotices } from '@clearwell/server/src/platform/notices/notices.ts'
import type { MoneyPrices } from '@clearwell/server/src/platform/prices/money-prices.ts'
import { systemClock } from '@clearwell/server/src/platform/time/clock.ts'
import { openBenchWriter, throwIt } from './bench-writer.ts'

/** Loans that a fall of the price from 600 to 460 brings over the limit of liquidation. All others stay where they are. */
export const LOANS_AT_RISK = 40
export const CALM_PRICE = '600'
export const LOW_PRICE = '460'

/** The first one pledges and liquidates, the others borrow. */
const USERS = 1_001
/** Open orders of a borrower, in a small market and in a large one. An account may have 200, and the bench opens more. */
const ORDERS_PER_BORROWER = 100
const PER_BATCH = 1_024
/** USDT in the pool for each loan: 400 times what it borrows. With less, the rate of a large market would double meanwhile. */
const PLEDGED_PER_LOAN = 100_000
const ASSETS = { collateral: 'BNB', borrowed: 'USDT' } as const

/** A market with open loans on the server's own writer, desk and store, and each action that the bench measures. */
export interface LoanMarket {
  /** Sets the price of BNB and lets the leader judge the orders. */
  setPrice(price: string): Promise<void>
  borrow(): Promise<void>
  repay(): Promise<void>
  addCollateral(): Promise<void>
  pledge(): Promise<void>
  /** Liquidates the next loan at risk. */
  liquidate(): Promise<void>
  readMarket(): Promise<void>
  readOrders(): Promise<void>
  close(): Promise<void>
}

/** Opens as many loans by real commands in a new database. */
export async function openLoanMarket(db: Database, loans: number): Promise<LoanMarket> {
  await migrate(db, MIGRATION_FOLDERS)
  const writer = await openBenchWriter(db)
  await join(db, writer)
  const borrowers = Math.min(USERS - 1, Math.ceil(loans / ORDERS_PER_BORROWER))
  const state = { ...(await createState(db, writer)), borrowers }
  await writer.execute(
    pledgeToPool(state.rules, {
      ...(await state.pledge()),
      userId: userOf(0),
      amount: amountOf(String(loans * PLEDGED_PER_LOAN), 'USDT'),
    }),
  )
  const atRisk = await openAll(writer, state, LOANS_AT_RISK, () => '389')
  const calm = await openAll(writer, state, loans - LOANS_AT_RISK, (index) => String(200 + (index % 100)))
  await db.script('vacuum analyze')
  const notices = createNotices({ db, publish: () => {}, onError: throwIt })
  const { drain } = loanDrain({ ...state, writer, clock: systemClock, notices })
  return {
    ...actionsOf(writer, state, { atRisk, calm }),
    ...readsOf(state),
    setPrice: setPriceOf(state, drain),
    close,
  }

  async function close(): Promise<void> {
    await writer.close()
    await db.close()
  }
}

type State = Awaited<ReturnType<typeof createState>> & { readonly borrowers: number }

function borrowerOf({ borrowers }: Pick<State, 'borrowers'>, index: number): string {
  return userOf(1 + (index % borrowers))
}

async function createState(db: Database, writer: Writer) {
  const first = stakeConfig.shape.stake.parse(undefined)
  const parameters = createLendingParameters({ db, clock: systemClock, first })
  await writer.execute(storeFirstParameters(first))
  const rules = await parameters.rules()
  const pool = rules.pools.find(({ asset }) => asset === ASSETS.borrowed)
  if (!pool) throw new Error('the configuration has no pool of USDT')
  const market = { priceE18: amountOf(CALM_PRICE, 'USDT').units }
  const moneyPrices: MoneyPrices = {
    async price(asset) {
      const priceE18 = asset === 'BNB' ? market.priceE18 : 10n ** 18n
      const time = systemClock.now()
      const goodUntil = new Date(time.getTime() + 60_000)
      return { state: 'fresh', lowE18: priceE18, highE18: priceE18, meanE18: priceE18, time, goodUntil }
    },
  }
  const pairs = createPairPrices({ moneyPrices, rules })
  /** The prices that every pledge is decided by. */
  const pledge = async () => ({ pairs: await pairs.ofPool(ASSETS.borrowed), key: undefined })
  return { parameters, rules, pool, market, moneyPrices, pairs, pledge, store: createLendingStore(db) }
}

function userOf(index: number): string {
  return `0x${(index % USERS).toString(16).padStart(40, '0')}`
}

/** Users with money, all activated. */
async function join(db: Database, writer: Writer): Promise<void> {
  await db.query(
    `insert into users select '0x' || lpad(to_hex(number), 40, '0'), 'bench' || number, null, '', now()
     from generate_series(0, ${USERS - 1}) as number`,
  )
  await Promise.all(Array.from({ length: USERS }, (_, index) => writer.execute(fund(userOf(index)))))
}

function fund(id: string): Command<object> {
  const units = 10n ** 30n
  return {
    kind: 'fund',
    owner: 'bench',
    payload: {},
    preload: [],
    decide: (_state, { now }) => ({
      entries: (['BNB', 'USDT'] as const).map((asset) => ({
        kind: 'deposit',
        reference: id,
        postings: [
          { account: VAULT, asset, units: -units },
          { account: userAccount(id, 'available'), asset, units },
        ],
      })),
      rows: [write(members, { id, activated_at: now, activation_order_id: null })],
      response: {},
    }),
  }
}

interface Opened {
  readonly id: string
  readonly userId: string
}

async function openAll(
  writer: Writer,
  state: State,
  count: number,
  amountAt: (index: number) => string,
): Promise<Opened[]> {
  const opened: Opened[] = []
  while (opened.length < count) {
    const from = opened.length
    const batch = Array.from({ length: Math.min(PER_BATCH, count - from) }, (_, index) => from + index)
    opened.push(...(await Promise.all(batch.map((index) => openOne(writer, state, index, amountAt(index))))))
  }
  return opened
}

async function openOne(writer: Writer, state: State, index: number, amount: string): Promise<Opened> {
  const { rules, pairs } = state
  const userId = borrowerOf(state, index)
  const prices = await pairs.of(ASSETS)
  const [collateral, borrow] = [amountOf('1', 'BNB'), amountOf(amount, 'USDT')]
  const input = { userId, collateral, borrow, termDays: 180, maxRateE18: undefined, prices, key: undefined }
  const { order_id: id } = await writer.execute(openLoan(rules, input))
  return { id, userId }
}

function actionsOf(
  writer: Writer,
  state: State,
  { atRisk, calm }: { readonly atRisk: readonly Opened[]; readonly calm: readonly Opened[] },
): Pick<LoanMarket, 'borrow' | 'repay' | 'addCollateral' | 'pledge' | 'liquidate'> {
  const { rules, pairs } = state
  let turn = 0
  let liquidated = 0
  const next = () => calm[(turn++ * 7_919) % calm.length] as Opened
  return {
    async borrow() {
      await openOne(writer, state, turn++, '250')
    },
    async repay() {
      const { id: orderId, userId } = next()
      const input = {
        userId,
        orderId,
        amount: 10n ** 15n,
        key: undefined,
        assets: ASSETS,
        prices: await pairs.of(ASSETS),
      }
      await writer.execute(repayLoan(rules, input))
    },
    async addCollateral() {
      const { id: orderId, userId } = next()
      const prices = await pairs.of(ASSETS)
      const input = { userId, orderId, amount: amountOf('0.001', 'BNB'), borrowAsset: ASSETS.borrowed, prices }
      await writer.execute(addCollateral({ ...input, key: undefined }))
    },
    async pledge() {
      await writer.execute(
        pledgeToPool(rules, { ...(await state.pledge()), userId: userOf(turn++), amount: amountOf('1', 'USDT') }),
      )
    },
    async liquidate() {
      const { id: orderId, userId: borrowerId } = atRisk[liquidated++] as Opened
      const wish = { amount: 'most', maxDebt: undefined, minReceived: undefined } as const
      const input = { userId: userOf(0), orderId, borrowerId, assets: ASSETS, ...wish, key: undefined }
      await writer.execute(liquidateLoan(rules, { ...input, prices: await pairs.of(ASSETS) }))
    },
  }
}

function readsOf(state: State): Pick<LoanMarket, 'readMarket' | 'readOrders'> {
  const { store, rules } = state
  const assets = rules.pools.map(({ asset }) => asset)
  let turn = 0
  return {
    async readMarket() {
      await Promise.all([store.state(assets, systemClock.now()), store.safety(assets)])
    },
    async readOrders() {
      await store.loans(borrowerOf(state, turn++), undefined, undefined, 21)
    },
  }
}

function setPriceOf({ market }: State, check: () => Promise<void>): LoanMarket['setPrice'] {
  return async (price) => {
    market.priceE18 = amountOf(price, 'USDT').units
    await check()
  }
}
