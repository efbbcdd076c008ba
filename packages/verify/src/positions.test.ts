import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { checkPositions, type Position } from './positions.mjs'

const FILE = join(import.meta.dirname, '../../../vault/test/exit/vectors.json')
const { pledge, order, root } = JSON.parse(readFileSync(FILE, 'utf8')).positions

const TOKENS = { BNB: order.collateralAsset, USDT: pledge.pool }
const HEADER = { number: '7', positionsRoot: root }

function placed({ salt, place: index, path }: { salt: string; place: number; path: string[] }) {
  const steps = path.map((hash, height) => ({ hash, side: (index >>> height) & 1 ? 'left' : 'right' }))
  return { salt, index, path: steps }
}

const PLEDGE = { kind: 'pledge' as const, asset: 'USDT', shares: pledge.shares, ...placed(pledge) }
const ORDER = {
  ...{ kind: 'order' as const, order_id: order.id.slice(2), collateral_asset: 'BNB', collateral: order.collateral },
  ...{ debt_asset: 'USDT', debt_shares: order.debtShares, ...placed(order) },
}

const check = (positions: Position[], account: string) =>
  checkPositions(positions, { account, tokens: TOKENS, header: HEADER })

test('a pledge and an order lead to the root of the vectors', async () => {
  await check([PLEDGE], pledge.account)
  await check([ORDER], order.account)
})

test.each<[string, Position, string]>([
  ['other shares', { ...PLEDGE, shares: '1' }, pledge.account],
  ['another account', PLEDGE, order.account],
  ['another place', { ...PLEDGE, index: 1 }, pledge.account],
  ['a place beyond the path', { ...PLEDGE, index: 4 }, pledge.account],
  ['other collateral', { ...ORDER, collateral: '1' }, order.account],
  ['another collateral asset', { ...ORDER, collateral_asset: 'USDT' }, order.account],
  ['another debt asset', { ...ORDER, debt_asset: 'BNB' }, order.account],
  ['other debt', { ...ORDER, debt_shares: '1' }, order.account],
  ['another order', { ...ORDER, order_id: '00'.repeat(16) }, order.account],
  ['an unknown asset', { ...ORDER, debt_asset: 'DOGE' }, order.account],
  ['a shorter path', { ...ORDER, path: ORDER.path.slice(0, 1), index: 1 }, order.account],
])('%s leads to no root', async (_name, position, account) => {
  await expect(check([position], account)).rejects.toThrow()
})
