import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Database, Queryable } from '@clearwell/ledger/database'
import { expect, test } from 'vitest'
import { createLog } from './platform/log/log.ts'
import { startTestServer } from './testing/server.ts'

/** A database that stops responding on request, as behind a network that drops every packet. */
function stallingDatabase() {
  let isStalled = false
  const unlessStalled = <Result>(run: () => Promise<Result>) => (isStalled ? new Promise<never>(() => {}) : run())
  const wrap = (db: Database): Database => ({
    ...db,
    query: <Row extends object>(...statement: Parameters<Queryable['query']>) =>
      unlessStalled(() => db.query<Row>(...statement)),
    transaction: (work) => unlessStalled(() => db.transaction(work)),
    commitInOrder: (statements) => unlessStalled(() => db.commitInOrder(statements)),
  })
  return {
    wrap,
    stall() {
      isStalled = true
    },
  }
}

test('stop ends in time while database and chain are silent', async () => {
  const database = stallingDatabase()
  const withinMs = 1_500
  const lines: string[] = []
  const destination = { write: (line: string) => lines.push(line) }
  const log = createLog({ level: 'trace', redact: (text) => text, destination })
  const server = await startTestServer(
    { ACCESS_LOG: 'on' },
    { stopWithinMs: withinMs, watchDatabase: database.wrap, log },
  )
  const user = await server.newUser()
  const chainPid = Number(await readFile(join(server.config.env.dataDir, 'chain/anvil.pid'), 'utf8'))
  database.stall()
  process.kill(chainPid, 'SIGSTOP')
  try {
    // A command that waits in the writer, and one that waits for the chain.
    const waiting = Promise.allSettled([
      server.call('activeByBalance', {}, { token: user.token }),
      server.call('retrieve', { tx_hash: `0x${'1'.repeat(64)}` }, { token: user.token }),
    ])
    const startedMs = performance.now()
    expect(await server.stop()).toEqual(expect.arrayContaining(['ledger', 'local chain', 'data folder']))
    const text = lines.join('')
    expect(text).not.toContain(user.token)
    const events = lines.map((line) => JSON.parse(line))
    const named = new Set(events.map(({ event }) => event))
    for (const event of ['database_opened', 'chain_opened', 'lease_taken', 'pool_opened', 'server_listening'])
      expect(named).toContain(event)
    expect(events.find(({ call }) => call === 'login')).toMatchObject({
      event: 'request_answered',
      method: 'POST',
      status: 200,
      code: 1,
      client: '127.0.0.1',
      trace_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    })
    // Without the limit it would take all of the time that a stop has: 9.5 s.
    expect(performance.now() - startedMs).toBeLessThan(withinMs + 7_500)
    void waiting
  } finally {
    process.kill(chainPid, 'SIGKILL')
    await server.destroy()
  }
})
