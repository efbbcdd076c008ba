import { afterAll, beforeAll } from 'vitest'
import { controlChain, localConfigFile } from '../../platform/chain/testing/local-chain.ts'
import { startTestServer, type TestServer } from '../../testing/server.ts'
import { type CommandResult, runInEnvironment } from './run-in-environment.ts'

/** A command can run beside a server only on a database that more than one process can open. */
export const isBeside = process.env.TEST_DATABASE === 'postgres'

/** A server and its operator. The watcher reads blocks only when a test calls it. */
export interface OperatorWorld {
  readonly server: TestServer
  readonly control: ReturnType<typeof controlChain>
  readonly configFile: string
  /** The environment of a command. */
  variables(): Record<string, string>
  /** Runs a command as the operator does: beside the server on PostgreSQL, after stopping it on PGlite. */
  operator(...args: string[]): Promise<CommandResult>
  /** Runs a command with further variables, and leaves the server as it is. */
  run(args: readonly string[], more?: Readonly<Record<string, string>>): Promise<CommandResult>
  /** Stops the server on PGlite, where a command needs its place. */
  pause(): Promise<void>
  /** Starts the server again where it was stopped. */
  resume(): Promise<void>
  /** @param changes of the server's environment, which the commands get too. */
  restart(changes?: Readonly<Record<string, string>>): Promise<void>
}

/**
 * Starts a server before the tests of a file, which share it and its operator.
 *
 * @returns the world, to be used only inside tests and hooks.
 */
export function shareOperatorWorld(): OperatorWorld {
  let file: Awaited<ReturnType<typeof localConfigFile>>
  let server: TestServer
  let control: ReturnType<typeof controlChain>
  let isStopped = false
  let changed: Readonly<Record<string, string>> = {}
  const connect = () => {
    control = controlChain({ rpcUrl: server.rpcUrl, chainId: server.config.chain.id })
  }
  beforeAll(async () => {
    file = await localConfigFile((config) => Object.assign(config.chain, { pollMs: 3_600_000 }))
    server = await startTestServer({ CONFIG_FILE: file.path })
    connect()
  })
  afterAll(async () => {
    await server.destroy()
    await file.remove()
  })
  const world: OperatorWorld = {
    get server() {
      return server
    },
    get control() {
      return control
    },
    get configFile() {
      return file.path
    },
    variables: () => ({
      PROFILE: 'local',
      DATA_DIR: server.config.env.dataDir,
      CONFIG_FILE: file.path,
      CHAIN_PORT: '0',
      DATABASE_URL: server.config.env.databaseUrl ?? '',
      CHAIN_RPC_URL: isBeside ? server.rpcUrl : '',
      ...changed,
    }),
    async operator(...args) {
      await world.pause()
      return world.run(args)
    },
    run: (args, more = {}) => runInEnvironment({ ...world.variables(), ...more }, args),
    async pause() {
      if (isBeside || isStopped) return
      await server.stop()
      isStopped = true
    },
    async resume() {
      if (isStopped) await world.restart()
    },
    async restart(changes = {}) {
      changed = { ...changed, ...changes }
      server = await server.restart(changes)
      isStopped = false
      connect()
    },
  }
  return world
}
