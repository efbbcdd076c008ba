import { randomBytes } from 'node:crypto'
import { chmod, chown, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { openPostgresDatabase } from '@clearwell/ledger/postgres-database'
import { startAnvil } from '@clearwell/server/src/platform/chain/anvil.ts'
import { localConfigFile } from '@clearwell/server/src/platform/chain/testing/local-chain.ts'
import { unprivilegedUser } from '../../scripts/postgres.ts'
import { type LocalBookkeeper, localBookkeepers, readVault } from './bookkeepers.ts'
import { type Layout, localLayout, type Machine } from './layout.ts'
import { type LocalNetwork, loopbackNetwork, namespaceNetwork } from './local-network.ts'
import { type LocalMachine, localMachine } from './machine.ts'
import { getPrograms } from './packages.ts'
import { isPrimary, membersOf } from './patroni-status.ts'
import { createCertificate, tailOf, type User, until } from './program.ts'
import { startRelay } from './relay.ts'

const CHAIN_ID = 31337
/** The port whose freedom shows that no other cluster has the same addresses. */
const PORT_OF_ALL = 22379
const LEADER_MS = 60_000
const LEDGER_MS = 20_000

export interface ClusterOptions {
  /** Ends what was started, the newest first; also where the start fails. */
  readonly ends: (() => Promise<unknown>)[]
  readonly say: (text: string) => void
  /** Machines that can be cut off need root. */
  readonly canBeCut?: boolean
  /** Ends the start too. */
  readonly signal?: AbortSignal
  /** Serves the web app too. */
  readonly withApp?: boolean
  /** The servers wait for the signature of one of two bookkeepers. */
  readonly withBookkeepers?: boolean
  /** Called with the folders of the machines before anything starts. */
  readonly beforeStart?: (machines: readonly LocalMachine[], user: User | undefined) => Promise<void>
}

/** Three machines on this one: etcd, PostgreSQL under Patroni, HAProxy and Clearwell's server on each. */
export interface LocalCluster {
  readonly layout: Layout
  readonly machines: readonly LocalMachine[]
  readonly network: LocalNetwork
  readonly folder: string
  /** Where clients reach the servers, by TLS: one address for each machine. */
  readonly urls: readonly string[]
  readonly certificate: string
  /** The environment of a server in this process, such as one that prepares users. */
  readonly variables: Readonly<Record<string, string>>
  /** The database as a superuser, through the proxy of a machine that runs. */
  adminUrl(): Promise<string>
  /** The machine whose database takes writes. */
  primary(): Promise<LocalMachine | undefined>
  startServers(): Promise<void>
  /** Empty without the option. */
  readonly bookkeepers: readonly LocalBookkeeper[]
  /** Starts a bookkeeper, which reads the server of one machine. Servers must run. */
  startBookkeeper(bookkeeper: LocalBookkeeper): Promise<void>
}

export async function startLocalCluster(options: ClusterOptions): Promise<LocalCluster> {
  const { ends, say, signal } = options
  const programs = await getPrograms(say)
  const folder = await mkdtemp(join(tmpdir(), 'clearwell-cluster-'))
  ends.push(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }))
  await chmod(folder, 0o755)
  const names = ['machine-1', 'machine-2', 'machine-3']
  const network = options.canBeCut ? await namespaceNetwork(names) : await loopbackNetwork(PORT_OF_ALL)
  ends.push(network.remove)
  const { prefix, own } = network
  const serverHost = ({ address }: Machine) => (options.canBeCut ? '127.0.0.1' : address)
  const layout = localLayout({ prefix, folder, binaries: programs.postgres, serverHost })
  const user = unprivilegedUser()
  await writeCertificate(layout, folder, user)
  const chain = await startChain(folder, own, ends)
  const secrets = newSecrets()
  const serverKey = `0x${randomBytes(32).toString('hex')}`
  const { bookkeepers, known } = await chooseBookkeepers(options, folder, own)
  const common = { ...chain, ...known, PROFILE: 'local', ARBITRAGE: 'off', SERVER_KEY: serverKey, LOG_LEVEL: 'info' }
  const machines = layout.machines.map((machine) => {
    const serverEnv = { ...common, ...serverEnvironment(layout, machine, secrets) }
    const place = {
      layout,
      machine,
      folder: join(folder, machine.name),
      namespace: network.namespaceOf(machine),
      signal,
    }
    return localMachine({ ...place, programs, user, secrets, serverEnv, withApp: options.withApp ?? false })
  })
  for (const machine of machines) await machine.prepare()
  await options.beforeStart?.(machines, user)
  ends.push(() => endMachines(machines))
  await startDatabases(layout, machines, options)
  const urlAt = ({ address }: Machine) =>
    `postgres://postgres:${secrets.PATRONI_SUPERUSER_PASSWORD}@${address}:${layout.ports.primary}/`
  const [first] = layout.machines
  if (!first) throw new Error('a layout has machines')
  await createLedger(`${urlAt(first)}postgres`, secrets.SERVERS_PASSWORD ?? '', signal)
  const variables = { ...common, DATABASE_URL: databaseUrl(layout, first, secrets), DATA_DIR: join(folder, 'users') }
  return {
    layout,
    machines,
    network,
    folder,
    urls: layout.machines.map(({ address }) => `https://${address}:${layout.ports.clients}`),
    certificate: await readFile(join(folder, 'certificate.pem'), 'utf8'),
    variables,
    primary: () => findPrimary(layout, machines),
    async adminUrl() {
      const running = machines.find((machine) => machine.isRunning('haproxy'))
      if (!running) throw new Error('no proxy runs')
      return `${urlAt(running.machine)}ledger`
    },
    async startServers() {
      for (const machine of machines) {
        say(`Starting the server of ${machine.machine.name}.`)
        await machine.start('server')
      }
    },
    bookkeepers,
    async startBookkeeper(bookkeeper) {
      const from = layout.machines[bookkeepers.indexOf(bookkeeper)] ?? first
      say(`Starting ${bookkeeper.name}, which reads ${from.name}.`)
      const vault = await readVault(`${urlAt(first)}ledger`)
      await bookkeeper.start({ ...sourcesAt(layout, from), rpcUrl: chain.CHAIN_RPC_URL, vault })
    },
  }
}

