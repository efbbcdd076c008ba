import { expect, test } from 'vitest'
import { factsIn } from '../../testing/facts.ts'
import { renderScreen, responseTo } from '../../testing/render-screen.tsx'
import type { TransferOutOrder } from './transfer-out-payment.tsx'
import { ORDERS_OUT } from './wallet.samples.ts'

const ORDER = { ...(ORDERS_OUT[0] as TransferOutOrder), expires_at: '2030-01-01T08:15:00.000Z' }

async function deadlineOf(status: TransferOutOrder['status'], locale: '' | '/en' = '/en') {
  const responses = [responseTo('sellOrders', { limit: 50 }, { items: [{ ...ORDER, status }], next_cursor: null })]
  const html = await renderScreen(`${locale}/wallet/sendTransaction?order=1&way=out`, { user: {}, responses })
  return factsIn(html).filter((fact) => /^(Voucher deadline|憑證限期)/.test(fact))
}

test.each(['locked', 'signed', 'expired'] as const)('a transfer out that is %s shows its deadline', async (status) => {
  expect(await deadlineOf(status)).toEqual(['Voucher deadline: 1 Jan 2030 08:15'])
  expect(await deadlineOf(status, '')).toEqual(['憑證限期: 2030年1月1日 08:15'])
})

test.each(['submitted', 'completed', 'cancelled'] as const)(
  'a transfer out that is %s shows no deadline',
  async (status) => {
    expect(await deadlineOf(status)).toEqual([])
    expect(await deadlineOf(status, '')).toEqual([])
  },
)
