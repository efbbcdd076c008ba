import { join } from 'node:path'
import { ALARMS, type Finding } from './alarm-codes.ts'
import { openLineLog, readLines } from './line-log.ts'

/** An alarm as it is stored and sent. */
export interface Alarm extends Finding {
  readonly level: 'alarm' | 'warning' | 'notice'
  readonly state: 'raised' | 'cleared'
  /** By this machine's clock. */
  readonly at: string
}

/** Which alarms were raised, which of them last, and which were sent. */
export interface AlarmBook {
  /** Raises each finding whose key was never raised. */
  raise(findings: readonly Finding[]): Promise<void>
  /** Raises the findings that are new, and clears the lasting ones that are not found any more. */
  setLasting(findings: readonly Finding[]): Promise<void>
  /** The lasting ones that are not cleared. */
  readonly open: readonly Finding[]
  /** How many of each level were raised in all. */
  readonly raised: Readonly<Record<Alarm['level'], number>>
  /** Hands on what was not sent yet, oldest first. One that fails is tried again the next time. */
  deliver(send: (alarm: Alarm) => Promise<void>): Promise<void>
  close(): Promise<void>
}

/** Opens `alarms.jsonl` of a folder. */
export async function openAlarmBook(folder: string, nowMs: () => number): Promise<AlarmBook> {
  const path = join(folder, 'alarms.jsonl')
  const keys = new Set<string>()
  const open = new Map<string, Finding>()
  const raised = { alarm: 0, warning: 0, notice: 0 }
  let unsent: Alarm[] = []
  const note = (alarm: Alarm, isLasting: boolean) => {
    unsent.push(alarm)
    if (alarm.state === 'raised') {
      raised[alarm.level] += 1
      if (isLasting) open.set(alarm.key, alarm)
      else keys.add(alarm.key)
    } else open.delete(alarm.key)
  }
  for (const text of await readLines(path)) {
    const { alarm, lasts, sent } = JSON.parse(text)
    if (alarm) note(alarm, lasts)
    else unsent = unsent.slice(sent)
  }
  const log = await openLineLog(path)

  const write = async (findings: readonly Finding[], state: Alarm['state'], lasts: boolean) => {
    const at = new Date(nowMs()).toISOString()
    const alarms = findings.map((each): Alarm => ({ ...each, level: ALARMS[each.code][0], state, at }))
    await log.append(alarms.map((alarm) => ({ alarm, lasts })))
    for (const alarm of alarms) note(alarm, lasts)
  }
  return {
    raise: (findings) =>
      write(
        onceEach(findings).filter(({ key }) => !keys.has(key)),
        'raised',
        false,
      ),
    async setLasting(findings) {
      const found = new Set(findings.map(({ key }) => key))
      const gone = [...open.values()].filter(({ key }) => !found.has(key))
      await write(
        gone.map(({ key, code, text }) => ({ key, code, text })),
        'cleared',
        true,
      )
      await write(
        onceEach(findings).filter(({ key }) => !open.has(key)),
        'raised',
        true,
      )
    },
    get open() {
      return [...open.values()]
    },
    raised,
    async deliver(send) {
      for (let alarm = unsent[0]; alarm; alarm = unsent[0]) {
        await send(alarm)
        await log.append([{ sent: 1 }])
        unsent = unsent.slice(1)
      }
    },
    close: () => log.close(),
  }
}

function onceEach(findings: readonly Finding[]): Finding[] {
  return [...new Map(findings.map((each) => [each.key, each])).values()]
}
