import { readFileSync, writeFileSync } from 'node:fs'
import { expectBooksBalanced } from '@clearwell/ledger/testing/database'
import { type Hex, parseEther } from 'viem'
import { mnemonicToAccount } from 'viem/accounts'
import { expect, test, vi } from 'vitest'
import { expectCustodyExact } from '../../platform/chain/testing/local-chain.ts'
import { newKey } from '../../testing/server.ts'
import type { OperatorWorld } from './operator-world.ts'
import { commandsOf } from './runbook.ts'

const OPERATOR = mnemonicToAccount('test test test test test test test test test test test junk')

/** Runs the commands of the runbooks as an operator does. The last ones raise alarms. */
export function testRunbooks(world: OperatorWorld): void {
  /** Runs a command. Its text is what it prints, faults included. */
  async function operator(...args: string[]): Promise<{ code: number; text: string }> {
    const { code, stdout, stderr } = await world.run(args)
    return { code, text: (stdout + stderr).trimEnd() }
  }

  async function payTreasury(): Promise<void> {
    await send({ to: world.server.custody.vault, value: parseEther('2') })
    await world.server.watcher.poll()
  }

  async function send(call: { to: Hex; data?: Hex; value?: bigint }): Promise<void> {
    const wallet = world.control.wallet(OPERATOR)
    await world.control.receipt(await wallet.sendTransaction({ ...call, account: OPERATOR, chain: wallet.chain }))
  }

  /** Waits until the server has signed; on PGlite the command runs while the server is stopped. */
  async function runOnceSigned(...args: string[]) {
    await vi.waitFor(
      async () => {
        const locked = await world.server.db.query(`select 1 from withdrawal_orders where status = 'locked'`)
        expect(locked).toEqual([])
      },
      { timeout: 30_000, interval: 20 },
    )
    await world.pause()
    const result = await operator(...args)
    await world.resume()
    return result
  }

  test("the runbook of the operator's money moves it in and out", async () => {
    const user = await world.server.newUser()
    await user.transferIn('USDT', '50')
    await user.activateByBalance()
    await payTreasury()

    await world.pause()
    const results = []
    const commands = commandsOf('move-operator-money')
    const isVoucher = (args: readonly string[]) => args[1] === 'voucher'
    for (const args of commands) if (!isVoucher(args)) results.push({ args, ...(await operator(...args)) })
    expect(results.filter(({ code }) => code !== 0)).toEqual([])
    expect(results.map(({ text }) => text)).toEqual(
      expect.arrayContaining([
        '0.5 BNB moved from treasury to insurance.',
        expect.stringMatching(/^10 BNB and [\d.]+ USDT removed from bnb-usdt\.$/),
        expect.stringMatching(/^4 BNB and [\d.]+ USDT added to bnb-usdt\.$/),
        expect.stringMatching(/^Dry run, nothing was changed/),
        expect.stringMatching(/^Order [0-9a-f]{32} pays 1\.5 BNB to 0xf39f/),
      ]),
    )
    expect(
      results
        .at(-1)
        ?.text.split('\n')
        .filter((line) => line.includes('pay the auditors')),
    ).toHaveLength(1)
    const [, orderId] = results.map(({ text }) => /^Order ([0-9a-f]{32}) pays 1\.5 BNB/.exec(text)).find(Boolean) ?? []
    await world.resume()

    const voucher = commands.find(isVoucher) ?? []
    const ofOrder = voucher.map((word) => (word === '<order>' ? (orderId ?? '') : word))
    const { to, calldata, ...order } = JSON.parse((await runOnceSigned(...ofOrder, '--json')).text)
    expect(order).toMatchObject({ order_id: orderId, amount: '1.5', asset: 'BNB', status: 'signed' })
    await send({ to, data: calldata })
    await world.server.watcher.poll()
    await world.pause()
    for (const args of commandsOf('replace-the-signer')) expect(await operator(...args)).toMatchObject({ code: 0 })
    await world.resume()
    await world.server.watcher.poll()
    const [paid] = await world.server.db.query('select status from withdrawal_orders where id = $1', [orderId])
    expect(paid).toEqual({ status: 'completed' })
    await expectBooksBalanced(world.server.db)
    await expectCustodyExact(world.server)
  }, 120_000)

  test('the runbook of a UID releases it for its owner', async () => {
    const [first, owner] = [await world.server.newUser(), await world.server.newUser()]
    for (const user of [first, owner]) {
      await user.transferIn('USDT', '10')
      await user.activateByBalance()
    }
    const link = (token: string) =>
      world.server.call('linkUid', { uid: '12345678', name: 'Name' }, { token, key: newKey() })
    expect((await link(first.token)).code).toBe(1)
    expect((await link(owner.token)).data).toMatchObject({ reason: 'uid_taken' })
    await world.pause()
    const texts = []
    for (const args of commandsOf('release-a-uid')) {
      const { code, text } = await operator(...args)
      expect(code).toBe(0)
      texts.push(text)
    }
    expect(texts[0]).toMatch(/^Dry run, nothing was changed[\s\S]*The UID 12345678 leaves the account 0x/)
    expect(texts[1]).toMatch(/^The UID 12345678 leaves the account 0x/)
    expect((await operator('actions')).text).toContain('release_uid')
    await world.resume()
    expect(await link(owner.token)).toMatchObject({ code: 1, data: { uid: '12345678' } })
    expect((await world.server.ok('richOverview', {}, { token: first.token })).uid).toBeNull()
  }, 60_000)

  test('the runbook of a freeze stops an account and lets it go', async () => {
    const user = await world.server.newUser()
    await user.transferIn('USDT', '50')
    const commands = commandsOf('freeze-an-account').map((args) =>
      args.map((word) => (/^0x[0-9a-fA-F]{40}$/.test(word) ? user.account.address : word)),
    )
    const unfreeze = commands.pop() ?? []
    await world.pause()
    const texts = []
    for (const args of commands) texts.push((await operator(...args)).text)
    await world.resume()
    expect(texts[0]).toMatch(/^Dry run, nothing was changed[\s\S]* is frozen until /)
    expect(texts.slice(1)).toEqual([
      expect.stringMatching(/^0x[0-9a-f]{40} is frozen until /),
      expect.stringMatching(/^Every session of /),
    ])
    const sell = async () => {
      const { nonceStr } = await world.server.ok('getNonce', { address: user.account.address })
      const signature = await user.account.signMessage({ message: nonceStr })
      const { token } = await world.server.ok('login', { address: user.account.address, signature })
      return world.server.call('sell', { asset: 'USDT', amount: '20' }, { token, key: newKey() })
    }
    expect(await sell()).toMatchObject({ code: 20017, data: { reason: 'frozen' } })
    await world.pause()
    expect(await operator(...unfreeze)).toMatchObject({ code: 0, text: `${user.id} is free again.` })
    expect((await operator('actions')).text).toContain('unfreeze_account')
    await world.resume()
    expect((await sell()).code).toBe(1)
  }, 60_000)

  test('the runbook of the watcher recovers from a deep reorganisation', async () => {
    const user = await world.server.newUser()
    await user.transferIn('USDT', '50')
    const { number } = await world.control.client.getBlock()
    await user.transferIn('BNB', '2')
    const head = await world.control.client.getBlock()
    await world.control.reorg(Number(head.number - number))
    await world.control.mine(3)
    for (let look = 0; look < 2; look++) await world.server.watcher.poll()
    expect(world.server.watcher.halted).toBeDefined()

    await world.pause()
    const [status, dryRun, rewind] = commandsOf('recover-the-watcher').map((args) =>
      args.map((word) => (word === '1200' ? String(number) : word)),
    ) as [string[], string[], string[]]
    expect(await operator(...status)).toMatchObject({ code: 1, text: expect.stringContaining('the watcher halts') })
    expect((await operator(...dryRun)).text).toMatch(/^Dry run, nothing was changed.*\n.*1 credits taken back/)
    expect(await operator(...rewind)).toMatchObject({ code: 0, text: expect.stringContaining('1 credits taken back') })
    await world.resume()
    await world.server.watcher.poll()
    await world.server.watcher.poll()
    expect(world.server.watcher.halted).toBeUndefined()
    const balances = await world.server.ok('balances', {}, { token: user.token })
    const availableOf = (asset: string) => balances.find((each) => each.asset === asset)?.available
    expect([availableOf('USDT'), availableOf('BNB')]).toEqual(['50', '0'])
    await world.pause()
    for (const args of commandsOf('recover-the-watcher').slice(3))
      expect(await operator(...args)).toMatchObject({ code: 0 })
    await world.resume()
    await expectBooksBalanced(world.server.db)
    await expectCustodyExact(world.server)
  }, 120_000)

  test('the runbook that opens a pool needs no restart', async () => {
    await payTreasury()
    await world.pause()
    const config = JSON.parse(readFileSync(world.configFile, 'utf8'))
    config.swap.pools.push({ id: 'rt-bnb', base: 'RT', quote: 'BNB', initialBase: '1000', initialQuote: '1' })
    writeFileSync(world.configFile, JSON.stringify(config))
    const results = []
    for (const args of commandsOf('open-a-pool')) results.push(await operator(...args))
    expect(results).toEqual([
      { code: 0, text: expect.stringMatching(/^Dry run, nothing was changed/) },
      { code: 0, text: 'rt-bnb is open.' },
      { code: 0, text: expect.stringMatching(/^rt-bnb {2}trades$/m) },
    ])
    await world.resume()
    const pair = await vi.waitFor(
      async () => {
        const found = (await world.server.ok('pairs', {})).find(({ id }) => id === 'rt-bnb')
        expect(found).toBeDefined()
        return found
      },
      { timeout: 30_000, interval: 50 },
    )
    expect(pair).toMatchObject({ reserve_base: '1000', reserve_quote: '1', suspended: false })
    await expectBooksBalanced(world.server.db)
    await expectCustodyExact(world.server)
  }, 60_000)

  test('the runbook of a suspended pool stops and resumes its swaps', async () => {
    await world.pause()
    const [list = [], suspend = [], resume = []] = commandsOf('suspend-a-pool')
    expect(await operator(...suspend)).toEqual({ code: 0, text: 'bnb-usdt is suspended.' })
    await world.resume()
    const quote = { pool_id: 'bnb-usdt', amount: '1', inverse: 0 } as const
    expect(await world.server.call('getQuote', quote)).toMatchObject({ code: 20005, data: { reason: 'operator' } })
    await world.pause()
    expect(await operator(...resume)).toEqual({ code: 0, text: 'bnb-usdt is resumed.' })
    expect((await operator(...list)).text).toMatch(/^bnb-usdt {2}trades$/m)
    await world.resume()
    expect(await world.server.call('getQuote', quote)).toMatchObject({ code: 1 })
  }, 60_000)

  test('the commands of the page of alerts respond', async () => {
    await world.pause()
    const commands = commandsOf('respond-to-alerts')
    expect(commands.map((args) => args.join(' '))).toEqual(['alarms', 'breaker', 'reconcile', 'watcher status'])
    // The runbook of the watcher has left a critical alarm.
    for (const args of commands) expect(await operator(...args)).toMatchObject({ code: args[0] === 'alarms' ? 1 : 0 })
  }, 60_000)
}
