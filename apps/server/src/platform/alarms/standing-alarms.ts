import type { Queryable } from '@clearwell/ledger/database'
import { isBreakerOpen, SOLVENCY_BREAKER } from '../ledger/breaker.ts'
import { configDiffers, type ServerList } from '../servers/server-list.ts'
import type { Standing } from './alarms.ts'

/** The conditions whose alarms are raised again while they last. */
export function standingAlarms({
  db,
  watcher,
  gate,
  isChainRunning,
  writer,
  servers,
}: {
  readonly db: Queryable
  readonly watcher: { readonly halted: string | undefined }
  readonly gate: { readonly refusal: string | undefined }
  readonly isChainRunning: () => boolean
  readonly writer: { readonly isWriting: boolean }
  readonly servers: Pick<ServerList, 'configDifference'>
}): Standing[] {
  return [
    () => (watcher.halted === undefined ? undefined : { kind: 'watcher_halted', message: watcher.halted }),
    () => (gate.refusal === undefined ? undefined : { kind: 'chain_refused', message: gate.refusal }),
    () => (isChainRunning() ? undefined : { kind: 'local_chain_exited', message: 'the local chain does not run' }),
    async () => {
      if (!writer.isWriting || !(await isBreakerOpen(db, SOLVENCY_BREAKER.id))) return undefined
      return { kind: 'insolvent', message: 'the solvency breaker is open: swaps and withdrawals are stopped' }
    },
    async () => {
      const message = await configDiffers(servers)
      return message === undefined ? undefined : { kind: 'config_differs', message }
    },
  ]
}
