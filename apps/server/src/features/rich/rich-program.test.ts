import { expect, test } from 'vitest'
import { richConfig, richRules } from './rich.config.ts'
import { richHandlers } from './rich.handlers.ts'
import type { RichStore } from './rich.store.ts'
import { NEW_PROGRAM } from './rich-books.ts'

test('all visitors share one read of the programme a second', async () => {
  let [reads, nowMs] = [0, Date.parse('2026-11-23T04:00:00Z')]
  const store = {
    async program() {
      reads += 1
      return { program: NEW_PROGRAM, remaining: 0n, atGenesis: 0n }
    },
  } as Partial<RichStore> as RichStore
  const rules = richRules({ rich: richConfig.shape.rich.parse(undefined) })
  const clock = { now: () => new Date(nowMs) }
  const { richProgram } = richHandlers({ store, rules, clock, writer: undefined as never })
  const visit = () => richProgram({}, undefined as never)
  await Promise.all([visit(), visit(), visit()])
  expect(reads).toBe(1)
  nowMs += 1_000
  await visit()
  expect(reads).toBe(2)
})
