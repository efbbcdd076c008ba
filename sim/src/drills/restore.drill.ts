import { randomUUID } from 'node:crypto'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { runInEnvironment } from '@clearwell/server/src/operator/testing/run-in-environment.ts'
import { controlChain } from '@clearwell/server/src/platform/chain/testing/local-chain.ts'
import type { Address, Hex } from 'viem'
import { generatePrivateKey } from 'viem/accounts'
import { startPostgres } from '../../../scripts/postgres.ts'
import { hasPgBackRest, preparePgBackRest, WITHOUT_PGBACKREST } from '../restore/backup-tools.ts'
import { untilPromoted } from '../restore/until-promoted.ts'
import { appointSigner, sendAsOwner, vaultOf } from './appoint-signer.ts'
import { CannotRun, type Drill, type Ends } from './drill.ts'
import { compareWithLedger, openSite, type Site, withDatabase } from './site.ts'
import { startSwapLoad } from './swap-load.ts'

const CHAIN_ID = 31337
/** The breaker closes after two passes of a check that runs every 20 seconds. */
const CLOSED_MS = 120_000

/** A user takes 20 USDT out, and the voucher is paid. @returns the transaction. */
async function payOut({ chain, tokens }: Site, url: string): Promise<Hex> {
  const response = await fetch(`${url}/api/Wallet/sell`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'xx-token': tokens[0] ?? '', 'idempotency-key': randomUUID() },
    body: JSON.stringify({ asset: 'USDT', amount: '20' }),
  })
  const reply = (await response.json()) as { code: number; data: { to: Address; calldata: Hex } }
  if (reply.code !== 1) throw new Error(`the transfer out was refused: ${JSON.stringify(reply)}`)
  return sendAsOwner(chain.rpcUrl, { to: reply.data.to, data: reply.data.calldata })
}

/** Books the payout that the restored ledger does not know, as step 6 of the recipe, and waits until the breaker is closed. */
async function settle(environment: Record<string, string>, rpcUrl: string, payout: Hex): Promise<void> {
  const control = controlChain({ rpcUrl, chainId: CHAIN_ID })
  const operator = (...args: string[]) => runInEnvironment({ PROFILE: 'local', CHAIN_PORT: '0', ...environment }, args)
  const until = async (about: string, isDone: () => Promise<boolean>) => {
    const deadlineMs = performance.now() + CLOSED_MS
    while (!(await isDone())) {
      if (performance.now() > deadlineMs) throw new Error(`${about} took longer than ${CLOSED_MS} ms`)
      await control.mine(1)
      await wait(500)
    }
  }
  await until('the payout', async () => (await operator('payouts', 'list')).stdout.includes(payout))
  const { code, stderr } = await operator('payouts', 'settle', payout, '--reason', 'a drill', '--execute')
  if (code !== 0) throw new Error(`the payout was not settled: ${stderr}`)
  await until('the breaker', async () => (await operator('breaker')).code === 0)
  const { code: missing, stdout } = await operator('reconcile')
  if (missing !== 0) throw new Error(`after the restore something is missing: ${stdout}`)
}

/** A folder that PostgreSQL, which runs as another user where this runs as root, may write to. */
async function makeOpenFolder(ends: Ends): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'clearwell-backups-'))
  ends.push(() => rm(folder, { recursive: true, force: true }))
  await chmod(folder, 0o777)
  return folder
}

export const drill: Drill = {
  about:
    'the database is lost with its disk, and restored by pgBackRest to a moment before the last swaps and a payout',
  isQuick: false,
  async run(ends) {
    if (!hasPgBackRest) throw new CannotRun(WITHOUT_PGBACKREST)
    const tools = await preparePgBackRest(await makeOpenFolder(ends))
    const site = await openSite(ends, { settings: tools.settings })
    const { rpcUrl } = site.chain
    const servers = [await site.startServer('first'), await site.startServer('second')]
    let urls = servers.map(({ url }) => url)
    const swaps = () => startSwapLoad({ urls: () => urls, tokens: site.tokens })
    const load = swaps()
    await load.acknowledge(100, 30_000)
    await tools.backUp({ ...site.postgres, url: site.adminUrl })
    await load.acknowledge(100, 60_000)
    const kept = await load.stop()
    const moment = await momentOf(site.adminUrl)
    const payout = await payOut(site, urls[0] ?? '')
    const later = swaps()
    await later.acknowledge(100, 30_000)
    const gone = (await later.stop()).length
    await tools.archive(site.postgres)

    const signer = generatePrivateKey()
    await appointSigner(rpcUrl, await vaultOf(urls[0] ?? ''), signer)
    for (const server of servers) await server.kill()
    const password = new URL(site.postgres.url).password
    await site.postgres.stop()
    const lostMs = performance.now()
    const dataIn = { data: await tools.restore(moment), password }
    const postgres = await startPostgres({ fsync: false, settings: tools.settings, dataIn })
    ends.push(postgres.stop)
    const [adminUrl, databaseUrl] = [moved(site.adminUrl, postgres.url), moved(site.databaseUrl, postgres.url)]
    await untilPromoted(adminUrl)
    const environment = { DATABASE_URL: databaseUrl, SIGNER_KEY: signer }
    urls = [(await site.startServer('first', environment)).url, (await site.startServer('second', environment)).url]
    await settle({ ...site.environment, ...environment }, rpcUrl, payout)
    const again = swaps()
    await again.acknowledge(100, 60_000)
    const secondsToRecovery = again.longestGapSince(lostMs)
    const acknowledged = [...kept, ...(await again.stop())]
    const notes = `acknowledged: up to the moment, and after the restore; ${gone} swaps between them are gone, one payout was settled`
    return { ...(await withDatabase(adminUrl, (db) => compareWithLedger(db, acknowledged))), secondsToRecovery, notes }
  },
}

async function momentOf(url: string): Promise<string> {
  const rows = await withDatabase(url, (db) => db.query<{ now: string }>('select clock_timestamp()::text as now'))
  return rows[0]?.now ?? ''
}

/** The same database at another server's port. */
function moved(url: string, to: string): string {
  const changed = new URL(url)
  changed.port = new URL(to).port
  return changed.href
}
