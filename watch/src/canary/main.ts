#!/usr/bin/env node
import { setTimeout as wait } from 'node:timers/promises'
import { privateKeyToAccount } from 'viem/accounts'
import { lookOnce } from './canary.ts'
import { readCanarySettings, USAGE } from './canary-settings.ts'
import { openCanaryStore } from './canary-store.ts'

const print = (value: unknown) => process.stdout.write(`${typeof value === 'string' ? value : JSON.stringify(value)}\n`)

async function main(): Promise<number> {
  const settings = readCanarySettings(process.argv.slice(2), process.env)
  if (!settings) {
    print(USAGE)
    return 0
  }
  const account = privateKeyToAccount(settings.key)
  const store = await openCanaryStore(settings.folder)
  const stopping = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopping.abort())
  const look = async () => {
    try {
      const looked = await lookOnce({ settings, account, store })
      print({ at: new Date().toISOString(), account: account.address, ...looked })
      return looked.step === 'fault' ? 1 : 0
    } catch (error) {
      process.stderr.write(`${error instanceof Error ? error.message : error}\n`)
      return 2
    }
  }
  try {
    if (settings.isOnce) return await look()
    while (!stopping.signal.aborted) {
      await look()
      await wait(settings.everyMs, undefined, { signal: stopping.signal }).catch(() => {})
    }
    return 0
  } finally {
    await store.close()
  }
}

process.exitCode = await main().catch((error) => {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`)
  return 2
})
