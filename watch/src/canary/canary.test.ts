import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describeMove } from '@clearwell/exit-kit/src/describe-move.ts'
import { createKit } from '@clearwell/exit-kit/src/kit.ts'
import { type Hex, keccak256, parseEther, stringToHex, verifyMessage } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type CanaryLook, lookOnce } from './canary.ts'
import { type CanarySettings, readCanarySettings } from './canary-settings.ts'
import { type CanaryStore, openCanaryStore } from './canary-store.ts'
import { CANARY, type CanaryWorld, openCanaryWorld } from './testing/canary-world.ts'

const DAY_S = 86_400
const PATIENCE_MS = 120_000

let world: CanaryWorld
let folder: string
let settings: CanarySettings
/** Each look opens the folder again, as after a kill. */
let store: CanaryStore
beforeAll(async () => {
  world = await openCanaryWorld()
  folder = await mkdtemp(join(tmpdir(), 'clearwell-canary-'))
  const args = [
    ...['--node', 'http://127.0.0.1:9', '--node', world.rpcUrl, '--vault', world.vault, '--chain', '31337'],
    ...['--bookkeeper', world.bookkeeperUrl, '--folder', folder, '--confirmations', '0'],
    ...['--deposit', 'BNB=0.25', '--deposit', `${world.tokens.USDT}=40`],
  ]
  settings = readCanarySettings(args, { CANARY_PRIVATE_KEY: `0x${'ca'.repeat(32)}` }) as CanarySettings
  await world.post()
}, PATIENCE_MS)
afterAll(async () => {
  await world.stop()
  await rm(folder, { recursive: true })
})

class Killed extends Error {}

/** One look of a new process. @param writes the process is killed after so many writes */
async function look(writes = Number.POSITIVE_INFINITY): Promise<CanaryLook['step'] | 'killed' | string> {
  const opened = await openCanaryStore(folder)
  let left = writes
  const counted =
    <Args extends unknown[]>(write: (...args: Args) => Promise<void>) =>
    async (...args: Args) => {
      await write(...args)
      left -= 1
      if (left === 0) throw new Killed()
    }
  store = {
    ...{ lines: opened.lines, close: opened.close },
    get state() {
      return opened.state
    },
    save: counted(opened.save),
    append: counted(opened.append),
  }
  try {
    const { step, why } = await lookOnce({ settings, account: CANARY, store })
    return why ?? step
  } catch (error) {
    if (error instanceof Killed) return 'killed'
    throw error
  } finally {
    await opened.close()
  }
}

/** Looks until there is nothing to do, or a fault stays. @returns the steps */
async function rest(writes?: number): Promise<string[]> {
  const steps: string[] = []
  for (let looks = 0; looks < 60; looks++) {
    const step = await look(writes)
    const isRepeated = step.includes(' ') && step === steps.at(-1)
    if (!isRepeated) steps.push(step)
    if (step === 'wait' || isRepeated) return steps.filter((each) => !['settling', 'killed'].includes(each))
  }
  throw new Error(`it does not come to rest: ${steps.join(', ')}`)
}

const lines = () => store.lines.map((line) => JSON.parse(line))

test(
  'it deposits, asks once a path has the deposit, and waits',
  async () => {
    expect(await rest()).toEqual(['deposit', 'approve', 'deposit', 'wait'])
    await world.post()
    // A bookkeeper gives one new path an hour.
    await world.forward(3_600)
    expect(await rest()).toEqual(['request', 'wait'])
    expect(await world.counts()).toEqual({ Deposited: 2, ExitRequested: 1, Exited: 0, ExitCancelled: 0 })
  },
  PATIENCE_MS,
)

test(
  'it is paid to the unit without server and bookkeeper',
  async () => {
    await world.forward(3 * DAY_S)
    const base = await world.post()
    await world.forward(3 * DAY_S + 60)
    expect(await rest()).toEqual(['wait'])
    // A root after the cut is not the base.
    await world.post()
    world.faults.isAway = true
    await world.forward(DAY_S)
    // No root is posted, so the vault takes no money.
    expect(await rest()).toEqual(['finish', 'finish', 'cancel', 'deposit: the vault refuses: NotFresh'])
    const paid = lines().filter(({ what }) => what === 'finish')
    expect(paid.map(({ header, amount, received, outcome }) => [header, amount, received, outcome])).toEqual([
      [base, `${parseEther('0.25')}`, `${parseEther('0.25')}`, 'done'],
      [base, `${parseEther('40')}`, `${parseEther('40')}`, 'done'],
    ])
    expect((await world.units()).USDT).toBe(parseEther('50'))
  },
  PATIENCE_MS,
)

