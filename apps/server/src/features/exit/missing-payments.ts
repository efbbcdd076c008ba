import type { Database } from '@clearwell/ledger/database'
import { type ExitPaymentRow, exitPayments } from '../../platform/custody/exit-payments.ts'

const MOST_PAYMENTS = 100

/** The place of a payment in the order of their bookings. */
export type PaymentPlace = Pick<ExitPaymentRow, 'booked_at' | 'id'>

interface Missing {
  readonly payments: readonly ExitPaymentRow[]
  /** The next search begins after this payment; `undefined`: with the oldest one. */
  readonly last: PaymentPlace | undefined
}

/**
 * Finds payments that are not wholly booked, the oldest first. Some may lack units for long, and must not keep others waiting: so each search
 * begins where the last one ended.
 */
export async function findMissing(db: Database, after: PaymentPlace | undefined): Promise<Missing> {
  const payments = await db.query<ExitPaymentRow>(
    `select ${exitPayments.columns} from exit_payments where missing > 0 and (booked_at, id) > ($1, $2)
     order by booked_at, id limit ${MOST_PAYMENTS}`,
    [after?.booked_at ?? new Date(0), after?.id ?? ''],
  )
  return { payments, last: payments.length === MOST_PAYMENTS ? payments.at(-1) : undefined }
}
