import {
  type Address,
  createPublicClient,
  custom,
  decodeFunctionData,
  domainSeparator,
  encodeFunctionResult,
  erc20Abi,
  type Hex,
  parseAbi,
} from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { beforeEach, expect, test } from 'vitest'
import { checkedPermit, permitToSign, readPermitDomain } from './permit.ts'

const owner = privateKeyToAccount(`0x${'1'.repeat(64)}`)
const token: Address = '0xe7f1725E7734CE288F8367e1Bb143E90bb3F0512'
const vault: Address = '0x5FbDB2315678afecb367f032d93F642f64180aa3'
const chainId = 31337
const DAI_TYPEHASH = '0xea2aa0a1be11a07ed86d755c93467f4f82362b452371d1ba94d1715123511acb'

const abi = [
  ...erc20Abi,
  ...parseAbi([
    'function DOMAIN_SEPARATOR() view returns (bytes32)',
    'function PERMIT_TYPEHASH() view returns (bytes32)',
    'function nonces(address owner) view returns (uint256)',
    'function eip712Domain() view returns (bytes1 fields, string name, string version, uint256 chainId, address verifyingContract, bytes32 salt, uint256[] extensions)',
  ]),
]

const domain = { name: 'Token', version: '1', chainId, verifyingContract: token }
const zero = `0x${'0'.repeat(64)}` as const
const stated = (change: Partial<typeof domain & { fields: Hex; extensions: bigint[] }> = {}) => {
  const { fields = '0x0f', name, version, extensions = [], ...rest } = { ...domain, ...change }
  return [fields, name, version, BigInt(rest.chainId), rest.verifyingContract, zero, extensions]
}

/** The token's return values by function; an absent function reverts. */
let responses: Record<string, unknown>
let code: Hex
let timestamp: bigint

beforeEach(() => {
  code = '0x'
  timestamp = 4_000_000_000n
  responses = { DOMAIN_SEPARATOR: domainSeparator({ domain }), nonces: 5n, name: 'Token', eip712Domain: stated() }
})

const client = createPublicClient({
  transport: custom({ request: async ({ method, params }) => respond(method, params) }, { retryCount: 0 }),
})

function respond(method: string, params: [{ data: Hex }]): unknown {
  if (method === 'eth_getCode') return code
  if (method === 'eth_getBlockByNumber') return { timestamp: `0x${timestamp.toString(16)}`, transactions: [] }
  const { functionName } = decodeFunctionData({ abi, data: params[0].data })
  const result = responses[functionName]
  if (result === undefined) throw new Error('execution reverted')
  return encodeFunctionResult({ abi, functionName, result } as never)
}

const read = () => readPermitDomain(client, { token, owner: owner.address, chainId })

test('a permit uses the domain that the token states', async () => {
  expect(await read()).toEqual(domain)
  const other = { ...domain, version: '2' }
  Object.assign(responses, {
    eip712Domain: stated({ version: '2' }),
    DOMAIN_SEPARATOR: domainSeparator({ domain: other }),
  })
  expect(await read()).toEqual(other)
})

test('a permit falls back to the token’s name and version 1', async () => {
  delete responses.eip712Domain
  expect(await read()).toEqual(domain)
  responses.DOMAIN_SEPARATOR = domainSeparator({ domain: { ...domain, version: '2' } })
  expect(await read()).toBeUndefined()
})

test.each([
  ['without a separator', () => delete responses.DOMAIN_SEPARATOR],
  ['without numbers for its permits', () => delete responses.nonces],
  ['whose separator is of another domain', () => Object.assign(responses, { DOMAIN_SEPARATOR: zero })],
  ['that states another chain', () => Object.assign(responses, { eip712Domain: stated({ chainId: 1 }) })],
  [
    'that states another contract',
    () => Object.assign(responses, { eip712Domain: stated({ verifyingContract: vault }) }),
  ],
  ['that states no contract', () => Object.assign(responses, { eip712Domain: stated({ fields: '0x07' }) })],
  ['with extensions', () => Object.assign(responses, { eip712Domain: stated({ extensions: [1n] }) })],
  ['with the permit of DAI', () => Object.assign(responses, { PERMIT_TYPEHASH: DAI_TYPEHASH })],
])('a token %s gets no permit', async (_name, change) => {
  change()
  expect(await read()).toBeUndefined()
})

test('a contract account signs no permit', async () => {
  code = '0x6000'
  expect(await read()).toBeUndefined()
})

test('a permit allows the vault the exact amount for 30 minutes', async () => {
  const permit = await permitToSign(client, { domain, owner: owner.address, spender: vault, units: 50n })
  expect(permit).toMatchObject({
    domain,
    primaryType: 'Permit',
    message: { owner: owner.address, spender: vault, value: 50n, nonce: 5n, deadline: 4_000_001_800n },
  })
})

test('an idle chain’s slow clock does not shorten a permit', async () => {
  timestamp = 1n
  const before = BigInt(Math.floor(Date.now() / 1_000))
  const { message } = await permitToSign(client, { domain, owner: owner.address, spender: vault, units: 50n })
  expect(message.deadline).toBeGreaterThanOrEqual(before + 1_800n)
})

test('a signature of the account is split for either recovery byte', async () => {
  const permit = await permitToSign(client, { domain, owner: owner.address, spender: vault, units: 50n })
  const signature = await owner.signTypedData(permit)
  const v = Number.parseInt(signature.slice(-2), 16)
  const parts = { deadline: permit.message.deadline, v, r: signature.slice(0, 66), s: `0x${signature.slice(66, 130)}` }
  expect(await checkedPermit(permit, signature)).toEqual(parts)
  expect(await checkedPermit(permit, `${signature.slice(0, -2)}0${v - 27}` as Hex)).toEqual(parts)
})

test.each([
  ['of another key', () => privateKeyToAccount(`0x${'2'.repeat(64)}`)],
  [
    'that is no 65 bytes, as of a smart-contract account',
    () => ({ signTypedData: async (): Promise<Hex> => '0x1234' }),
  ],
])('a signature %s is rejected', async (_name, signer) => {
  const permit = await permitToSign(client, { domain, owner: owner.address, spender: vault, units: 50n })
  expect(await checkedPermit(permit, await signer().signTypedData(permit))).toBeUndefined()
})