test(
  'killed after each write it does nothing twice',
  async () => {
    world.faults.isAway = false
    const round = async (seconds: number) => {
      if (seconds > 0) await world.forward(seconds)
      await world.post()
      await rest(1)
    }
    await round(0)
    await round(3_600)
    expect(await world.counts()).toEqual({ Deposited: 4, ExitRequested: 2, Exited: 2, ExitCancelled: 1 })
    await round(DAY_S)
    await round(5 * DAY_S + 60)
    // A lost state: the roots and the path of the base are read again.
    await rm(join(folder, 'state.json'))
    await round(DAY_S)
    expect(await world.counts()).toEqual({ Deposited: 6, ExitRequested: 2, Exited: 4, ExitCancelled: 2 })
    expect((await world.units()).USDT).toBe(parseEther('10'))
    const done = lines().filter(({ outcome }) => outcome === 'done')
    expect(new Set(done.map(({ tx }) => tx)).size).toBe(done.length)
    const counted = Object.entries(Object.groupBy(done, ({ what }) => what)).map(([what, all]) => [what, all?.length])
    expect(Object.fromEntries(counted)).toEqual({ approve: 3, deposit: 6, request: 2, finish: 4, cancel: 2 })
    expect(lines().filter(({ outcome }) => outcome === 'failed')).toEqual([])
  },
  PATIENCE_MS,
)

test(
  'it asks for no exit by a path with too little',
  async () => {
    world.faults.takes = 1n
    await world.forward(3_600)
    const number = await world.post()
    const [fault] = await rest()
    expect(fault).toBe(
      `leaf_too_small: 0x${'0'.repeat(40)}: ${parseEther('0.25') - 1n} of ${parseEther('0.25')} in header ${number}`,
    )
    world.faults.isAway = true
    await world.forward(3_600)
    await world.post()
    // Its path is of an older root now.
    expect((await rest())[0]).toContain('20009 not found')
    expect(await world.counts()).toMatchObject({ ExitRequested: 2 })
  },
  PATIENCE_MS,
)

/** The kit with this account, after it has read a vault. @returns what it says about a move */
async function askKit(vault: string) {
  const kit = createKit('en', () => {})
  await kit.setField('account', CANARY.address)
  await kit.setField('chainId', '31337')
  kit.chooseNode(world.rpcUrl)
  await kit.useVault(vault)
  const { reading } = kit.state
  if (typeof reading !== 'object' || reading.kind !== 'read') throw new Error(`the kit read nothing: ${reading}`)
  return describeMove(reading.vault)
}

test(
  'after a move it leaves the old vault, then the new one',
  async () => {
    Object.assign(world.faults, { isAway: false, takes: 0n })
    const next = (await world.deployNext()).toLowerCase() as Hex
    await world.announce(next)
    await world.forward(8 * DAY_S)
    await world.post()
    expect([await rest(), await askKit(world.vault)]).toEqual([['request', 'wait'], undefined])
    await world.forward(5 * DAY_S)
    await world.post()
    await rest()
    await world.forward(2 * DAY_S + 60)
    // The USDT of the ledger move while the exit is open. The old vault pays as far as it holds money.
    await world.payNext(next, { token: world.tokens.USDT, units: parseEther('40') })
    world.vaults.push(next)
    await world.post()
    const requestedAt = expect.any(Number)
    expect(await askKit(world.vault)).toEqual({ kind: 'open', vault: next })
    expect(await askKit(next)).toEqual({ kind: 'earlier', vault: world.vault.toLowerCase(), requestedAt })
    expect(await rest()).toEqual([
      ...['finish', 'cancel'],
      `vault_moved: this vault takes no deposit any more: set ${next} as --vault behind it`,
    ])
    expect(await askKit(world.vault)).toEqual({ kind: 'none', vault: next })

    settings = { ...settings, vaults: [settings.vaults[0], next] }
    await world.post()
    // The ledger has taken the USDT along, so only BNB is deposited.
    expect(await rest()).toEqual(['deposit', 'wait'])
    await world.forward(3_600)
    await world.post()
    expect(await rest()).toEqual(['request', 'wait'])
    await world.forward(5 * DAY_S)
    const base = await world.post()
    await rest()
    await world.forward(2 * DAY_S + 60)
    expect((await rest()).slice(0, 3)).toEqual(['finish', 'finish', 'cancel'])
    const paid = lines().filter(({ what, header }) => what === 'finish' && header === base)
    expect(paid.map(({ received, outcome }) => [received, outcome])).toEqual([
      [`${parseEther('0.25')}`, 'done'],
      [`${parseEther('40')}`, 'done'],
    ])
  },
  PATIENCE_MS,
)

test('each line of the record is signed and names the one before', async () => {
  expect(store.lines.length).toBeGreaterThan(10)
  for (const [i, text] of store.lines.entries()) {
    const { signature, ...line } = JSON.parse(text)
    const before = store.lines[i - 1]
    expect(line.previous).toBe(before === undefined ? null : keccak256(stringToHex(before)))
    expect(await verifyMessage({ address: CANARY.address, message: JSON.stringify(line), signature })).toBe(true)
  }
})
