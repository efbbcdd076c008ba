import { proofRoutes } from '@clearwell/api/proof.routes'
import { ownLeaves } from '../../domain/proofs/own-leaves-port.ts'
import { PROOF_TABLES } from '../../domain/proofs/proof.tables.ts'
import { type HeaderMaking, headerMaking } from '../../domain/proofs/signed-roots.ts'
import { defineFeature } from '../../platform/feature.ts'
import { forgetHeaderTimes, noteSilence } from '../../platform/ledger/repayment-stop.ts'
import { describeReserves } from './describe-reserves.ts'
import { proofConfig, publishProofKeys } from './proof.config.ts'
import { createOwnLeaves, proofHandlers } from './proof.handlers.ts'
import { proofMetrics } from './proof.metrics.ts'
import { createProofHeaders, type ProofHeaders } from './proof-headers.ts'

export const proofFeature = defineFeature({
  name: 'proof',
  about: {
    en: 'Proofs of reserves and of your balance, checked in your browser',
    'zh-HK': '儲備及餘額證明，可用瀏覽器自行核對',
  },
  routes: proofRoutes,
  config: proofConfig,
  publishes: publishProofKeys,
  tables: PROOF_TABLES,
  metrics: proofMetrics,
  open(platform) {
    const { config, clock, db, writer, lastReserveCheck } = platform
    const { solvency } = config
    const recorder = platform.metrics.add(proofMetrics)
    const headers = config.env.proofs ? createProofHeaders(platform, recorder) : undefined
    return {
      handlers: {
        ...proofHandlers({ db, headers, hasExits: config.env.vaultKind === 'exits' }),
        async proofReserves() {
          return describeReserves(await lastReserveCheck(), { now: clock.now(), maxAgeMs: solvency.maxAgeMs })
        },
      },
      provides: [headerMaking.by(headers?.port ?? NO_HEADERS), ownLeaves.by(createOwnLeaves(db, headers))],
      services: servicesOf(headers),
      local: { runDue: async () => headers?.renew() },
      onLeader: async () => {
        await writer.execute(headers ? noteSilence({ sinceStart: true }) : forgetHeaderTimes())
      },
      start: () => headers?.start(),
      stop: () => headers?.stop(),
    }
  },
})

/** Where no headers are made. */
const NO_HEADERS: HeaderMaking = { hurry: () => {}, onSigned: () => {}, holdWhile: () => {}, onRenewed: () => {} }

function servicesOf(headers: ProofHeaders | undefined) {
  if (!headers) return []
  const { hasBookkeeper, isRecent } = headers
  return [
    { name: 'headers', isOk: isRecent } as const,
    ...(hasBookkeeper ? [{ name: 'bookkeeper', isOk: hasBookkeeper } as const] : []),
  ]
}