/** @returns the bookkeepers that the options ask for, and the variables by which servers know them. */
async function chooseBookkeepers({ withBookkeepers, ends }: ClusterOptions, folder: string, own: string) {
  const bookkeepers = withBookkeepers ? await localBookkeepers(folder, own) : []
  ends.push(() => Promise.all(bookkeepers.map((bookkeeper) => bookkeeper.kill())))
  const known: Record<string, string> = Object.assign({}, ...bookkeepers.map(({ serverVariables }) => serverVariables))
  return { bookkeepers, known }
}

async function findPrimary(layout: Layout, machines: readonly LocalMachine[]): Promise<LocalMachine | undefined> {
  const answers = await Promise.all(machines.map(({ machine }) => isPrimary(layout, machine)))
  return machines[answers.indexOf(true)]
}

/** Where a bookkeeper reads the server of a machine. */
function sourcesAt({ ports, paths }: Layout, machine: Machine) {
  return { serverUrl: `https://${machine.address}:${ports.clients}`, authority: paths(machine).authority }
}

/** The certificate of clients and servers, in the files of the layout. */
async function writeCertificate(layout: Layout, folder: string, user: User | undefined): Promise<void> {
  await createCertificate(folder, { name: layout.name, addresses: layout.machines.map(({ address }) => address) })
  const both = join(folder, 'certificate-and-key.pem')
  const texts = ['certificate.pem', 'key.pem'].map((name) => readFile(join(folder, name), 'utf8'))
  await writeFile(both, (await Promise.all(texts)).join(''), { mode: 0o600 })
  if (user) await chown(both, user.uid, user.gid)
}

/** The chain, which the machines reach at an address of this process. */
async function startChain(folder: string, own: string, ends: ClusterOptions['ends']) {
  const file = await localConfigFile((config) => {
    Object.assign(config.rateLimit, { perMinute: 1_000_000, publicPerMinute: 1_000_000 })
  })
  ends.push(file.remove)
  const chain = await startAnvil({ folder: join(folder, 'anvil'), port: 0, chainId: CHAIN_ID })
  ends.push(chain.stop)
  let port = Number(new URL(chain.rpcUrl).port)
  if (own !== '127.0.0.1') {
    const relay = await startRelay(own, port)
    ends.push(async () => relay.stop())
    port = relay.port
  }
  return { CONFIG_FILE: file.path, CHAIN_RPC_URL: `http://${own}:${port}` }
}

