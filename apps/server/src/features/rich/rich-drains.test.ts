import type { Database, Queryable } from '@clearwell/ledger/database'
import type { Writer } from '@clearwell/ledger/writer'
import { beforeEach, expect, test } from 'vitest'
import { createJobs } from '../../platform/jobs/jobs.ts'
import { richConfig, richRules } from './rich.config.ts'
import type { RichStore } from './rich.store.ts'
import type { ListedRequest } from './rich.tables.ts'
import { richDrains } from './rich-drains.ts'

const NOW = new Date('2026-11-22T00:00:00Z')
const TX = {} as Queryable
const DUE = Array.from({ length: 51 }, (_, index) => `id-${index}`)

/** Everything that reaches the writer and the notices, in its order. */
let acts: unknown[]
/** Requests or accounts that are due, the earliest first. */
let due: string[]
beforeEach(() => {
  acts = []
  due = [...DUE]
})

function drainsOf(store: Partial<RichStore>) {
  const clock = { now: () => NOW }
  const db = {
    transaction: async (work: (tx: Queryable) => Promise<unknown>) => work(TX),
  } as unknown as Database
  const writer = {
    isWriting: true,
    async execute({ kind, preload }: { kind: string; preload: { table?: unknown; id?: string }[] }) {
      const ids = [...new Set(preload.flatMap(({ id }) => (id?.startsWith('id-') ? [id] : [])))]
      acts.push([kind, ids])
      due = due.filter((id) => !ids.includes(id))
    },
  } as unknown as Writer
  const drains = richDrains({
    ...{ db, store: store as RichStore, writer, clock },
    notices: { send: async (...sent) => void acts.push(['send', ...sent]) },
    rules: richRules({ rich: richConfig.shape.rich.parse(undefined) }),
  })
  const jobs = createJobs({ db, clock, isLeader: () => true, onError: () => undefined })
  jobs.add(drains)
  return { drains, jobs }
}

const failing = async () => Promise.reject(new Error('canceling statement due to statement timeout'))
const readDue = async (now: Date, limit: number) => (now === NOW ? due.slice(0, limit) : [])

/**
 * @attack S03 A query that ran into its time limit stopped every request, every returned deposit and every notice of the hub.
 * @holds Each drain of the hub fails alone, and no query of it climbs a line of inviters.
 */
test('a drain that fails stops no other drain', async () => {
  due = ['id-0']
  const { jobs } = drainsOf({ dueRequests: failing, dueStepDowns: readDue, requestsToAnnounce: failing })
  await expect(jobs.drain()).rejects.toThrow('statement timeout')
  expect(acts).toEqual([['return_rt_deposits', ['id-0']]])
})

test.each([
  ['rich.pass-requests', 'pass_upgrade_requests'],
  ['rich.return-deposits', 'return_rt_deposits'],
])('%s acts on all that is due, fifty at a time', async (name, kind) => {
  const { drains } = drainsOf({ dueRequests: readDue, dueStepDowns: readDue })
  await drains.find((each) => each.name === name)?.drain()
  expect(acts).toEqual([
    [kind, DUE.slice(0, 50)],
    [kind, DUE.slice(50)],
  ])
})

test('requests are marked as announced after their notices are sent', async () => {
  // Only the last one has passed, so only for it a notice is sent.
  const listed = (id: string): ListedRequest => {
    const facts = { id, user_id: 'user', star: 1, created_at: NOW, is_announced: false, passes_at: null }
    return id === DUE.at(-1)
      ? { ...facts, requester_name: 'Name', status: 'Passed', parent_id: null, passed_at: NOW, passed_by: 'system' }
      : { ...facts, requester_name: 'Name', status: 'Withdrawn', parent_id: 'up', passed_at: null, passed_by: null }
  }
  const { drains } = drainsOf({ requestsToAnnounce: async (limit) => due.slice(0, limit).map(listed) })
  await drains.find(({ name }) => name === 'rich.announce-requests')?.drain()
  const params = { request_id: 'id-50', star: 1, at: NOW.toISOString() }
  const notice = { userId: 'user', link: '/rich', kind: 'upgrade_passed', key: 'id-50', params }
  expect(acts).toEqual([
    ['send', TX, [], NOW],
    ['announce_upgrade_requests', DUE.slice(0, 50)],
    ['send', TX, [notice], NOW],
    ['announce_upgrade_requests', ['id-50']],
  ])
})
