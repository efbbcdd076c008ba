import type { Database } from '@clearwell/ledger/database'
import type { Writer } from '@clearwell/ledger/writer'
import { expect, test } from 'vitest'
import { richConfig, richRules } from './rich.config.ts'
import type { RichStore } from './rich.store.ts'
import { createRichDesk } from './rich-desk.ts'

/**
 * @attack S03 A query that ran into its time limit stopped every request, every returned deposit and every notice of the hub.
 * @holds Each step of the hub's look fails alone, and no query of it climbs a line of inviters.
 */
test('a step that fails stops no other step', async () => {
  const kinds: string[] = []
  const failing = async () => Promise.reject(new Error('canceling statement due to statement timeout'))
  const once = <Row>(rows: Row[]) => {
    const open = [rows]
    return async () => open.pop() ?? []
  }
  const store: Partial<RichStore> = {
    dueRequests: failing,
    dueStepDowns: once(['0xaa']),
    requestsToAnnounce: failing,
  }
  const writer = {
    isWriting: true,
    execute: async ({ kind }: { kind: string }) => kinds.push(kind),
  } as unknown as Writer
  const desk = createRichDesk({
    db: undefined as unknown as Database,
    store: store as RichStore,
    writer,
    clock: { now: () => new Date() },
    notices: { send: async () => undefined },
    rules: richRules({ rich: richConfig.shape.rich.parse(undefined) }),
    onError: () => undefined,
  })
  await expect(desk.check()).rejects.toThrow('statement timeout')
  expect(kinds).toEqual(['return_rt_deposits'])
})