/** Patroni's passwords, and the one of the servers' role. */
function newSecrets(): Record<string, string> {
  const password = () => randomBytes(18).toString('hex')
  return {
    PATRONI_SUPERUSER_USERNAME: 'postgres',
    PATRONI_SUPERUSER_PASSWORD: password(),
    PATRONI_REPLICATION_USERNAME: 'replicator',
    PATRONI_REPLICATION_PASSWORD: password(),
    PATRONI_REWIND_USERNAME: 'rewinder',
    PATRONI_REWIND_PASSWORD: password(),
    SERVERS_PASSWORD: password(),
  }
}

function databaseUrl(
  { ports }: Layout,
  { address }: Machine,
  secrets: Readonly<Record<string, string>>,
  which: 'primary' | 'replica' = 'primary',
): string {
  return `postgres://servers:${secrets.SERVERS_PASSWORD}@${address}:${ports[which]}/ledger`
}

/** The variables that differ between the servers of the machines. */
function serverEnvironment(layout: Layout, machine: Machine, secrets: Readonly<Record<string, string>>) {
  const { ports } = layout
  const { authority, patroni } = layout.paths(machine)
  return {
    HOST: layout.serverHost(machine),
    PORT: String(ports.server),
    METRICS_HOST: machine.address,
    METRICS_PORT: String(ports.metrics),
    DATABASE_URL: databaseUrl(layout, machine, secrets),
    READ_DATABASE_URL: databaseUrl(layout, machine, secrets, 'replica'),
    SERVER_URL: `https://${machine.address}:${ports.peer}`,
    SERVER_CA: authority,
    // People open one address, which stays valid while a machine is away.
    PUBLIC_URL: `https://${layout.machines[0]?.address}:${ports.clients}`,
    DATA_DIR: join(patroni, 'server'),
  }
}

/** Starts etcd and PostgreSQL; the first machine leads. Resolves when a standby has all that the primary has. */
async function startDatabases(layout: Layout, machines: readonly LocalMachine[], { say, signal }: ClusterOptions) {
  const [first, ...others] = machines
  if (!first) throw new Error('a layout has machines')
  const untilOrTail = (about: string, isDone: () => Promise<boolean>) =>
    untilOrShow(about, isDone, { machine: first, signal })
  for (const machine of machines) await machine.start('etcd')
  say('Starting PostgreSQL on the first machine.')
  await first.start('patroni')
  await untilOrTail('the first primary', () => isPrimary(layout, first.machine))
  say('Copying it to the others.')
  for (const machine of others) await machine.start('patroni')
  await untilOrTail('the first standbys', async () => {
    const members = await membersOf(layout)
    const ready = members.filter(({ state }) => state === 'running' || state === 'streaming')
    return ready.length === machines.length && members.some(({ role }) => role === 'sync_standby')
  })
  for (const machine of machines) await machine.start('haproxy')
}

/** Shows the logs of the machine where it does not happen. */
async function untilOrShow(
  about: string,
  isDone: () => Promise<boolean>,
  { machine, signal }: { readonly machine: LocalMachine; readonly signal: AbortSignal | undefined },
): Promise<void> {
  await until(about, isDone, { withinMs: LEADER_MS, signal }).catch(async (error: Error) => {
    const logs = ['etcd', 'patroni'].map((name) => tailOf(join(machine.folder, `${name}.log`)))
    throw new Error(`${error.message}\n${(await Promise.all(logs)).join('\n')}`)
  })
}

/** The proxies notice the primary within two seconds, and until then they take no connection. */
async function createLedger(adminUrl: string, password: string, signal: AbortSignal | undefined): Promise<void> {
  const deadlineMs = performance.now() + LEDGER_MS
  for (;;) {
    try {
      const db = await openPostgresDatabase(adminUrl, { maxConnections: 1 })
      try {
        await db.query(`create role servers login password '${password}'`)
        await db.query('create database ledger owner servers')
      } finally {
        await db.close()
      }
      return
    } catch (error) {
      if (performance.now() > deadlineMs) throw error
    }
    await wait(500, undefined, { signal })
  }
}

/** The data is thrown away, so nothing needs an orderly stop but the servers. */
async function endMachines(machines: readonly LocalMachine[]): Promise<void> {
  await Promise.all(machines.map((machine) => machine.signal('SIGCONT')))
  await Promise.all(machines.map((machine) => machine.stop('server')))
  await Promise.all(machines.map((machine) => machine.kill()))
}
