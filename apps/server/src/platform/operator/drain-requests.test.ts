import type { Command } from '@clearwell/ledger/command'
import type { Database } from '@clearwell/ledger/database'
import { MemoryLedger } from '@clearwell/ledger/testing/memory-ledger'
import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { drainRequests } from './drain-requests.ts'
import { defineOperatorAction, type OperatorRequest, operatorActions } from './operator-action.ts'

const START = new Date('2026-01-01T00:00:00Z')
const nod = defineOperatorAction({
  kind: 'nod',
  payload: z.strictObject({ isDone: z.boolean() }),
  decide: (_draft, _context, { isDone }) => ({ isDone, text: isDone ? 'Nodded.' : 'A rule forbids it.' }),
})

test('each command of the operator is logged with its outcome', async () => {
  const request = (id: string, isDone: boolean): OperatorRequest => ({
    id,
    kind: 'nod',
    payload: JSON.stringify({ isDone }),
    reason: 'asked by the owner',
    asked_at: START,
  })
  const ledger = new MemoryLedger(START)
  const logged: object[] = []
  let continued = 0
  const { drain } = drainRequests({
    db: { query: async () => [request('1', true), request('2', false)] } as unknown as Database,
    writer: { execute: async <Result>(command: Command<Result>) => ledger.execute(command) },
    actions: [nod],
    afterEach: async () => void continued++,
    logEvent: (event, fields) => logged.push({ event, ...fields }),
  })
  await drain()
  const fields = { action: 'nod', reason: 'asked by the owner' }
  expect(logged).toEqual([
    { event: 'operator_action_done', id: '1', ...fields, result: 'Nodded.' },
    { event: 'operator_action_refused', id: '2', ...fields, result: 'A rule forbids it.' },
  ])
  expect([continued, ledger.row(operatorActions, '1')?.result, ledger.row(operatorActions, '2')]).toEqual([
    1,
    'Nodded.',
    undefined,
  ])
})
