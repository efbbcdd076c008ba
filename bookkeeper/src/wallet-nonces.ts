import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { getAddress, type Hex } from 'viem'
import { createSiweMessage, parseSiweMessage } from 'viem/siwe'

/** How long a message can be used, in milliseconds. */
const LIFE_MS = 300_000
/** Messages that were used and have not expired. */
const MAX_USED = 50_000
const STATEMENT =
  'Show me my own balance in a header that both keys have signed. This signature moves no money and approves nothing.'
const NONCE = /^[0-9a-f]{64}$/

export interface NonceSettings {
  /** The address that people reach this port at. */
  readonly url: string
  readonly chainId: number
  readonly nowMs: () => number
}

/** A message that was made here and has not expired. */
export interface OpenMessage {
  /** With its checksum. */
  readonly address: Hex
  readonly nonce: string
  readonly message: string
}

/**
 * Makes the EIP-4361 messages by which a wallet signs in, and recognizes them. Nothing is stored until a signature is right: half of a nonce
 * is a code over the other half, the address and the time. So requests for an address cannot close another person's message.
 */
export class WalletNonces {
  readonly #settings: NonceSettings
  readonly #secret = randomBytes(32)
  /** Nonces that were used, with the time at which they expire, oldest first. */
  readonly #used = new Map<string, number>()

  constructor(settings: NonceSettings) {
    this.#settings = settings
  }

  /** @param address with its checksum */
  issue(address: Hex): { readonly message: string; readonly expiresAt: Date } {
    const issuedMs = this.#settings.nowMs()
    const random = randomBytes(16).toString('hex')
    const nonce = `${random}${this.#codeOf(address, issuedMs, random)}`
    return { message: this.#messageOf(address, issuedMs, nonce), expiresAt: new Date(issuedMs + LIFE_MS) }
  }

  /** Reads a message. Returns `undefined` unless it was made here for its address, in the last five minutes, and is not used. */
  open(message: string): OpenMessage | undefined {
    const { address, nonce = '', issuedAt } = parseSiweMessage(message)
    const issuedMs = issuedAt?.getTime() ?? Number.NaN
    const ageMs = this.#settings.nowMs() - issuedMs
    if (!address || !NONCE.test(nonce) || !(ageMs >= 0 && ageMs < LIFE_MS) || this.#used.has(nonce)) return undefined
    const code = this.#codeOf(getAddress(address), issuedMs, nonce.slice(0, 32))
    if (!timingSafeEqual(Buffer.from(code), Buffer.from(nonce.slice(32)))) return undefined
    if (message !== this.#messageOf(getAddress(address), issuedMs, nonce)) return undefined
    return { address: getAddress(address), nonce, message }
  }

  /** Closes a message whose signature is right. Returns false if it was used in the meantime, or if too many are in use. */
  close({ nonce }: Pick<OpenMessage, 'nonce'>): boolean {
    const nowMs = this.#settings.nowMs()
    for (const [used, expiresMs] of this.#used) {
      if (expiresMs > nowMs) break
      this.#used.delete(used)
    }
    if (this.#used.has(nonce) || this.#used.size >= MAX_USED) return false
    this.#used.set(nonce, nowMs + LIFE_MS)
    return true
  }

  #codeOf(address: Hex, issuedMs: number, random: string): string {
    const text = `${address} ${issuedMs} ${random}`
    return createHmac('sha256', this.#secret).update(text).digest('hex').slice(0, 32)
  }

  #messageOf(address: Hex, issuedMs: number, nonce: string): string {
    const { url, chainId } = this.#settings
    return createSiweMessage({
      ...{ domain: new URL(url).host, uri: url, address, chainId, nonce, version: '1', statement: STATEMENT },
      ...{ issuedAt: new Date(issuedMs), expirationTime: new Date(issuedMs + LIFE_MS) },
    })
  }
}
