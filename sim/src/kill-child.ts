import { randomBytes } from 'node:crypto'
import { openPgliteDatabase } from '@clearwell/ledger/pglite-database'
import { openPostgresDatabase } from '@clearwell/ledger/postgres-database'
import { Refusal } from '@clearwell/ledger/refusal'
import { NotReady, Writer } from '@clearwell/ledger/writer'
import { readFacts } from './kill-facts.ts'
import type { FromChild, ToChild } from './kill-messages.ts'
import { commandOf, type Step, type StepOutcome } from './kill-steps.ts'
import { killingDatabase } from './killing-database.ts'

/**
 * The process that the kill test kills: a real database, a real writer, real commands. `process.argv[2]` is a
 * `postgres://` address or a data folder, `process.argv[3]` where to die while opening, if anywhere.
 */
const LEASE_TTL_MS = 250
const [, , where = '', killAtOpening = ''] = process.argv

const isPostgres = where.startsWith('postgres')
const db = killingDatabase(
  isPostgres ? await openPostgresDatabase(where, { maxConnections: 3 }) : await openPgliteDatabase(where),
  killAtOpening || undefined,
)
const writer = await Writer.open({
  db,
  clock: { now: () => new Date() },
  randomId: () => randomBytes(16).toString('hex'),
  holder: `process ${process.pid}`,
  leaseTtlMs: LEASE_TTL_MS,
  exclusive: !isPostgres,
  onError: (error, task) => console.error(task, error),
})
// The previous holder of the lease was killed, so the lease has to expire first.
while (!writer.isWriting) await new Promise((resolve) => setTimeout(resolve, 10))

process.on('message', (message: ToChild) => void serve(message))
send({ kind: 'ready', passed: [...db.passed], sinceStartMs: process.uptime() * 1000 })

async function serve(message: ToChild): Promise<void> {
  switch (message.kind) {
    case 'run': {
      const [first, second] = message.waves
      await db.arm(message.killAt)
      const running = first.map(execute)
      // The second wave queues up while the first is being written, so that a kill also finds commands that wait.
      db.onBegin(() => running.push(...second.map(execute)))
      await Promise.all(running)
      // By now the second wave is in.
      await Promise.all(running)
      return send({ kind: 'done', passed: [...db.passed] })
    }
    case 'facts':
      return send({ kind: 'facts', ...(await readFacts(db)) })
    case 'close':
      await writer.close()
      await db.close()
      process.disconnect()
  }
}

async function execute(step: Step): Promise<void> {
  send({ kind: 'response', name: step.name, outcome: await outcomeOf(step) })
}

async function outcomeOf(step: Step): Promise<StepOutcome> {
  try {
    return { ok: await writer.execute(commandOf(step)) }
  } catch (error) {
    if (error instanceof Refusal) return { refusal: error.refusal, data: error.data }
    if (error instanceof NotReady) return { notReady: error.message }
    return { bug: String(error) }
  }
}

function send(message: FromChild): void {
  process.send?.(message)
}
