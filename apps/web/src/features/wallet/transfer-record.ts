import { useAccountAddress } from '../../account/use-account.ts'
import { type PaymentRecord, usePaymentRecords } from '../../wallet/payment-record.ts'

/** The transfers in that the account made on this device, newest first. */
export function useTransferRecords(): readonly PaymentRecord[] {
  return usePaymentRecords(useAccountAddress()).filter(({ transfer }) => transfer !== undefined)
}
