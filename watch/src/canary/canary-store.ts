import { mkdir, open, readFile, rename } from 'node:fs/promises'
import { join } from 'node:path'
import type { Hex } from 'viem'
import { openLineLog, readLines } from '../line-log.ts'
import type { Asked, RootEvent } from './decide-step.ts'

/** A transaction that is not confirmed yet. It is stored before it is sent. */
export interface Pending {
  /** The vault that it acts at; absent in a folder of an earlier version, which knew one vault. */
  readonly vault?: Hex
  readonly kind: 'approve' | 'deposit' | 'request' | 'finish' | 'cancel'
  readonly nonce: number
  readonly to: Hex
  readonly data: Hex
  readonly value: string
  /** Of every transaction with this nonce, the newest last. */
  readonly hashes: readonly Hex[]
  /** The newest one, signed. */
  readonly raw: Hex
  readonly max_fee: string
  readonly tip: string
  /** In seconds, by the chain. */
  readonly sent_at: number
  /** The token that it moves, and the units that the vault must pay. */
  readonly token?: Hex
  readonly amount?: string
  /** The header whose path it uses. */
  readonly header?: string
  /** The account's units of the token before it. */
  readonly before?: string
}

/** All that the chain does not say. */
export interface CanaryState {
  /** The vault of roots and paths; absent in a folder of an earlier version. */
  readonly vault?: Hex | undefined
  readonly pending?: Pending | undefined
  readonly asked?: Asked | undefined
  readonly scanned_to?: string | undefined
  readonly roots: readonly RootEvent[]
  /** Checked responses of bookkeepers, the oldest first. */
  readonly paths: readonly { readonly number: string; readonly text: string }[]
}

export interface CanaryStore {
  readonly state: CanaryState
  /** The lines of the record. */
  readonly lines: readonly string[]
  /** Replaces the state, and returns once it is on the disk. */
  save(state: CanaryState): Promise<void>
  append(line: Readonly<Record<string, unknown>>): Promise<void>
  close(): Promise<void>
}

/** Opens `state.json` and `record.jsonl` of a folder. */
export async function openCanaryStore(folder: string): Promise<CanaryStore> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const path = join(folder, 'state.json')
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
  let state: CanaryState = text === undefined ? { roots: [], paths: [] } : JSON.parse(text)
  const record = join(folder, 'record.jsonl')
  const log = await openLineLog(record)
  const lines = await readLines(record)
  return {
    lines,
    get state() {
      return state
    },
    async save(next) {
      await replaceFile(path, JSON.stringify(next))
      state = next
    },
    async append(line) {
      await log.append([line])
      lines.push(JSON.stringify(line))
    },
    close: () => log.close(),
  }
}

/** After a crash the file has either the old text or the new one. */
async function replaceFile(path: string, text: string): Promise<void> {
  const file = await open(`${path}.new`, 'w', 0o600)
  try {
    await file.writeFile(text)
    await file.sync()
  } finally {
    await file.close()
  }
  await rename(`${path}.new`, path)
}
