import { createHash } from 'node:crypto'
import { createPublicClient, createWalletClient, getAddress, hashMessage, http } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { localConfigFile } from '../../platform/chain/testing/local-chain.ts'
import { endExact, startTestServer, type TestServer } from '../../testing/server.ts'
import { sessionSteps } from './testing/session-steps.ts'
import { testEmptyAccounts } from './testing/test-empty-accounts.ts'
import { testOpenMessages } from './testing/test-open-messages.ts'

const WEEK_S = 7 * 24 * 3600

let server: TestServer
let file: Awaited<ReturnType<typeof localConfigFile>>
beforeAll(async () => {
  // The watcher polls only on request, so that a payment can stay unconfirmed.
  file = await localConfigFile((config) => Object.assign(config.chain, { pollMs: 3_600_000 }))
  server = await startTestServer({ CONFIG_FILE: file.path })
})
afterAll(() => endExact(server, { file }))

const { newWallet, nonceFor, logIn, signIn, userinfo } = sessionSteps(() => server)

describe('the message to sign', () => {
  test('the message to sign is the exact EIP-4361 text', async () => {
    const { address } = newWallet()
    const message = await nonceFor(address.toLowerCase())
    const [row] = await server.db.query<{ nonce: string; issued_at: Date; expires_at: Date }>(
      'select nonce, issued_at, expires_at from login_nonces where user_id = $1',
      [address.toLowerCase()],
    )
    if (!row) throw new Error('the nonce was not kept')
    expect(row.nonce).toMatch(/^[0-9a-f]{32}$/)
    // Source: the ABNF of EIP-4361, filled in by hand.
    expect(message).toBe(
      `${new URL(server.url).host} wants you to sign in with your Ethereum account:\n${getAddress(address)}\n\n` +
        'Sign in to Clearwell. This signature only proves that this wallet is yours: it moves no money and approves nothing.\n\n' +
        `URI: ${server.url}\nVersion: 1\nChain ID: 31337\nNonce: ${row.nonce}\n` +
        `Issued At: ${row.issued_at.toISOString()}\nExpiration Time: ${row.expires_at.toISOString()}`,
    )
    expect(row.expires_at.getTime() - row.issued_at.getTime()).toBe(300_000)
  })

  test("a message is refused for the operator's address", async () => {
    const address = getAddress(server.custody.operator)
    const refused = { status: 200, code: 20013, data: { reason: 'Address belongs to the operator' } }
    expect(await server.call('getNonce', { address })).toMatchObject(refused)
    expect(await logIn(address, '0x00')).toMatchObject(refused)
  })

  test.each([
    ['too short', '0x1234', 'Address must be a hex value of 20 bytes (40 hex characters)'],
    [
      'without 0x',
      'd8da6bf26964af9d7eed9e03e53415d37aa96045',
      'Address must be a hex value of 20 bytes (40 hex characters)',
    ],
    ['not hex', `0x${'g'.repeat(40)}`, 'Address must be a hex value of 20 bytes (40 hex characters)'],
    ['empty', '', 'Address must be a hex value of 20 bytes (40 hex characters)'],
    [
      'of mixed case against its checksum',
      '0xD8da6bf26964af9d7eed9e03e53415d37aa96045',
      'Address must match its checksum counterpart',
    ],
  ])('a message is refused for an address that is %s', async (_name, address, reason) => {
    expect(await server.call('getNonce', { address })).toMatchObject({ status: 200, code: 20013, data: { reason } })
    expect(await logIn(address, '0x00')).toMatchObject({ status: 200, code: 20013, data: { reason } })
  })

  test.each([
    ['in lower case', '0xd8da6bf26964af9d7eed9e03e53415d37aa96045'],
    ['in upper case', '0xD8DA6BF26964AF9D7EED9E03E53415D37AA96045'],
    ['with its checksum', '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045'],
  ])('a message names the checksummed address of one written %s', async (_name, address) => {
    expect((await nonceFor(address)).split('\n')[1]).toBe('0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045')
  })
})

