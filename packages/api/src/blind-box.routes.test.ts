import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { blindBoxRoutes } from './blind-box.routes.ts'
import { nodeRoutes } from './node.routes.ts'

const BOX = '0123456789abcdef0123456789abcdef'

test('the calls of blind boxes and nodes have the fixed paths', () => {
  const paths = Object.values({ ...blindBoxRoutes, ...nodeRoutes }).map(({ method, path }) => `${method} ${path}`)
  expect(paths).toEqual(
    expect.arrayContaining([
      'POST /BlindBox/status',
      'POST /BlindBox/inclusion',
      'GET /BlindBox/day.json',
      'POST /BlindBox/click',
      'POST /BlindBox/history',
      'POST /BlindBox/boxes',
      'POST /BlindBox/claim',
      'POST /BlindBox/proof',
      'POST /Node/overview',
      'POST /Node/income',
    ]),
  )
})

test('statuses and ids are read from forms', () => {
  const boxes = (status: unknown) => z.safeParse(blindBoxRoutes.boxes.payload, { status } as never)
  expect([2, '2', -1, '-1', 0, '0'].map((status) => boxes(status).data?.status)).toEqual([2, 2, -1, -1, 0, 0])
  expect([3, 'x', '1.5', ' 2 ', '2.0'].map((status) => boxes(status).success)).toEqual(Array(5).fill(false))
  expect(z.parse(blindBoxRoutes.claimBoxes.payload, { box_ids: [BOX] })).toEqual({ box_ids: [BOX] })
  expect(z.parse(blindBoxRoutes.claimBoxes.payload, {})).toEqual({})
  expect(z.safeParse(blindBoxRoutes.boxInclusion.payload, { box_id: 'x' }).success).toBe(false)
})
