#!/usr/bin/env node
import { setTimeout as wait } from 'node:timers/promises'
import type { Alarm } from './alarm-book.ts'
import { postAlarm, runOnAlarm } from './send-alarm.ts'
import { readSettings, type Settings, USAGE } from './settings.ts'
import { openWatchtower, type Watchtower } from './watchtower.ts'

const print = (value: unknown) => process.stdout.write(`${typeof value === 'string' ? value : JSON.stringify(value)}\n`)
const complain = (error: unknown) => process.stderr.write(`${error instanceof Error ? error.message : error}\n`)

/** Writes an alarm to the output, and hands it to the webhook and the command. */
async function send({ webhook, run }: Settings, alarm: Alarm): Promise<void> {
  if (webhook) await postAlarm(webhook, alarm)
  if (run) await runOnAlarm(run, alarm)
  print({ alarm })
}

/** An alarm that could not be sent stays in the folder, and is sent with the next look. */
async function lookAndSend(watchtower: Watchtower, settings: Settings) {
  const looked = await watchtower.look()
  await watchtower.alarms.deliver((alarm) => send(settings, alarm)).catch(complain)
  return looked
}

async function main(): Promise<number> {
  const settings = readSettings(process.argv.slice(2), process.env)
  if (!settings) {
    print(USAGE)
    return 0
  }
  const watchtower = await openWatchtower(settings)
  const stopping = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopping.abort())
  try {
    const before = raisedOf(watchtower)
    const looked = await lookAndSend(watchtower, settings)
    print({ looked })
    if (settings.isOnce) {
      if (!looked.hasNode) return 2
      return looked.open.length > 0 || raisedOf(watchtower) > before ? 1 : 0
    }
    while (!stopping.signal.aborted) {
      await wait(settings.everyMs, undefined, { signal: stopping.signal }).catch(() => {})
      if (!stopping.signal.aborted) await lookAndSend(watchtower, settings)
    }
    return 0
  } finally {
    await watchtower.close()
  }
}

function raisedOf({ alarms: { raised } }: Watchtower): number {
  return raised.alarm + raised.warning + raised.notice
}

process.exitCode = await main().catch((error) => {
  complain(error)
  return 2
})