describe('signing in', () => {
  test('signing the message gives a token and the user', async () => {
    const wallet = newWallet()
    const { token, user } = await signIn(wallet)
    expect(user).toMatchObject({
      id: wallet.address.toLowerCase(),
      address: wallet.address,
      activated: false,
      parent: null,
    })
    expect(user.invite_code).toMatch(/^[2-9A-HJKMNP-Z]{8}$/)
    expect(await userinfo(token)).toMatchObject({ code: 1, data: user })
  })

  test('a second sign-in gives the same user another token', async () => {
    const wallet = newWallet()
    const first = await signIn(wallet)
    const second = await signIn(wallet)
    expect(second.user).toEqual(first.user)
    expect(second.token).not.toBe(first.token)
    expect((await userinfo(first.token)).code).toBe(1)
  })

  test("a signature by another wallet's key is refused", async () => {
    const [wallet, thief] = [newWallet(), newWallet()]
    const signature = await thief.signMessage({ message: await nonceFor(wallet.address) })
    expect(await logIn(wallet.address, signature)).toMatchObject({ status: 200, code: 20012, msg: 'signature failed' })
  })

  test("another address's message and signature are refused for both addresses", async () => {
    const [wallet, other] = [newWallet(), newWallet()]
    await nonceFor(wallet.address)
    const signature = await other.signMessage({ message: await nonceFor(wallet.address) })
    const own = await other.signMessage({ message: await nonceFor(other.address) })
    expect((await logIn(wallet.address, own)).code).toBe(20012)
    expect((await logIn(other.address, signature)).code).toBe(20012)
  })

  test.each([
    ['empty', ''],
    ['longer than any code', 'A'.repeat(65)],
    ['no hex', 'signature'],
    ['half a byte', '0x123'],
    ['one byte', '0x00'],
    ['65 bytes of nothing', `0x${'00'.repeat(65)}`],
    ['a wrapped ERC-6492 signature of nothing', `0x${'6492'.repeat(16)}`],
    ['a wrapped ERC-8010 signature of nothing', `0x${'8010'.repeat(16)}`],
    ['8 kB', `0x${'ab'.repeat(8000)}`],
  ])('a signature that is %s is refused', async (_name, signature) => {
    const { address } = newWallet()
    await nonceFor(address)
    expect((await logIn(address, signature)).code).toBe(20012)
  })

  test('signing in without requesting a message is refused', async () => {
    const wallet = newWallet()
    const signature = await wallet.signMessage({ message: 'hello' })
    expect((await logIn(wallet.address, signature)).code).toBe(20012)
  })

  test('concurrent sign-ins with one message succeed once', async () => {
    const wallet = newWallet()
    const signature = await wallet.signMessage({ message: await nonceFor(wallet.address) })
    const replies = await Promise.all([logIn(wallet.address, signature), logIn(wallet.address, signature)])
    expect(replies.map((reply) => reply.code).sort()).toEqual([1, 20012])
    expect((await logIn(wallet.address, signature)).code).toBe(20012)
  })

  test('a message works until five minutes after its issue', async () => {
    const wallet = newWallet()
    const signed = async () => wallet.signMessage({ message: await nonceFor(wallet.address) })
    const inTime = await signed()
    await server.ok('localAdvance', { seconds: 290 })
    expect((await logIn(wallet.address, inTime)).code).toBe(1)
    const late = await signed()
    await server.ok('localAdvance', { seconds: 300 })
    expect((await logIn(wallet.address, late)).code).toBe(20012)
  })

  test("a smart-contract wallet's signature is judged by its contract (ERC-1271)", async () => {
    const wallet = await deployContractWallet()
    const message = await nonceFor(wallet)
    expect((await logIn(wallet, hashMessage('another message'))).code).toBe(20012)
    const reply = await logIn(wallet, hashMessage(message))
    expect(reply).toMatchObject({ code: 1, data: { user: { id: wallet.toLowerCase() } } })
  })
})

describe('open messages', () => testOpenMessages(() => server))

describe("the inviter's code", () => {
  test("an inviter's code in any letter case sets the parent", async () => {
    const inviter = await signIn(newWallet())
    const { user, token } = await signIn(newWallet(), inviter.user.invite_code.toLowerCase())
    const shortened = `${inviter.user.address.slice(0, 6)}…${inviter.user.address.slice(-4)}`
    expect(user.parent).toBe(shortened)
    expect((await userinfo(token)).data.parent).toBe(shortened)
  })

  test("an inviter's code is ignored at a later login", async () => {
    const [first, second] = [await signIn(newWallet()), await signIn(newWallet())]
    const [orphan, child] = [newWallet(), newWallet()]
    await signIn(orphan)
    expect((await signIn(orphan, first.user.invite_code)).user.parent).toBeNull()
    const { user } = await signIn(child, first.user.invite_code)
    expect((await signIn(child, second.user.invite_code)).user.parent).toBe(user.parent)
  })

  test("an inviter's code is ignored for its owner", async () => {
    const wallet = newWallet()
    const { user } = await signIn(wallet)
    expect((await signIn(wallet, user.invite_code)).user.parent).toBeNull()
    const [row] = await server.db.query('select parent_id from users where id = $1', [user.id])
    expect(row).toEqual({ parent_id: null })
  })

  test('the code of a lead closes no circle', async () => {
    const [top, lead, last] = [newWallet(), newWallet(), newWallet()]
    const { user } = await signIn(top)
    const { user: child } = await signIn(lead, user.invite_code)
    const { user: grandchild } = await signIn(last, child.invite_code)
    for (const pid of [child.invite_code, grandchild.invite_code])
      expect((await signIn(top, pid)).user.parent).toBeNull()
    expect((await signIn(lead, grandchild.invite_code)).user.parent).toBe(child.parent)
  })

  test.each([
    ['unknown', 'ZZZZZZZZ'],
    ['empty', ''],
    ['no code at all', "'; drop table users; --"],
    ['a letter whose upper case is longer', 'ß'.repeat(64)],
    ['a character that PostgreSQL cannot keep', 'A\u0000B'],
    ['half a character', '\ud800'],
  ])("an inviter's code is ignored when it is %s", async (_name, pid) => {
    expect((await signIn(newWallet(), pid)).user.parent).toBeNull()
  })
})

