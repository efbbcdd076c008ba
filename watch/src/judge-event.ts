import type { AlarmCode, Finding } from './alarm-codes.ts'
import { isoOf, type VaultFacts } from './judge-vault.ts'
import { roleName, type VaultEvent } from './vault-keys.ts'

type Clock = Pick<VaultFacts, 'timeS' | 'clock' | 'pausedAt'>
type Described = readonly [code: AlarmCode, text: string, activeAt?: string | undefined]

/** An announcement counts after 10 days; acts of before are the history of a vault that is watched later. */
const PAST_S = 30 * 86_400

/**
 * Reports a public act. What is announced names the earliest time at which it counts: a pause only makes it later.
 *
 * @param of.setup the transactions that deployed the vault: they announce nothing
 * @param of.next the vault that is watched as the next one, in lower case
 */
export function judgeEvent(
  event: VaultEvent,
  now: Clock,
  { setup, next }: { readonly setup: ReadonlySet<string>; readonly next: string | undefined },
): Finding | undefined {
  if (setup.has(event.tx) || now.timeS - event.timeS > PAST_S) return undefined
  const isKnownMove = event.name === 'Moved' && event.args.successor?.toLowerCase() === next
  const described: Described | undefined = isKnownMove ? ['moved_on', movedText(event)] : describe(event)
  if (!described) return undefined
  const [code, text, activeAt] = described
  const countsAt = activeAt === undefined ? undefined : earliest(Number(activeAt), now)
  return {
    key: `${code}:${event.tx}:${event.index}`,
    code,
    text: countsAt ? `${text}, which counts from ${countsAt} at the earliest` : text,
    facts: { at: isoOf(event.timeS), tx: event.tx, ...event.args, ...(countsAt ? { counts_at: countsAt } : {}) },
  }
}

/** Returns the transactions that made the vault: only they set a guardian where there was none. */
export function setupOf(events: readonly VaultEvent[]): Set<string> {
  const made = events.filter(({ name, args }) => name === 'GuardianSet' && /^0x0{40}$/.test(args.previous ?? ''))
  return new Set(made.map(({ tx }) => tx))
}

function earliest(activeAt: number, { timeS, clock, pausedAt }: Clock): string {
  const when = isoOf(timeS + activeAt - clock)
  return pausedAt === 0 ? when : `${when}, later by the rest of the pause and a day,`
}

function describe({ name, args }: VaultEvent): Described | undefined {
  const { activeAt, asset, key, role } = args
  switch (name) {
    case 'KeyAdded':
      return ['key_added', `the owner announced ${key} as ${roleName(role)}`, activeAt]
    case 'KeyRemoved':
      return ['key_removed', `the owner removed the ${roleName(role)} ${key}`]
    case 'GuardianAnnounced':
      if (activeAt === '0') return ['guardian', 'the owner withdrew the announced guardian']
      return ['guardian', `the owner announced the guardian ${args.guardian}`, activeAt]
    case 'GuardianSet':
      return ['guardian', `the guardian is ${args.current} and no longer ${args.previous}`]
    case 'LimitsSet':
      return ['limits_set', `the limits of ${asset} are ${args.perVoucher} for a voucher and ${args.perDay} a day`]
    case 'LimitsAnnounced':
      return [
        'limits_raised',
        `the owner announced limits of ${asset}: ${args.perVoucher} for a voucher and ${args.perDay} a day`,
        activeAt,
      ]
    case 'AssetListed':
      return ['asset', `the owner announced the asset ${asset}`, activeAt]
    case 'SuccessorAnnounced':
      if (activeAt === '0') return ['successor', 'the owner withdrew the announced successor']
      return ['successor', `the owner announced that all money may go to ${args.successor}`, activeAt]
    default:
      return describeState(name, args)
  }
}

function describeState(name: string, args: VaultEvent['args']): Described | undefined {
  switch (name) {
    // A pause that lasts is found in the state of the vault.
    case 'Unpaused':
      return ['unpaused', 'the pause has ended']
    case 'OwnershipTransferStarted':
      return ['owner', `the owner ${args.previousOwner} hands the vault over to ${args.newOwner}`]
    case 'OwnershipTransferred':
      return ['owner', `the owner is ${args.newOwner} and no longer ${args.previousOwner}`]
    case 'RootsDropped':
      return [
        'roots_dropped',
        `the owner voided the roots ${args.from} to ${args.to}; the newest is now header ${args.newestNumber}`,
      ]
    case 'EndStarted':
      return ['end_started', 'the end has begun: a day later everyone can claim']
    case 'Ended':
      return ['ended', 'the vault has ended: everyone can claim']
    case 'Moved':
      return ['moved', movedText({ args })]
    default:
      return undefined
  }
}

const movedText = ({ args }: Pick<VaultEvent, 'args'>) =>
  `${args.amount} of ${args.asset} moved to the successor ${args.successor}`
