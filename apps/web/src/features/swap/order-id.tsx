import { CopyButton } from '../../components/copy-button.tsx'
import { m } from '../../generated/paraglide/messages.js'
import { shortHex } from '../../i18n/format.ts'

/** A swap's number, to copy whole. */
export function OrderId({ id }: { id: string }) {
  return (
    <span className="-my-3 inline-flex items-center">
      {shortHex(id)}
      <CopyButton text={id} label={m.swap_copy_order_id()} />
    </span>
  )
}
