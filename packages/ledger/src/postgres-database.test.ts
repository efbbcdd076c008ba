import { connect, createServer, type Socket } from 'node:net'
import { describe, expect, test } from 'vitest'
import { LEDGER_MIGRATIONS } from './migrate.ts'
import { openPostgresDatabase } from './postgres-database.ts'
import { newTestPostgres } from './testing/database.ts'

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/** Proxies `pg`'s connection to PostgreSQL, and changes its data. */
async function openRelay(target: string) {
  const to = new URL(target)
  const state = {
    /** Sent to the client right before each word that all is ready. */
    inject: undefined as Buffer | undefined,
    /** The next statement with this ending is misspelt, so it fails alone, as a cancelled statement does. */
    garble: '',
  }
  const sockets = new Set<Socket>()
  const server = createServer((client) => {
    const upstream = connect(Number(to.port), to.hostname)
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      socket.on('error', () => {})
    }
    client.on('data', (chunk) => {
      const at = state.garble === '' ? -1 : chunk.indexOf(`${state.garble}\0`)
      if (at >= 0) {
        chunk.write('x', at + state.garble.length - 1)
        state.garble = ''
      }
      upstream.write(chunk)
    })
    upstream.on('data', (chunk) => {
      const isReady = chunk.length >= 6 && chunk.subarray(-6).equals(Buffer.from([0x5a, 0, 0, 0, 5, 0x49]))
      if (state.inject && isReady)
        client.write(Buffer.concat([chunk.subarray(0, -6), state.inject, chunk.subarray(-6)]))
      else client.write(chunk)
    })
    upstream.on('close', () => {
      client.end()
    })
    client.on('close', () => {
      upstream.end()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = new URL(target)
  url.port = String((server.address() as { port: number }).port)
  return {
    state,
    url: url.href,
    close() {
      server.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}

describe.skipIf(process.env.TEST_DATABASE !== 'postgres')('a connection to PostgreSQL', () => {
  test('acknowledges no commit whose standby was not awaited', async () => {
    const { url, drop } = await newTestPostgres([LEDGER_MIGRATIONS])
    const relay = await openRelay(url)
    const db = await openPostgresDatabase(relay.url)
    const commit = () => db.commitInOrder([{ text: 'select 1', params: [] }])
    try {
      await commit()
      const fields = 'SWARNING\0C01000\0Mcanceling wait for synchronous replication due to user request\0\0'
      const length = Buffer.alloc(4)
      length.writeInt32BE(4 + fields.length)
      relay.state.inject = Buffer.concat([Buffer.from('N'), length, Buffer.from(fields)])
      await expect(commit()).rejects.toThrow('canceling wait for synchronous replication')
      const transaction = () => db.transaction((tx) => tx.query('select 1'))
      await expect(transaction()).rejects.toThrow('canceling wait for synchronous replication')
      // A statement outside a transaction is a commit, too.
      const statement = () => db.query('select 1 as one')
      await expect(statement()).rejects.toThrow('canceling wait for synchronous replication')
      relay.state.inject = undefined
      // The next one has another connection.
      await commit()
      await transaction()
      expect(await statement()).toEqual([{ one: 1 }])
    } finally {
      await db.close()
      relay.close()
      await drop()
    }
  })

  test('kept connections work where the server allows no more of them', async () => {
    const { url, drop } = await newTestPostgres([LEDGER_MIGRATIONS])
    const admin = await openPostgresDatabase(url)
    const limited = new URL(url)
    limited.username = `limited_${process.pid}`
    try {
      await admin.script(`create role ${limited.username} login password '${limited.password}' connection limit 2`)
      const db = await openPostgresDatabase(limited.href, { maxConnections: 4, keepsConnections: true, name: 'kept' })
      const asked = Array.from({ length: 20 }, (_, index) => db.query<{ n: number }>(`select ${index}::integer as n`))
      expect((await Promise.all(asked)).map(([row]) => row?.n)).toEqual(Array.from({ length: 20 }, (_, n) => n))
      // One connection commits, so one is left for all statements.
      await db.commitInOrder([{ text: 'select 1', params: [] }])
      const seen = "select count(*)::integer as count from pg_stat_activity where application_name = 'kept'"
      expect(await admin.query(seen)).toEqual([{ count: 2 }])
      await expect(db.query('select no_such_column')).rejects.toThrow('no_such_column')
      expect(await db.query('select 1 as one')).toEqual([{ one: 1 }])
      await db.close()
    } finally {
      await admin.script(`drop role if exists ${limited.username}`)
      await admin.close()
      await drop()
    }
  })

  test('survives a server that closes the connection right after accepting it', async () => {
    const { url, drop } = await newTestPostgres([LEDGER_MIGRATIONS])
    const through = await openRelay(url)
    const db = await openPostgresDatabase(through.url)
    const fields = Buffer.from('SFATAL\0VFATAL\0C57P01\0Mterminating connection due to administrator command\0\0')
    const length = Buffer.alloc(4)
    length.writeInt32BE(4 + fields.length)
    const uncaught: unknown[] = []
    const note = (error: unknown) => uncaught.push(error)
    process.on('uncaughtException', note)
    const held = Promise.withResolvers<void>()
    // So that the idle connection is taken and the next is a new one.
    const holding = db.transaction(() => held.promise)
    await pause(50)
    through.state.inject = Buffer.concat([Buffer.from('E'), length, fields])
    await expect(db.commitInOrder([{ text: 'select 1', params: [] }])).rejects.toThrow()
    await pause(100)
    through.state.inject = undefined
    held.resolve()
    await holding
    process.off('uncaughtException', note)
    await db.close()
    through.close()
    await drop()
    expect(uncaught).toEqual([])
  })

  test('discards a connection whose commit failed', async () => {
    const { url, drop } = await newTestPostgres([LEDGER_MIGRATIONS])
    const through = await openRelay(url)
    const db = await openPostgresDatabase(through.url, { maxConnections: 1 })
    through.state.garble = 'commit'
    await expect(db.commitInOrder([{ text: 'select 1', params: [] }])).rejects.toThrow('commix')
    const after = await db.query('select 1 as one').catch((error: Error) => error.message)
    await db.close()
    through.close()
    await drop()
    expect(after).toEqual([{ one: 1 }])
  })

  test('writes nothing when the transaction could not begin', async () => {
    const { url, drop } = await newTestPostgres([LEDGER_MIGRATIONS])
    const through = await openRelay(url)
    const db = await openPostgresDatabase(through.url)
    await db.script('create table test_notes (id text primary key)')
    const insert = { text: 'insert into test_notes values ($1)', params: ['one'] }
    through.state.garble = 'begin read write'
    await expect(db.commitInOrder([insert, insert])).rejects.toThrow('writx')
    const kept = await db.query('select id from test_notes')
    await db.close()
    through.close()
    await drop()
    expect(kept).toEqual([])
  })
})
