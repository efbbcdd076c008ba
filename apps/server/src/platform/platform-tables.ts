import type { Table } from '@clearwell/ledger/table'
import { alarms } from './alarms/alarm.store.ts'
import { localDeployment } from './chain/local-deployment.store.ts'
import { chainCursors } from './custody/chain-cursors.ts'
import { countedExits } from './custody/counted-exits.ts'
import { deposits } from './custody/deposits.ts'
import { exitPayments } from './custody/exit-payments.ts'
import { chainHeads, pendingMovements } from './custody/pending-movements.ts'
import { proofAccounts, proofChanges, proofPlaces } from './custody/proof-places.ts'
import { reserveChecks } from './custody/reserve-checks.ts'
import { breakerEvents } from './custody/solvency-breaker.ts'
import { strandedDeposits } from './custody/stranded-deposits.ts'
import { unknownWithdrawals } from './custody/unknown-payouts.ts'
import { vaultCounters } from './custody/vault-counters.ts'
import { replacedVaults, watchedVaults } from './custody/watched-vault.ts'
import { jobs } from './jobs/job.store.ts'
import { breakers } from './ledger/breaker.ts'
import { depositOrders } from './ledger/deposit-orders.ts'
import { ledgerFollowers } from './ledger/follow-ledger.ts'
import { frozenAccounts } from './ledger/frozen-accounts.ts'
import { headerTimes } from './ledger/header-age.ts'
import { exitActs, exits } from './ledger/leaving-accounts.ts'
import { repaymentStops } from './ledger/repayment-stop.ts'
import { restores } from './ledger/restores.ts'
import { rowLineHeads, rowLines } from './ledger/row-lines.ts'
import { treasuryDebts } from './ledger/treasury-debts.ts'
import { simulatedPrices } from './market-data/simulated-source.ts'
import { backups } from './metrics/backup-metrics.ts'
import { lastNotice, notices } from './notices/notice.store.ts'
import { unsentNotices } from './notices/unsent-notices.ts'
import { operatorActions, operatorPersons, operatorRequests, operatorSignatures } from './operator/operator.tables.ts'
import { lastPrices } from './prices/last-prices.ts'
import { ruleChanges, rules } from './rules/rules.tables.ts'
import { servers } from './servers/server-list.ts'
import { sessions } from './sessions/session.store.ts'
import { expiredVouchers, signedVouchers, signerCaps, signerMinutes } from './signer/signer.tables.ts'
import { plannedUpgrades } from './upgrades/planned-upgrades.ts'

/** The platform's tables, room by room. */
export const PLATFORM_TABLES: readonly Table<unknown>[] = [
  alarms,
  backups,
  localDeployment,
  ...[chainCursors, chainHeads, deposits, pendingMovements, unknownWithdrawals, countedExits, exitPayments],
  ...[breakerEvents, reserveChecks],
  ...[proofAccounts, proofChanges, proofPlaces],
  ...[replacedVaults, strandedDeposits, vaultCounters, watchedVaults],
  jobs,
  ...[breakers, depositOrders, exitActs, exits, frozenAccounts, headerTimes, ledgerFollowers, repaymentStops],
  ...[restores, treasuryDebts],
  ...[rowLineHeads, rowLines],
  simulatedPrices,
  ...[lastNotice, notices, unsentNotices],
  ...[operatorActions, operatorPersons, operatorRequests, operatorSignatures],
  lastPrices,
  ...[ruleChanges, rules],
  plannedUpgrades,
  servers,
  sessions,
  ...[expiredVouchers, signedVouchers, signerCaps, signerMinutes],
]
