import { randomUUID } from 'node:crypto'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import type { Command } from './command.ts'
import type { Database } from './database.ts'
import { Writer } from './writer.ts'

setFlagsFromString('--expose_gc')
const collectGarbage = runInNewContext('gc') as () => void
const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve))

/** Responds like an empty database, some turns of the event loop later, like one behind a socket. */
async function respond(text: string): Promise<never[]> {
  for (let turn = 0; turn < 5; turn++) await nextTurn()
  return (text.includes('writer_lease') ? [{ fence: 1n, batch: 0n }] : []) as never[]
}

const db: Database = {
  kind: 'postgres',
  script: async () => {},
  close: async () => {},
  query: respond,
  transaction: (work) => work({ query: respond }),
  commitInOrder: async ([first]) => void (await respond(first?.text ?? '')),
}

test('the writer releases written batches from memory under steady load', async () => {
  const writer = await Writer.open({
    db,
    clock: { now: () => new Date() },
    randomId: randomUUID,
    holder: 'test',
    leaseTtlMs: 60_000,
  })
  const books: WeakRef<object>[] = []
  const look: Command<object> = {
    kind: 'look',
    owner: 'someone',
    payload: {},
    preload: [],
    decide(state) {
      if (books.at(-1)?.deref() !== state) books.push(new WeakRef(state))
      return { response: {} }
    },
  }
  let isOver = false
  const clients = Array.from({ length: 4 }, async (_, number) => {
    for (let turn = 0; turn < number * 2; turn++) await nextTurn()
    while (!isOver) {
      await writer.execute(look)
      await nextTurn()
    }
  })
  while (books.length < 300) await nextTurn()
  collectGarbage()
  await nextTurn()
  const kept = books.filter((book) => book.deref() !== undefined).length
  isOver = true
  await Promise.all(clients)
  await writer.close()
  expect(kept).toBeLessThan(5)
})
