import { ASSETS, type Asset } from './leave-ledger.ts'

/** Amounts of one asset of each account, in base units. */
export type Amounts = Record<Asset, bigint>

const none = (): Amounts => ({ BNB: 0n, USDT: 0n, ETH: 0n })

/** Accounts, a pool and the vault's money by addition alone: it knows no tree, no header and no contract. */
export class LeaveModel {
  readonly free = new Map<string, Amounts>()
  /** Money that is no user's: the operator's pool with its fees. */
  readonly house: Amounts = none()
  /** All that the vault has got and not paid. */
  readonly held: Amounts = none()

  of(account: string): Amounts {
    const known = this.free.get(account) ?? none()
    this.free.set(account, known)
    return known
  }

  deposit(account: string, asset: Asset, units: bigint): void {
    this.of(account)[asset] += units
    this.held[asset] += units
  }

  fill(asset: Asset, units: bigint): void {
    this.house[asset] += units
    this.held[asset] += units
  }

  /** An account sells one asset to the pool for another. */
  swap(account: string, [sold, units]: readonly [Asset, bigint], [bought, got]: readonly [Asset, bigint]): void {
    const own = this.of(account)
    own[sold] -= units
    own[bought] += got
    this.house[sold] += units
    this.house[bought] -= got
  }

  pay(account: string, asset: Asset, units: bigint): void {
    this.of(account)[asset] -= units
    this.held[asset] -= units
  }

  lose(asset: Asset, units: bigint): void {
    this.held[asset] -= units
  }

  /** Returns what the vault owes its users. */
  owed(asset: Asset): bigint {
    return [...this.free.values()].reduce((sum, own) => sum + own[asset], 0n)
  }

  /** Returns what each account gets after an end, by the fraction of each asset. */
  shares(): Map<string, Amounts> {
    const parts = ASSETS.map((asset) => ({ asset, held: this.held[asset], owed: this.owed(asset) }))
    return new Map(
      [...this.free].map(([account, own]) => {
        const got = none()
        for (const { asset, held, owed } of parts) got[asset] = owed > held ? (own[asset] * held) / owed : own[asset]
        return [account, got]
      }),
    )
  }
}

/** Random numbers that a seed repeats. */
export function randomOf(seed: number): (below: bigint) => bigint {
  let state = BigInt(seed)
  return (below) => {
    state = (state * 6_364_136_223_846_793_005n + 1_442_695_040_888_963_407n) % (1n << 64n)
    return below === 0n ? 0n : (state >> 11n) % below
  }
}
