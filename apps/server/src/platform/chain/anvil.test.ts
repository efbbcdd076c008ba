import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { ConfigError } from '../../config/config-error.ts'
import { type Anvil, startAnvil } from './anvil.ts'
import { controlChain } from './testing/local-chain.ts'

const CHAIN_ID = 31337
const SOMEONE = `0x${'5'.repeat(40)}` as const

let folder: string
let running: Anvil | undefined
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'clearwell-anvil-'))
})
afterEach(async () => {
  await running?.stop()
  running = undefined
  await rm(folder, { recursive: true, force: true })
})

async function start(): Promise<ReturnType<typeof controlChain>> {
  running = await startAnvil({ folder, port: 0, chainId: CHAIN_ID })
  return controlChain({ rpcUrl: running.rpcUrl, chainId: CHAIN_ID })
}

const isAlive = (pid: number) => {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

test('a local chain keeps balances, blocks and hashes across a restart', async () => {
  const first = await start()
  await first.client.setBalance({ address: SOMEONE, value: 123n })
  await first.mine(5)
  const hash = await first.hashOf(3n)
  await running?.stop()
  const second = await start()
  expect(await second.client.getBalance({ address: SOMEONE })).toBe(123n)
  expect(await second.client.getBlockNumber()).toBe(5n)
  expect(await second.hashOf(3n)).toBe(hash)
})

test('a stopped local chain has exited and leaves no process id', async () => {
  await start()
  const pid = Number(await readFile(join(folder, 'anvil.pid'), 'utf8'))
  expect(isAlive(pid)).toBe(true)
  await running?.stop()
  expect(isAlive(pid)).toBe(false)
  await expect(readFile(join(folder, 'anvil.pid'))).rejects.toThrow('ENOENT')
})

test('a local chain reports its crash with the cause, unlike a stop', async () => {
  const ends: string[] = []
  let ended: (() => void) | undefined
  const onEnd = (error: Error) => {
    ends.push(error.message)
    ended?.()
  }
  running = await startAnvil({ folder, port: 0, chainId: CHAIN_ID, onEnd })
  expect(running.isRunning).toBe(true)
  await running.stop()
  expect(running.isRunning).toBe(false)
  expect(ends).toEqual([])
  running = await startAnvil({ folder, port: 0, chainId: CHAIN_ID, onEnd })
  const dying = new Promise<void>((resolve) => {
    ended = resolve
  })
  process.kill(Number(await readFile(join(folder, 'anvil.pid'), 'utf8')), 'SIGKILL')
  await dying
  expect(ends).toEqual(['the local chain exited unexpectedly: SIGKILL'])
  expect(running.isRunning).toBe(false)
})

/** Starts a chain from a separate process, in a separate group as in a terminal. */
async function startInProcess(onSignal: string) {
  const start = `
    const { startAnvil } = await import(${JSON.stringify(join(import.meta.dirname, 'anvil.ts'))})
    const onEnd = () => process.stdout.write('exited unexpectedly, ')
    const chain = await startAnvil({ folder: ${JSON.stringify(folder)}, port: 0, chainId: ${CHAIN_ID}, onEnd })
    process.on('SIGINT', async () => { ${onSignal} })
    process.stdout.write('up, ')`
  const args = ['--input-type=module', '-e', start]
  const server = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'], detached: true })
  let output = ''
  server.stdout.on('data', (chunk) => {
    output += chunk
  })
  await expect.poll(() => output, { timeout: 50_000 }).toBe('up, ')
  const pid = Number(await readFile(join(folder, 'anvil.pid'), 'utf8'))
  expect(isAlive(pid)).toBe(true)
  return { server, pid, output: () => output }
}

test('a local chain ends with its server when that is killed', async () => {
  const { server, pid } = await startInProcess('')
  server.kill('SIGKILL')
  await expect.poll(() => isAlive(pid)).toBe(false)
})

test('Ctrl-C in a terminal reaches the server, which stops its chain', async () => {
  const stop = "setTimeout(async () => { await chain.stop(); process.stdout.write('stopped'); process.exit() }, 300)"
  const { server, pid, output } = await startInProcess(stop)
  process.kill(-(server.pid as number), 'SIGINT')
  await once(server, 'exit')
  expect(output()).toBe('up, stopped')
  expect(isAlive(pid)).toBe(false)
})

test('a chain left by a killed server saves its state and stops', async () => {
  const first = await start()
  const leftBehind = running
  const pid = Number(await readFile(join(folder, 'anvil.pid'), 'utf8'))
  await first.client.setBalance({ address: SOMEONE, value: 7n })
  await first.mine(2)
  const second = await start()
  expect(isAlive(pid)).toBe(false)
  expect(await second.client.getBalance({ address: SOMEONE })).toBe(7n)
  expect(await second.client.getBlockNumber()).toBe(2n)
  // Stopping a chain that has already exited does no harm.
  await leftBehind?.stop()
  expect(await second.client.getBlockNumber()).toBe(2n)
})

test('a local chain starts only after a leftover chain has exited', async () => {
  const first = await start()
  const leftBehind = running
  const pidFile = join(folder, 'anvil.pid')
  const pid = Number(await readFile(pidFile, 'utf8'))
  await first.client.setBalance({ address: SOMEONE, value: 7n })
  // Suspended, so that it exits only when this test resumes it.
  process.kill(pid, 'SIGSTOP')
  const starting = start()
  await new Promise((resolve) => setTimeout(resolve, 1_500))
  expect(await readFile(pidFile, 'utf8')).toBe(String(pid))
  process.kill(pid, 'SIGCONT')
  const second = await starting
  expect(await readFile(pidFile, 'utf8')).not.toBe(String(pid))
  expect(await second.client.getBalance({ address: SOMEONE })).toBe(7n)
  await leftBehind?.stop()
})

test('a local chain responds immediately after its start', async () => {
  running = await startAnvil({ folder: join(folder, 'not', 'there'), port: 0, chainId: CHAIN_ID })
  // Uses no client, because a client would retry.
  const response = await fetch(running.rpcUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_chainId', params: [] }),
  })
  expect(await response.json()).toMatchObject({ result: '0x7a69' })
})

test('a local chain leaves a process id reused by another program alone', async () => {
  const other = spawn('sleep', ['60'], { stdio: 'ignore' })
  await writeFile(join(folder, 'anvil.pid'), String(other.pid))
  await start()
  expect(isAlive(other.pid as number)).toBe(true)
  other.kill()
})

test('a local chain rejects a taken port and names the setting', async () => {
  const server = createServer()
  const port = await new Promise<number>((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve((server.address() as { port: number }).port))
  })
  const starting = startAnvil({ folder, port, chainId: CHAIN_ID })
  await expect(starting).rejects.toThrow(ConfigError)
  await expect(starting).rejects.toThrow(`Port ${port} for the local chain is taken. Set CHAIN_PORT to another`)
  server.close()
})
