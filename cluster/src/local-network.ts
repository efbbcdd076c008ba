import { execFile } from 'node:child_process'
import { createServer } from 'node:net'
import { promisify } from 'node:util'
import type { Machine } from './layout.ts'

const run = promisify(execFile)

/** Where the machines of a local cluster are. */
export interface LocalNetwork {
  readonly prefix: string
  /** The address of this process, at which the machines reach the chain. */
  readonly own: string
  namespaceOf(machine: Machine): string | undefined
  /** Nothing reaches the machine any more, and nothing leaves it; no connection is closed. Only between namespaces. */
  cut(machine: Machine): Promise<void>
  heal(machine: Machine): Promise<void>
  remove(): Promise<void>
}

/** Loopback addresses of their own. They need no rights, but cannot be cut. @param port one that every cluster takes. */
export async function loopbackNetwork(port: number): Promise<LocalNetwork> {
  for (let number = 0; number < 250; number++) {
    const prefix = `127.77.${number}`
    if (!(await isFree(`${prefix}.11`, port))) continue
    const cut = async () => {
      throw new Error('loopback addresses cannot be cut')
    }
    return { prefix, own: '127.0.0.1', namespaceOf: () => undefined, cut, heal: cut, remove: async () => {} }
  }
  throw new Error('every network of loopback addresses is taken')
}

function isFree(address: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen(port, address, () => server.close(() => resolve(true)))
  })
}

/** Says why this machine cannot have network namespaces, if so. */
export async function whyNoNamespaces(): Promise<string | undefined> {
  if (process.getuid?.() !== 0) return 'network namespaces need root'
  try {
    await run('unshare', ['--net', 'true'])
    return undefined
  } catch (error) {
    return `no network namespace can be made: ${(error as Error).message.split('\n')[0]}`
  }
}

/** A network namespace for each machine, and a bridge between them. */
export async function namespaceNetwork(names: readonly string[]): Promise<LocalNetwork> {
  const tag = `cw${process.pid.toString(36)}`
  const bridge = `${tag}b`
  const ip = (...args: string[]) => run('ip', args)
  const prefix = await freePrefix()
  const numberOf = (machine: { readonly name: string }) => names.indexOf(machine.name) + 1
  const namespaceOf = (machine: { readonly name: string }) => `${tag}-${numberOf(machine)}`
  const cableOf = (machine: { readonly name: string }) => `${tag}v${numberOf(machine)}`
  const made: string[] = []
  const remove = async () => {
    for (const each of made.splice(0).reverse()) await ip('netns', 'del', each).catch(() => {})
    await ip('link', 'del', bridge).catch(() => {})
  }
  try {
    await ip('link', 'add', bridge, 'type', 'bridge')
    await ip('addr', 'add', `${prefix}.1/24`, 'dev', bridge)
    await ip('link', 'set', bridge, 'up')
    for (const [index, name] of names.entries()) {
      const [namespace, cable] = [namespaceOf({ name }), cableOf({ name })]
      await ip('netns', 'add', namespace)
      made.push(namespace)
      await ip('link', 'add', cable, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', namespace)
      await ip('link', 'set', cable, 'master', bridge, 'up')
      const inside = ['-n', namespace]
      await ip(...inside, 'addr', 'add', `${prefix}.${11 + index}/24`, 'dev', 'eth0')
      for (const device of ['lo', 'eth0']) await ip(...inside, 'link', 'set', device, 'up')
    }
  } catch (error) {
    await remove()
    throw error
  }
  return {
    prefix,
    own: `${prefix}.1`,
    namespaceOf,
    cut: async (machine) => void (await ip('link', 'set', cableOf(machine), 'down')),
    heal: async (machine) => void (await ip('link', 'set', cableOf(machine), 'up')),
    remove,
  }
}

async function freePrefix(): Promise<string> {
  const { stdout } = await run('ip', ['-4', '-o', 'addr'])
  for (let number = 77; number < 250; number++) if (!stdout.includes(` 10.77.${number}.`)) return `10.77.${number}`
  throw new Error('every network of namespaces is taken')
}
