import type { Database } from '@clearwell/ledger/database'
import type { Writer } from '@clearwell/ledger/writer'
import { expect, test } from 'vitest'
import { createJobs } from '../../platform/jobs/jobs.ts'
import { richConfig, richRules } from './rich.config.ts'
import type { RichStore } from './rich.store.ts'
import { richDrains } from './rich-drains.ts'

/**
 * @attack S03 A query that ran into its time limit stopped every request, every returned deposit and every notice of the hub.
 * @holds Each drain of the hub fails alone, and no query of it climbs a line of inviters.
 */
test('a drain that fails stops no other drain', async () => {
  const kinds: string[] = []
  const clock = { now: () => new Date() }
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
  const drains = richDrains({
    db: undefined as unknown as Database,
    store: store as RichStore,
    writer,
    clock,
    notices: { send: async () => undefined },
    rules: richRules({ rich: richConfig.shape.rich.parse(undefined) }),
  })
  const jobs = createJobs({
    db: undefined as unknown as Database,
    clock,
    isLeader: () => true,
    onError: () => undefined,
  })
  jobs.add(drains)
  await expect(jobs.drain()).rejects.toThrow('statement timeout')
  expect(kinds).toEqual(['return_rt_deposits'])
})