describe('a token', () => {
  test('a token is stored as a hash only', async () => {
    const { token, user } = await signIn(newWallet())
    const rows = await server.db.query<{ token_hash: string }>('select * from sessions where user_id = $1', [user.id])
    expect(rows).toHaveLength(1)
    expect(rows[0]?.token_hash).toBe(createHash('sha256').update(token).digest('hex'))
    expect(JSON.stringify(rows)).not.toContain(token)
  })

  test.each([
    ['missing', undefined],
    ['unknown', 'x'.repeat(43)],
    ['empty', ''],
    ['very long', 'x'.repeat(5000)],
    ['something else', "' or 1=1 --"],
  ])('a token that is %s gets 10001', async (_name, token) => {
    const reply = await userinfo(token)
    expect(reply).toMatchObject({ status: 200, code: 10001, msg: 'Please sign in again', data: {} })
  })

  test('the stored hash of a token gets 10001', async () => {
    const { token } = await signIn(newWallet())
    expect((await userinfo(createHash('sha256').update(token).digest('hex'))).code).toBe(10001)
  })

  test('logging out revokes that token only', async () => {
    const wallet = newWallet()
    const [first, second] = [await signIn(wallet), await signIn(wallet)]
    expect(await server.call('logout', {}, { token: first.token })).toMatchObject({ code: 1, data: {} })
    expect((await userinfo(first.token)).code).toBe(10001)
    expect((await server.call('logout', {}, { token: first.token })).code).toBe(10001)
    expect((await userinfo(second.token)).code).toBe(1)
  })

  test('a token expires after seven days without use', async () => {
    const { token } = await signIn(newWallet())
    await server.ok('localAdvance', { seconds: WEEK_S })
    expect((await userinfo(token)).code).toBe(10001)
  })

  test('a used token lasts until the seventh day after its last use', async () => {
    const { token } = await signIn(newWallet())
    for (let week = 0; week < 3; week++) {
      await server.ok('localAdvance', { seconds: WEEK_S - 120 })
      expect((await userinfo(token)).code).toBe(1)
    }
    await server.ok('localAdvance', { seconds: WEEK_S })
    expect((await userinfo(token)).code).toBe(10001)
  })
})

describe('the deletion of empty accounts', () => testEmptyAccounts(() => server))

/**
 * A contract wallet whose `isValidSignature(hash, signature)` accepts exactly the hash itself as its signature.
 * `PUSH1 4 CALLDATALOAD PUSH1 100 CALLDATALOAD EQ PUSH4 1626ba7e MUL PUSH1 e0 SHL PUSH1 0 MSTORE PUSH1 32 PUSH1 0 RETURN`
 */
async function deployContractWallet(): Promise<`0x${string}`> {
  const runtime = '600435606435146316 26ba7e0260e01b60005260206000f3'.replaceAll(' ', '')
  const size = (runtime.length / 2).toString(16).padStart(2, '0')
  // PUSH1 size, DUP1, PUSH1 9, PUSH0, CODECOPY, PUSH0, RETURN.
  const deployer = `60${size}8060095f395ff3`
  const { account } = await server.newUser()
  const wallet = createWalletClient({ account, transport: http(server.rpcUrl) })
  const hash = await wallet.sendTransaction({ chain: null, data: `0x${deployer}${runtime}` })
  const client = createPublicClient({ transport: http(server.rpcUrl), pollingInterval: 20 })
  const { contractAddress } = await client.waitForTransactionReceipt({ hash, checkReplacement: false })
  if (!contractAddress) throw new Error('the contract wallet was not deployed')
  return contractAddress
}
