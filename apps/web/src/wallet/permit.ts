import {
  type Address,
  type Client,
  domainSeparator,
  erc20Abi,
  type Hex,
  isAddressEqual,
  parseAbi,
  parseSignature,
  recoverTypedDataAddress,
  size,
  type TypedDataDomain,
} from 'viem'
import { getBlock, getCode, readContract } from 'viem/actions'

const permitAbi = parseAbi([
  'function DOMAIN_SEPARATOR() view returns (bytes32)',
  'function PERMIT_TYPEHASH() view returns (bytes32)',
  'function nonces(address owner) view returns (uint256)',
  'function eip712Domain() view returns (bytes1 fields, string name, string version, uint256 chainId, address verifyingContract, bytes32 salt, uint256[] extensions)',
])

/** keccak256 of `Permit(address owner,address spender,uint256 value,uint256 nonce,uint256 deadline)`, as EIP-2612 has it. */
const PERMIT_TYPEHASH = '0x6e71edae12b1b97f4d1f60370fef10105fa2faae0126114a169c64845d6126c9'

const PERMIT_TYPES = {
  Permit: [
    { name: 'owner', type: 'address' },
    { name: 'spender', type: 'address' },
    { name: 'value', type: 'uint256' },
    { name: 'nonce', type: 'uint256' },
    { name: 'deadline', type: 'uint256' },
  ],
} as const

/** A signed permission, in the parts that the vault's `depositWithPermit` takes. */
export interface SignedPermit {
  /** The last second in which it holds, as a block's timestamp. */
  readonly deadline: bigint
  readonly v: number
  readonly r: string
  readonly s: string
}

const PERMIT_LIFETIME_SECONDS = 30n * 60n

/**
 * The domain that a token's permit (EIP-2612) is signed in: as the token states it (ERC-5267), else its name and version
 * "1"; either must give the token's own `DOMAIN_SEPARATOR`.
 *
 * @returns `undefined` where there is none, or the owner is a contract, whose signature a token does not check: then the
 * wallet is asked for an exact approval.
 */
export async function readPermitDomain(
  client: Client,
  { token, owner, chainId }: { token: Address; owner: Address; chainId: number },
): Promise<TypedDataDomain | undefined> {
  const [code, separator, typehash, nonce, stated, name] = await Promise.all([
    getCode(client, { address: owner }).catch(() => '0x' as const),
    readContract(client, { address: token, abi: permitAbi, functionName: 'DOMAIN_SEPARATOR' }).catch(missing),
    readContract(client, { address: token, abi: permitAbi, functionName: 'PERMIT_TYPEHASH' }).catch(missing),
    readNonce(client, { token, owner }).catch(missing),
    readContract(client, { address: token, abi: permitAbi, functionName: 'eip712Domain' }).catch(missing),
    readContract(client, { address: token, abi: erc20Abi, functionName: 'name' }).catch(missing),
  ])
  if (code !== undefined || separator === undefined || nonce === undefined) return undefined
  // DAI's own permit, older than the standard, has these too, and another signature.
  if (typehash !== undefined && typehash !== PERMIT_TYPEHASH) return undefined
  const domain = stated
    ? domainOf(stated)
    : name !== undefined && { name, version: '1', chainId, verifyingContract: token }
  // A token cannot ask for a signature for another chain or another contract.
  if (!domain || domain.chainId !== chainId) return undefined
  if (!domain.verifyingContract || !isAddressEqual(domain.verifyingContract, token)) return undefined
  return domainSeparator({ domain }) === separator ? domain : undefined
}

/**
 * Builds the permit that the wallet signs so that `spender` may take exactly `units` of a token, once, within 30 minutes.
 *
 * The chain's clock decides, but an idle chain's is behind. So the 30 minutes start at the later of that clock and this
 * device's.
 */
export async function permitToSign(
  client: Client,
  permit: { domain: TypedDataDomain; owner: Address; spender: Address; units: bigint },
) {
  const { domain, owner, spender, units: value } = permit
  const [nonce, { timestamp }] = await Promise.all([
    readNonce(client, { token: domain.verifyingContract as Address, owner }),
    getBlock(client),
  ])
  const now = BigInt(Math.floor(Date.now() / 1_000))
  const deadline = (timestamp > now ? timestamp : now) + PERMIT_LIFETIME_SECONDS
  const message = { owner, spender, value, nonce, deadline }
  return { domain, types: PERMIT_TYPES, primaryType: 'Permit', message } as const
}

/** @returns the parts of a signature; `undefined` where it is not the owner's own, as a smart-contract account's is not. */
export async function checkedPermit(
  typedData: Awaited<ReturnType<typeof permitToSign>>,
  signature: Hex,
): Promise<SignedPermit | undefined> {
  if (size(signature) !== 65) return undefined
  const { owner, deadline } = typedData.message
  const signer = await recoverTypedDataAddress({ ...typedData, signature }).catch(missing)
  if (signer === undefined || !isAddressEqual(signer, owner)) return undefined
  const { r, s, yParity } = parseSignature(signature)
  return { deadline, v: 27 + yParity, r, s }
}

function readNonce(client: Client, { token, owner }: { token: Address; owner: Address }): Promise<bigint> {
  return readContract(client, { address: token, abi: permitAbi, functionName: 'nonces', args: [owner] })
}

/** The fields that ERC-5267 says are in use, one bit each. */
function domainOf([fields, name, version, chainId, verifyingContract, salt, extensions]: readonly [
  Hex,
  string,
  string,
  bigint,
  Address,
  Hex,
  readonly bigint[],
]): (TypedDataDomain & { chainId?: number }) | undefined {
  const used = Number.parseInt(fields, 16)
  if (extensions.length > 0) return undefined
  return {
    ...(used & 1 ? { name } : {}),
    ...(used & 2 ? { version } : {}),
    ...(used & 4 ? { chainId: Number(chainId) } : {}),
    ...(used & 8 ? { verifyingContract } : {}),
    ...(used & 16 ? { salt } : {}),
  }
}

function missing(): undefined {
  return undefined
}
